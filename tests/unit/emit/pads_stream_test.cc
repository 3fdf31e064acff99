// Images are padded line by line, whatever with.
#include "unit/emit/by_lines.h"

namespace tarn {
namespace {

// Two lines more than it can be reflected in once at the top; channels are padded too.
std::string padded(const std::string& mode, const std::string& pads, const std::vector<int64_t>& y) {
  return cat("net (float[1, 3, 8, 7] x) => (float[", join(y), "] y) <", weight("w", {4, 3, 3, 3}), ",",
             weight("v", {y[1], 4, 3, 3}), ", int64[8] pads = {", pads, "}> {\n",
             "c = Conv <pads = [1, 1, 1, 1]> (x, w)\np = Pad <mode = \"", mode, "\"> (c, pads)\ny = Conv (p, v)\n}");
}

const std::vector<Way> kPadWays{{stream::Mode::resident}, {stream::Mode::fed, true}};

TEST(PadsStream, ReflectedAndRepeatedLinesGoByLines) {
  EXPECT_EQ(compare(padded("reflect", "0, 0, 2, 1, 0, 0, 3, 2", {1, 5, 11, 8}), kPadWays), 0u);
  EXPECT_EQ(compare(padded("edge", "0, 0, 1, 3, 0, 0, 4, 0", {1, 5, 11, 8}), kPadWays), 0u);
}

// What is reflected needs no more than the lines by which it reaches inwards.
TEST(PadsStream, FewLinesAreKeptForReflection) {
  CompileOptions options;
  options.name = "net";
  options.nhwc_inputs = options.nhwc_outputs = true;
  options.stream = {.mode = stream::Mode::fed, .drain = true};
  const Analysis analysis = analyze_ok(
      "net (float[1, 4, 64, 8] x) => (float[1, 4, 68, 8] y) <int64[8] pads = {0, 0, 2, 0, 0, 0, 2, 0}> { y = "
      "Pad <mode = \"reflect\"> (x, pads) }",
      options);
  ASSERT_TRUE(analysis.stream);
  EXPECT_LE(analysis.stream->arena, 5 * 8 * 4 * 4 + 256);
}

}  // namespace
}  // namespace tarn
