// Scales from numbers, and weights rounded against sums.
#include "quantize/ranges.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "quantize/common_error.h"
#include "quantize/logarithm.h"
#include "quantize/weights.h"

namespace tarn::quantize {
namespace {

// A bell of 10000 numbers and one far away.
Observed bell_with_outlier() {
  Observed seen;
  std::vector<float> values;
  uint32_t state = 1;
  for (int i = 0; i < 10000; ++i) {
    double sum = -6;
    for (int k = 0; k < 12; ++k) {
      state = state * 1664525u + 1013904223u;
      sum += static_cast<double>(state >> 8) / (1 << 24);
    }
    values.push_back(static_cast<float>(sum));
  }
  values[5000] = 40;
  // In parts, as samples come.
  for (size_t i = 0; i < values.size(); i += 1000) seen.add(std::span(values).subspan(i, 1000));
  return seen;
}

TEST(Logarithm, IsThatOfTheLibraryToTheLastBits) {
  for (double x = 1e-300; x < 1e300; x *= 1.37)
    EXPECT_NEAR(natural_log(x), std::log(x), 4e-16 * std::fabs(std::log(x)) + 1e-16) << x;
  EXPECT_EQ(natural_log(1), 0);
  EXPECT_NEAR(decibels_of(1000), 30, 1e-13);
  EXPECT_EQ(natural_log(0), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(natural_log(std::numeric_limits<double>::infinity()), std::numeric_limits<double>::infinity());
}

TEST(Ranges, ExtremesAreKept) {
  const Range range = find_range(bell_with_outlier(), RangeMethod::minmax, {});
  EXPECT_EQ(range.hi, 40);
  EXPECT_LT(range.lo, -3);
}

TEST(Ranges, OthersCutOutliersOff) {
  const Observed seen = bell_with_outlier();
  const double all = quantisation_error(seen.values(), codes_of(find_range(seen, RangeMethod::minmax, {}), {}));
  EXPECT_LT(find_range(seen, RangeMethod::percentile, {8, false, 99.9}).hi, 39);
  EXPECT_LE(find_range(seen, RangeMethod::entropy, {}).hi, 40);
  EXPECT_LT(quantisation_error(seen.values(), codes_of(find_range(seen, RangeMethod::mse, {}), {})), all);
}

TEST(Ranges, LeastErrorIsNoWorseThanAny) {
  const Observed seen = bell_with_outlier();
  for (const bool symmetric : {false, true}) {
    for (const int bits : {4, 8}) {
      const CodeOptions form{bits, symmetric, 99.9};
      const auto error = [&](RangeMethod m) {
        return quantisation_error(seen.values(), codes_of(find_range(seen, m, form), form));
      };
      for (const RangeMethod method : {RangeMethod::minmax, RangeMethod::percentile, RangeMethod::entropy})
        EXPECT_LE(error(RangeMethod::mse), error(method) * 1.02) << bits << symmetric << static_cast<int>(method);
    }
  }
}

TEST(Ranges, FewNumbersReachBeyondWhatTheyTook) {
  Observed one, many, bounded;
  std::vector<float> image(1 << 16);
  for (int run = 0; run < 24; ++run) {
    const float v = 1 + 0.01F * static_cast<float>(run * 7 % 24);
    one.add(std::vector<float>{v});
    image[0] = v;
    many.add(image);
    bounded.add(std::vector<float>{0.0F, 1.0F});
  }
  const CodeOptions seen, expected{.expected = true};
  for (const RangeMethod method : {RangeMethod::minmax, RangeMethod::mse, RangeMethod::percentile}) {
    EXPECT_LE(find_range(one, method, seen).hi, 1.23F);
    EXPECT_GT(find_range(one, method, expected).hi, 1.25F);
    EXPECT_LT(find_range(one, method, expected).hi, 2);
    EXPECT_EQ(find_range(one, method, expected).lo, 0);
  }
  EXPECT_EQ(find_range(many, RangeMethod::minmax, expected), find_range(many, RangeMethod::minmax, seen));
  EXPECT_EQ(find_range(bounded, RangeMethod::minmax, expected), (Range{0, 1}));
}

TEST(CommonError, WhatSamplesAgreeOnIsTakenOut) {
  std::vector<std::vector<double>> alike, apart;
  for (int s = 0; s < 12; ++s) {
    const double sign = s * 5 % 12 < 6 ? 1 : -1;
    alike.push_back({2 + 0.1 * sign, 0});
    apart.push_back({2 * sign, 0});
  }
  const std::vector<double> common = common_error(alike);
  EXPECT_NEAR(common[0], 2, 0.1);
  EXPECT_EQ(common[1], 0);
  EXPECT_EQ(common_error(apart), (std::vector<double>{0, 0}));
  EXPECT_EQ(common_error({{3.0}}), (std::vector<double>{0}));
  EXPECT_TRUE(common_error({}).empty());
}

TEST(Codes, ZeroIsExact) {
  for (const Range range : {Range{-1.3f, 2.7f}, Range{0.5f, 3}, Range{-3, -1}, Range{0, 0}, Range{0, 1e-38f}}) {
    for (const bool symmetric : {false, true}) {
      const Codes codes = codes_of(range, {8, symmetric});
      EXPECT_EQ(codes.number(codes.code(0)), 0);
      EXPECT_TRUE(std::isfinite(codes.scale) && codes.scale > 0);
      EXPECT_TRUE(!symmetric || codes.zero == 0);
    }
  }
}

TEST(Codes, EndsAreCodes) {
  const Codes codes = codes_of({-1, 3}, {});
  EXPECT_EQ(codes.code(-1), -128);
  EXPECT_EQ(codes.code(3), 127);
  EXPECT_EQ(codes.code(100), 127);
}

TEST(Observed, NotFiniteAndConstant) {
  Observed seen;
  seen.add(std::vector<float>{2, 2, NAN});
  EXPECT_FALSE(seen.finite());
  EXPECT_TRUE(seen.constant());
  EXPECT_EQ(find_range(seen, RangeMethod::mse, {}), (Range{0, 2}));
}

// Inputs that always come together: their weights' errors must cancel. A window that is never seen decides nothing.
TEST(Weights, RoundedAgainstTheirSum) {
  LayerShape shape;
  shape.channels = 1;
  shape.length = 4;
  MomentGatherer gatherer(shape, {1, 0, 8}, 1000);
  for (int i = 0; i < 400; ++i) {
    const auto v = static_cast<float>(i % 100);
    gatherer.add(std::vector<float>{v, v, v, 0}, false);
  }
  const LayerMoments moments = gatherer.finish();
  const std::vector<float> weights{0.4f, 0.4f, 0.4f, 127};  // the last one makes the step 1
  const LayerCodes nearest = quantise_layer(shape, weights, {}, moments, 1, 1, {8, false, false});
  EXPECT_EQ(nearest.codes, (std::vector<int32_t>{0, 0, 0, 127}));
  const LayerCodes sums = quantise_layer(shape, weights, {}, moments, 1, 1, {8, true, false});
  EXPECT_EQ(sums.codes[0] + sums.codes[1] + sums.codes[2], 1);
  EXPECT_EQ(sums.codes[3], 127);
}

// Two samples of many independent numbers: what cancels in one says nothing of the other.
TEST(Weights, FewSamplesAreNotTrusted) {
  LayerShape shape;
  shape.channels = 24;
  shape.length = 64;
  MomentGatherer gatherer(shape, {0.01f, 0, 8}, 1000);
  uint32_t state = 7;
  const auto random = [&] {
    state = state * 1664525 + 1013904223;
    return static_cast<float>(state >> 8) / static_cast<float>(1 << 23) - 1;
  };
  std::vector<float> weights(24 * 64), sample(64);
  for (float& w : weights) w = random();
  for (int s = 0; s < 2; ++s) {
    for (float& v : sample) v = random();
    gatherer.add(sample, false);
  }
  const LayerMoments moments = gatherer.finish();
  const LayerCodes nearest = quantise_layer(shape, weights, {}, moments, 24, 1, {8, false, false});
  EXPECT_EQ(quantise_layer(shape, weights, {}, moments, 24, 1, {8, true, false}).codes, nearest.codes);
}

// Without a bias the mean of the sum must come right by the codes alone.
TEST(Weights, MeansCountWithoutABias) {
  LayerShape shape;
  shape.channels = 1;
  shape.length = 4;
  MomentGatherer gatherer(shape, {1, 0, 8}, 1000);
  for (int i = 0; i < 100; ++i) {
    const auto v = static_cast<float>(100 + i % 2);
    gatherer.add(std::vector<float>{v, v, v, 0}, false);
  }
  const LayerMoments moments = gatherer.finish();
  const std::vector<float> weights{0.4f, 0.4f, 0.4f, 127};
  const LayerCodes codes = quantise_layer(shape, weights, {}, moments, 1, 1, {8, true, false});
  EXPECT_EQ(codes.codes[0] + codes.codes[1] + codes.codes[2], 1);
}

TEST(Weights, BiasKeepsTheMean) {
  LayerShape shape;
  shape.channels = 1;
  shape.length = 1;
  MomentGatherer gatherer(shape, {1, 0, 8}, 10);
  gatherer.add(std::vector<float>{10.4f}, false);  // its code is 10
  const LayerCodes codes = quantise_layer(shape, {127}, {1}, gatherer.finish(), 1, 1, {8, false, true});
  EXPECT_NEAR(codes.bias[0], 1 + 127 * 0.4, 1e-4);
}

TEST(Weights, ChannelsOfZerosAndLargeBiases) {
  LayerShape shape;
  shape.channels = 2;
  shape.length = 2;
  const LayerCodes codes = quantise_layer(shape, {0, 0, 0, 0}, {0, 1e6f}, {}, 2, 1e-6f, {});
  EXPECT_EQ(codes.codes, std::vector<int32_t>(4, 0));
  EXPECT_GT(codes.scale[0], 0);
  EXPECT_LT(1e6 / (static_cast<double>(codes.scale[1]) * 1e-6), 0x1p31);
}

TEST(Weights, RowsAndBack) {
  graph::Node node;
  for (const char* op : {"Conv", "ConvTranspose", "Gemm", "MatMul"}) {
    node.op = op;
    node.attributes.clear();
    const Shape shape = op == std::string("Conv") || op == std::string("ConvTranspose") ? Shape{4, 3, 2} : Shape{4, 6};
    if (node.op == "ConvTranspose") node.attributes["group"] = int64_t{2};
    std::vector<int64_t> values(24);
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int64_t>(i);
    const std::vector<float> rows =
        rows_of(Constant::floats(DType::float32, shape, std::vector<double>(values.begin(), values.end())), node);
    EXPECT_EQ(stored_order(std::vector<int32_t>(rows.begin(), rows.end()), shape, node), values) << op;
  }
}

}  // namespace
}  // namespace tarn::quantize
