// Each inference of the order search, forced alone, beside every set of finished operators. Each test also counts how
// often its inference said something, and fails when it was not reached: a proof that nothing asked for proves nothing.
#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <random>

#include "property/schedule/every_set.h"
#include "property/schedule/tiny_problem.h"
#include "schedule/canonical_order.h"
#include "schedule/implied_order.h"
#include "schedule/least_live.h"
#include "schedule/min_peak.h"
#include "schedule/regions.h"
#include "schedule/sections.h"
#include "schedule/set_search.h"
#include "schedule/solve.h"

namespace tarn::schedule {
namespace {

using testing::GraphSets;
using testing::Set;

constexpr int64_t kMuch = int64_t{1} << 40;
constexpr testing::TinyShape kSmall{2, 8, true, true};

void each_graph(uint32_t first_seed, uint32_t count, const std::function<void(const OrderGraph&)>& check,
                const testing::TinyShape& shape = kSmall) {
  for (uint32_t seed = first_seed; seed < first_seed + count; ++seed) {
    SCOPED_TRACE(seed);
    check(graph_of(testing::tiny_problem(seed, shape)));
    if (::testing::Test::HasFatalFailure()) return;
  }
}

// Refutes no top that an order meets, and adds no dependency that an order within the top breaks.
TEST(Inference, ImpliedOrders) {
  int refuted = 0, added = 0, silent = 0;
  each_graph(500000, 500, [&](const OrderGraph& graph) {
    const GraphSets all(graph);
    const Bytes least = all.least_peak();
    for (Bytes top = least - 2; top <= least + 2; ++top) {
      int64_t work = kMuch;
      const Implied implied = imply_order(graph, top, work);
      if (implied.impossible) {
        ASSERT_LT(top, least);
        ++refuted;
        continue;
      }
      silent += top < least;
      if (implied.added == 0) continue;
      ASSERT_EQ(implied.members.size(), graph.operators.size());
      const std::vector<char> within = all.within(top);
      for (size_t v = 0; v < graph.operators.size(); ++v) {
        for (int p : implied.graph.operators[v].before) {
          ASSERT_LT(p, static_cast<int>(v)) << "not listed in a valid order";
          const Set before = Set{1} << implied.members[static_cast<size_t>(p)], after = Set{1} << implied.members[v];
          for (Set done = 0; done < all.sets(); ++done) {
            ASSERT_FALSE(within[done] && (done & after) && !(done & before)) << "an order within the top breaks it";
          }
        }
      }
      if (top >= least) {
        ASSERT_LE(GraphSets(implied.graph).least_peak(), top);
        added += implied.added;
      }
    }
  });
  EXPECT_GT(refuted, 500);
  EXPECT_GT(added, 500);
  EXPECT_LT(silent, refuted / 4) << "of the tops that are impossible, most are found to be";
}

TEST(Inference, ImpliedOrdersWithLittleWork) {
  int refuted = 0;
  each_graph(505000, 200, [&](const OrderGraph& graph) {
    const Bytes least = GraphSets(graph).least_peak();
    for (int64_t given : {1, 10, 40, 100, 300}) {
      for (Bytes top = least - 1; top <= least; ++top) {
        int64_t work = given;
        const Implied implied = imply_order(graph, top, work);
        ASSERT_FALSE(implied.impossible && top >= least);
        refuted += implied.impossible;
        if (implied.added > 0 && top >= least) {
          ASSERT_LE(GraphSets(implied.graph).least_peak(), top);
        }
      }
    }
  });
  EXPECT_GT(refuted, 50);
}

// The minimum cut is the least over all sets, for any part that is settled, and for each step.
TEST(Inference, LeastLiveBytes) {
  int cuts = 0, steps = 0, impossible = 0;
  uint32_t salt = 0;
  each_graph(510000, 400, [&](const OrderGraph& graph) {
    const GraphSets all(graph);
    LeastLive least_live(graph);
    std::vector<Side> sides(graph.operators.size(), Side::either);
    for (size_t v = 0; v < graph.operators.size(); ++v) {
      Bytes least = INT64_MAX;
      for (Set done = 0; done < all.sets(); ++done) {
        if (all.ready(done, v)) least = std::min(least, all.step(done, v));
      }
      int64_t work = kMuch;
      ASSERT_EQ(least_live.step(static_cast<int>(v), sides, kMuch, work), least);
      ASSERT_LE(least_live.step(static_cast<int>(v), sides, least / 2, work), least);
      ++steps;
    }
    // Between two sets, one within the other.
    std::vector<Set> closed;
    for (Set done = 0; done < all.sets(); ++done) {
      if (all.closed(done)) closed.push_back(done);
    }
    for (int draw = 0; draw < 8; ++draw) {
      salt = salt * 1664525 + 1013904223;
      const Set a = closed[(salt >> 8) % closed.size()], b = closed[(salt >> 16) % closed.size()];
      const Set low = a & b, high = a | b;
      for (size_t v = 0; v < sides.size(); ++v)
        sides[v] = (low >> v & 1) ? Side::done : (high >> v & 1) ? Side::either : Side::waiting;
      Bytes least = INT64_MAX;
      for (Set done : closed) {
        if ((done & low) == low && (done | high) == high) least = std::min(least, all.live(done));
      }
      int64_t work = kMuch;
      ASSERT_EQ(least_live.between(sides, kMuch, work), least);
      cuts += least_live.anything_open();
      for (size_t v = 0; v < sides.size(); ++v) {
        Bytes step = INT64_MAX;
        for (Set done : closed) {
          if ((done & low) == low && (done | high) == high && all.ready(done, v))
            step = std::min(step, all.step(done, v));
        }
        const Bytes bound = least_live.step(static_cast<int>(v), sides, kMuch, work);
        if (step == INT64_MAX) {
          ASSERT_GE(bound, kMuch);
          ++impossible;
        } else {
          ASSERT_EQ(bound, step);
        }
      }
    }
  });
  EXPECT_GT(cuts, 500);
  EXPECT_GT(steps, 500);
  EXPECT_GT(impossible, 500);
}

TEST(Inference, CutBoundIsAStepOfEveryOrder) {
  int tight = 0;
  each_graph(520000, 600, [&](const OrderGraph& graph) {
    const GraphSets all(graph);
    const std::vector<int> listed = listed_order(graph);
    int64_t work = kMuch;
    const StepBound bound = cut_bound(graph, listed, costs_of(graph, listed), kMuch, work);
    ASSERT_LE(bound.bytes, all.least_peak());
    tight += bound.bytes == all.least_peak();
    if (bound.step < 0) {
      ASSERT_EQ(bound.bytes, all.live(0));
      return;
    }
    Bytes least = INT64_MAX;
    for (Set done = 0; done < all.sets(); ++done) {
      if (all.ready(done, static_cast<size_t>(bound.step)))
        least = std::min(least, all.step(done, static_cast<size_t>(bound.step)));
    }
    ASSERT_EQ(bound.bytes, least);
  });
  EXPECT_GT(tight, 300);
}

TEST(Inference, SectionsAreWhereEveryOrderPasses) {
  int cuts = 0, none = 0;
  each_graph(530000, 600, [&](const OrderGraph& graph) {
    const GraphSets all(graph);
    const std::vector<int> ends = section_ends(graph, listed_order(graph));
    std::vector<int> expected{0};
    for (int k = 1; k <= graph.count(); ++k) {
      int closed = 0;  // sets of k operators
      for (Set done = 0; done < all.sets(); ++done) closed += __builtin_popcount(done) == k && all.closed(done);
      if (closed == 1) expected.push_back(k);
    }
    ASSERT_EQ(ends, expected);
    cuts += static_cast<int>(ends.size()) - 2;
    none += ends.size() == 2;
    // The part between two cuts has the least peak that it has within the whole.
    Bytes least = 0;
    const std::vector<int> listed = listed_order(graph);
    WindowCutter cutter(graph, listed);
    for (size_t i = 0; i + 1 < ends.size(); ++i) {
      const OrderGraph part = cutter.cut(ends[i], ends[i + 1]);
      least = std::max(least, GraphSets(part).least_peak());
    }
    ASSERT_EQ(least, all.least_peak());
  });
  EXPECT_GT(cuts, 300);
  EXPECT_GT(none, 50);
}

TEST(Inference, CondensedGraphsHaveTheSameLeastPeak) {
  int fewer = 0;
  each_graph(540000, 600,
             [&](const OrderGraph& graph) {
               const Bytes least = GraphSets(graph).least_peak();
               const Condensed condensed = condense(graph);
               ASSERT_EQ(GraphSets(condensed.graph).least_peak(), least);
               fewer += graph.count() - condensed.graph.count();
               std::vector<int> order;
               for (const auto& members : condensed.members) order.insert(order.end(), members.begin(), members.end());
               ASSERT_LE(costs_of(graph, order).peak, costs_of(condensed.graph, listed_order(condensed.graph)).peak);
             },
             {3, 5, true, true, true});
  EXPECT_GT(fewer, 300);
}

TEST(Inference, CanonicalOrdersHaveTheLeastPeak) {
  int solved = 0, several = 0, left = 0;
  each_graph(550000, 800, [&](const OrderGraph& graph) {
    const auto blocks = canonical_order(graph, listed_order(graph), 4000);
    if (!blocks) {
      ++left;
      return;
    }
    std::vector<int> order;
    for (const Block& block : *blocks) order.insert(order.end(), block.operators.begin(), block.operators.end());
    ASSERT_EQ(costs_of(graph, order).peak, GraphSets(graph).least_peak());
    solved += graph.count() > 2;
    several += blocks->size() > 1;
    // A block begins with the bytes it says and goes over the hill it says.
    size_t at = 0;
    const OrderCosts costs = costs_of(graph, order);
    for (const Block& block : *blocks) {
      ASSERT_EQ(costs.live[at] - graph.base, block.before);
      Bytes hill = costs.live[at];
      for (size_t i = 0; i < block.operators.size(); ++i) hill = std::max(hill, costs.step[at + i]);
      ASSERT_EQ(hill - graph.base, block.hill);
      at += block.operators.size();
    }
  });
  EXPECT_GT(solved, 300);
  EXPECT_GT(several, 100);
  EXPECT_GT(left, 5) << "gifts that depend on the order";
}

// The complete search finds an order exactly from the least peak on, whichever of its inferences are used.
TEST(Inference, CompleteSearchDecidesEveryTop) {
  SearchUse use;
  int found = 0, refuted = 0, skipped = 0;
  uint32_t which = 0;
  each_graph(560000, 900,
             [&](const OrderGraph& graph) {
               SearchFeatures features;
               ++which;
               features.freeing_sets = which % 3 != 0;
               features.safe_moves = which % 2 != 0;
               features.valley_jumps = which % 5 != 0;
               const Bytes least = GraphSets(graph).least_peak();
               const auto descending = SetSearch::make(graph, features);
               for (Bytes top = least + 3; top >= least - 3; --top) {
                 int64_t words = kMuch;
                 const Exhausted fresh = SetSearch::make(graph, features)->exhaust(top, words);
                 const Exhausted known = descending->exhaust(top, words);
                 ASSERT_EQ(fresh.verdict, top >= least ? Verdict::found : Verdict::none);
                 ASSERT_EQ(known.verdict, fresh.verdict);
                 if (fresh.verdict == Verdict::found) {
                   ++found;
                   ASSERT_LE(costs_of(graph, fresh.order).peak, top);
                   ASSERT_LE(costs_of(graph, known.order).peak, top);
                 } else {
                   ++refuted;
                   ASSERT_LE(fresh.next_top, least);
                   ASSERT_GT(fresh.next_top, top);
                   ASSERT_LE(known.next_top, least);
                   skipped += fresh.next_top > top + 1;
                 }
                 if (features.safe_moves) use.safe_moves += fresh.use.safe_moves;
                 else EXPECT_EQ(fresh.use.safe_moves, 0u);
                 if (features.freeing_sets) use.freeing_sets += fresh.use.freeing_sets;
                 if (features.valley_jumps) use.valley_jumps += fresh.use.valley_jumps + known.use.valley_jumps;
                 else EXPECT_EQ(fresh.use.valley_jumps, 0u);
                 use.known_failures += fresh.use.known_failures + known.use.known_failures;
               }
             },
             {4, 10, true, true});
  EXPECT_GT(found, 1000);
  EXPECT_GT(refuted, 1000);
  EXPECT_GT(skipped, 50);
  EXPECT_GT(use.safe_moves, 1000u);
  EXPECT_GT(use.freeing_sets, 1000u);
  EXPECT_GT(use.valley_jumps, 50u);
  EXPECT_GT(use.known_failures, 50u);
}

// The same problem, with operators that make and use nothing between its halves: what was in one word of a set is then
// in two, at the same bits.
OrderProblem in_two_words(OrderProblem problem) {
  const size_t half = problem.operators.size() / 2;
  problem.operators.insert(problem.operators.begin() + static_cast<std::ptrdiff_t>(half), 64 - half, OrderOperator{});
  return problem;
}

// Sets of several words decide as those of one word do.
TEST(Inference, SetsOfSeveralWordsDecideEveryTop) {
  int found = 0, refuted = 0, implied = 0, impossible = 0;
  SearchUse use;
  for (uint32_t seed = 565000; seed < 565700; ++seed) {
    SCOPED_TRACE(seed);
    const OrderProblem narrow = testing::tiny_problem(seed, {7, 12, true, true, seed % 2 == 0});
    const OrderGraph graph = graph_of(in_two_words(narrow));
    const Bytes least = GraphSets(graph_of(narrow)).least_peak();
    SearchFeatures features;
    features.safe_moves = seed % 3 != 0;
    for (Bytes top = least - 2; top <= least + 1; ++top) {
      int64_t words = kMuch, work = kMuch;
      const Exhausted result = SetSearch::make(graph, features)->exhaust(top, words);
      ASSERT_EQ(result.verdict, top >= least ? Verdict::found : Verdict::none);
      if (result.verdict == Verdict::found) {
        ASSERT_LE(costs_of(graph, result.order).peak, top);
      }
      ++(result.verdict == Verdict::found ? found : refuted);
      use.freeing_sets += result.use.freeing_sets;
      use.known_failures += result.use.known_failures;
      const Implied order = imply_order(graph, top, work);
      ASSERT_FALSE(order.impossible && top >= least);
      impossible += order.impossible;
      if (order.added == 0 || top < least) continue;
      implied += order.added;
      words = kMuch;
      ASSERT_EQ(SetSearch::make(order.graph, features)->exhaust(top, words).verdict, Verdict::found);
    }
  }
  EXPECT_GT(found, 200);
  EXPECT_GT(refuted, 200);
  EXPECT_GT(implied, 200);
  EXPECT_GT(impossible, 100);
  EXPECT_GT(use.freeing_sets, 200u);
  EXPECT_GT(use.known_failures, 50u);
}

// What min_peak says when one inference is all it has. Without complete searches the bound may stay open, never wrong.
struct Alone {
  const char* name;
  std::function<void(SearchFeatures&)> on;
  uint64_t SearchUse::*use;
  uint64_t least_use;
  int least_proved;
  testing::TinyShape shape{3, 10, true, true};
};

void PrintTo(const Alone& alone, std::ostream* out) { *out << alone.name; }

SearchFeatures nothing() {
  SearchFeatures f;
  f.sections = f.cut_bound = f.condense = f.canonical = f.beam = f.freeing_sets = f.safe_moves = f.valley_jumps = false;
  f.plain_search = f.exhaustion = f.implied_order = f.windows = false;
  return f;
}

class OneInference : public ::testing::TestWithParam<Alone> {};
TEST_P(OneInference, IsSoundAndReached) {
  const Alone& alone = GetParam();
  SearchFeatures features = nothing();
  alone.on(features);
  SearchUse use;
  int proved = 0;
  for (uint32_t seed = 570000; seed < 570700; ++seed) {
    const OrderProblem p = testing::tiny_problem(seed, alone.shape);
    const Order order = min_peak_with(p, {}, features, &use);
    const Bytes least = testing::EverySet(p).least_peak();
    ASSERT_LE(order.lower_bound, least) << "seed " << seed;
    ASSERT_EQ(testing::simulate(p, order.operators), order.peak) << "seed " << seed;
    if (features.exhaustion) {
      ASSERT_EQ(order.peak, order.lower_bound) << "seed " << seed;
    }
    if (order.peak == order.lower_bound) {
      ASSERT_EQ(order.peak, least) << "seed " << seed;
      ++proved;
    }
  }
  EXPECT_GE(use.*alone.use, alone.least_use);
  EXPECT_GE(proved, alone.least_proved);
}

INSTANTIATE_TEST_SUITE_P(
    All, OneInference,
    ::testing::Values(
        Alone{"sections", [](SearchFeatures& f) { f.sections = true; }, &SearchUse::sections, 300, 30},
        Alone{"cut_bound", [](SearchFeatures& f) { f.cut_bound = true; }, &SearchUse::step_bounds, 300, 200},
        Alone{"condense",
              [](SearchFeatures& f) { f.condense = f.exhaustion = f.plain_search = true; },
              &SearchUse::condensed,
              200,
              700,
              {3, 5, true, true, true}},
        Alone{"canonical", [](SearchFeatures& f) { f.canonical = true; }, &SearchUse::canonical, 300, 300},
        Alone{"implied", [](SearchFeatures& f) { f.implied_order = true; }, &SearchUse::implied_refutations, 300, 200},
        Alone{"implied_and_searched", [](SearchFeatures& f) { f.implied_order = f.exhaustion = true; },
              &SearchUse::implied, 300, 700},
        Alone{"exhaustion", [](SearchFeatures& f) { f.exhaustion = f.plain_search = true; }, &SearchUse::exhausted, 300,
              700},
        Alone{"freeing_sets", [](SearchFeatures& f) { f.exhaustion = f.plain_search = f.freeing_sets = true; },
              &SearchUse::freeing_sets, 300, 700},
        Alone{"safe_moves", [](SearchFeatures& f) { f.exhaustion = f.plain_search = f.safe_moves = true; },
              &SearchUse::safe_moves, 300, 700},
        Alone{"valley_jumps", [](SearchFeatures& f) { f.exhaustion = f.plain_search = f.valley_jumps = true; },
              &SearchUse::valley_jumps, 50, 700}),
    [](const auto& info) { return std::string(info.param.name); });

// Searches that run out of work leave a bound that holds, whichever of them it was.
TEST(Inference, BoundsOfLittleWorkHold) {
  int open = 0, proved = 0;
  each_graph(590000, 300,
             [&](const OrderGraph& graph) {
               const Bytes least = GraphSets(graph).least_peak();
               for (int64_t given : {20, 60, 150, 300, 600, 1200, 2500}) {
                 SearchFeatures features = nothing();
                 features.implied_order = true;
                 features.exhaustion = given % 3 == 0;
                 Budget budget{given, given};
                 const Solution found = solve(graph, 0, budget, features);
                 ASSERT_LE(found.lower_bound, least) << given;
                 ASSERT_GE(found.peak, least) << given;
                 ++(found.lower_bound == found.peak ? proved : open);
               }
             },
             {4, 9, true, true});
  EXPECT_GT(open, 500);
  EXPECT_GT(proved, 500);
}

// An order that is better within a window is taken: here nothing else improves the listed one.
TEST(Inference, WindowsImproveOrders) {
  SearchFeatures features = nothing();
  features.canonical = features.windows = true;
  SearchUse use;
  int better = 0;
  for (uint32_t seed = 594000; seed < 594020; ++seed) {
    const OrderProblem p = testing::tiny_problem(seed, {66, 80, true, true});
    const Order order = min_peak_with(p, {}, features, &use);
    const Bytes listed = peak_of(p, listed_order(graph_of(p)));
    ASSERT_EQ(testing::simulate(p, order.operators), order.peak) << "seed " << seed;
    ASSERT_LE(order.peak, listed) << "seed " << seed;
    better += order.peak < listed;
  }
  EXPECT_GT(use.windows, 5u);
  EXPECT_GT(better, 5);
}

// What a top implies leaves fewer sets to search.
TEST(Inference, ImpliedOrdersSaveStates) {
  uint64_t with = 0, without = 0;
  for (uint32_t seed = 591000; seed < 591040; ++seed) {
    const OrderProblem p = testing::tiny_problem(seed, {12, 18, true, true});
    SearchFeatures features = nothing();
    features.exhaustion = true;
    const Order plain = min_peak_with(p, {}, features);
    features.implied_order = true;
    const Order implied = min_peak_with(p, {}, features);
    ASSERT_EQ(implied.peak, plain.peak) << "seed " << seed;
    without += plain.search_states;
    with += implied.search_states;
  }
  EXPECT_LT(with, without * 2 / 3) << with << " of " << without;
}

// Two operators may lie where the same tensor lay, whichever is its last reader, and both free another tensor before it
// dies: the one that saves more runs last.
TEST(Inference, TheBestOfTwoTakersRunsLast) {
  std::mt19937 random(592000);
  const auto size = [&] { return static_cast<Bytes>(1 + random() % 12); };
  int differ = 0;
  for (int draw = 0; draw < 400; ++draw) {
    OrderProblem p;
    const Bytes giver = 6 + size(), first = size(), second = size();
    for (Bytes bytes : {giver, size()}) p.tensors.push_back({bytes, true, false});
    for (Bytes bytes : {first, second, size()}) p.tensors.push_back({bytes, false, true});
    p.operators.push_back({{0, 1}, {2}, 0, {{0, 2, std::min(giver, first)}}});
    p.operators.push_back({{0, 1}, {3}, 0, {{0, 3, std::min(giver, second)}}});
    p.operators.push_back({{0}, {4}, 0, {}});
    const OrderGraph graph = graph_of(p);
    const Bytes least = GraphSets(graph).least_peak();
    for (Bytes top : {least - 1, least}) {
      int64_t words = kMuch;
      ASSERT_EQ(SetSearch::make(graph, {})->exhaust(top, words).verdict, top < least ? Verdict::none : Verdict::found);
    }
    differ += first != second;
  }
  EXPECT_GT(differ, 100);
}

// The step that is named needs the bound in every order.
TEST(Inference, TheNamedStepNeedsTheBoundInEveryOrder) {
  int named = 0;
  for (uint32_t seed = 580000; seed < 581000; ++seed) {
    const OrderProblem p = testing::tiny_problem(seed, kSmall);
    const Order order = min_peak(p, {});
    if (order.bound_step < 0) continue;
    ++named;
    const OrderGraph graph = graph_of(p);
    const GraphSets all(graph);
    for (Set done = 0; done < all.sets(); ++done) {
      if (all.ready(done, static_cast<size_t>(order.bound_step))) {
        ASSERT_GE(all.step(done, static_cast<size_t>(order.bound_step)), order.lower_bound) << "seed " << seed;
      }
    }
  }
  EXPECT_GT(named, 300);
}

}  // namespace
}  // namespace tarn::schedule
