// Networks on signals run step by step along time, and give what whole layers give, bit for bit.
#include <gtest/gtest.h>

#include "unit/compile/analysed.h"
#include "unit/emit/written.h"

namespace tarn {
namespace {

// Runs the model by layers and by lines on the host; how many steps the lines take.
size_t compare_signal(const std::string& text, stream::Mode mode, bool drain) {
  const Result<verify::Scratch> scratch = verify::Scratch::make();
  EXPECT_TRUE(scratch);
  CompileOptions options = by_layers();
  const Analysis layers = analyze_ok(text, options);
  options.stream.mode = mode;
  options.stream.drain = drain;
  const Analysis lines = analyze_ok(text, options);
  if (!lines.stream) return 0;
  const verify::Sample sample = noise(layers);
  const auto expected =
      verify::run_on(write(layers, false, *scratch / "layers"), verify::Target::host, {sample}, quickly());
  const auto found = verify::run_on(write(lines, false, *scratch / "lines"), verify::Target::host, {sample}, quickly());
  EXPECT_TRUE(expected && found);
  if (!expected || !found) return 0;
  EXPECT_EQ(expected->results, found->results);
  for (const stream::Actor& actor : lines.stream->actors) EXPECT_FALSE(actor.whole);
  return lines.stream->steps.size();
}

// How a model spells an axis of time: as the only one, as that of an image of one column, or of one line.
enum class Spelling { signal, column, line };

std::string axis(Spelling spelling, int64_t n, int64_t other) {
  if (spelling == Spelling::signal) return cat(n);
  return spelling == Spelling::column ? cat(n, ", ", other) : cat(other, ", ", n);
}

std::string temporal(Spelling s) {
  const auto list = [&](int64_t n) { return "[" + axis(s, n, 1) + "]"; };
  const auto pads = [&](int64_t begin, int64_t end) { return cat("[", axis(s, begin, 0), ", ", axis(s, end, 0), "]"); };
  const auto kernel = [&](const std::string& name, int64_t outputs, int64_t inputs, int64_t k) {
    std::vector<int64_t> dims{outputs, inputs, k};
    if (s == Spelling::column) dims.push_back(1);
    if (s == Spelling::line) dims.insert(dims.begin() + 2, 1);
    return weight(name, dims);
  };
  const std::string out = axis(s, 20, 1);
  return cat("net (float[1, 4, ", axis(s, 20, 1), "] x) => (float[1, 4, ", out, "] y) <", kernel("w0", 6, 4, 3), ",",
             kernel("w1", 6, 1, 3), ",", kernel("w2", 6, 6, 1), ",", kernel("w3", 12, 4, 4), ",", weight("b", {6}),
             "> {\n", "  a = Conv <pads = ", pads(2, 0), "> (x, w0, b)\n  c = Relu (a)\n",
             "  d = Conv <group = 6, dilations = ", list(2), ", pads = ", pads(4, 0),
             "> (c, w1)\n  e = Conv (d, w2)\n  f = Add (e, c)\n", "  g = MaxPool <kernel_shape = ", list(3),
             ", strides = ", list(2), ", pads = ", pads(1, 1), "> (f)\n", "  h = AveragePool <kernel_shape = ", list(2),
             ", strides = ", list(2), "> (f)\n  i = Sigmoid (h)\n  j = Concat <axis = 1> (g, i)\n",
             "  y = ConvTranspose <strides = ", list(2), ", pads = ", pads(1, 1), "> (j, w3)\n}");
}

TEST(Signals, StepsAreLines) {
  // 20 steps by some actors; layers that are joined count once.
  EXPECT_GT(compare_signal(temporal(Spelling::signal), stream::Mode::fed, true), 100u);
  EXPECT_GT(compare_signal(temporal(Spelling::line), stream::Mode::resident, false), 100u);
}

std::string causal(int64_t steps) {
  return cat("net (float[1, 4, ", steps, "] x) => (float[1, 3, ", steps / 2, "] y) <", weight("w0", {6, 4, 3}), ",",
             weight("w1", {6, 1, 3}), ",", weight("w2", {3, 6, 2}), ",", weight("b", {6}), R"(> {
    a = Conv <pads = [2, 0]> (x, w0, b)
    c = Relu (a)
    d = Conv <group = 6, dilations = [2], pads = [4, 0]> (c, w1)
    e = Add (d, c)
    y = Conv <strides = [2]> (e, w2)
  })");
}

// A network by layers, and one that goes on along time.
struct Endless {
  Analysis layers, lines;
  Result<verify::Scratch> scratch = verify::Scratch::make();

