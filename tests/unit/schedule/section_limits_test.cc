// How large a section may be for each search of its order.
#include <gtest/gtest.h>

#include "property/schedule/tiny_problem.h"
#include "schedule/order_graph.h"
#include "schedule/regions.h"
#include "schedule/section_search.h"
#include "schedule/set_search.h"

namespace tarn::schedule {
namespace {

// Operators one after the other, each making one byte of one.
OrderGraph chain(int count) {
  OrderProblem p;
  p.tensors = {{1, true, false}};
  for (int i = 0; i < count; ++i) {
    p.tensors.push_back({1, false, i + 1 == count});
    p.operators.push_back({{i}, {i + 1}, 0, {}});
  }
  return graph_of(p);
}

SearchFeatures none() {
  SearchFeatures features;
  for (bool SearchFeatures::*feature :
       {&SearchFeatures::sections, &SearchFeatures::cut_bound, &SearchFeatures::condense, &SearchFeatures::canonical,
        &SearchFeatures::beam, &SearchFeatures::plain_search, &SearchFeatures::implied_order, &SearchFeatures::windows})
    features.*feature = false;
  return features;
}

TEST(SectionLimits, CanonicalOrders) {
  for (const int count : {63, 64, 65}) {
    SearchFeatures features = none();
    features.canonical = true;
    features.exhaustion = false;
    Budget budget{1 << 20, 1 << 20};
    const Solution found = search_section(chain(count), 0, 0, budget, features);
    EXPECT_EQ(found.use.canonical, count <= 64 ? 1u : 0u) << count;
    EXPECT_EQ(found.lower_bound, count <= 64 ? found.peak : 0) << count;
    EXPECT_EQ(std::ssize(found.operators), count);
  }
}

TEST(SectionLimits, SetsOfOperators) {
  const int most = SetSearch::kMostOperators;
  for (const int count : {most - 1, most, most + 1}) {
    SearchFeatures features = none();
    features.beam = features.plain_search = true;
    Budget budget{1 << 20, 1 << 20};
    const Solution found = search_section(chain(count), 0, 0, budget, features);
    EXPECT_EQ(found.states > 0, count <= most) << count;
    EXPECT_EQ(std::ssize(found.operators), count);
  }
}

// The order of a condensed section as listed may have a higher peak than that of the section, which windows then only
// reach: that is no better order.
TEST(SectionLimits, WindowsThatReachWhatIsKnown) {
  for (const uint32_t seed : {21379u, 30759u, 35158u, 37113u, 52449u}) {  // so of 60 000
    const OrderGraph graph = graph_of(
        testing::tiny_problem(seed, {1 + static_cast<int>(seed % 3), 40, seed % 4 > 0, seed % 5 > 0, seed % 6 == 0}));
    const Bytes listed = costs_of(graph, listed_order(graph)).peak;
    const OrderGraph condensed = condense(graph).graph;
    EXPECT_GT(costs_of(condensed, listed_order(condensed)).peak, listed) << seed;
    SearchFeatures features = none();
    features.condense = features.windows = true;
    Budget budget{1 << 16, 1 << 16};
    const Solution found = search_section(graph, 0, 0, budget, features);
    EXPECT_EQ(found.use.windows, 1u) << seed;
    EXPECT_EQ(found.peak, costs_of(graph, found.operators).peak) << seed;
    EXPECT_LE(found.peak, listed) << seed;
  }
}

}  // namespace
}  // namespace tarn::schedule
