// Orders and counts of work of fixed problems: a change that costs or saves work is seen, meant or not.
#include <gtest/gtest.h>

#include "property/digest.h"
#include "property/schedule/tiny_problem.h"
#include "schedule/implied_order.h"
#include "schedule/min_peak.h"
#include "schedule/regions.h"

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

TEST(PinnedOrders, Small) { EXPECT_EQ(orders(600000, 60, {6, 14, true, true}, 0), 471633209915880576u); }
TEST(PinnedOrders, Searched) { EXPECT_EQ(orders(601000, 60, {8, 24, true, true}, 1), 13089926678492307513u); }
TEST(PinnedOrders, Branches) { EXPECT_EQ(orders(605000, 40, {10, 30, true, true, true}, 0), 11598989192064663581u); }
TEST(PinnedOrders, BranchesSearched) {
  EXPECT_EQ(orders(606000, 40, {10, 24, true, true, true}, 1), 7282746995488397122u);
}
TEST(PinnedOrders, Implied) { EXPECT_EQ(orders(602000, 40, {8, 20, true, true}, 2), 7620950609430571710u); }
TEST(PinnedOrders, BoundsAlone) { EXPECT_EQ(orders(603000, 40, {8, 20, true, true}, 3), 12899555693184612272u); }
TEST(PinnedOrders, ManyOperators) { EXPECT_EQ(orders(604000, 2, {66, 90, true, true}, 0), 16902869092854761504u); }

}  // namespace
}  // namespace tarn::schedule
