// Elements whose values decide how long they take give a range, from the shortest way to the longest.
#include "time/by_value.h"

#include <gtest/gtest.h>

#include <utility>

namespace tarn::timing {
namespace {

constexpr const char* kTargets[] = {"cortex-m0",  "cortex-m3",  "cortex-m4", "cortex-m7",
                                    "cortex-m33", "cortex-m55", "rv32imac",  "rv32imafc"};

double of(const Model& model, const char* term) { return model.coefficients.at(term).instructions; }

TEST(ByValue, FunctionsOfEveryTargetHaveARange) {
  const Parameters call{{"outer", 1}, {"inner", 1000}};
  for (const char* target : kTargets) {
    for (const char* kernel : {"tarn_tanh_f32", "tarn_exp_f32", "tarn_sigmoid_f32", "tarn_gelu_none_f32",
                               "tarn_gelu_tanh_f32", "tarn_erf_f32", "tarn_sin_f32", "tarn_cast_s64_f32"}) {
      const Model* values = find_model(target, std::string(kernel) + kByValue);
      ASSERT_NE(values, nullptr) << target << " " << kernel;
      EXPECT_LT(of(*values, "least"), of(*values, "most")) << target << " " << kernel;
      const Prediction found = predict(target, kernel, call);
      ASSERT_TRUE(found.cost) << target << " " << kernel;
      EXPECT_LE(found.least, 1.1 * (200 + 1000 * of(*values, "least"))) << target << " " << kernel;
      EXPECT_GE(found.most, 1000 * of(*values, "most")) << target << " " << kernel;
      EXPECT_LE(found.least, found.cost->instructions) << target << " " << kernel;
      EXPECT_GE(found.most, found.cost->instructions) << target << " " << kernel;
    }
  }
}

// A model of tanh is that of what a recurrent layer calls for each unit.
TEST(ByValue, KernelsThatCallAFunctionHaveItsRange) {
  const Model* tanh = find_model("cortex-m4", "tarn_tanh_f32");
  const Model* values = find_model("cortex-m4", std::string("tarn_tanh_f32") + kByValue);
  const Model* rnn = find_model("cortex-m4", "tarn_rnn_f32");
  ASSERT_TRUE(tanh && values && rnn);
  const ValueRange range = range_by_value(*rnn, {{"call", 1}, {"units", 80}});
  EXPECT_TRUE(range.known);
  EXPECT_NEAR(range.less, 80 * (of(*tanh, "elements") - of(*values, "least")), 0.5);
  EXPECT_NEAR(range.more, 80 * (of(*values, "most") - of(*tanh, "elements")), 0.5);
  EXPECT_FALSE(range_by_value(*find_model("cortex-m4", "tarn_add_f32"), {{"elements", 80}}).known);
}

// All elements behind OneHot but one of each vector are zeros, of which software makes floats the fastest.
TEST(ByValue, ConversionsOfZerosAreShort) {
  EXPECT_TRUE(converts_whole_numbers("tarn_cast_s64_f32"));
  EXPECT_TRUE(converts_whole_numbers("tarn_cast_u8_f16"));
  EXPECT_FALSE(converts_whole_numbers("tarn_cast_f32_s64"));
  EXPECT_FALSE(converts_whole_numbers("tarn_cast_s64_s32"));
  const Parameters any{{"outer", 1}, {"inner", 200}};
  Parameters zeros = any;
  zeros["zeros.0"] = 90;
  for (const char* target : kTargets) {
    const Prediction full = predict(target, "tarn_cast_s64_f32", any),
                     thin = predict(target, "tarn_cast_s64_f32", zeros);
    ASSERT_TRUE(full.cost && thin.cost) << target;
    const std::string core = target;
    const bool at_once = core.starts_with("cortex-") && core != "cortex-m0";  // others' libraries go on with a zero
    EXPECT_LT(thin.cost->instructions, (at_once ? 0.6 : 1) * full.cost->instructions) << target;
    EXPECT_GE(1.02 * thin.cost->instructions, thin.least) << target;
    double parts = 0;
    for (const auto& [term, instructions] : thin.parts) parts += instructions;
    EXPECT_NEAR(parts, thin.cost->instructions, 0.5) << target;
  }
}

constexpr const char* kSoft[] = {"cortex-m0", "cortex-m3", "rv32imac"};

double instructions(const char* target, const char* kernel, Parameters call, const Parameters& more) {
  call.insert(more.begin(), more.end());
  const Prediction found = predict(target, kernel, call);
  EXPECT_TRUE(found.cost) << target << " " << kernel;
  EXPECT_LE(found.least, found.cost->instructions) << target << " " << kernel;
  double parts = 0;
  for (const auto& [term, of_it] : found.parts) parts += of_it;
  EXPECT_NEAR(parts, found.cost->instructions, 0.5) << target << " " << kernel;
  return found.cost->instructions;
}

// Codes are made by a division by their scale, and floats of them by a product with it; a power of two makes that as
// short as it was measured.
TEST(ByValue, ScalesThatArePowersOfTwoAreShort) {
  const Parameters call{{"outer", 1}, {"inner", 1000}};
  for (const char* target : kSoft) {
    for (const auto& [kernel, function] :
         {std::pair("tarn_int_quantize_s8", "tarn_div_f32"), std::pair("tarn_int_dequantize_u8", "tarn_mul_f32")}) {
      const Model *usual = find_model(target, function), *values = find_model(target, std::string(function) + kByValue);
      ASSERT_TRUE(usual && values) << target;
      const double each = std::max(0.0, of(*usual, "elements") + of(*usual, kNonzero) - of(*values, "plain"));
      const double any = instructions(target, kernel, call, {{"plain", 0}}),
                   plain = instructions(target, kernel, call, {{"plain", 100}}),
                   half = instructions(target, kernel, call, {{"plain", 100}, {"zeros.0", 50}}),
                   zeros = instructions(target, kernel, call, {{"plain", 0}, {"zeros.0", 50}});
      EXPECT_NEAR(any - plain, 1000 * std::min(each, of(*usual, kNonzero)), 1) << target << " " << kernel;
      EXPECT_NEAR(zeros - half, (any - plain) / 2, 1) << target << " " << kernel;  // zeros are short as they are
    }
  }
}

// The code for zero takes neither the steps of a conversion nor those of a product.
TEST(ByValue, CodesForZeroAreShort) {
  const Parameters call{{"outer", 1}, {"inner", 1000}};
  for (const char* target : kSoft) {
    const double any = instructions(target, "tarn_int_dequantize_s8", call, {{"zeros.0", 0}}),
                 half = instructions(target, "tarn_int_dequantize_s8", call, {{"zeros.0", 50}, {"most_zeros.0", 90}});
    EXPECT_LT(half, 0.9 * any) << target;
    EXPECT_GT(half, 0.6 * any) << target;
    const Model* conversion = find_model(target, "tarn_cast_s8_f32");
    const Model* values = find_model(target, std::string("tarn_cast_s8_f32") + kByValue);
    ASSERT_TRUE(conversion && values) << target;
    const double each = of(*conversion, "elements") - of(*values, "least");
    EXPECT_NEAR(any - half, 500 * (each + of(*find_model(target, "tarn_mul_f32"), kNonzero)), 1) << target;
  }
  EXPECT_EQ(instructions("cortex-m4", "tarn_int_dequantize_s8", call, {{"zeros.0", 0}}),
            instructions("cortex-m4", "tarn_int_dequantize_s8", call, {{"zeros.0", 50}}));
}

// Weights of one take each product a short way; weights of zero take it out of those that are counted.
TEST(ByValue, PlainWeightsMakeALayersProductsShort) {
  const Parameters call{{"pixels", 10},    {"inputs", 16}, {"outputs", 8}, {"block_first", 0},
                        {"block_end", 10}, {"bounded", 0}, {"r_pitch", 0}, {"x_pitch", 16}};
  constexpr double kProducts = 10 * 16 * 8;
  for (const char* target : kSoft) {
    const Model *product = find_model(target, "tarn_mul_f32"), *layer = find_model(target, "tarn_dense_f32"),
                *values = find_model(target, std::string("tarn_mul_f32") + kByValue);
    ASSERT_TRUE(product && layer && values) << target;
    const double each = of(*product, "elements") + of(*product, kNonzero) - of(*values, "plain");
    const double any = instructions(target, "tarn_dense_f32", call, {{"plain", 0}}),
                 plain = instructions(target, "tarn_dense_f32", call, {{"plain", 100}}),
                 zeros = instructions(target, "tarn_dense_f32", call,
                                      {{"plain", 0}, {"zeros.1", 50}, {"most_zeros.1", 50}});
    EXPECT_NEAR(any - plain, kProducts * each, 1) << target;
    EXPECT_NEAR(any - zeros, kProducts / 2 * of(*layer, "products"), 1) << target;
  }
}

// Small numbers take the shorter way of tanh: the elements' term is what they and the others were measured to take.
TEST(ByValue, FunctionsAreToldByHowLargeTheirElementsProbablyAre) {
  const Parameters call{{"outer", 1}, {"inner", 1000}};
  for (const char* target : kTargets) {
    for (const char* kernel : {"tarn_tanh_f32", "tarn_gelu_tanh_f32", "tarn_tanh_f16"}) {
      ASSERT_TRUE(measured_by_size(target, kernel)) << target << " " << kernel;
      const Model& values = *find_model(target, std::string(kernel) + kByValue);
      const double small = instructions(target, kernel, call, {{"likely", 0}, {"likely.5", kLikelyParts}}),
                   large = instructions(target, kernel, call, {{"likely", 0}, {"likely.8", kLikelyParts}}),
                   mixed = instructions(target, kernel, call,
                                        {{"likely", kLikelyParts / 2}, {"likely.0", kLikelyParts / 2}});
      EXPECT_LT(small, large) << target << " " << kernel;
      EXPECT_NEAR(large - small, 1000 * (of(values, "at 3") - of(values, "at 0.3")), 1) << target << " " << kernel;
      EXPECT_NEAR(large - mixed, 1000 * (of(values, "at 3") - (of(values, "at 0") + of(values, "at -12")) / 2), 1)
          << target << " " << kernel;
    }
    EXPECT_FALSE(measured_by_size(target, "tarn_add_f32")) << target;
  }
}

// What data decide of trees is told from the shortest path to the longest, as far as calls held out were off.
TEST(ByValue, RangesAreAsWideAsCallsHeldOutWereOff) {
  const Parameters trees{{"examples", 1},
                         {"targets", 3},
                         {"aggregate", 0},
                         {"null.7", 1},
                         {"trees", 30},
                         {"trees.compared.least", 70 * 65536},
                         {"trees.zeros", 0},
                         {"trees.compared.usual", 80 * 65536},
                         {"trees.compared.most", 90 * 65536},
                         {"trees.weights.least", 30 * 65536},
                         {"trees.weights.usual", 30 * 65536},
                         {"trees.weights.most", 30 * 65536}};
  const Model* model = find_model("cortex-m4", "tarn_trees_f32");
  ASSERT_NE(model, nullptr);
  const Prediction found = predict("cortex-m4", "tarn_trees_f32", trees);
  ASSERT_TRUE(found.cost);
  const double step = 10 * of(*model, "compared"), off = model->worst_error / 100;
  EXPECT_NEAR(found.most, (found.cost->instructions + step) * (1 + off), 1);
  EXPECT_NEAR(found.least, (found.cost->instructions - step) * (1 - off), 1);
}

}  // namespace
}  // namespace tarn::timing
