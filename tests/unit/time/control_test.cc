// What loops and branches make of the estimates inside them, and what constant tables tell of a call's work.
#include <gtest/gtest.h>

#include "emit/fields.h"
#include "report/control_time.h"
#include "report/time_figures.h"
#include "support/text.h"
#include "unit/compile/analysed.h"

namespace tarn {
namespace {

CompileOptions on_m4() {
  CompileOptions options;
  options.target = "cortex-m4";
  return options;
}

// A loop of at most five trips, or of as many as an input says; `on` says whether it goes on.
std::string loop(const std::string& inputs, const std::string& constants, const std::string& on) {
  return "net (" + inputs + "float[1, 64] x) => (float[1, 64] y) <" + constants + "bool c = {1}> {" +
         "y = Loop <body = b (int64 i, bool go, float[1, 64] v) => (bool on, float[1, 64] w) { on = " + on +
         "  w = Tanh(v) }> (n, c, x) }";
}

const program::Operation* control_of(const Analysis& analysis) {
  for (const program::Operation& operation : analysis.program.operations) {
    if (operation.control != program::Control::none) return &operation;
  }
  ADD_FAILURE() << "no loop";
  return nullptr;
}

int64_t instructions_of(const Analysis& analysis, const report::TimeFigures& figures, const std::string& kernel) {
  int64_t all = 0;
  for (size_t s = 0; s < figures.steps.size(); ++s) {
    if (analysis.program[analysis.schedule.steps[s].operation].kernel == kernel && figures.steps[s])
      all += figures.steps[s]->instructions;
  }
  return all;
}

// Tanh by itself: what its values decide is a range of its own.
report::TimeFigures function_alone() {
  const Analysis once = analyze_ok("net (float[1, 64] x) => (float[1, 64] y) { y = Tanh(x) }", on_m4());
  const auto one = report::time_figures(once, "cortex-m4");
  EXPECT_TRUE(one && one->complete());
  return one.value_or(report::TimeFigures{});
}

TEST(ControlTime, ALoopOfConstantTripsTakesThemAll) {
  const Analysis analysis = analyze_ok(loop("", "int64 n = {5}, ", "Identity(go)"), on_m4());
  const std::optional<report::Trips> trips = report::trips_of(analysis, *control_of(analysis));
  ASSERT_TRUE(trips);
  EXPECT_EQ(trips->least, 5);
  EXPECT_EQ(trips->most, 5);
  const auto figures = report::time_figures(analysis, "cortex-m4");
  ASSERT_TRUE(figures && figures->complete());
  // Once around, in a network without the loop.
  const report::TimeFigures one = function_alone();
  const int64_t inside = instructions_of(analysis, *figures, "tarn_tanh_f32");
  EXPECT_LE(inside, 5 * one.modelled);
  EXPECT_GE(inside, 5 * (one.modelled - 50));
  // No other range than that of the function inside; steps are rounded.
  EXPECT_NEAR(static_cast<double>(figures->less), static_cast<double>(5 * one.less), 6);
  EXPECT_NEAR(static_cast<double>(figures->more), static_cast<double>(5 * one.more), 6);
}

TEST(ControlTime, ALoopThatDataEndIsARange) {
  const Analysis analysis = analyze_ok(loop("float p, float q, ", "int64 n = {5}, ", "Less(p, q)"), on_m4());
  const std::optional<report::Trips> trips = report::trips_of(analysis, *control_of(analysis));
  ASSERT_TRUE(trips);
  EXPECT_EQ(trips->least, 0);
  EXPECT_EQ(trips->most, 5);
  const auto figures = report::time_figures(analysis, "cortex-m4");
  ASSERT_TRUE(figures && figures->complete());
  EXPECT_LT(figures->least(), figures->modelled / 2);
  EXPECT_NEAR(static_cast<double>(figures->more), static_cast<double>(5 * function_alone().more), 6);
}

TEST(ControlTime, ALoopWithoutABoundHasNoTotal) {
  const Analysis analysis = analyze_ok(loop("int64 n, ", "", "Identity(go)"), on_m4());
  EXPECT_FALSE(report::trips_of(analysis, *control_of(analysis)));
  const auto figures = report::time_figures(analysis, "cortex-m4");
  ASSERT_TRUE(figures);
  EXPECT_FALSE(figures->complete());
  EXPECT_NE(figures->why, "");
  // Nor one of as many as the type holds, which stands for none.
  const Analysis most =
      analyze_ok(loop("float p, float q, ", "int64 n = {9223372036854775807}, ", "Less(p, q)"), on_m4());
  EXPECT_FALSE(report::trips_of(most, *control_of(most)));
}

TEST(ControlTime, ABranchIsTheDearerOneAndARange) {
  const Analysis analysis = analyze_ok(R"(net (bool c, float[1, 64] x) => (float[1, 64] y) {
        y = If <then_branch = t () => (float[1, 64] a) { a = Neg(x) },
                else_branch = e () => (float[1, 64] b) { b = Tanh(x) }> (c) })",
                                       on_m4());
  const auto figures = report::time_figures(analysis, "cortex-m4");
  ASSERT_TRUE(figures && figures->complete());
  EXPECT_EQ(instructions_of(analysis, *figures, "tarn_neg_f32"), 0);
  EXPECT_GT(instructions_of(analysis, *figures, "tarn_tanh_f32"), 0);
  EXPECT_NEAR(static_cast<double>(figures->more), static_cast<double>(function_alone().more), 2);
  EXPECT_LT(figures->least(), figures->modelled / 2);
  EXPECT_GT(figures->least(), 0);
}

