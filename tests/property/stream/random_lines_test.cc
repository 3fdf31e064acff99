// Random networks of operators that work by lines: plans of every mode run on tagged bytes, and plans that are wrong by
// a line are found out.
#include <gtest/gtest.h>

#include "line_plan.h"
#include "random_net.h"
#include "sampling.h"
#include "stream/check/check_plan.h"
#include "stream/joining/recompute.h"
#include "tag_executor.h"

namespace tarn::stream {
namespace {

std::vector<Layers> ways(const Program& program) {
  const lifetimes::Storage storage = lifetimes::assign_storage(program, {}, false);
  std::vector<OperationId> order;
  for (OperationId id : program.main) {
    if (!storage.left_out[id.pos()]) order.push_back(id);
  }
  return layers_of(program, storage, order, {});
}

LinePlan plan_of(const Program& program, const Options& options) {
  return make_plan(program, ways(program), options, {4, 0});
}

std::vector<Options> all_options() {
  std::vector<Options> all;
  for (const Mode mode : {Mode::resident, Mode::fed}) {
    for (const bool drain : {false, true}) {
      for (const Lines lines : {Lines::ring, Lines::table}) {
        Options options;
        options.mode = mode;
        options.drain = drain;
        options.lines = lines;
        options.line_buffers = false;
        all.push_back(options);
      }
    }
  }
  return all;
}

TEST(RandomLines, PlansRunOnTaggedBytes) {
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    const Program program = RandomNet(seed).make();
    for (const Options& options : all_options()) {
      const LinePlan plan = plan_of(program, options);
      const std::vector<std::string> faults = check_plan(program, plan);
      ASSERT_TRUE(faults.empty()) << "seed " << seed << ": " << faults.front() << "\n" << dump(program);
      ASSERT_EQ(TagExecutor(program, plan).run(), 0) << "seed " << seed << "\n" << dump(program);
      EXPECT_GE(plan.arena, plan.bound) << seed;
    }
  }
}

TEST(RandomLines, JoinedLayersKeepTheirLines) {
  int joined = 0;
  // The last ones are dense.
  const uint64_t step = sampling::larger() ? 1 : 2;
  if (step > 1) std::cout << "every second network; all with TARN_CI=1\n";
  for (uint64_t seed = 1; seed <= 18; seed += step) {
    const Program program = RandomNet(seed, seed <= 12 ? RandomNet::none : RandomNet::dense).make();
    for (Options options : all_options()) {
      if (options.drain) continue;
      options.line_buffers = true;
      const LinePlan plan = plan_of(program, options);
      const std::vector<std::string> faults = check_plan(program, plan);
      ASSERT_TRUE(faults.empty()) << "seed " << seed << ": " << faults.front() << "\n" << dump(program);
      EXPECT_EQ(TagExecutor(program, plan).run(), 0) << "seed " << seed << "\n" << dump(program);
      for (const Actor& actor : plan.actors) joined += actor.line_buffer.has_value();
    }
  }
  EXPECT_GT(joined, 0);
}

// Every window keeps no lines, in chunks of any width.
TEST(RandomLines, JoinedLayersRecomputeTheirLines) {
  int recomputing = 0, told = 0;
  for (uint64_t seed = 1; seed <= 240; ++seed) {
    const Program program = RandomNet(seed, seed % 3 == 0 ? RandomNet::dense : RandomNet::none).make();
    Options options = all_options()[seed % 8];
    options.drain = false;
    const SearchLimits limits{4, 0};
    const Layers layers = ways(program).front();
    JoinedLayers choice{layers.storage, layers.order, find_chains(program, layers.storage, layers.order), {}, {}};
    for (Chain& chain : choice.chains) {
      chain.recompute = chain.mid > 0;
      chain.chunk = 1 + static_cast<int64_t>(seed) % 4;
    }
    if (recomputed(choice.chains) == 0) continue;
    choice.net = make_net(program, choice.storage, choice.order, options, choice.chains);
    Work work;
    choice.best = search_cuts(choice.net, options.lines, limits, INT64_MAX, work);
    finish(choice.net, choice.best, limits);
    const LinePlan plan = plan_of(choice, options, limits);
    const std::vector<std::string> faults = check_plan(program, plan);
    ASSERT_TRUE(faults.empty()) << "seed " << seed << ": " << faults.front() << "\n" << dump(program);
    ASSERT_EQ(TagExecutor(program, plan).run(), 0) << "seed " << seed << "\n" << dump(program);
    recomputing += static_cast<int>(recomputed(choice.chains));
    // Whoever keeps no lines reads those before again: no ring is longer than that asks for.
    LinePlan wrong = plan;
    for (Memory& memory : wrong.memories) {
      if (memory.addressing != Addressing::ring || memory.slots < 2 || memory.holds != Memory::Holds::tensor) continue;
      --memory.slots;
      EXPECT_FALSE(check_plan(program, wrong).empty()) << "seed " << seed;
      ++memory.slots;
      ++told;
    }
  }
  EXPECT_GT(recomputing, 20);
  EXPECT_GT(told, 4);
}

TEST(RandomLines, ShorterRingsAreFound) {
  int rings = 0, told = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    const bool dense = seed > 30;
    const Program program = RandomNet(seed, dense ? RandomNet::dense : RandomNet::of_parts).make();
    const LinePlan plan = plan_of(program, all_options()[seed % 2 == 0 ? 4 : 6]);
    for (size_t m = 0; m < plan.memories.size(); ++m) {
      if (plan.memories[m].addressing != Addressing::ring || plan.memories[m].slots < 2 ||
          plan.memories[m].holds != Memory::Holds::tensor)
        continue;
      LinePlan wrong = plan;
      --wrong.memories[m].slots;
      EXPECT_FALSE(check_plan(program, wrong).empty()) << "seed " << seed << " memory " << m;
      const bool read_wrong = TagExecutor(program, wrong).run() > 0;
      EXPECT_TRUE(read_wrong || dense) << "seed " << seed << " memory " << m;
      rings += dense;
      told += dense && read_wrong;
    }
  }
  // Of a dense network's lines some channels may be read for the last time before the ring needs their place; the whole
  // line is kept.
  EXPECT_GT(rings, 20);
  EXPECT_GT(told, rings * 9 / 10);
}

