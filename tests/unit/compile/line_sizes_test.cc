// What of a network by lines differs from height to height is named with the height at which it does.
#include <gtest/gtest.h>

#include "unit/compile/analysed.h"

namespace tarn {
namespace {

struct Case {
  const char* text;
  int64_t low, high;
  const char* why;  // of the refusal; empty: there is a plan
};

// The strided layer reads line 8r - 13: nothing of few lines, and much above it.
constexpr const char* kFarAbove = R"(g (float[1, 1, N, 4] x) => (float[1, 1, M, 4] y, float[1, 1, N, 4] z)
  <float[1, 1, 1, 1] w = {2}, float[1, 1, 3, 1] v = {1, 2, 3}> {
    z = Conv<pads = [1, 0, 1, 0]>(x, v)  a = Tanh(x)  b = Conv<strides = [8, 1], pads = [13, 0, 0, 0]>(a, w)
    y = Sigmoid(b) })";

// A layer of one line is made at once.
constexpr const char* kTwoLayers = R"(g (float[1, 1, N, 4] x) => (float[1, 1, M, 4] y)
  <float[1, 1, 3, 1] v = {1, 2, 3}> { a = Tanh(x)  y = Conv<pads = [1, 0, 1, 0]>(a, v) })";

TEST(LineSizes, WhatDiffersIsNamedWithItsHeight) {
  const Case cases[] = {
      {kFarAbove, 3, 40, "by lines, at N=3: 'a' has no lines that anything needs, which is not so at N=40"},
      {kFarAbove, 6, 40, ""},
      {kTwoLayers, 1, 8, "by lines, at N=1: other layers run by lines, which is not so at N=8"},
      {kTwoLayers, 2, 8, ""},
  };
  for (const Case& c : cases) {
    CompileOptions options;
    options.effort = 0;
    options.stream.mode = stream::Mode::fed;
    options.run_time = {{"N", c.low, c.high}};
    const Result<Analysis> result = try_analyze(c.text, options);
    const std::string said = result ? "" : model::texts(result.faults());
    EXPECT_EQ(static_cast<bool>(result), *c.why == '\0') << c.low << said;
    EXPECT_NE(said.find(c.why), std::string::npos) << said;
  }
}

}  // namespace
}  // namespace tarn
