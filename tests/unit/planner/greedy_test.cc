// The orders in which items are placed, against what each says it is.
#include "planner/greedy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

#include "unit/planner/random_problem.h"

namespace tarn::planner {
namespace {

const Item& at(const Problem& problem, int i) { return problem.items[static_cast<size_t>(i)]; }

// The instants at which items begin, those with most bytes alive first, and at each what is alive by size; then all
// that is alive at none.
std::vector<int> by_breadth(const Problem& problem) {
  std::set<Instant> begin;
  for (const Item& item : problem.items) begin.insert(item.first);
  std::vector<std::pair<Bytes, Instant>> instants;
  for (const Instant t : begin) {
    Bytes alive = 0;
    for (const Item& item : problem.items) alive += item.first <= t && t < item.end ? item.size : 0;
    instants.emplace_back(-alive, t);
  }
  std::sort(instants.begin(), instants.end());
  std::vector<int> sizes(problem.items.size()), order;
  std::iota(sizes.begin(), sizes.end(), 0);
  std::stable_sort(sizes.begin(), sizes.end(), [&](int i, int j) {
    const Item &x = at(problem, i), &y = at(problem, j);
    return std::tuple(-x.size, x.first - x.end, x.first) < std::tuple(-y.size, y.first - y.end, y.first);
  });
  const auto take = [&](auto wanted) {
    for (const int i : sizes) {
      if (wanted(at(problem, i)) && std::find(order.begin(), order.end(), i) == order.end()) order.push_back(i);
    }
  };
  for (const auto& [alive, t] : instants) {
    take([t = t](const Item& item) { return item.first <= t && t < item.end; });
  }
  take([](const Item&) { return true; });
  return order;
}

TEST(GreedyOrders, ByBreadthGoesThroughTheBusiestInstantsFirst) {
  Random random(7);
  for (int round = 0; round < 400; ++round) {
    Problem problem = test::random_problem(random, {.items = 3 + round % 12, .sizes = 9, .instants = 8, .lives = 5});
    for (Item& item : problem.items) {
      if (random.below(8) == 0) item.end = item.first;  // no life
      if (random.below(8) == 0) item.size = 0;
    }
    EXPECT_EQ(greedy_order(problem, Strategy::greedy_by_breadth), by_breadth(problem)) << "round " << round;
  }
}

// Each order has each item once, also where there are too many instants to go through all of them.
TEST(GreedyOrders, HoldEachItemOnce) {
  Random random(8);
  for (const int items : {1, 30, 6500}) {
    Problem problem = test::random_problem(random, {.items = items, .sizes = 50, .lives = 20});
    for (int i = 0; i < items; ++i) {
      Item& item = problem.items[static_cast<size_t>(i)];
      item.end += i - item.first, item.first = i;
      if (i % 5 == 4) item.end = i;
    }
    for (std::vector<int> order : promising_orders(problem)) {
      std::sort(order.begin(), order.end());
      std::vector<int> all(problem.items.size());
      std::iota(all.begin(), all.end(), 0);
      EXPECT_EQ(order, all);
    }
  }
}

}  // namespace
}  // namespace tarn::planner
