// Steps of several lines of a signal that are one line to the kernels give what whole layers give, bit for bit.
#include <gtest/gtest.h>

#include "plan_lines.h"
#include "stream/check/check_plan.h"
#include "stream/make_plan.h"
#include "stream/network/join_lines.h"
#include "unit/compile/analysed.h"
#include "unit/emit/written.h"

namespace tarn {
namespace {

struct Found {
  int joined = 0, windows = 0, strides = 0, transposes = 0;
};

// With steps of up to so many lines, whose actors are counted. `planar`: the input's channels are transposed.
void compare_steps(const std::string& text, const std::string& target, const std::vector<int64_t>& at_once,
                   Found& found, bool planar = false) {
  const Result<verify::Scratch> scratch = verify::Scratch::make();
  ASSERT_TRUE(scratch);
  CompileOptions options = by_layers();
  options.target = target;
  options.nhwc_inputs = !planar;
  options.stream.mode = stream::Mode::resident;
  const Analysis analysis = analyze_ok(text, options);
  const verify::Sample sample = noise(analysis);
  const auto expected = run_by_layers(analysis, sample, *scratch / "layers");
  ASSERT_TRUE(expected) << expected.faults()[0].message;
  const std::vector<program::OperationId> order = line_order(analysis);
  const stream::Options& asked = analysis.options.stream;
  const stream::SearchLimits limits{16, 0};
  const stream::JoinedLayers choice = stream::finish(
      stream::choose(analysis.program, stream::layers_of(analysis.program, analysis.storage, order, {}), asked, limits),
      limits);
  for (const int64_t lines : at_once) {
    const auto longer = stream::with_longer_steps(choice, analysis.program, asked, limits, lines);
    ASSERT_TRUE(longer);
    Analysis streamed = analysis;
    streamed.stream = stream::plan_of(*longer, asked, limits);
    ASSERT_EQ(stream::check_plan(analysis.program, *streamed.stream), std::vector<std::string>{});
    for (const stream::Actor& actor : streamed.stream->actors) {
      if (!actor.joined) continue;
      const program::Operation& operation = analysis.program[actor.operations.front()];
      ++found.joined;
      found.windows += stream::reads_windows(operation);
      found.strides += operation.line_form->lines_between() > 1;
      found.transposes += operation.kernel.starts_with("tarn_transpose_");
    }
    const auto run = verify::run_on(write(streamed, false, *scratch / cat("lines", lines)), verify::Target::host,
                                    {sample}, quickly());
    ASSERT_TRUE(run) << run.faults()[0].message;
    EXPECT_EQ(expected->results, run->results) << target << ", " << lines << " lines a step";
  }
}

// Causal windows with gaps, windows with sides, single taps, a residual and elementwise operations, so that rings of
// many lengths begin again within a step.
std::string network(int64_t steps) {
  return cat("net (float[1, 3, ", steps, "] x) => (float[1, 4, ", steps, "] y) <", weight("w0", {6, 3, 1}), ",",
             weight("w1", {6, 6, 3}), ",", weight("w2", {6, 6, 1}), ",", weight("w3", {6, 6, 3}), ",",
             weight("w4", {6, 1, 5}), ",", weight("w5", {4, 6, 3}), R"(> {
    a = Conv (x, w0)
    b = Conv <pads = [2, 0]> (a, w1)
    c = Relu (b)
    d = Conv (c, w2)
    e = Add (a, d)
    f = Conv <dilations = [4], pads = [8, 0]> (e, w3)
    g = Sigmoid (f)
    h = Conv <group = 6, pads = [2, 2]> (g, w4)
    i = Mul (h, e)
    y = Conv <dilations = [2], pads = [2, 2]> (i, w5)
  })");
}

// An image, of which layers that take pixel by pixel join the lines.
std::string image(int64_t lines) {
  return cat("net (float[1, 3, ", lines, ", 5] x) => (float[1, 4, ", lines, ", 5] y) <", weight("w0", {6, 3, 1, 1}),
             ",", weight("w1", {6, 6, 3, 3}), ",", weight("w2", {6, 6, 1, 1}), ",", weight("w3", {4, 6, 1, 1}), R"(> {
    a = Conv (x, w0)
    b = Conv <pads = [1, 1, 1, 1]> (a, w1)
    c = Relu (b)
    d = Conv (c, w2)
    e = Add (a, d)
    y = Conv (e, w3)
  })");
}

