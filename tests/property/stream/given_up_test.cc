// Joined layers that cost more than they may are given up for layers by themselves where that is the better bargain.
#include <gtest/gtest.h>

#include "stream/cost/chain_cost.h"
#include "stream/joining/spare_time.h"
#include "tower.h"

namespace tarn::stream {
namespace {

Options fed_rings() {
  Options options;
  options.mode = Mode::fed;
  return options;
}

JoinedLayers packed(const Tower& tower, std::vector<Chain> chains) {
  JoinedLayers choice{tower.storage, tower.order, std::move(chains), {}, {}};
  choice.net = make_net(tower.program, tower.storage, tower.order, fed_rings(), choice.chains);
  Work work{0, 40'000'000};
  choice.best = search_cuts(choice.net, Lines::ring, {.alignment = 4, .effort = 0}, INT64_MAX, work);
  return choice;
}

TEST(GivenUp, WhereTheShareOfTheTimeIsTheGreaterOne) {
  int taken = 0, kept = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    const Tower tower(seed, 4);
    std::vector<Chain> chains = find_chains(tower.program, tower.storage, tower.order);
    for (Chain& chain : chains) chain.chunk = 1;
    const JoinedLayers choice = packed(tower, chains);
    const int64_t by_lines = times_of(tower.program).by_lines;
    int64_t cost = 0;
    for (const Chain& chain : chains) cost += chain_cost(tower.program, chain);
    if (cost <= by_lines / 10) continue;  // far above what chains may cost
    JoinedLayers apart = packed(tower, {});
    const int64_t equal = (by_lines + cost) * choice.best.plan.arena / by_lines;
    for (const int64_t arena : {apart.best.plan.arena, equal - 1, equal + 1}) {
      apart.best.plan.arena = arena;
      const bool better = arena <= equal - 1;
      const bool empty = cheaper(choice, apart, tower.program, {.alignment = 4}).chains.empty();
      EXPECT_EQ(empty, better) << seed;
      taken += empty;
      kept += !empty;
    }
    // A goal in bytes is met by joined layers; and what they cost is little beside a long run.
    apart.best.plan.arena = 1;
    EXPECT_FALSE(cheaper(choice, apart, tower.program, {.alignment = 4, .budget = 1}).chains.empty());
    EXPECT_FALSE(cheaper(choice, apart, tower.program, {.alignment = 4, .time_by_layers = 1000 * (by_lines + cost)})
                     .chains.empty());
  }
  EXPECT_GT(taken, 10);
  EXPECT_GT(kept, 10);
}

}  // namespace
}  // namespace tarn::stream
