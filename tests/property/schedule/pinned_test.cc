// Orders and counts of work of fixed problems: a change that costs or saves work is seen, meant or not.
#include <gtest/gtest.h>

#include "property/digest.h"
#include "property/schedule/tiny_problem.h"
#include "schedule/canonical_order.h"
#include "schedule/greedy.h"
#include "schedule/implied_order.h"
#include "schedule/interference.h"
#include "schedule/least_live.h"
#include "schedule/min_peak.h"
#include "schedule/regions.h"
#include "schedule/sections.h"
#include "schedule/set_search.h"
#include "schedule/windows.h"

namespace tarn::schedule {
namespace {

using tarn::test::Digest;

void add(Digest& digest, const Order& order, const SearchUse& use) {
  digest.add(order.operators).add(order.peak).add(order.lower_bound).add(order.search_states).add(order.bound_step);
  digest.add(use.sections).add(use.step_bounds).add(use.condensed).add(use.canonical).add(use.exhausted);
  digest.add(use.freeing_sets).add(use.safe_moves).add(use.valley_jumps).add(use.known_failures).add(use.implied);
  digest.add(use.implied_refutations).add(use.windows);
}

uint64_t orders(uint32_t first_seed, uint32_t count, const testing::TinyShape& shape, int which) {
  Digest digest;
  for (uint32_t seed = first_seed; seed < first_seed + count; ++seed) {
    const OrderProblem p = testing::tiny_problem(seed, shape);
    SearchFeatures features;
    if (which == 1) features.cut_bound = features.beam = false;
    if (which == 2) features.cut_bound = features.canonical = features.plain_search = false;
    if (which == 3) features.cut_bound = features.canonical = features.exhaustion = features.windows = false;
    SearchUse use;
    const Order order = min_peak_with(p, {0}, features, &use);
    add(digest, order, use);
    for (const std::vector<int>& other : alternatives(p, order, {order.operators}, 3)) digest.add(other);
  }
  return digest.value();
}

TEST(PinnedOrders, Tiny) { EXPECT_EQ(orders(607000, 600, {1, 8, true, true}, 0), 2280424957787517731u); }
TEST(PinnedOrders, TinySearched) { EXPECT_EQ(orders(608000, 600, {1, 8, true, true}, 1), 6746513145500561526u); }
TEST(PinnedOrders, Small) { EXPECT_EQ(orders(600000, 60, {6, 14, true, true}, 0), 471633209915880576u); }
TEST(PinnedOrders, Searched) { EXPECT_EQ(orders(601000, 60, {8, 24, true, true}, 1), 13089926678492307513u); }
TEST(PinnedOrders, Branches) { EXPECT_EQ(orders(605000, 40, {10, 30, true, true, true}, 0), 11598989192064663581u); }
TEST(PinnedOrders, BranchesSearched) {
  EXPECT_EQ(orders(606000, 40, {10, 24, true, true, true}, 1), 7282746995488397122u);
}
TEST(PinnedOrders, Implied) { EXPECT_EQ(orders(602000, 40, {8, 20, true, true}, 2), 7620950609430571710u); }
TEST(PinnedOrders, BoundsAlone) { EXPECT_EQ(orders(603000, 40, {8, 20, true, true}, 3), 12899555693184612272u); }
TEST(PinnedOrders, ManyOperators) { EXPECT_EQ(orders(604000, 2, {66, 90, true, true}, 0), 16902869092854761504u); }

// Of an order that is given: as many operators as a search over sets takes, and more.
TEST(PinnedOrders, OthersOfManyOperators) {
  Digest digest;
  for (const int count : {40, 200, 1100}) {
    for (uint32_t seed = 650000; seed < 650002; ++seed) {
      const OrderProblem p = testing::tiny_problem(seed, {count, count, true, true, seed % 2 == 0});
      Order order;
      order.operators = listed_order(graph_of(p));
      order.peak = costs_of(graph_of(p), order.operators).peak;
      for (const std::vector<int>& other : alternatives(p, order, {}, 2)) digest.add(other);
    }
  }
  EXPECT_EQ(digest.value(), 13956376799617074407u);
}

void add(Digest& digest, const OrderGraph& graph) {
  digest.add(graph.base);
  for (const GraphTensor& t : graph.tensors) digest.add(t.bytes).add(t.producer).add(t.kept).add(t.users);
  for (const GraphOperator& o : graph.operators) {
    digest.add(o.born).add(o.extra).add(o.uses).add(o.makes).add(o.before).add(o.after);
    for (const Gift& gift : o.gifts) digest.add(gift.giver).add(gift.saves);
  }
}

// What each inference says by itself, and the work it takes.
uint64_t inferences(uint32_t first_seed, uint32_t count, const testing::TinyShape& shape) {
  Digest digest;
  for (uint32_t seed = first_seed; seed < first_seed + count; ++seed) {
    const OrderGraph graph = graph_of(testing::tiny_problem(seed, shape));
    const std::vector<int> listed = listed_order(graph);
    const OrderCosts costs = costs_of(graph, listed);
    add(digest, graph);
    digest.add(costs.step).add(costs.live).add(section_ends(graph, listed));
    const Condensed condensed = condense(graph);
    add(digest, condensed.graph);
    for (const std::vector<int>& members : condensed.members) digest.add(members);
    int64_t work = 40'000;
    const StepBound bound = cut_bound(graph, listed, costs, costs.peak, work);
    digest.add(bound.bytes).add(bound.step).add(work);
    for (const int64_t given : {200, 30'000}) {
      int64_t left = given;
      const Implied implied = imply_order(graph, std::max(bound.bytes, costs.peak - costs.peak / 8), left);
      digest.add(implied.impossible).add(implied.added).add(implied.members).add(left);
      add(digest, implied.graph);
    }
    if (graph.count() <= 64) {
      for (const int states : {60, 2000}) {
        const auto blocks = canonical_order(graph, listed, states);
        digest.add(blocks.has_value());
        if (!blocks) continue;
        for (const Block& block : *blocks) digest.add(block.operators).add(block.hill).add(block.before);
      }
    }
    std::vector<int> order = greedy_order(graph, GreedyRule::least_growth);
    const std::vector<int> other = greedy_order(graph, GreedyRule::least_born);
    digest.add(order).add(other);
    const Interference interference(graph);
    digest.add(interference.of(order)).add(interference.distance(interference.of(order), interference.of(other)));
    Budget budget{60'000, 60'000};
    digest.add(improve_windows(graph, order, bound.bytes, budget, {})).add(order).add(budget.words).add(budget.arcs);
    const auto search = SetSearch::make(graph, {});
    int64_t words = 20'000;
    digest.add(search->beam(costs.peak, 4, words)).add(words);
    for (Bytes top = costs.peak; words > 0 && top >= bound.bytes; --top) {
      const Exhausted found = search->exhaust(top, words);
      digest.add(found.verdict).add(found.order).add(found.next_top).add(found.states).add(words);
      if (found.verdict != Verdict::found) break;
    }
  }
  return digest.value();
}

TEST(PinnedInferences, Small) { EXPECT_EQ(inferences(620000, 4000, {2, 9, true, true}), 4485924879151392080u); }
TEST(PinnedInferences, Middle) { EXPECT_EQ(inferences(631000, 300, {12, 30, true, true}), 10326555855912151078u); }
TEST(PinnedInferences, WithoutGifts) {
  EXPECT_EQ(inferences(632000, 400, {8, 24, false, true}), 12675999972274550335u);
}
TEST(PinnedInferences, Branches) {
  EXPECT_EQ(inferences(633000, 400, {10, 40, true, true, true}), 10970038696993955773u);
}
TEST(PinnedInferences, BranchesWithoutGifts) {
  EXPECT_EQ(inferences(634000, 400, {10, 40, false, true, true}), 10637576366192515282u);
}
TEST(PinnedInferences, Large) { EXPECT_EQ(inferences(635000, 12, {70, 300, true, true, true}), 7965509410883809668u); }

}  // namespace
}  // namespace tarn::schedule