TEST(JoinedLines, OfSeveralPixelsGiveWhatLayersGive) {
  for (const char* target : {"generic", "cortex-m4", "rv32imac"}) {
    Found found;
    compare_steps(image(12), target, {2, 3, 4, 5}, found);
    EXPECT_GT(found.joined, 8) << target;
    EXPECT_EQ(found.windows, 0) << target;
  }
}

TEST(JoinedLines, GiveWhatLayersGive) {
  Found found;
  compare_steps(network(60), "generic", {2, 3, 5, 6, 12, 20}, found);
  compare_steps(network(24), "cortex-m4", {3, 4, 8}, found);
  // No step divides 31; of 28, steps of 5 lines become such of 4.
  compare_steps(network(31), "generic", {2, 4}, found);
  compare_steps(network(28), "generic", {5}, found);
  EXPECT_GT(found.joined, 40);
  EXPECT_GT(found.windows, 20);
}

// Windows that move on by several lines: of all channels, of groups and of each alone, with gaps, and of pools, of
// which some lie half outside.
std::string strided() {
  return cat("net (float[1, 3, 192] x) => (float[1, 4, 8] y) <", weight("w0", {6, 3, 9}), ",", weight("w1", {6, 3, 5}),
             ",", weight("w2", {6, 1, 3}), ",", weight("w3", {4, 6, 1}), R"(> {
    a = Conv <strides = [2], pads = [4, 4]> (x, w0)
    b = LeakyRelu (a)
    c = MaxPool <kernel_shape = [2], strides = [2]> (b)
    d = Conv <group = 2, pads = [2, 2]> (c, w1)
    e = AveragePool <kernel_shape = [3], strides = [3], pads = [1, 1]> (d)
    f = Conv <group = 6, strides = [2], dilations = [2], pads = [2, 2]> (e, w2)
    y = Conv (f, w3)
  })");
}

// The same of codes, which have kernels of their own.
std::string strided_codes() {
  return cat("net (float[1, 3, 192] x) => (float[1, 5, 16] y) <", weight("w0", {6, 3, 9}), ",", weight("w1", {5, 6, 3}),
             R"(, float s = {0.03}, float t = {2.0}, int8 z = {-3}> {
    q = QuantizeLinear (x, s, z)
    r = DequantizeLinear (q, s, z)
    a = Conv <strides = [2], pads = [4, 4]> (r, w0)
    aq = QuantizeLinear (a, t, z)
    ar = DequantizeLinear (aq, t, z)
    p = AveragePool <kernel_shape = [3], strides = [3], pads = [1, 0]> (ar)
    pq = QuantizeLinear (p, t, z)
    pr = DequantizeLinear (pq, t, z)
    b = Conv <strides = [2], dilations = [2], pads = [2, 2]> (pr, w1)
    bq = QuantizeLinear (b, t, z)
    y = DequantizeLinear (bq, t, z)
  })");
}

TEST(JoinedLines, OfWindowsWithStridesGiveWhatLayersGive) {
  for (const char* target : {"generic", "cortex-m4", "cortex-m55", "rv32imac", "x86-64-v3"}) {
    Found found;
    compare_steps(strided(), target, {2, 3, 8}, found);
    compare_steps(strided(), target, {4}, found, true);
    EXPECT_GT(found.strides, 10) << target;
    EXPECT_GT(found.transposes, 0) << target;
    Found codes;
    compare_steps(strided_codes(), target, {2, 8}, codes);
    EXPECT_GT(codes.strides, 1) << target;
  }
}

}  // namespace
}  // namespace tarn
