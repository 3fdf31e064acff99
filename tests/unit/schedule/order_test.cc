// Parts of the order search on graphs small enough to be followed by hand. Brute force over random problems is in
// property/schedule.
#include <gtest/gtest.h>

#include <algorithm>

#include "schedule/canonical_order.h"
#include "schedule/implied_order.h"
#include "schedule/interference.h"
#include "schedule/least_live.h"
#include "schedule/min_peak.h"
#include "schedule/order_graph.h"
#include "schedule/regions.h"
#include "schedule/schedule.h"
#include "schedule/sections.h"
#include "support/check.h"

namespace tarn::schedule {
namespace {

constexpr int64_t kMuch = int64_t{1} << 40;

// An input of 1 byte feeds two branches. Left: 10 bytes, then 1. Right: 6 bytes, then 4. A last operator joins them.
//   0: in -> 10   1: 10 -> 1   2: in -> 6   3: 6 -> 4   4: 1, 4 -> out (1, kept)
// Branch by branch, left first: 1 + 10 + 1 = 12. Right first: 4 + 10 + 1 = 15 in operator 1.
OrderProblem branches() {
  OrderProblem p;
  p.tensors = {{1, true, false}, {10}, {1}, {6}, {4}, {1, false, true}};
  p.operators = {{{0}, {1}, 0, {}}, {{1}, {2}, 0, {}}, {{0}, {3}, 0, {}}, {{3}, {4}, 0, {}}, {{2, 4}, {5}, 0, {}}};
  return p;
}

TEST(Order, NamesOfKindsAreThoseOfTheOption) {
  EXPECT_EQ(order_from("given"), OrderKind::given);
  EXPECT_EQ(order_from("min_peak"), OrderKind::min_peak);
  EXPECT_FALSE(order_from("best"));
  EXPECT_EQ(to_string(OrderKind::given), "given");
  EXPECT_EQ(to_string(OrderKind::min_peak), "min_peak");
}

TEST(Order, CostsOfAnOrderAreThoseOfItsSteps) {
  const OrderGraph graph = graph_of(branches());
  const OrderCosts left = costs_of(graph, {0, 1, 2, 3, 4});
  EXPECT_EQ(left.step, (std::vector<Bytes>{11, 12, 8, 11, 6}));
  EXPECT_EQ(left.live, (std::vector<Bytes>{1, 11, 2, 7, 5, 1}));
  EXPECT_EQ(left.peak, 12);
  EXPECT_EQ(costs_of(graph, {2, 3, 0, 1, 4}).peak, 15);
}

TEST(Order, TheBoundOfAStepIsTheLeastCutAroundIt) {
  const OrderGraph graph = graph_of(branches());
  LeastLive least(graph);
  const std::vector<Side> open(graph.operators.size(), Side::either);
  int64_t work = kMuch;
  // Operator 1 runs with 10 + 1 bytes, and at best with the input alive, no other branch begun.
  EXPECT_EQ(least.step(1, open, 1000, work), 12);
  // Operator 3: the left branch has run, which leaves 1 byte, and the input is dead; or has not, and the input lives.
  EXPECT_EQ(least.step(3, open, 1000, work), 11);
  const std::vector<int> listed = listed_order(graph);
  const StepBound bound = cut_bound(graph, listed, costs_of(graph, listed), 1000, work);
  EXPECT_EQ(bound.bytes, 12);
  EXPECT_EQ(bound.step, 1);
}

TEST(Order, DonationsSaveOnlyWhereTheGiverDies) {
  OrderProblem p;
  p.tensors = {{8, true, false}, {8, false, true}, {8, false, true}};
  p.operators = {{{0}, {1}, 0, {{0, 1, 8}}}, {{0}, {2}, 0, {{0, 2, 8}}}};
  const OrderGraph graph = graph_of(p);
  EXPECT_EQ(costs_of(graph, {0, 1}).step, (std::vector<Bytes>{16, 16}));  // 8 + 8, then 8 + 8 with one in place
}

TEST(Order, SectionsEndWhereEveryOrderPasses) {
  const OrderGraph graph = graph_of(branches());
  EXPECT_EQ(section_ends(graph, listed_order(graph)), (std::vector<int>{0, 4, 5}));
}

TEST(Order, WindowsCarryWhatLivesThroughout) {
  const OrderGraph graph = graph_of(branches());
  const std::vector<int> order = {0, 1, 2, 3, 4};
  const OrderGraph window = WindowCutter(graph, order).cut(2, 4);
  EXPECT_EQ(window.count(), 2);
  // The 1 byte of the left branch lives throughout; costs are those of the steps in the whole.
  EXPECT_EQ(costs_of(window, {0, 1}).step, (std::vector<Bytes>{8, 11}));
}

TEST(Order, ImpliedOrdersAreThoseOfEveryOrderWithinTheTop) {
  const OrderGraph graph = graph_of(branches());
  int64_t work = kMuch;
  // Within 12 the left branch's peak leaves nothing for the right one.
  const Implied implied = imply_order(graph, 12, work);
  ASSERT_FALSE(implied.impossible);
  ASSERT_GT(implied.added, 0);
  const auto place = [&](int v) {
    return std::find(implied.members.begin(), implied.members.end(), v) - implied.members.begin();
  };
  EXPECT_LT(place(1), place(2));
  EXPECT_TRUE(imply_order(graph, 11, work).impossible);
  EXPECT_EQ(imply_order(graph, 16, work).added, 0);
}

TEST(Order, ImpliedOrdersWithoutWorkSayNothing) {
  int64_t none = 0;
  const Implied implied = imply_order(graph_of(branches()), 11, none);
  EXPECT_FALSE(implied.impossible);
  EXPECT_EQ(implied.added, 0);
}

// Operator 0 makes 2 bytes that feed two chains, 20 -> 1 and 12 -> 3, which operator 5 joins.
OrderProblem forked() {
  OrderProblem p;
  p.tensors = {{1, true, false}, {2}, {20}, {1}, {12}, {3}, {1, false, true}};
  p.operators = {{{0}, {1}, 0, {}}, {{1}, {2}, 0, {}}, {{2}, {3}, 0, {}},
                 {{1}, {4}, 0, {}}, {{4}, {5}, 0, {}}, {{3, 5}, {6}, 0, {}}};
  return p;
}

TEST(Order, CanonicalBlocksGoOverTheLowestHillToTheDeepestValley) {
  const OrderGraph graph = graph_of(forked());
  const auto blocks = canonical_order(graph, {1, 2, 3, 4}, 4000);
  ASSERT_TRUE(blocks);
  std::vector<int> order;
  for (const Block& block : *blocks) order.insert(order.end(), block.operators.begin(), block.operators.end());
  EXPECT_EQ(order.size(), 4u);
  std::vector<int> whole = {0};
  whole.insert(whole.end(), order.begin(), order.end());
  whole.push_back(5);
  EXPECT_EQ(costs_of(graph, whole).peak, 23);  // 2 + 20 + 1 in operator 2, before the other chain begins
  EXPECT_FALSE(canonical_order(graph, {1, 2, 3, 4}, 1)) << "one set is not enough";
}

TEST(Order, CondensedGraphsKeepTheLeastPeak) {
  const OrderGraph graph = graph_of(forked());
  const Condensed condensed = condense(graph);
  EXPECT_LT(condensed.graph.count(), graph.count());
  std::vector<int> expanded;
  for (int v : listed_order(condensed.graph)) {
    const std::vector<int>& members = condensed.members[static_cast<size_t>(v)];
    expanded.insert(expanded.end(), members.begin(), members.end());
  }
  EXPECT_EQ(costs_of(graph, expanded).peak, 23);
  EXPECT_EQ(costs_of(condensed.graph, listed_order(condensed.graph)).peak, 23);
}

TEST(Order, InterferenceTellsOrdersApartByWhatLivesTogether) {
  const OrderGraph graph = graph_of(branches());
  const Interference interference(graph);
  const auto left = interference.of({0, 1, 2, 3, 4}), right = interference.of({2, 3, 0, 1, 4});
  EXPECT_EQ(interference.distance(left, left), 0);
  EXPECT_GT(interference.distance(left, right), 0);
}

// Whether the problem is taken after a change.
template <class Change>
bool is_taken_after(Change change) {
  OrderProblem p = branches();
  change(p);
  try {
    graph_of(p);
    return true;
  } catch (const InternalError&) {
    return false;
  }
}

// Each clause of order_problem.h: what is still right beside what breaks it.
TEST(Order, ProblemsThatBreakTheContractAreNotSolved) {
  constexpr Bytes kMost = Bytes{1} << 50;
  EXPECT_TRUE(is_taken_after([](OrderProblem& p) { p.tensors[1].bytes = 0; }));
  EXPECT_FALSE(is_taken_after([](OrderProblem& p) { p.tensors[1].bytes = -1; }));
  EXPECT_TRUE(is_taken_after([](OrderProblem& p) { p.tensors[1].bytes = kMost - 13; }));
  EXPECT_FALSE(is_taken_after([](OrderProblem& p) { p.tensors[1].bytes = kMost - 12; }));
  EXPECT_FALSE(is_taken_after([](OrderProblem& p) { p.tensors[1].bytes = p.tensors[2].bytes = INT64_MAX; }));
  EXPECT_TRUE(is_taken_after([](OrderProblem& p) { p.operators[1].scratch = kMost - 23; }));
  EXPECT_FALSE(is_taken_after([](OrderProblem& p) { p.operators[1].scratch = kMost - 22; }));
  EXPECT_FALSE(is_taken_after([](OrderProblem& p) { p.operators[1].scratch = -1; }));
  EXPECT_FALSE(is_taken_after([](OrderProblem& p) { p.operators[0].inputs = {6}; }));
  EXPECT_FALSE(is_taken_after([](OrderProblem& p) { p.operators[0].inputs = {-1}; }));
  EXPECT_FALSE(is_taken_after([](OrderProblem& p) { p.operators[0].inputs = {1}; })) << "used before it is made";
  EXPECT_FALSE(is_taken_after([](OrderProblem& p) { p.operators[0].outputs = {6}; }));
  EXPECT_FALSE(is_taken_after([](OrderProblem& p) { p.operators[0].outputs = {-1}; }));
  EXPECT_FALSE(is_taken_after([](OrderProblem& p) { p.operators[0].outputs = {0, 1}; })) << "makes an input";
  EXPECT_FALSE(is_taken_after([](OrderProblem& p) { p.operators[2].outputs = {1, 3}; })) << "made twice";
  const auto donates = [](Donation d) {
    return is_taken_after([&](OrderProblem& p) { p.operators[1].donations = {d}; });
  };
  EXPECT_TRUE(donates({1, 2, 1}));
  EXPECT_TRUE(donates({1, 2, 0}));
  EXPECT_FALSE(donates({1, 2, 2}));
  EXPECT_FALSE(donates({1, 2, -1}));
  EXPECT_FALSE(donates({0, 2, 1}));
  EXPECT_FALSE(donates({1, 3, 1}));
}

TEST(Order, OrdersThatBreakADependencyHaveNoCosts) {
  const OrderGraph graph = graph_of(branches());
  for (const std::vector<int>& order : std::vector<std::vector<int>>{
           {}, {0, 1, 2, 3}, {0, 1, 2, 3, 3}, {1, 0, 2, 3, 4}, {0, 1, 4, 2, 3}, {0, 1, 2, 3, 5}, {-1, 1, 2, 3, 4}}) {
    EXPECT_THROW(costs_of(graph, order), InternalError);
  }
}

// Sets of finished operators hold 1024 of them; sections of more are ordered without the searches over sets.
TEST(Order, SectionsOfMoreOperatorsThanSetsHold) {
  for (const int count : {1023, 1024, 1025}) {
    OrderProblem p;
    OrderOperator last;
    for (int i = 0; i + 1 < count; ++i) {
      p.tensors.push_back({1 + i % 3});
      p.operators.push_back({{}, {i}, 0, {}});
      last.inputs.push_back(i);
    }
    last.outputs = {count - 1};
    p.tensors.push_back({5, false, true});
    p.operators.push_back(last);
    SearchFeatures features;
    features.sections = features.cut_bound = features.condense = features.implied_order = features.windows = false;
    SearchUse use;
    const Order order = min_peak_with(p, {0}, features, &use);
    EXPECT_EQ(order.peak, peak_of(p, order.operators));
    EXPECT_EQ(order.peak == order.lower_bound, count <= 1024) << count;
    EXPECT_EQ(use.exhausted, count <= 1024 ? 1u : 0u) << count;
  }
}

}  // namespace
}  // namespace tarn::schedule
