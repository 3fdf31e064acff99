// The form that fit() chooses equals the function it was made from, on every reachable accumulator.
#include "requant/requant.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tarn::requant {
namespace {

uint64_t state = 1;
double uniform() {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return static_cast<double>(state >> 11) / static_cast<double>(uint64_t{1} << 53);
}

// QLinearConv: the zero point is added after rounding.
int32_t requantise(int64_t acc, float scale, int32_t zero) {
  volatile float product = static_cast<float>(acc) * scale;
  const float v = std::fmin(std::fmax(product, static_cast<float>(-128 - zero)), static_cast<float>(127 - zero));
  return static_cast<int32_t>(std::nearbyint(v)) + zero;
}

size_t mismatches(const Form& form, const std::vector<Steps>& channels) {
  size_t count = 0;
  for (size_t c = 0; c < channels.size(); ++c) {
    for (int64_t a = channels[c].first; a <= channels[c].last; ++a) count += evaluate(form, c, a) != channels[c].value(a);
  }
  return count;
}

TEST(Requant, RandomScalesExhaustively) {
  size_t channels = 0, exact = 0, forms = 0;
  for (int layer = 0; layer < 60; ++layer) {
    std::vector<Steps> steps;
    const int32_t zero = static_cast<int32_t>(uniform() * 256) - 128;
    const double base = std::exp(std::log(1e-4) + uniform() * std::log(1e4));
    for (int c = 0; c < 4; ++c) {
      const auto scale = static_cast<float>(base * (0.2 + uniform()));
      const auto reach = static_cast<int64_t>(std::min(60000.0, 300 / static_cast<double>(scale)));
      steps.push_back({[=](int64_t a) { return requantise(a, scale, zero); }, -reach - 5, reach + 7});
    }
    const auto form = fit(steps, zero & 1);
    if (!form) continue;
    ++forms;
    channels += form->channels.size();
    exact += form->exact_channels();
    ASSERT_EQ(mismatches(*form, steps), 0u) << "layer " << layer;
  }
  EXPECT_GE(forms, 58u);
  EXPECT_GT(exact * 2, channels);
}

TEST(Requant, PowersOfTwoNeedNoExceptions) {
  for (int n = 1; n <= 12; ++n) {
    for (int32_t zero : {-128, -3, 0, 7}) {
      const float scale = std::ldexp(1.0f, -n);
      const int64_t reach = int64_t{300} << n;
      const std::vector<Steps> steps{{[=](int64_t a) { return requantise(a, scale, zero); }, -reach, reach}};
      const auto form = fit(steps, zero & 1);
      ASSERT_TRUE(form.has_value()) << n;
      EXPECT_EQ(mismatches(*form, steps), 0u) << n << " " << zero;
      EXPECT_EQ(form->exceptions(), 0u) << n << " " << zero;
    }
  }
}

TEST(Requant, FallingAndConstantFunctions) {
  const std::vector<Steps> steps{
      {[](int64_t a) { return requantise(-a, 0.0031f, 5); }, -90000, 90000},
      {[](int64_t) { return 17; }, -1000, 1000},
      {[](int64_t a) { return requantise(a, 1e-6f, 0); }, -50000, 50000},
      {[](int64_t a) { return requantise(a, 0.0029f, 5); }, 4000, 5000},
  };
  const auto form = fit(steps, 1);
  ASSERT_TRUE(form.has_value());
  EXPECT_EQ(mismatches(*form, steps), 0u);
}

// Wide reach: only the neighbourhood of every step is looked at, which is where the form can be wrong.
TEST(Requant, WideAccumulators) {
  for (int i = 0; i < 40; ++i) {
    const auto scale = static_cast<float>(std::exp(std::log(1e-6) + uniform() * std::log(100.0)));
    const int32_t zero = i % 7;
    const int64_t reach = 150000000;
    const std::vector<Steps> steps{{[=](int64_t a) { return requantise(a, scale, zero); }, -reach, reach}};
    const auto form = fit(steps, zero & 1);
    ASSERT_TRUE(form.has_value()) << scale;
    for (int k = -130; k <= 130; ++k) {
      const auto centre = static_cast<int64_t>((k + 0.5) / static_cast<double>(scale));
      for (int64_t a = centre - 40; a <= centre + 40; ++a) {
        if (a < -reach || a > reach) continue;
        ASSERT_EQ(evaluate(*form, 0, a), requantise(a, scale, zero)) << scale << " " << a;
      }
    }
  }
}

}  // namespace
}  // namespace tarn::requant