TEST(RandomLines, SlotsOfRingsStandApartWhereItPays) {
  int apart = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    const Program program = RandomNet(seed, seed > 30 ? RandomNet::dense : RandomNet::none).make();
    const LinePlan plan = plan_of(program, all_options()[seed % 2 == 0 ? 4 : 6]);
    const std::vector<std::string> faults = check_plan(program, plan);
    ASSERT_TRUE(faults.empty()) << "seed " << seed << ": " << faults.front() << "\n" << dump(program);
    ASSERT_EQ(TagExecutor(program, plan).run(), 0) << "seed " << seed << "\n" << dump(program);
    for (size_t m = 0; m < plan.memories.size(); ++m) {
      const Memory& memory = plan.memories[m];
      if (memory.addressing != Addressing::table) continue;
      EXPECT_LT(memory.slots, memory.lines);
      ++apart;
      LinePlan wrong = plan;
      --wrong.memories[m].slots;
      wrong.memories[m].table.pop_back();
      EXPECT_FALSE(check_plan(program, wrong).empty()) << "seed " << seed << " memory " << m;
    }
  }
  EXPECT_GT(apart, 3);
}

// Every ring is a table too.
TEST(RandomLines, TablesNeedNoMoreThanRings) {
  int less = 0;
  for (uint64_t seed = 1; seed <= 16; ++seed) {
    const Program program = RandomNet(seed, seed > 8 ? RandomNet::dense : RandomNet::none).make();
    Options options = all_options()[seed % 2 == 0 ? 4 : 6];
    options.line_buffers = true;
    const int64_t rings = plan_of(program, options).arena;
    options.lines = Lines::table;
    const int64_t tables = plan_of(program, options).arena;
    EXPECT_LE(tables, rings) << "seed " << seed;
    less += tables < rings;
  }
  EXPECT_GT(less, 2);
}

TEST(RandomLines, WordsOutOfOrderAreFound) {
  const Program program = RandomNet(3).make();
  LinePlan plan = plan_of(program, all_options()[4]);
  ASSERT_TRUE(check_plan(program, plan).empty());
  plan.loops.pop_back();
  EXPECT_FALSE(check_plan(program, plan).empty());
}

// Two neighbouring steps change places: what the tagged bytes tell, the checker tells.
TEST(RandomLines, StepsTooEarlyAreFound) {
  uint64_t wrong_plans = 0;
  const auto last = sampling::part<uint64_t>(20, 7);
  for (uint64_t seed = 1; seed <= last; ++seed) {
    const Program program = RandomNet(seed).make();
    for (const Options& options : {all_options()[0], all_options()[6]}) {
      const LinePlan plan = plan_of(program, options);
      for (size_t s = 0; s + 1 < plan.steps.size(); ++s) {
        if (plan.steps[s].actor == plan.steps[s + 1].actor) continue;
        LinePlan swapped = plan;
        std::swap(swapped.steps[s], swapped.steps[s + 1]);
        swapped.loops.clear();
        for (const Step& step : swapped.steps) swapped.loops.push_back({{step.actor}, 1});
        if (TagExecutor(program, swapped).run() == 0) continue;
        ++wrong_plans;
        EXPECT_FALSE(check_plan(program, swapped).empty()) << "seed " << seed << " step " << s << "\n" << dump(program);
      }
    }
  }
  EXPECT_GT(wrong_plans, 15 * last);
}

TEST(RandomLines, SamePlanTwice) {
  const Program program = RandomNet(11).make();
  for (const Options& options : all_options()) {
    const LinePlan a = plan_of(program, options), b = plan_of(program, options);
    ASSERT_EQ(a.arena, b.arena);
    for (size_t m = 0; m < a.memories.size(); ++m) {
      EXPECT_EQ(a.memories[m].base, b.memories[m].base);
      EXPECT_EQ(a.memories[m].table, b.memories[m].table);
    }
  }
}

}  // namespace
}  // namespace tarn::stream
