// Lines recomputed in place of kept: the choices that are met, on networks of wide layers between narrow ones.
#include "stream/joining/recompute.h"

#include <gtest/gtest.h>

#include "program/macs.h"
#include "stream/check/check_plan.h"
#include "stream/make_plan.h"
#include "tag_executor.h"
#include "tower.h"

namespace tarn::stream {
namespace {

JoinedLayers joined(const Tower& tower, const Options& options, const SearchLimits& limits) {
  JoinedLayers choice{tower.storage, tower.order, find_chains(tower.program, tower.storage, tower.order), {}, {}};
  choice.net = make_net(tower.program, choice.storage, choice.order, options, choice.chains);
  Work work;
  choice.best = search_cuts(choice.net, options.lines, limits, INT64_MAX, work);
  return choice;
}

Options options_of(uint64_t seed) {
  Options options;
  options.mode = seed % 2 == 0 ? Mode::fed : Mode::resident;
  options.drain = seed % 3 == 0;
  options.lines = seed % 5 == 0 ? Lines::table : Lines::ring;
  options.recompute = 1000;
  return options;
}

const SearchLimits kLimits{4, 0};

// By tables they come as they are met; by rings time is spared afterwards.
TEST(Recompute, ChoicesTakeLessMemoryAndAreSound) {
  int met = 0, windows = 0, narrower = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    const Tower tower(seed, 4, 12);
    Options options = options_of(seed);
    options.lines = seed % 2 == 0 ? Lines::table : Lines::ring;
    const JoinedLayers start = joined(tower, options, kLimits);
    const Layers layers{tower.storage, tower.order};
    int64_t before = start.best.plan.arena, extra = 0;
    for (JoinedLayers& choice : recompute_lines(start, tower.program, layers, options, options.lines, kLimits)) {
      if (options.lines == Lines::table) {
        EXPECT_LT(choice.best.plan.arena, before) << seed;
        EXPECT_TRUE(extra == 0 || choice.best.plan.arena <= before - before / 32) << seed;
        EXPECT_GT(extra_macs_of(tower.program, choice.chains), extra) << seed;
        EXPECT_GT(recomputed(choice.chains), 0) << seed;
        before = choice.best.plan.arena;
        extra = extra_macs_of(tower.program, choice.chains);
      }
      for (const Chain& chain : choice.chains) {
        EXPECT_TRUE(chain.mid > 0 || !chain.recompute) << seed;
        narrower += chain.recompute && chain.chunk < 6;
      }
      windows += static_cast<int>(recomputed(choice.chains));
      ++met;
      finish(choice.net, choice.best, kLimits);
      const LinePlan plan = plan_of(choice, options, kLimits);
      const std::vector<std::string> faults = check_plan(tower.program, plan);
      ASSERT_TRUE(faults.empty()) << seed << ": " << faults.front();
      ASSERT_EQ(TagExecutor(tower.program, plan).run(), 0) << seed;
    }
  }
  EXPECT_GT(met, 20);
  EXPECT_GT(windows, 20);
  EXPECT_GT(narrower, 5);
}

// What choose() hands on without a budget comes first, as it is without one.
TEST(Recompute, ChoicesWithoutAreTheSame) {
  int more = 0;
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    const Tower tower(seed, 3, 12);
    Options options = options_of(seed);
    const std::vector<Layers> layers = layers_of(tower.program, tower.storage, tower.order, {});
    const std::vector<JoinedLayers> with = choose(tower.program, layers, options, kLimits);
    options.recompute = 0;
    const std::vector<JoinedLayers> without = choose(tower.program, layers, options, kLimits);
    std::vector<int64_t> plain, all;
    for (const JoinedLayers& choice : without) all.push_back(choice.best.plan.arena);
    for (const JoinedLayers& choice : with) {
      if (recomputed(choice.chains) == 0) plain.push_back(choice.best.plan.arena);
      else ++more;
    }
    EXPECT_EQ(plain, all) << seed;
  }
  EXPECT_GT(more, 10);
}

TEST(Recompute, BudgetsAreInPercentOfTheRest) {
  EXPECT_TRUE(is_within(12.5, 125, 1000));
  EXPECT_FALSE(is_within(12.5, 126, 1000));
  EXPECT_TRUE(is_within(0, 0, 0));
  EXPECT_FALSE(is_within(0, 1, 1000));
}

TEST(Recompute, TheSmallestWithinABudgetComesFirst) {
  int some = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    const Tower tower(seed, 4, 12);
    const Options options = options_of(seed);
    const std::vector<JoinedLayers> all = recompute_lines(
        joined(tower, options, kLimits), tower.program, {tower.storage, tower.order}, options, options.lines, kLimits);
    const int64_t macs = program::macs_of(tower.program);
    int64_t sum = 0;
    for (const program::Operation& operation : tower.program.operations) sum += operation.macs;
    ASSERT_EQ(macs, sum);
    for (const int64_t aside : {int64_t{0}, macs / 10}) {
      for (const double percent : {5., 20., 40., 80., 140., 1000.}) {
        const std::vector<JoinedLayers> within = choices_within(all, tower.program, percent, aside, macs);
        size_t count = 0;
        for (const JoinedLayers& choice : all)
          count += is_within(percent, aside + extra_macs_of(tower.program, choice.chains), macs);
        ASSERT_EQ(within.size(), count);
        for (size_t i = 1; i < count; ++i) ASSERT_LE(within[i - 1].best.plan.arena, within[i].best.plan.arena);
        some += count > 0 && count < all.size();
      }
    }
  }
  EXPECT_GT(some, 4);
}

}  // namespace
}  // namespace tarn::stream
