// The parts of order search one by one on fixed random graphs: what windows and shifts cost against the whole, and what
// each search finds within limits of all sizes, in digests.
#include <gtest/gtest.h>

#include <algorithm>

#include "planner/random.h"
#include "property/digest.h"
#include "property/schedule/tiny_problem.h"
#include "schedule/flow.h"
#include "schedule/least_live.h"
#include "schedule/order_graph.h"
#include "schedule/section_search.h"
#include "schedule/sections.h"
#include "schedule/set_search.h"
#include "schedule/shifts.h"
#include "schedule/solve.h"
#include "schedule/windows.h"

namespace tarn::schedule {
namespace {

using tarn::test::Digest;

OrderGraph random_graph(uint32_t seed, int most) {
  return graph_of(
      testing::tiny_problem(seed, {1 + static_cast<int>(seed % 3), most, seed % 4 > 0, seed % 5 > 0, seed % 6 == 0}));
}

// A valid order: each time one of those that are ready.
std::vector<int> random_order(const OrderGraph& graph, planner::Random& random) {
  std::vector<int> order;
  std::vector<bool> done(graph.operators.size(), false);
  while (order.size() < graph.operators.size()) {
    std::vector<int> ready;
    for (size_t v = 0; v < done.size(); ++v) {
      const std::vector<int>& before = graph.operators[v].before;
      if (!done[v] && std::all_of(before.begin(), before.end(), [&](int p) { return done[static_cast<size_t>(p)]; }))
        ready.push_back(static_cast<int>(v));
    }
    order.push_back(ready[static_cast<size_t>(random.below(std::ssize(ready)))]);
    done[static_cast<size_t>(order.back())] = true;
  }
  return order;
}

// An operator moves as far as dependencies and the two limits let it, and the costs that are kept are those of the
// order: what is refused would have been too much.
TEST(Shifts, AreThoseWithinTheirLimits) {
  int moved = 0, refused = 0;
  for (uint32_t seed = 1; seed <= 400; ++seed) {
    planner::Random random(seed);
    const OrderGraph graph = random_graph(seed, 14);
    const int count = graph.count();
    if (count < 2) continue;
    ShiftableOrder shiftable(graph, random_order(graph, random));
    for (int k = 0; k < 30; ++k) {
      const std::vector<int> before = shiftable.order();
      const OrderCosts costs = costs_of(graph, before);
      const auto from = static_cast<int>(random.below(count));
      const int first = shiftable.first_step(from), last = shiftable.last_step(from);
      for (int step = 0; step < count; ++step) {
        const std::vector<int>& of = graph.operators[static_cast<size_t>(before[static_cast<size_t>(step)])].before;
        const std::vector<int>& to = graph.operators[static_cast<size_t>(before[static_cast<size_t>(from)])].before;
        EXPECT_TRUE(step < first || std::count(to.begin(), to.end(), before[static_cast<size_t>(step)]) == 0);
        EXPECT_TRUE(step > last || std::count(of.begin(), of.end(), before[static_cast<size_t>(from)]) == 0);
      }
      const int to = first + static_cast<int>(random.below(last - first + 1));
      std::vector<int> after = before;
      after.erase(after.begin() + from);
      after.insert(after.begin() + to, before[static_cast<size_t>(from)]);
      const OrderCosts then = costs_of(graph, after);
      Bytes growth = 0;
      for (size_t s = 0; s < then.step.size(); ++s) growth += then.step[s] - costs.step[s];
      Bytes most = 0;
      for (int s = std::min(from, to); s <= std::max(from, to); ++s)
        most = std::max(most, then.step[static_cast<size_t>(s)]);
      const Bytes top = most + random.below(3) - 1, allowed = growth + random.below(3) - 1;
      const bool expected = most <= top && growth <= allowed;
      ASSERT_EQ(shiftable.move(from, to, top, allowed), expected) << seed;
      ASSERT_EQ(shiftable.order(), expected ? after : before) << seed;
      ++(expected ? moved : refused);
    }
  }
  EXPECT_GT(moved, 1000);
  EXPECT_GT(refused, 1000);
}

// The steps of a window cost what they cost in the whole, in its order and in any other.
TEST(Windows, CostWhatTheyCostInTheWhole) {
  Digest digest;
  int windows = 0;
  for (uint32_t seed = 1; seed <= 500; ++seed) {
    planner::Random random(seed);
    const OrderGraph graph = random_graph(seed, 16);
    const std::vector<int> order = random_order(graph, random);
    const OrderCosts costs = costs_of(graph, order);
    WindowCutter cutter(graph, order);
    for (int k = 0; k < 6; ++k) {
      const auto first = static_cast<int>(random.below(graph.count()));
      const int end = first + 1 + static_cast<int>(random.below(graph.count() - first));
      const OrderGraph part = cutter.cut(first, end);
      ++windows;
      for (const std::vector<int>& inside : {listed_order(part), random_order(part, random)}) {
        std::vector<int> whole = order;
        for (int i = first; i < end; ++i)
          whole[static_cast<size_t>(i)] = order[static_cast<size_t>(first + inside[static_cast<size_t>(i - first)])];
        const OrderCosts expected = costs_of(graph, whole), found = costs_of(part, inside);
        for (int i = first; i < end; ++i) {
          ASSERT_EQ(found.step[static_cast<size_t>(i - first)], expected.step[static_cast<size_t>(i)]) << seed;
          ASSERT_EQ(found.live[static_cast<size_t>(i - first)], expected.live[static_cast<size_t>(i)]) << seed;
        }
      }
      digest.add(part.base);
      for (const GraphTensor& t : part.tensors) digest.add(t.bytes).add(t.producer).add(t.kept).add(t.users);
      for (const GraphOperator& o : part.operators) digest.add(o.uses).add(o.makes).add(o.before).add(o.after);
    }
    digest.add(section_ends(graph, order));
  }
  EXPECT_EQ(digest.value(), 18286400841964703820u);
  EXPECT_GT(windows, 2000);
}

void add(Digest& digest, const Solution& found) {
  digest.add(found.operators).add(found.peak).add(found.lower_bound).add(found.states).add(found.bound_step);
  const SearchUse& use = found.use;
  digest.add(use.sections).add(use.step_bounds).add(use.condensed).add(use.canonical).add(use.exhausted);
  digest.add(use.freeing_sets).add(use.safe_moves).add(use.valley_jumps).add(use.known_failures).add(use.implied);
  digest.add(use.implied_refutations).add(use.windows);
}

SearchFeatures random_features(planner::Random& random) {
  SearchFeatures f;
  for (bool* feature : {&f.sections, &f.cut_bound, &f.condense, &f.canonical, &f.beam, &f.freeing_sets, &f.safe_moves,
                        &f.valley_jumps, &f.plain_search, &f.exhaustion, &f.implied_order, &f.windows})
    *feature = random.below(5) > 0;
  return f;
}

// Towards targets around the peak, with little work or enough.
TEST(PinnedParts, OfSearches) {
  Digest digest;
  int proved = 0, open = 0;
  for (uint32_t seed = 1; seed <= 900; ++seed) {
    planner::Random random(seed);
    const OrderGraph graph = random_graph(seed, seed % 9 == 0 ? 60 : 18);
    const OrderCosts costs = costs_of(graph, listed_order(graph));
    const SearchFeatures features = random_features(random);
    const Bytes target = random.below(3) == 0 ? 0 : costs.peak - random.below(6);
    Budget budget{random.below(30'000), random.below(30'000)};
    const Solution found = solve(graph, target, budget, features);
    add(digest, found);
    digest.add(budget.words).add(budget.arcs);
    ASSERT_EQ(costs_of(graph, found.operators).peak, found.peak);
    ASSERT_LE(found.lower_bound, found.peak);
    ++(found.lower_bound == found.peak ? proved : open);
    if (graph.count() == 0) continue;
    Budget less{random.below(8'000), random.below(8'000)};
    add(digest, search_section(graph, 0, target, less, features));
    digest.add(less.words).add(less.arcs);
    std::vector<int> order = random_order(graph, random);
    Budget few{random.below(90'000), random.below(90'000)};
    digest.add(improve_windows(graph, order, target, few, features)).add(order).add(few.words).add(few.arcs);
  }
  EXPECT_EQ(digest.value(), 16887282596101251861u);
  EXPECT_GT(proved, 300);
  EXPECT_GT(open, 100);
}

TEST(PinnedParts, OfSetSearches) {
  Digest digest;
  for (uint32_t seed = 1; seed <= 400; ++seed) {
    planner::Random random(seed);
    const OrderGraph graph = random_graph(seed, seed % 7 == 0 ? 90 : 16);
    const Bytes peak = costs_of(graph, listed_order(graph)).peak;
    const auto search = SetSearch::make(graph, random_features(random));
    int64_t words = random.below(20'000);
    digest.add(search->beam(peak - random.below(3), 1 + static_cast<int>(random.below(9)), words)).add(words);
    words = random.below(20'000);
    Random choices(seed);
    const Exhausted wandered = search->wander(peak, choices, words);
    digest.add(wandered.verdict).add(wandered.order).add(wandered.states).add(words);
    words = random.below(20'000);
    const Exhausted found = search->exhaust(peak - 1, words);
    digest.add(found.verdict).add(found.order).add(found.next_top).add(found.states).add(words);
  }
  EXPECT_EQ(digest.value(), 9727086011798426131u);
}

// An order that a beam finds is whole and within its top, whatever that is.
TEST(Beams, FindWholeOrdersWithinTheirTop) {
  int found = 0, none = 0;
  for (uint32_t seed = 1; seed <= 200; ++seed) {
    const OrderGraph graph = random_graph(seed, 12);
    if (graph.count() < 2) continue;
    planner::Random random(seed);
    const Bytes peak = costs_of(graph, random_order(graph, random)).peak;
    const std::unique_ptr<SetSearch> search = SetSearch::make(graph, {});
    for (Bytes top = 0; top <= peak; top += 1 + peak / 40) {
      for (const int width : {1, 4}) {
        int64_t words = 1 << 20;
        std::vector<int> order = search->beam(top, width, words);
        if (order.empty()) {
          ++none;
          continue;
        }
        ++found;
        ASSERT_LE(costs_of(graph, order).peak, top) << seed;
        std::sort(order.begin(), order.end());
        for (int v = 0; v < graph.count(); ++v) ASSERT_EQ(order.at(static_cast<size_t>(v)), v) << seed;
      }
    }
  }
  EXPECT_GT(found, 500);
  EXPECT_GT(none, 500);
}

// Where nothing is left to choose the last operators may still not fit.
TEST(Beams, EndWhereTheLastOperatorDoesNotFit) {
  OrderProblem problem;
  problem.tensors = {{1, true, false}, {1, true, false}, {10, false, true}, {10, false, true}, {100, false, true}};
  problem.operators.resize(3);
  for (const int v : {0, 1}) problem.operators[static_cast<size_t>(v)] = {.inputs = {v}, .outputs = {2 + v}};
  problem.operators[2] = {.inputs = {2, 3}, .outputs = {4}};
  const OrderGraph graph = graph_of(problem);
  const std::unique_ptr<SetSearch> search = SetSearch::make(graph, {});
  const Bytes peak = costs_of(graph, {0, 1, 2}).peak;
  EXPECT_EQ(peak, 120);
  for (Bytes top = 0; top <= 130; ++top) {
    int64_t words = 10'000;
    EXPECT_EQ(search->beam(top, 4, words).size(), top < peak ? 0u : 3u) << top;
    const Exhausted found = SetSearch::make(graph, {})->exhaust(top, words);
    EXPECT_EQ(found.verdict, top < peak ? Verdict::none : Verdict::found) << top;
    EXPECT_EQ(found.order.size(), top < peak ? 0u : 3u) << top;
  }
}

// Other orders beside some that are known.
TEST(PinnedParts, OfAlternatives) {
  Digest digest;
  size_t others = 0;
  for (uint32_t seed = 1; seed <= 150; ++seed) {
    const OrderProblem problem = testing::tiny_problem(seed, {4, seed % 10 == 0 ? 70 : 20, true, true, seed % 2 == 0});
    const Order best = min_peak(problem, {0});
    std::vector<std::vector<int>> known{best.operators};
    for (const int count : {1, 3, 6}) {
      const std::vector<std::vector<int>> found = alternatives(problem, best, known, count);
      EXPECT_LE(found.size(), static_cast<size_t>(count));
      for (const std::vector<int>& order : found) {
        EXPECT_LE(peak_of(problem, order), best.peak);
        EXPECT_EQ(std::find(known.begin(), known.end(), order), known.end());
        digest.add(order);
        known.push_back(order);
      }
      others += found.size();
    }
    EXPECT_TRUE(alternatives(problem, best, {}, 0).empty());
  }
  EXPECT_EQ(digest.value(), 10807269700884087786u);
  EXPECT_GT(others, 300u);
}

// Minimum cuts of random networks, within enough flow and work or too little.
TEST(PinnedParts, OfFlows) {
  Digest digest;
  planner::Random random(71);
  for (int t = 0; t < 2000; ++t) {
    FlowNetwork network;
    const auto nodes = static_cast<int>(2 + random.below(10));
    network.reset(2);
    while (network.add_node() + 1 < nodes) {
    }
    for (int64_t arcs = random.below(30); arcs > 0; --arcs) {
      const auto from = static_cast<int>(random.below(nodes)), to = static_cast<int>(random.below(nodes));
      if (from != to) network.add_arc(from, to, random.below(8) == 0 ? kUnbounded : random.below(9));
    }
    network.keep();
    for (const Bytes enough : {Bytes{3}, kUnbounded}) {
      for (const int64_t given : {random.below(30), int64_t{1} << 30}) {
        int64_t work = given;
        digest.add(network.send(0, 1, enough, work)).add(work);
        if (given > 30) {  // it ran dry
          for (int v = 0; v < nodes; ++v) digest.add(network.on_source_side(v));
          std::vector<char> side;
          network.find_sink_side(1, side);
          digest.add(side);
        }
        network.restore();
      }
    }
  }
  EXPECT_EQ(digest.value(), 5271350961765781962u);
}

}  // namespace
}  // namespace tarn::schedule
