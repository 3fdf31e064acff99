// The form that fit() chooses equals the function it was made from, on every reachable accumulator.
#include "requant/requant.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "requant/factors.h"
#include "requant/thresholds.h"

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
    for (int64_t a = channels[c].first; a <= channels[c].last; ++a)
      count += evaluate(form, c, a) != channels[c].value(a);
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

// One scale, ranges of their own: a multiplier and a constant for all of them, and one that has a single code keeps to
// it.
TEST(Requant, ChannelsOfOneScaleShareALine) {
  size_t shared = 0;
  for (int layer = 0; layer < 40; ++layer) {
    const auto scale = static_cast<float>(std::exp(std::log(1e-3) + uniform() * std::log(50.0)));
    const int32_t zero = static_cast<int32_t>(uniform() * 256) - 128;
    const auto code = [=](int64_t a) { return requantise(a, scale, zero); };
    std::vector<Steps> steps;
    for (int c = 0; c < 6; ++c) {
      const double middle = (uniform() - 0.5) * 200 / static_cast<double>(scale);
      const double reach = uniform() * (c == 0 ? 0.1 : 300) / static_cast<double>(scale);
      steps.push_back({code, static_cast<int64_t>(middle - reach), static_cast<int64_t>(middle + reach)});
    }
    const auto form = fit(steps, zero & 1);
    ASSERT_TRUE(form.has_value()) << scale;
    EXPECT_EQ(mismatches(*form, steps), 0u) << scale << " " << zero;
    const auto& first = form->channels[0];
    shared += std::all_of(form->channels.begin(), form->channels.end(),
                          [&](const Channel& c) { return c.m == first.m && c.c == first.c; });
  }
  EXPECT_GE(shared, 30u);
}

// Channels that are saturated whatever they read, beside one that takes all codes.
TEST(Requant, ChannelsAtTheClamp) {
  const std::vector<Steps> steps{
      {[](int64_t a) { return requantise(a, 0.0031f, 0); }, -90000, 90000},
      {[](int64_t) { return 127; }, -1000, 120000},
      {[](int64_t) { return -128; }, -120000, 1000},
  };
  const auto form = fit(steps, 0);
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

// QuantizeLinear of a layer's sum: times a scale, over the unit, each rounded to float32.
int32_t quantise(int64_t acc, float scale, float unit, int32_t zero) {
  volatile float product = static_cast<float>(acc) * scale;
  volatile float quotient = product / unit;
  const float v = std::fmin(std::fmax(quotient, static_cast<float>(-128 - zero)), static_cast<float>(127 - zero));
  return static_cast<int32_t>(std::nearbyint(v)) + zero;
}

// Where lists are not allowed, floats decide beside the steps: on ties, around 0.5, and where scales differ much.
TEST(Requant, FloatsInThePlaceOfLists) {
  size_t replayed = 0, listed = 0;
  for (int layer = 0; layer < 120; ++layer) {
    Floats floats;
    floats.unit = layer % 3 == 0 ? 1.0f : static_cast<float>(std::exp(std::log(1e-3) + uniform() * std::log(1e4)));
    floats.zero = static_cast<int32_t>(uniform() * 256) - 128;
    const double base = std::exp(std::log(1e-3) + uniform() * std::log(1e2));
    std::vector<Steps> steps;
    for (int c = 0; c < 4; ++c) {
      const double spread = layer % 7 == 0 ? std::exp2(-2 * c) : 0.5 + uniform();
      // A quotient that is a short fraction, or almost one, puts many sums on steps.
      const double ratio = layer % 2 == 0 ? std::ceil(base * spread * 512) / 512 : base * spread;
      const float unit = floats.unit, scale = static_cast<float>(ratio * static_cast<double>(unit));
      const int32_t zero = floats.zero;
      const auto reach = static_cast<int64_t>(std::min(90000.0, 300 / ratio));
      floats.scales.push_back(scale);
      steps.push_back({[=](int64_t a) { return quantise(a, scale, unit, zero); }, -reach - 5, reach + 7});
    }
    const auto lists = fit(steps, floats.zero & 1), form = fit(steps, floats.zero & 1, &floats);
    ASSERT_TRUE(form.has_value()) << layer;
    ASSERT_EQ(mismatches(*form, steps), 0u) << "layer " << layer;
    listed += lists && lists->exceptions() > 0;
    replayed += form->unit != 0;
    EXPECT_TRUE(form->unit == 0 || form->exceptions() == 0);
    const auto few = fit(steps, floats.zero & 1, &floats, SIZE_MAX);
    EXPECT_TRUE(!lists || few->unit == 0) << "layer " << layer;
  }
  EXPECT_GT(listed, 30u);
  EXPECT_EQ(replayed, listed);
}

// Scales of 8 bits times one of 16: one constant for all channels, and multipliers that a short factor tells.
TEST(Requant, ShortFactorsOfOneMultiplier) {
  for (int layer = 0; layer < 16; ++layer) {
    const double ratio = std::exp(std::log(0.01) + uniform() * std::log(50));  // of the largest scale and the unit
    const double input = std::ldexp(32768 + std::floor(uniform() * 32768), -20);
    Floats floats{{}, 0, static_cast<int32_t>(uniform() * 256) - 128};
    std::vector<double> weights;
    for (int c = 0; c < 24; ++c)
      weights.push_back(std::ldexp(128 + std::floor(uniform() * 128), -static_cast<int>(uniform() * 4)));
    floats.unit = static_cast<float>(input * 256 / ratio);
    std::vector<Steps> steps;
    for (const double weight : weights) {
      const auto scale = static_cast<float>(input * weight);
      ASSERT_EQ(static_cast<double>(scale), input * weight);
      const float unit = floats.unit;
      const int32_t zero = floats.zero;
      const auto reach = static_cast<int64_t>(300 * static_cast<double>(unit) / static_cast<double>(scale));
      floats.scales.push_back(scale);
      steps.push_back({[=](int64_t a) { return quantise(a, scale, unit, zero); }, -reach - 5, reach + 7});
    }
    // A channel of zeros and a bias.
    steps[0].first = steps[0].last = layer;
    const auto form = fit(steps, floats.zero & 1, &floats, SIZE_MAX);
    ASSERT_TRUE(form.has_value()) << layer;
    ASSERT_EQ(mismatches(*form, steps), 0u) << layer;
    ASSERT_NE(form->multiplier, 0) << layer;
    for (size_t c = 0; c < weights.size(); ++c) {
      EXPECT_EQ(form->channels[c].c, form->channels[0].c);
      const std::optional<Factor> factor = factor_of(form->channels[c].m, form->multiplier);
      ASSERT_TRUE(factor.has_value()) << layer;
      EXPECT_EQ(multiplier_of(*factor, form->multiplier), form->channels[c].m);
    }
  }
}

TEST(Requant, ScalesWithoutShortFactors) {
  EXPECT_FALSE(find_factors(std::vector<float>{0.1f, 0.3f}));             // too many bits
  EXPECT_FALSE(find_factors(std::vector<float>{0.1f, 0x1p-16f * 0.1f}));  // too far apart
  EXPECT_FALSE(find_factors(std::vector<float>{1, 0}));
  const auto found = find_factors(std::vector<float>{0.1f, 0.05f});
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->of[0].depth, 0);
  EXPECT_EQ(found->of[1].depth, 1);
}

