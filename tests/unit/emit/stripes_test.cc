// Networks in column stripes give what whole layers give, bit for bit.
#include <gtest/gtest.h>

#include "unit/compile/analysed.h"
#include "unit/emit/written.h"

namespace tarn {
namespace {

std::string network() {
  return "net (float[1, 2, 22, 40] x) => (float[1, 4, 1, 1] y) <" + weight("w0", {6, 2, 3, 3}) + "," +
         weight("b0", {6}) + "," + weight("w1", {6, 1, 3, 3}) + "," + weight("w2", {6, 6, 1, 1}) + "," +
         weight("w3", {4, 12, 3, 3}) + "," + weight("w4", {4, 4, 3, 3}) + R"(> {
    a = Conv <pads = [1, 1, 1, 1]> (x, w0, b0)
    b = Relu (a)
    c = Conv <group = 6, pads = [1, 1, 1, 1]> (b, w1)
    d = Conv (c, w2)
    e = Add (b, d)
    f = Concat <axis = 1> (e, c)
    g = MaxPool <kernel_shape = [2, 3], strides = [2, 2], pads = [0, 1, 0, 1]> (f)
    h = Conv <strides = [2, 2], pads = [1, 1, 1, 1]> (g, w3)
    i = Conv (h, w4)
    y = GlobalAveragePool (i)
  })";
}

TEST(Stripes, EqualWholeLayers) {
  const Result<verify::Scratch> scratch = verify::Scratch::make();
  ASSERT_TRUE(scratch);
  CompileOptions options = by_layers();
  const Analysis layers = analyze_ok(network(), options);
  const verify::Sample sample = noise(layers);
  const auto expected =
      verify::run_on(write(layers, false, *scratch / "layers"), verify::Target::host, {sample}, quickly());
  ASSERT_TRUE(expected) << expected.faults()[0].message;
  for (const stream::Mode mode : {stream::Mode::fed, stream::Mode::resident}) {
    options.stream.mode = mode;
    options.stream.recompute = 0;
    const Analysis once = analyze_ok(network(), options);
    options.stream.recompute = 30;
    const Analysis twice = analyze_ok(network(), options);
    ASSERT_TRUE(once.stream && twice.stream);
    EXPECT_EQ(once.stream->stripes, 0);
    EXPECT_EQ(once.stream->extra_macs, 0);
    if (mode == stream::Mode::resident && twice.stream->stripes == 0) continue;
    ASSERT_GT(twice.stream->stripes, 1);
    EXPECT_LT(twice.stream->arena, once.stream->arena);
    EXPECT_GT(twice.stream->extra_macs, 0);
    EXPECT_LE(twice.stream->extra_macs * 100, 30 * twice.stream->macs);
    EXPECT_EQ(stream::passes_of(*twice.stream, 0), mode == stream::Mode::fed ? twice.stream->stripes : 0);
    // Nothing stands in flash twice.
    int64_t plain = 0, striped = 0;
    for (const program::Weight& w : once.program.weights) plain += w.bytes();
    for (const program::Weight& w : twice.program.weights) striped += w.bytes();
    EXPECT_LE(striped, plain);
    const auto found =
        verify::run_on(write(twice, false, *scratch / to_string(mode)), verify::Target::host, {sample}, quickly());
    ASSERT_TRUE(found) << found.faults()[0].message;
    EXPECT_EQ(expected->results, found->results);
  }
}

}  // namespace
}  // namespace tarn