std::map<std::string, int64_t> numbers_of(const Analysis& analysis, const std::string& kernel) {
  for (const program::Operation& operation : analysis.program.operations) {
    if (operation.kernel == kernel) return emit::call_parameters(analysis, operation);
  }
  ADD_FAILURE() << "no " << kernel;
  return {};
}

// Of twice as many positions, which begin where the others do, every second one takes from one place.
TEST(TableNumbers, WeightsOfZeroTakeNothing) {
  const Analysis analysis = analyze_ok(R"(net (float[1, 3, 4, 5] x) => (float[1, 3, 8, 10] y)
      <float[4] s = {1, 1, 2, 2}> {
        y = Resize <mode = "linear", coordinate_transformation_mode = "asymmetric"> (x, , s) })",
                                       on_m4());
  const auto numbers = numbers_of(analysis, "tarn_resize_f32");
  EXPECT_EQ(numbers.at("inside.lines"), 8);
  EXPECT_EQ(numbers.at("inside.pixels"), 10);
  EXPECT_EQ(numbers.at("taken.planes"), 1);
  // The last position has no neighbour, whatever the table says instead.
  EXPECT_GE(numbers.at("taken.lines"), 4 + 2 * 3 + 1);
  EXPECT_LE(numbers.at("taken.lines"), 4 + 2 * 3 + 2);
  EXPECT_GE(numbers.at("taken.pixels"), 5 + 2 * 4 + 1);
  EXPECT_LE(numbers.at("taken.pixels"), 5 + 2 * 4 + 2);
}

TEST(TableNumbers, AConstantMaskLeavesKeysOpen) {
  const Analysis analysis = analyze_ok(R"(net (float[1, 2, 3, 4] q, float[1, 2, 3, 4] k, float[1, 2, 3, 4] v) =>
      (float[1, 2, 3, 4] y) <bool[3, 3] m = {1, 0, 0, 1, 1, 0, 0, 0, 1}> { y = Attention(q, k, v, m) })",
                                       on_m4());
  const auto numbers = numbers_of(analysis, "tarn_attention_f32");
  for (const int64_t head : {0, 1}) {
    for (const int64_t row : {0, 1, 2}) EXPECT_EQ(numbers.at(cat("open.", 3 * head + row)), row + 1);
  }
  const timing::Terms terms = timing::terms_of("cortex-m4", "tarn_attention_f32", numbers).value();
  for (const timing::Term& term : terms) {
    EXPECT_TRUE(term.name != "keys" || term.count == 2 * (1 + 2 + 3)) << term.count;
  }
}

