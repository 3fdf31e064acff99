// Splits that are found by rule of thumb: what is forbidden in turn would take more rounds than there are.
#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "planner/split.h"
#include "planner/tuning.h"

namespace tarn::planner {
namespace {

// Three items at a time, `count` times in turn, of which two find places in the first memory, though three are no
// larger than it: they begin at multiples of `alignment`. Beside them one of `beside`, and afterwards `ones` of size 1.
SplitProblem hard_to_pack(int count, Bytes size, Bytes alignment, Bytes beside, int ones,
                          std::vector<Bytes> capacities) {
  SplitProblem problem;
  problem.capacities = std::move(capacities);
  const auto add = [&](Instant first, Bytes bytes, Bytes traffic) {
    Item item;
    item.first = first;
    item.end = first + 1;
    item.size = bytes;
    problem.problem.items.push_back(item);
    problem.traffic.push_back(traffic);
    problem.allowed.push_back((1u << problem.capacities.size()) - 1);
  };
  for (int n = 0; n < count; ++n) {
    for (int k = 0; k < 3; ++k) {
      add(n, size, 2 * size);
      problem.problem.items.back().alignment = alignment;
    }
    if (beside > 0) add(n, beside, beside);
  }
  for (int n = 0; n < ones; ++n) add(count, 1, 1);
  return problem;
}

// Each item in the first memory that has room, of which so many sixteenths are there in all but the last. All have the
// same places, and are in the order of their traffic for a byte.
std::vector<int> filled(const SplitProblem& problem, Bytes sixteenths) {
  const std::vector<Item>& items = problem.problem.items;
  std::vector<size_t> order(items.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return problem.traffic[a] * items[b].size > problem.traffic[b] * items[a].size;
  });
  std::vector<int> bank(items.size(), -1);
  for (size_t i : order) {
    for (int b = 0; b < static_cast<int>(problem.capacities.size()) && bank[i] < 0; ++b) {
      const Bytes capacity = problem.capacities[static_cast<size_t>(b)];
      const bool last = b + 1 == static_cast<int>(problem.capacities.size());
      bool fits = true;
      for (Instant t = items[i].first; t < items[i].end; ++t) {
        Bytes load = items[i].size;
        for (size_t j = 0; j < items.size(); ++j) {
          if (bank[j] == b && items[j].first <= t && t < items[j].end) load += items[j].size;
        }
        fits = fits && load <= (last ? capacity : capacity * sixteenths / 16);
      }
      if (fits) bank[i] = b;
    }
    if (bank[i] < 0) return {};
  }
  return bank;
}

bool packs(const SplitProblem& problem, const std::vector<int>& bank) {
  for (size_t b = 0; b < problem.capacities.size(); ++b) {
    Problem part = restrict_to(problem.problem, items_of_bank(bank, static_cast<int>(b)));
    part.capacity = problem.capacities[b];
    if (solve(part, Strategy::exact, {1}).proof == Proof::infeasible) return false;
  }
  return true;
}

// With the most room of kSplitRoom with which all memories pack.
std::vector<int> expected(const SplitProblem& problem, int& sixteenths) {
  for (const int room : kSplitRoom) {
    sixteenths = room;
    std::vector<int> bank = filled(problem, room);
    if (!bank.empty() && packs(problem, bank)) return bank;
  }
  return {};
}

TEST(SplitFill, LeavesRoomToTheByte) {
  std::map<int, int> times;
  for (const auto& [size, alignment, capacity] :
       {std::tuple<Bytes, Bytes, Bytes>{5, 6, 16}, {8, 10, 25}, {8, 13, 30}, {13, 15, 42}, {5, 10, 24}}) {
    const Bytes second = 30 + 2 * size + capacity;
    SplitProblem problem = hard_to_pack(25, size, alignment, 0, 120, {capacity, second, 1000});
    int sixteenths = 0;
    const std::vector<int> bank = expected(problem, sixteenths);
    EXPECT_EQ(split(problem, {0}).bank, bank) << size << " " << alignment << " " << capacity;
    ++times[sixteenths];
    // The last one is filled to the brim.
    problem.capacities[2] = solve(restrict_to(problem.problem, items_of_bank(bank, 2)), Strategy::automatic, {0}).arena;
    EXPECT_EQ(expected(problem, sixteenths), bank);
    EXPECT_EQ(split(problem, {0}).bank, bank) << size << " " << alignment << " " << capacity;
  }
  EXPECT_GE(times.size(), 3u);
}

// Where nothing of a memory that does not pack has room in another one, and none is left either.
TEST(SplitFill, GivesUpWhereNothingHasRoom) {
  const SplitProblem problem = hard_to_pack(25, 8, 10, 8, 0, {26, 8});
  int sixteenths = 0;
  EXPECT_TRUE(expected(problem, sixteenths).empty());
  EXPECT_FALSE(split(problem, {0}).found());
  // With fewer the way out is found: the smallest of them beside two others, and the third one apart.
  const SplitProblem few = hard_to_pack(3, 8, 10, 8, 0, {26, 8});
  EXPECT_EQ(split(few, {0}).proof, Proof::optimal);
}

}  // namespace
}  // namespace tarn::planner
