// One firmware by lines for every height of a range gives, at each, what whole layers give, bit for bit.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <sstream>

#include "support/text.h"
#include "unit/compile/analysed.h"
#include "unit/compile/random_text.h"
#include "unit/emit/written.h"

namespace tarn {
namespace {

CompileOptions open_over(int64_t low, int64_t high, stream::Mode mode, bool drain = false) {
  CompileOptions options = by_layers();
  options.run_time = {{"H", low, high}};
  options.stream.mode = mode;
  options.stream.drain = drain;
  return options;
}

// All sizes upwards, then downwards: the second runs begin in what the first have left, and what is garbage differs.
std::vector<verify::Sample> every_size_twice(const Analysis& analysis) {
  std::vector<verify::Sample> samples;
  for (size_t i = 0; i < analysis.sizes.size(); ++i) {
    verify::Sample sample;
    for (program::TensorId id : analysis.sizes[i].program.inputs)
      sample.inputs.push_back(noise(analysis.sizes[i].program[id].type));
    sample.size = static_cast<int32_t>(i);
    samples.push_back(sample);
  }
  for (size_t i = analysis.sizes.size(); i-- > 0;) samples.push_back(samples[i]);
  return samples;
}

struct HeightWay {
  stream::Mode mode = stream::Mode::fed;
  bool drain = false;
};

// The arena beside that of a build for the largest height alone: the size and its place are added to it, and one part
// in `part`.
void expect_as_small(const std::string& text, const CompileOptions& options, const Analysis& sized, int64_t part) {
  CompileOptions alone = options;
  alone.run_time.clear();
  alone.dims["H"] = options.run_time[0].high;
  const Analysis own = analyze_ok(text, alone);
  ASSERT_TRUE(own.stream && sized.stream);
  EXPECT_LE(sized.stream->arena, own.stream->arena + own.stream->arena / part + 2 * options.alignment);
}

void compare_heights(const std::string& text, int64_t low, int64_t high, const std::vector<HeightWay>& ways,
                     verify::Target target = verify::Target::host, int64_t part = 50) {
  const Result<verify::Scratch> scratch = verify::Scratch::make();
  ASSERT_TRUE(scratch);
  const Analysis layers = analyze_ok(text, open_over(low, high, stream::Mode::off));
  const std::vector<verify::Sample> samples = every_size_twice(layers);
  ASSERT_EQ(samples.size(), static_cast<size_t>(2 * (high - low + 1)));
  const auto expected = verify::run_on(write(layers, false, *scratch / "layers"), target, samples, quickly());
  ASSERT_TRUE(expected) << expected.faults()[0].message;
  for (const HeightWay& way : ways) {
    const CompileOptions options = open_over(low, high, way.mode, way.drain);
    const Analysis lines = analyze_ok(text, options);
    ASSERT_TRUE(lines.stream);
    const auto found = verify::run_on(write(lines, way.drain, *scratch / cat("lines", &way - ways.data())), target,
                                      samples, quickly());
    ASSERT_TRUE(found) << found.faults()[0].message;
    EXPECT_EQ(expected->results, found->results) << to_string(way.mode);
    expect_as_small(text, options, lines, part);
  }
}

// Strides, pools, a residual sum, joined layers, and an output of as many lines as the height says.
std::string open_image() {
  return "net (float[1, 3, H, 11] x) => (float[1, 6, K, 3] y) <" + weight("w0", {8, 3, 3, 3}) + "," +
         weight("b0", {8}) + "," + weight("w1", {8, 1, 3, 3}) + "," + weight("w2", {8, 8, 1, 1}) + "," +
         weight("w3", {6, 8, 3, 3}) + R"(> {
    a = Conv <pads = [1, 1, 1, 1]> (x, w0, b0)
    b = Relu (a)
    c = Conv <group = 8, pads = [1, 1, 1, 1]> (b, w1)
    d = Conv (c, w2)
    e = Add (b, d)
    f = MaxPool <kernel_shape = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]> (e)
    g = Conv <strides = [2, 2], pads = [1, 1, 1, 1]> (f, w3)
    y = Sigmoid (g)
  })";
}

TEST(Heights, ImagesOfEveryHeight) {
  compare_heights(open_image(), 5, 21, {{stream::Mode::fed, true}, {stream::Mode::resident, false}});
}

// A mean over all lines, a layer behind it that is whole at every height, and an average that pads do not count for.
std::string open_mean() {
  return "net (float[1, 2, H, 9] x) => (float[1, 4] y) <" + weight("w0", {5, 2, 3, 3}) + "," + weight("w1", {4, 5}) +
         R"(, int64[2] flat = {1, 5}> {
    a = Conv <auto_pad = "SAME_UPPER", strides = [2, 2]> (x, w0)
    b = AveragePool <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (a)
    c = Concat <axis = 1> (b, a)
    d = Add (a, b)
    e = GlobalAveragePool (d)
    f = Reshape (e, flat)
    y = Gemm <transB = 1> (f, w1)
  })";
}

