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

int64_t cost_of(const Costs& costs, const std::vector<Chain>& chains) {
  int64_t cost = 0;
  for (const Chain& chain : chains) cost += costs.of_chain(chain);
  return cost;
}

TEST(GivenUp, WhereTheShareOfTheTimeIsTheGreaterOne) {
  int taken = 0, kept = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    const Tower tower(seed, 4);
    std::vector<Chain> chains = find_chains(tower.program, tower.storage, tower.order);
    for (Chain& chain : chains) chain.chunk = 1;
    const JoinedLayers choice = packed(tower, chains);
    const Costs costs = estimated_costs(tower.program);
    const int64_t by_lines = costs.times.by_lines, cost = cost_of(costs, chains);
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
    const Costs long_run{{1000 * (by_lines + cost), 1000 * (by_lines + cost)}, costs.of_chain};
    EXPECT_FALSE(cheaper(choice, apart, tower.program, {.alignment = 4, .costs = &long_run}).chains.empty());
  }
  EXPECT_GT(taken, 10);
  EXPECT_GT(kept, 10);
}

// Costs that are known take the place of the estimate. Chains may cost what lines leave of a share of the time by
// layers, or a smaller share in any case.
TEST(GivenUp, WhereTheTimeThatIsKnownLeavesTooLittle) {
  int taken = 0, kept = 0, dear = 0, cheap = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const Tower tower(seed, 4);
    std::vector<Chain> chains = find_chains(tower.program, tower.storage, tower.order);
    if (chains.empty()) continue;
    for (Chain& chain : chains) chain.chunk = 1;
    JoinedLayers choice = packed(tower, chains), apart = packed(tower, {});
    const Costs costs = tower.costs();
    const Times& times = costs.times;
    const int64_t cost = cost_of(costs, chains), lines = times.by_lines - times.by_layers;
    // Around where the share, and where the smaller share, is just the cost.
    for (const int64_t middle :
         {(cost + lines) * 1000 / kMostExtraTime, cost * 1000 / kLeastExtraTime, times.by_layers / 2}) {
      for (int64_t known = std::max<int64_t>(1, middle - 40); known <= middle + 40; known += 8) {
        const int64_t most = std::max(known * kMostExtraTime / 1000 - lines, known * kLeastExtraTime / 1000);
        const int64_t equal = (known + lines + cost) * choice.best.plan.arena / (known + lines);
        for (const int64_t arena : {equal - 1, equal + 1}) {
          apart.best.plan.arena = arena;
          const bool better = cost > most && (known + lines) * arena < (known + lines + cost) * choice.best.plan.arena;
          const Costs of_run{{known, known + lines}, costs.of_chain};
          const SearchLimits limits{.alignment = 4, .costs = &of_run};
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