  Endless(const std::string& whole, const std::string& step) {
    CompileOptions options = by_layers();
    layers = analyze_ok(whole, options);
    options.stream.mode = stream::Mode::time;
    options.stream.drain = true;
    lines = analyze_ok(step, options);
  }

  // The first output of each sample by layers, one behind the other.
  std::vector<uint8_t> expected(const std::vector<verify::Sample>& samples) const {
    const auto run = verify::run_on(write(layers, false, *scratch / "layers"), verify::Target::host, samples, {});
    EXPECT_TRUE(run);
    std::vector<uint8_t> bytes;
    for (size_t i = 0; run && i < samples.size(); ++i)
      bytes.insert(bytes.end(), run->results[i][0].bytes.begin(), run->results[i][0].bytes.end());
    return bytes;
  }

  // What the lines give of a signal of another length than their network's; lines are the second
  // axis of three, the first of two.
  std::vector<uint8_t> pushed(const verify::Sample& signal, const Shape& in, const Shape& out) const {
    const auto count = [](const Shape& s) { return s.rank() > 2 ? s[1] : s[0]; };
    verify::Firmware firmware = write(lines, false, *scratch / "lines");
    firmware.inputs[0].type.shape = in;
    firmware.inputs[0].lines = count(in);
    firmware.outputs[0].type.shape = out;
    firmware.outputs[0].lines = count(out);
    const auto run = verify::run_on(firmware, verify::Target::host, {signal}, {});
    EXPECT_TRUE(run) << (run ? "" : run.faults()[0].message);
    return run ? run->results[0][0].bytes : std::vector<uint8_t>{};
  }
};

// A signal of 150 steps, pushed on and on through the plan of a network of 20, is what the network of 150 makes of it.
TEST(Signals, GoOnWithoutEnd) {
  const Endless net(causal(150), causal(20));
  ASSERT_TRUE(net.scratch && net.lines.stream && net.lines.stream->endless);
  EXPECT_LT(2 * net.lines.stream->endless->passes * 2, 150);
  verify::Sample signal;
  signal.inputs.push_back(noise(net.layers.program[net.layers.program.inputs[0]].type));
  EXPECT_EQ(net.expected({signal}), net.pushed(signal, {1, 150, 4}, {1, 75, 3}));
}

// What is made of the channels of each step, and operands that are spread over them.
std::string of_channels(int64_t steps) {
  return cat("net (float[1, 3, ", steps, "] x) => (float[1, 4, ", steps, "] y) <", weight("w", {4, 3, 2}), ",",
             weight("k", {1, 4, 1}), R"(, int64[1] channels = {1}, int64[3] order = {2, 0, 1}, float half = {0.5}> {
    o = Gather <axis = 1> (x, order)
    c = Conv <pads = [1, 0]> (o, w)
    m = ReduceMax <axes = [1]> (c)
    e = Sub (c, m)
    g = Less (m, half)
    y = Where (g, e, k)
  })");
}

TEST(Signals, WhatWorksOnTheChannelsOfAStepGoesOn) {
  const Endless net(of_channels(60), of_channels(12));
  ASSERT_TRUE(net.scratch && net.lines.stream && net.lines.stream->endless);
  verify::Sample signal;
  signal.inputs.push_back(noise(net.layers.program[net.layers.program.inputs[0]].type));
  EXPECT_EQ(net.expected({signal}), net.pushed(signal, {1, 60, 3}, {1, 60, 4}));
}

// Goes on with the last of 20 steps alone.
std::string last_step(int64_t dilation) {
  return cat("net (float[1, 4, 20] x) => (float[1, 3] y) <", weight("w0", {6, 4, 3}), ",", weight("w1", {6, 1, 3}), ",",
             weight("w2", {3, 6}), ",", weight("b", {6}), ",", weight("v", {3}), R"(, int64 last = {-1}> {
    a = Conv <pads = [2, 0]> (x, w0, b)
    c = Relu (a)
    d = Conv <group = 6, dilations = [)",
             dilation, "], pads = [", 2 * dilation, R"(, 0]> (c, w1)
    e = Add (d, c)
    f = Gather <axis = 2> (e, last)
    g = Gemm <transB = 1> (f, w2, v)
    y = Softmax (g)
  })");
}

