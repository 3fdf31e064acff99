// Zeros of weights, step by step.
#include "report/zeros.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "unit/compile/analysed.h"

namespace tarn::report {
namespace {

// `count` weights, of which the first `zeros` are 0.
std::string weights(int count, int zeros) {
  std::string text = "{";
  for (int i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + std::string(i < zeros ? "0" : "1");
  return text + "}";
}

// By kernel and number of weights: the zeros of its steps.
std::map<std::string, int64_t> zeros_of(const std::string& text, const stream::Options& stream) {
  CompileOptions options;
  options.stream = stream;
  options.nhwc_inputs = options.nhwc_outputs = true;
  const Analysis analysis = analyze_ok(text, options);
  EXPECT_EQ(analysis.stream && analysis.stream->stripes > 0, stream.recompute > 0);
  Report report = make_report(analysis, {});
  count_zeros(analysis, report);
  std::map<std::string, int64_t> zeros;
  for (const StepRow& row : report.steps) {
    if (!row.zeros || row.parameters == 0) continue;  // a stripe behind the first has its weights
    const auto [at, is_new] = zeros.emplace(row.op + " " + std::to_string(row.parameters), *row.zeros);
    EXPECT_TRUE(is_new || at->second == *row.zeros) << at->first;
  }
  return zeros;
}

// By layers, by lines and in stripes the operations run in other orders, each with its own weights.
TEST(Zeros, BelongToTheStepThatReadsTheWeights) {
  const std::string text =
      "net (float[1, 2, 22, 40] x) => (float[1, 4, 1, 1] y) <float[6, 2, 3, 3] u = " + weights(108, 7) +
      ", float[6, 1, 3, 3] v = " + weights(54, 20) + ", float[4, 6, 3, 3] w = " + weights(216, 3) + R"(> {
    a = Conv <pads = [1, 1, 1, 1]> (x, u)  b = Conv <group = 6, pads = [1, 1, 1, 1]> (a, v)
    c = MaxPool <kernel_shape = [2, 3], strides = [2, 2], pads = [0, 1, 0, 1]> (b)
    d = Conv <strides = [2, 2], pads = [1, 1, 1, 1]> (c, w)  y = GlobalAveragePool (d) })";
  const std::map<std::string, int64_t> layers = zeros_of(text, {.mode = stream::Mode::off});
  EXPECT_EQ(layers.at("Conv 108"), 7);
  EXPECT_EQ(layers.at("Conv 54"), 20);
  EXPECT_EQ(layers.at("Conv 216"), 3);
  EXPECT_EQ(zeros_of(text, {.mode = stream::Mode::fed}), layers);
  EXPECT_EQ(zeros_of(text, {.mode = stream::Mode::fed, .recompute = 30}), layers);
}

}  // namespace
}  // namespace tarn::report