// Accumulators that float32 does not hold, and scales that 31 bits of a multiplier do not tell: lists are left.
TEST(Requant, FloatsThatAreNotTold) {
  const float narrow = 0.0031f, wide = 0.0031f / 4096;
  const auto value = [](float scale) { return [=](int64_t a) { return quantise(a, scale, 0.7f, 3); }; };
  const std::vector<Steps> steps{{value(narrow), -60000, 60000}, {value(wide), -60000, 60000}};
  const Floats floats{{narrow, wide}, 0.7f, 3};
  const auto form = fit(steps, 1, &floats);
  ASSERT_TRUE(form.has_value());
  EXPECT_EQ(mismatches(*form, steps), 0u);
}

// The slack for a line's constant is that of all thresholds, for any multiplier and any distance of odd codes.
TEST(Requant, FewThresholdsSetTheRoom) {
  for (int i = 0; i < 60; ++i) {
    const auto scale = static_cast<float>(std::exp(std::log(1e-4) + uniform() * std::log(1e5)));
    const Steps steps{[=](int64_t a) { return requantise(a, scale, i % 9); }, -40000 + 1000 * i, 60000};
    const auto t = find_thresholds(steps, -128, 127);
    ASSERT_TRUE(t.has_value());
    for (int64_t m : {int64_t{0}, int64_t{1}, int64_t{1} << 20,
                      static_cast<int64_t>(static_cast<double>(scale) * 0x1p32), int64_t{1} << 34}) {
      for (int64_t late : {0, 1, 1000, 1 << 30}) {
        auto distance = [&](const auto& at) {
          return (int64_t{at.code} << 32) + (at.code & 1) * late - at.accumulator * m;
        };
        int64_t high = INT64_MAX, low = INT64_MIN, tight_high = INT64_MAX, tight_low = INT64_MIN;
        for (size_t k = 0; k < t->begins.size(); ++k) {
          if (t->at(k).from_below) high = std::min(high, distance(t->at(k)) + m);
          if (t->at(k).from_above) low = std::max(low, distance(t->at(k)));
        }
        for (const Corner& at : t->tight_above) tight_high = std::min(tight_high, distance(at) + m);
        for (const Corner& at : t->tight_below) tight_low = std::max(tight_low, distance(at));
        ASSERT_EQ(tight_high, high) << scale << " " << m << " " << late;
        ASSERT_EQ(tight_low, low) << scale << " " << m << " " << late;
      }
    }
  }
}

TEST(Requant, CodesOfStretches) {
  const Steps steps{[](int64_t a) { return requantise(a, 0.7f, 3); }, -90, 90};
  const auto t = find_thresholds(steps, -100, 100);
  ASSERT_TRUE(t.has_value());
  for (int64_t a = steps.first; a <= steps.last; ++a) {
    const auto [code, end] = t->code_at(a);
    ASSERT_EQ(code, steps.value(a)) << a;
    for (int64_t b = a; b < std::min(end, steps.last + 1); ++b) ASSERT_EQ(steps.value(b), code) << a << " " << b;
  }
}

}  // namespace
}  // namespace tarn::requant
