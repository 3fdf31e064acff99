// Joined layers that cost more than they may are given up for layers by themselves where that is the better bargain.
#include <gtest/gtest.h>

#include "stream/cost/chain_cost.h"
#include "stream/joining/spare_time.h"
#include "stream/tuning.h"
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

// A time by layers that is known takes the place of the estimate, and what lines cost beside it is added to it. Chains
// may cost what they leave of a share of it, or a smaller share in any case.
TEST(GivenUp, WhereTheTimeThatIsKnownLeavesTooLittle) {
  int taken = 0, kept = 0, dear = 0, cheap = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const Tower tower(seed, 4);
    std::vector<Chain> chains = find_chains(tower.program, tower.storage, tower.order);
    if (chains.empty()) continue;
    for (Chain& chain : chains) chain.chunk = 1;
    JoinedLayers choice = packed(tower, chains), apart = packed(tower, {});
    const Times times = times_of(tower.program);
    int64_t cost = 0;
    for (const Chain& chain : chains) cost += chain_cost(tower.program, chain);
    const int64_t lines = times.by_lines - times.by_layers;
    // Around where the share, and where the smaller share, is just the cost.
    for (const int64_t middle :
         {(cost + lines) * 1000 / kMostExtraTime, cost * 1000 / kLeastExtraTime, times.by_layers / 2}) {
      for (int64_t known = std::max<int64_t>(1, middle - 40); known <= middle + 40; known += 8) {
        const int64_t most = std::max(known * kMostExtraTime / 1000 - lines, known * kLeastExtraTime / 1000);
        const int64_t equal = (known + lines + cost) * choice.best.plan.arena / (known + lines);
        for (const int64_t arena : {equal - 1, equal + 1}) {
          apart.best.plan.arena = arena;
          const bool better = cost > most && (known + lines) * arena < (known + lines + cost) * choice.best.plan.arena;
          const SearchLimits limits{.alignment = 4, .time_by_layers = known};
          EXPECT_EQ(cheaper(choice, apart, tower.program, limits).chains.empty(), better) << seed << " " << known;
          ++(better ? taken : kept);
          ++(cost > most ? dear : cheap);
        }
      }
    }
  }
  EXPECT_GT(std::min({taken, kept, dear, cheap}), 100);
}

}  // namespace
}  // namespace tarn::stream