// So many windows of `bytes` bytes, each `apart` bytes behind the one before.
std::vector<verify::Sample> windows(const verify::Sample& signal, size_t count, size_t apart, size_t bytes) {
  std::vector<verify::Sample> samples(count);
  for (size_t k = 0; k < count; ++k) {
    const auto first = signal.inputs[0].begin() + static_cast<std::ptrdiff_t>(k * apart);
    samples[k].inputs.emplace_back(first, first + static_cast<std::ptrdiff_t>(bytes));
  }
  return samples;
}

// What the last step of each window gives is what the network makes of that window.
TEST(Signals, WindowsMoveOn) {
  constexpr size_t kWindows = 11, kLine = 4 * sizeof(float);
  const Endless net(last_step(2), last_step(2));
  ASSERT_TRUE(net.scratch && net.lines.stream && net.lines.stream->endless);
  verify::Sample signal;
  signal.inputs.push_back(noise(TensorType{DType::float32, Shape{1, 20 + kWindows - 1, 4}}));
  EXPECT_EQ(net.expected(windows(signal, kWindows, kLine, 20 * kLine)),
            net.pushed(signal, {1, 20 + kWindows - 1, 4}, {kWindows, 3}));
}

// Means over all steps of a window, from where the window begins at every second step on.
std::string mean_of_steps(int64_t padding, const std::string& mean) {
  return cat("net (float[1, 4, 20] x) => (float[1, 3] y) <", weight("w0", {6, 4, 3}), ",", weight("w1", {6, 6, 3}), ",",
             weight("w2", {3, 6}), ",", weight("b", {6}), ",", weight("v", {3}), R"(> {
    a = Conv <pads = [)",
             padding, R"(, 0]> (x, w0, b)
    c = Relu (a)
    d = Conv <strides = [2]> (c, w1)
    e = )",
             mean, R"(
    f = Flatten (e)
    y = Gemm <transB = 1> (f, w2, v)
  })");
}

TEST(Signals, MeansMoveOnWithTheirWindow) {
  for (const char* mean : {"GlobalAveragePool (d)", "GlobalMaxPool (d)", "ReduceMean <axes = [2]> (d)"}) {
    constexpr size_t kWindows = 9, kLine = 4 * sizeof(float);
    const Endless net(mean_of_steps(0, mean), mean_of_steps(0, mean));
    ASSERT_TRUE(net.scratch && net.lines.stream && net.lines.stream->endless) << mean;
    verify::Sample signal;
    signal.inputs.push_back(noise(TensorType{DType::float32, Shape{1, 20 + 2 * (kWindows - 1), 4}}));
    EXPECT_EQ(net.expected(windows(signal, kWindows, 2 * kLine, 20 * kLine)),
              net.pushed(signal, {1, 20 + 2 * (kWindows - 1), 4}, {kWindows, 3}))
        << mean;
  }
}

// Why a network does not go on without end.
std::string refusal(const std::string& text) {
  CompileOptions options;
  options.name = "net";
  options.stream.mode = stream::Mode::time;
  const Result<Analysis> analysis = try_analyze(text, options);
  EXPECT_FALSE(analysis);
  if (analysis) return "";
  EXPECT_EQ(analysis.faults()[0].code, "E312");
  return analysis.faults()[0].message;
}

// The mean of a signal that is padded in front has steps that no later window sees.
TEST(Signals, MeansOfPaddedSignalsDoNotMoveOn) {
  EXPECT_NE(refusal(mean_of_steps(2, "GlobalAveragePool (d)")).find("depend on where the signal begins"),
            std::string::npos);
}

// A line of one output would stand for a step, and of the other for a window.
TEST(Signals, StepsAndWindowsDoNotMix) {
  const std::string text =
      cat("net (float[1, 4, 20] x) => (float[1, 6, 18] y, float[1, 6, 1] z) <", weight("w", {6, 4, 3}), R"(> {
        y = Conv (x, w)
        z = GlobalAveragePool (y)
      })");
  EXPECT_NE(refusal(text).find("one for all of them"), std::string::npos);
}

// The last of 20 steps depends on what stands before the window.
TEST(Signals, WindowsThatArePaddedDoNotMoveOn) {
  EXPECT_NE(refusal(last_step(9)).find("depends on where the signal begins"), std::string::npos);
}

}  // namespace
}  // namespace tarn