// x[1] <= 0.5 ? 10 : (x[0] > 2 ? 20 : 30): one comparison or two, and one weight.
TEST(TableNumbers, ATreeHasAShortestAndALongestPath) {
  const model::ScratchFolder scratch;
  CompileOptions options = on_m4();
  options.model_path =
      scratch.write("trees.onnx", model::parse_model(R"(<ir_version: 8, opset_import: ["" : 18, "ai.onnx.ml" : 3]>
      net (float[4, 2] x) => (float[4, 1] y) {
        y = ai.onnx.ml.TreeEnsembleRegressor <nodes_treeids = [0, 0, 0, 0, 0], nodes_nodeids = [0, 1, 2, 3, 4],
          nodes_featureids = [1, 0, 0, 0, 0], nodes_truenodeids = [1, 0, 3, 0, 0], nodes_falsenodeids = [2, 0, 4, 0, 0],
          nodes_values = [0.5, 0.0, 2.0, 0.0, 0.0],
          nodes_modes = ["BRANCH_LEQ", "LEAF", "BRANCH_GT", "LEAF", "LEAF"], target_treeids = [0, 0, 0],
          target_nodeids = [1, 3, 4], target_ids = [0, 0, 0], target_weights = [10.0, 20.0, 30.0],
          n_targets = 1> (x) })"));
  const Result<Analysis> analysis = analyze(options);
  ASSERT_TRUE(analysis) << model::texts(analysis.faults());
  const auto numbers = numbers_of(*analysis, "tarn_trees_f32");
  constexpr int64_t kOne = 65536;
  EXPECT_EQ(numbers.at("trees.compared.least"), kOne);
  EXPECT_EQ(numbers.at("trees.compared.usual"), kOne + kOne / 2);
  EXPECT_EQ(numbers.at("trees.compared.most"), 2 * kOne);
  for (const char* of : {"least", "usual", "most"}) EXPECT_EQ(numbers.at(cat("trees.weights.", of)), kOne);
  const auto figures = report::time_figures(*analysis, "cortex-m4");
  ASSERT_TRUE(figures && figures->complete());
  EXPECT_LT(figures->least(), figures->modelled);
  EXPECT_GT(figures->most(), figures->modelled);
}

TEST(TableNumbers, ARunningSumKnowsItsAxis) {
  for (const int64_t axis : {0, 1, 2, -1}) {
    const Analysis analysis = analyze_ok(
        cat("net (float[2, 3, 4] x) => (float[2, 3, 4] y) <int64 a = {", axis, "}> { y = CumSum(x, a) }"), on_m4());
    EXPECT_EQ(numbers_of(analysis, "tarn_cumsum_f32").at("along"), axis < 0 ? 2 : axis);
  }
}

// Of products with one constant those near a step are as many as the pairs with that code; of all codes together as
// many as those of two inputs.
TEST(TableNumbers, PairsNearAStepAreThoseOfEachConstant) {
  const std::string scales = "float s = {0.05}, float t = {0.04}, int8 z = {3}";
  const std::string to_codes = "(a, b)  y = QuantizeLinear(p, t, z) }";
  const auto near_of = [](const std::string& text) {
    return numbers_of(analyze_ok(text, on_m4()), "tarn_int_product_s8").at("near_pairs");
  };
  const int64_t all = near_of("net (int8[1, 8] u, int8[1, 8] v) => (int8[1, 8] y) <" + scales +
                              "> { a = DequantizeLinear(u, s, z)  b = DequantizeLinear(v, s, z)  p = Mul" + to_codes);
  int64_t sum = 0;
  for (int64_t code = -128; code < 128; ++code) {
    sum += near_of(cat("net (int8[1, 8] u) => (int8[1, 8] y) <", scales, ", int8 c = {", code,
                       "}> { a = DequantizeLinear(u, s, z)  b = DequantizeLinear(c, s, z)  p = Mul", to_codes));
  }
  EXPECT_GT(all, 0);
  EXPECT_LT(all, 65536 / 4);
  EXPECT_EQ(sum, 256 * all);
}

// The zeros that fill the last outputs of a layer up are none of its own; scales are looked at, too.
TEST(TableNumbers, ConstantsOfSoftwareFloatsAreLookedAt) {
  CompileOptions m3;
  m3.target = "cortex-m3";
  const Analysis layer = analyze_ok(
      "net (float[1, 2] x) => (float[1, 5] y) <float[2, 5] w = "
      "{1, 0, 3, 0.5, 7,  0, 5, -2, 3, 0}> { y = MatMul(x, w) }",
      m3);
  const auto numbers = numbers_of(layer, "tarn_dense_f32");
  EXPECT_EQ(numbers.at("zeros.1"), 30);
  EXPECT_EQ(numbers.at("plain"), 100 * 3 / 7);
  const auto codes = [&](const std::string& scale, const std::string& kernel) {
    return numbers_of(analyze_ok("net (float[1, 8] x) => (float[1, 8] y) <float s = {" + scale +
                                     "}, int8 z = {-128}>"
                                     " { r = QuantizeLinear(x, s, z)  y = DequantizeLinear(r, s, z) }",
                                 m3),
                      kernel);
  };
  for (const char* kernel : {"tarn_int_quantize_s8", "tarn_int_dequantize_s8"}) {
    EXPECT_EQ(codes("0.125", kernel).at("plain"), 100) << kernel;
    EXPECT_EQ(codes("0.1", kernel).at("plain"), 0) << kernel;
  }
  EXPECT_EQ(codes("0.1", "tarn_int_dequantize_s8").at("zeros.0"), 50);
  EXPECT_EQ(codes("0.1", "tarn_int_quantize_s8").at("most_zeros.0"), 90);
}

// The outputs of a layer of small weights are small; what is behind Relu has zeros.
TEST(TableNumbers, FunctionsKnowHowLargeTheirElementsProbablyAre) {
  const auto likely_of = [](const std::string& weight, const std::string& before, int64_t part) {
    const auto numbers = numbers_of(analyze_ok("net (float[1, 1] x) => (float[1, 1] y) <float[1, 1] w = {" + weight +
                                                   "}> { p = MatMul(x, w)  " + before + "  y = Tanh(r) }",
                                               on_m4()),
                                    "tarn_tanh_f32");
    int64_t all = numbers.at("likely");
    for (int64_t i = 0; i < 10; ++i) all += numbers.at(cat("likely.", i));
    EXPECT_NEAR(static_cast<double>(all), 65536, 12);
    return numbers.at(part < 0 ? "likely" : cat("likely.", part));
  };
  EXPECT_NEAR(static_cast<double>(likely_of("0.25", "r = Neg(p)", 5)), 65536 * 0.1915,
              8);  // not followed: of deviation 1
  EXPECT_NEAR(static_cast<double>(likely_of("0.25", "r = Identity(p)", 5)), 65536 * 0.4772, 8);
  EXPECT_EQ(likely_of("0.25", "r = Identity(p)", -1), 0);
  EXPECT_NEAR(static_cast<double>(likely_of("0.25", "r = Relu(p)", -1)), 32768, 8);
  EXPECT_EQ(likely_of("0.25", "r = Relu(p)", 4), 0);
}

}  // namespace
}  // namespace tarn
