// The search against every set of finished operators, on random problems of all kinds, with and without its parts.
#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>

#include "property/schedule/tiny_problem.h"
#include "schedule/min_peak.h"

namespace tarn::schedule {
namespace {

// TARN_ORDER_PROBLEMS: how many problems per test, instead of the quick default.
uint32_t problem_count(uint32_t quick) {
  const char* text = std::getenv("TARN_ORDER_PROBLEMS");
  return text ? static_cast<uint32_t>(std::atoi(text)) : quick;
}

void check(uint32_t first_seed, uint32_t count, const SearchFeatures& features, const testing::TinyShape& shape = {}) {
  for (uint32_t seed = first_seed; seed < first_seed + count; ++seed) {
    const OrderProblem p = testing::tiny_problem(seed, shape);
    const Order order = min_peak_with(p, {}, features);
    const Bytes least = testing::EverySet(p).least_peak();
    ASSERT_EQ(order.peak, least) << "seed " << seed;
    ASSERT_EQ(order.lower_bound, least) << "seed " << seed;
    ASSERT_EQ(testing::simulate(p, order.operators), least) << "seed " << seed;
    ASSERT_EQ(peak_of(p, order.operators), least) << "seed " << seed;
  }
}

TEST(LeastPeak, MatchesEverySet) { check(0, problem_count(12000), {}); }

TEST(LeastPeak, WithoutCutBound) {
  SearchFeatures features;
  features.cut_bound = false;
  check(100000, problem_count(6000), features);
}

TEST(LeastPeak, WithoutBoundAndBeam) {
  SearchFeatures features;
  features.cut_bound = features.beam = false;
  check(200000, problem_count(6000), features);
}

TEST(LeastPeak, WithoutValleyJumps) {
  SearchFeatures features;
  features.cut_bound = features.beam = features.valley_jumps = false;
  check(300000, problem_count(6000), features);
}

TEST(LeastPeak, WithoutFreeingSets) {
  SearchFeatures features;
  features.cut_bound = features.beam = features.freeing_sets = false;
  check(400000, problem_count(6000), features);
}

}  // namespace
}  // namespace tarn::schedule
