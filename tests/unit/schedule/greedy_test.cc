// The greedy order: ways that free a tensor, as long as they may be.
#include "schedule/greedy.h"

#include <gtest/gtest.h>

#include <vector>

#include "schedule/tuning.h"

namespace tarn::schedule {
namespace {

// Operator 0 makes one byte of another, which frees as much. Behind it stands a chain of `length` operators, each of
// which makes one byte more than it frees; the last one frees 1000 bytes.
OrderGraph chain_behind(int length, bool used_twice = false) {
  OrderProblem p;
  p.tensors = {{1, true, false}, {1, false, true}, {1000, true, false}, {1, true, false}};
  p.operators = {{{0}, {1}, 0, {}}};
  for (int i = 0; i < length; ++i) {
    const int made = static_cast<int>(p.tensors.size());
    p.tensors.push_back({i + 2});
    p.operators.push_back({{made - 1}, {made}, 0, {}});
  }
  p.operators.back().inputs.push_back(2);
  if (used_twice) {  // by an operator that frees four bytes, too
    const int own = static_cast<int>(p.tensors.size());
    p.tensors.push_back({5, true, false});
    p.tensors.push_back({1, false, true});
    p.operators.push_back({{2, own}, {own + 1}, 0, {}});
  }
  return graph_of(p);
}

TEST(Greedy, WaysAreOfLimitedLength) {
  const auto longest = static_cast<int>(kLongestWay);
  for (const GreedyRule rule : {GreedyRule::least_growth, GreedyRule::least_born}) {
    EXPECT_EQ(greedy_order(chain_behind(longest), rule).front(), 1);
    EXPECT_EQ(greedy_order(chain_behind(longest), rule).back(), 0);
    EXPECT_EQ(greedy_order(chain_behind(longest + 1), rule).front(), 0);
  }
}

// A way that was too long is taken as soon as an operator on it has run.
TEST(Greedy, WaysGrowShorter) {
  const auto longest = static_cast<int>(kLongestWay);
  for (const GreedyRule rule : {GreedyRule::least_growth, GreedyRule::least_born}) {
    for (const int length : {longest, longest + 1}) {
      const std::vector<int> order = greedy_order(chain_behind(length, true), rule);
      EXPECT_EQ(order[0], length + 1);
      EXPECT_EQ(order[1], length == longest ? 1 : 0);
    }
  }
}

}  // namespace
}  // namespace tarn::schedule