TEST(Heights, MeansOverEveryHeight) { compare_heights(open_mean(), 4, 19, {{stream::Mode::fed, false}}); }

// Dilated and strided, and its last step.
std::string open_signal() {
  return "net (float[1, 4, H] x) => (float[1, 6] y, float[1, 6, K] z) <" + weight("w0", {6, 4, 3}) + "," +
         weight("w1", {6, 6, 3}) + R"(, int64 last = {-1}> {
    a = Conv <pads = [2, 0]> (x, w0)
    b = Relu (a)
    c = Conv <dilations = [2], pads = [4, 0]> (b, w1)
    d = Add (b, c)
    y = Gather <axis = 2> (d, last)
    z = MaxPool <kernel_shape = [2], strides = [2]> (d)
  })";
}

TEST(Heights, SignalsOfEveryLength) {
  compare_heights(open_signal(), 4, 20, {{stream::Mode::fed, true}, {stream::Mode::resident, true}});
}

std::string refused_height(const std::string& text, const CompileOptions& options) {
  const Result<Analysis> result = try_analyze(text, options);
  EXPECT_FALSE(result);
  return result ? "" : model::texts(result.faults());
}

TEST(Heights, OnACortexM4) {
  compare_heights(open_signal(), 5, 10, {{stream::Mode::fed, true}}, verify::Target::cortex_m4);
}

// What has one line alone is made at once.
TEST(Heights, HeightsOfOneLineAreToldByName) {
  const std::string told = refused_height(open_signal(), open_over(3, 20, stream::Mode::fed, true));
  EXPECT_NE(told.find("E206"), std::string::npos) << told;
  EXPECT_NE(told.find("at H=3: 'MaxPool_z' is made in another way"), std::string::npos) << told;
}

// An open width: lines of every length.
TEST(Heights, LinesOfAnotherShapeAreRefused) {
  const std::string text = "net (float[1, 2, 8, H] x) => (float[1, 3, 8, H] y) <" + weight("w", {3, 2, 3, 3}) +
                           "> { y = Conv <pads = [1, 1, 1, 1]> (x, w) }";
  const std::string told = refused_height(text, open_over(6, 9, stream::Mode::fed, true));
  EXPECT_NE(told.find("E206"), std::string::npos) << told;
  EXPECT_NE(told.find("at H=6"), std::string::npos) << told;
}

// A random network of images with all heights open: the sizes of its input, and "H" in their place. Empty where inputs
// differ in height.
std::string with_open_height(const std::string& text, int64_t& height) {
  const size_t end = text.find(" <");
  std::string head = text.substr(0, end);
  const size_t outputs = head.find("=>");
  height = -1;
  std::string out;
  size_t from = 0;
  for (size_t at; (at = head.find("float[", from)) != std::string::npos;) {
    const size_t third = head.find(", ", head.find(", ", at) + 2) + 2, comma = head.find(',', third);
    const int64_t lines = std::stoll(head.substr(third, comma - third));
    const bool input = at < outputs;
    if (input && height >= 0 && height != lines) return "";
    if (input) height = lines;
    out += head.substr(from, third - from) + (input ? "H" : cat("K", at));
    from = comma;
  }
  return out + head.substr(from) + text.substr(end);
}

TEST(Heights, RandomNetworks) {
  const char* given = std::getenv("TARN_HEIGHT_SEEDS");  // "1000 1100": others, and more of them
  int64_t first = 3, end = 7, done = 0;
  if (given) std::istringstream(given) >> first >> end;
  for (int64_t seed = first; seed < end; ++seed) {
    int64_t height = 0;
    const std::string text = with_open_height(RandomText(static_cast<uint64_t>(seed)).image(), height);
    if (text.empty()) continue;
    const stream::Mode mode = seed % 3 == 0 ? stream::Mode::resident : stream::Mode::fed;
    const int64_t low = std::max<int64_t>(1, height - 3), high = height + 9;
    const Result<Analysis> lines = try_analyze(text, open_over(low, high, mode, seed % 2 == 0));
    if (!lines) {
      const std::string told = model::texts(lines.faults());
      EXPECT_NE(told.find("error E2"), std::string::npos) << told;
      if (given) std::cerr << seed << ": " << told << "\n";
      continue;
    }
    SCOPED_TRACE(cat("seed ", seed, "\n", text));
    // Rings that are packed for all phases at once are larger in some.
    compare_heights(text, low, high, {{mode, seed % 2 == 0}}, verify::Target::host, 6);
    ++done;
  }
  EXPECT_GT(done, 0);
}

}  // namespace
}  // namespace tarn
