// Networks that run by lines give what whole layers give, bit for bit, however they are fed.
#include <gtest/gtest.h>

#include "unit/emit/by_lines.h"

namespace tarn {
namespace {

std::string layers() {
  return "net (float[1, 5, 12, 11] x) => (float[1, 6, 1, 1] y) <" + weight("w0", {5, 1, 3, 3}) + "," +
         weight("b0", {5}) + "," + weight("w1", {6, 5, 1, 1}) + "," + weight("b1", {6}) + "," +
         weight("w2", {6, 6, 3, 3}) + "," + weight("w3", {6, 3, 2, 2}) + R"(> {
    a = Conv <group = 5, pads = [1, 1, 1, 1]> (x, w0, b0)
    b = Relu (a)
    c = Conv (b, w1, b1)
    d = Conv <pads = [0, 2, 1, 2], dilations = [1, 2]> (c, w2)
    e = MaxPool <kernel_shape = [2, 3], strides = [2, 1]> (d)
    f = AveragePool <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (e)
    g = Sigmoid (f)
    h = Add (e, g)
    i = ConvTranspose <strides = [2, 2], group = 2> (h, w3)
    y = GlobalAveragePool (i)
  })";
}

std::string images() {
  return "net (float[1, 3, 7, 6] x, float[1, 2, 14, 12] z) => (float[1, 4, 17, 12] y, float[1, 3, 10, 9] u) <" +
         weight("w", {2, 3, 2, 2}) + "," + weight("v", {4, 4, 1, 1}) + "," + weight("t", {3, 3, 1, 1}) +
         R"(, float[4] twice = {1.0, 1.0, 2.0, 2.0}, float[4] more = {1.0, 1.0, 1.5, 1.5}, int64[8] pads = {0, 0, 2, 0, 0, 0, 1, 0}> {
    a = Conv <pads = [0, 0, 1, 1]> (x, w)
    b = Resize <mode = "nearest", coordinate_transformation_mode = "asymmetric", nearest_mode = "floor"> (a, , twice)
    c = Concat <axis = 1> (b, z)
    e = Conv (c, v)
    y = Pad (e, pads)
    s = Conv (x, t)
    d = LeakyRelu (s)
    u = Resize <mode = "linear"> (d, , more)
  })";
}

TEST(Stream, LayersAreEqualByLines) {
  EXPECT_EQ(compare(layers(), {{stream::Mode::resident}, {stream::Mode::fed, false, true}}), 0u);
}

// A stride beyond the kernel: of the joined layers' middle tensor there are columns that nobody reads.
std::string apart() {
  return "net (float[1, 3, 12, 23] x) => (float[1, 5, 6, 8] y) <" + weight("w", {24, 3, 1, 1}) + "," +
         weight("v", {5, 24, 5, 1}) + R"(> {
    a = Conv (x, w)
    b = Relu (a)
    y = Conv <pads = [2, 0, 2, 0], strides = [2, 3]> (b, v)
  })";
}

TEST(Stream, ColumnsThatNobodyReadsAreLeftOut) {
  compare(apart(), {{stream::Mode::fed, true}, {stream::Mode::resident}});
  CompileOptions options = by_layers();
  options.stream.mode = stream::Mode::fed;
  const Analysis analysis = analyze_ok(apart(), options);
  size_t joined = 0;
  for (const stream::Actor& actor : analysis.stream->actors) joined += actor.line_buffer && actor.line_buffer->mid > 0;
  EXPECT_EQ(joined, 1u);
}

TEST(Stream, SeveralPortsAreFedAndDrained) { compare(images(), {{stream::Mode::fed, true}}); }

// Out of depth in one operator, and as it is spelled by others; softmax over channels.
std::string blocks() {
  return "net (float[1, 8, 5, 6] x) => (float[1, 2, 10, 12] y, float[1, 1, 10, 12] u) <" + weight("w", {8, 8, 1, 1}) +
         "," + weight("v", {4, 8, 3, 3}) +
         R"(, int64[6] apart = {1, 1, 2, 2, 5, 6}, int64[4] image = {1, 1, 10, 12}> {
    a = Conv (x, w)
    b = DepthToSpace <blocksize = 2> (a)
    y = Softmax <axis = 1> (b)
    c = Conv <pads = [1, 1, 1, 1]> (x, v)
    d = Reshape (c, apart)
    e = Transpose <perm = [0, 1, 4, 2, 5, 3]> (d)
    u = Reshape (e, image)
  })";
}

TEST(Stream, BlocksComeOutOfDepthByLines) { compare(blocks(), {{stream::Mode::fed, true}}); }

// Codes whose kernels work along channels: lines of them are as many vectors as a line has pixels.
std::string codes() {
  return "net (float[1, 3, 6, 5] x) => (float[1, 4, 6, 5] y, float[1, 6, 5, 4] z) <" + weight("w", {4, 3, 3, 3}) + "," +
         weight("g", {4}) + "," + weight("b", {4}) +
         R"(, float s = {0.03}, float t = {0.00390625}, int8 zs = {-3}, int8 zt = {-128}> {
    q = QuantizeLinear (x, s, zs)
    d = DequantizeLinear (q, s, zs)
    c = Conv <pads = [1, 1, 1, 1]> (d, w)
    cq = QuantizeLinear (c, s, zs)
    cd = DequantizeLinear (cq, s, zs)
    u = Softmax <axis = 1> (cd)
    uq = QuantizeLinear (u, t, zt)
    y = DequantizeLinear (uq, t, zt)
    v = Transpose <perm = [0, 2, 3, 1]> (cd)
    n = LayerNormalization (v, g, b)
    nq = QuantizeLinear (n, s, zs)
    z = DequantizeLinear (nq, s, zs)
  })";
}

TEST(Stream, VectorsOfCodesGoByLines) { compare(codes(), {{stream::Mode::fed, true}}); }

// A normalisation before its activation, which no layer takes in, and layers on channels-last images.
TEST(Stream, NormalisationsAndProductsGoByLines) {
  const std::string text = "net (float[1, 5, 8, 6] x) => (float[1, 8, 6, 3] y) <" + weight("s", {5}) + "," +
                           weight("b", {5}) + "," + weight("m", {5}) + ", float[5] v = {1.0, 2.0, 0.5, 1.5, 3.0}," +
                           weight("w", {4, 5, 3, 3}) + "," + weight("u", {4, 3}) + "," + weight("c", {3}) + R"(> {
    n = BatchNormalization (x, s, b, m, v)
    r = Relu (n)
    a = Conv <pads = [1, 1, 1, 1]> (r, w)
    t = Transpose <perm = [0, 2, 3, 1]> (a)
    p = MatMul (t, u)
    y = Add (p, c)
  })";
  EXPECT_EQ(compare(text, {{stream::Mode::fed, true}}), 0u);
}

// Every other line and column from the second on, as detectors begin; what works on the channels of a pixel.
TEST(Stream, CropsAndPixelsGoByLines) {
  const std::string text =
      "net (float[1, 3, 10, 12] x) => (float[1, 5, 3, 5] y) <" + weight("w", {4, 6, 3, 3}) + "," +
      weight("v", {5, 4, 1, 1}) + "," + weight("s", {4}) + "," + weight("b", {4}) +
      R"(, int64[2] zero = {0, 0}, int64[2] one = {1, 1}, int64[2] end = {10, 12}, int64[2] axes = {2, 3},
                              int64[2] two = {2, 2}, int64[2] top = {1, 0}, int64[2] less = {4, 5}> {
    p = Slice (x, zero, end, axes, two)
    q = Slice (x, one, end, axes, two)
    f = Concat <axis = 1> (p, q)
    c = Conv <pads = [1, 1, 1, 1]> (f, w)
    l = LRN <size = 3> (c)
    t = Transpose <perm = [0, 2, 3, 1]> (l)
    n = LayerNormalization (t, s, b)
    u = Transpose <perm = [0, 3, 1, 2]> (n)
    i = Cast <to = 6> (u)
    j = Cast <to = 1> (i)
    k = Add (j, u)
    m = LpNormalization <axis = 1> (k)
    o = Slice (m, top, less, axes)
    y = Conv (o, v)
  })";
  EXPECT_EQ(compare(text, {{stream::Mode::fed, true}}), 0u);
}

// The largest of codes, with and without a sign: what is kept from line to line are integers.
TEST(Stream, LargestCodesAreFoundByLines) {
  compare(R"(net (float[1, 3, 6, 5] x, float[1, 2, 4, 5] v) => (float[1, 3, 1, 1] y, float[1, 2, 1, 1] z) <
      float s = {0.03}, int8 zs = {-3}, uint8 zu = {128}> {
    q = QuantizeLinear (x, s, zs)
    d = DequantizeLinear (q, s, zs)
    m = GlobalMaxPool (d)
    mq = QuantizeLinear (m, s, zs)
    y = DequantizeLinear (mq, s, zs)
    vq = QuantizeLinear (v, s, zu)
    vd = DequantizeLinear (vq, s, zu)
    n = GlobalMaxPool (vd)
    nq = QuantizeLinear (n, s, zu)
    z = DequantizeLinear (nq, s, zu)
  })",
          {{stream::Mode::fed, true}});
}

// Floats become codes as they come, of any type; a line that two read stands in the arena as it came.
std::string quantised_ports() {
  return "net (float[1, 3, 8, 7] x, float[1, 2, 8, 7] z, float[1, 2, 8, 7] v) => (float[1, 4, 8, 7] y, float[1, 2, 8, "
         "7] u) <" +
         weight("w", {4, 5, 3, 3}) + R"(, float s = {0.03}, uint8 zs = {120}, int8 zt = {-3}, int16 zv = {0}> {
    a = QuantizeLinear (x, s, zs)
    b = DequantizeLinear (a, s, zs)
    c = QuantizeLinear (z, s, zs)
    d = DequantizeLinear (c, s, zs)
    e = Concat <axis = 1> (b, d)
    f = QuantizeLinear (e, s, zs)
    g = DequantizeLinear (f, s, zs)
    h = Conv <pads = [1, 1, 1, 1]> (g, w)
    i = QuantizeLinear (h, s, zt)
    y = DequantizeLinear (i, s, zt)
    j = QuantizeLinear (v, s, zv)
    k = DequantizeLinear (j, s, zv)
    l = Relu (v)
    u = Add (k, l)
  })";
}

TEST(Stream, LinesBecomeCodesAsTheyCome) {
  compare(quantised_ports(), {{stream::Mode::fed, true}});
  CompileOptions options;
  options.name = "net";
  options.stream.mode = stream::Mode::fed;
  const Analysis analysis = analyze_ok(quantised_ports(), options);
  std::vector<bool> at_once(3, false);
  for (const stream::Actor& actor : analysis.stream->actors) {
    if (actor.what == stream::Actor::What::feed) at_once[actor.port] = !actor.operations.empty();
  }
  EXPECT_EQ(at_once, (std::vector<bool>{true, true, false}));
  for (size_t port = 0; port < 3; ++port) {
    const program::TensorId id = analysis.program.inputs[port];
    EXPECT_EQ(analysis.stream->views[id.pos()].memory < 0, at_once[port]);
  }
}

// All the work is done while lines are pushed: the driver has nothing of its own to make.
TEST(Stream, WorkOfPushesAlone) {
  compare("net (float[3, 4, 5] x) => (float[3, 4, 5] y) { y = Relu (x) }", {{stream::Mode::fed, true}});
}

// An image in planes is made into lines where it stands: beside it there is room for little more than a line.
// `before`: what the network does to its input before the first layer, element by element.
void compare_planes(const std::string& before, const std::string& first) {
  const std::string text = "net (float[1, 3, 40, 19] x) => (float[1, 2, 20, 10] y) <" + weight("w", {4, 3, 3, 3}) +
                           "," + weight("v", {2, 4, 1, 1}) + ", float mean = {0.25}> {" + before +
                           "    a = Conv <pads = [1, 1, 1, 1], strides = [2, 2]> (" + first + R"(, w)
    b = Relu (a)
    y = Conv (b, v)
  })";
  const Result<verify::Scratch> scratch = verify::Scratch::make();
  ASSERT_TRUE(scratch);
  CompileOptions options;
  options.name = "net";
  options.stream.mode = stream::Mode::off;
  const Analysis layers = analyze_ok(text, options);
  options.stream.mode = stream::Mode::resident;
  const Analysis lines = analyze_ok(text, options);
  ASSERT_TRUE(lines.stream);
  EXPECT_LE(lines.stream->arena, 3 * 40 * 19 * 4 + 4 * 3 * 19 * 4);
  const verify::Sample sample{{noise(layers.program[layers.program.inputs[0]].type)}, {}};
  const auto expected =
      verify::run_on(write(layers, false, *scratch / "layers"), verify::Target::host, {sample}, quickly());
  const auto found = verify::run_on(write(lines, false, *scratch / "lines"), verify::Target::host, {sample}, quickly());
  ASSERT_TRUE(expected && found) << (found ? "" : found.faults()[0].message);
  EXPECT_EQ(expected->results, found->results);
}

TEST(Stream, PlanesBecomeLinesWhereTheyStand) {
  compare_planes("", "x");
  compare_planes("m = Sub (x, mean)\n    n = Abs (m)\n", "n");
}

// Inputs and outputs in memory of the caller's, read and written line by line.
void compare_in_callers_memory(const std::string& text) {
  const Result<verify::Scratch> scratch = verify::Scratch::make();
  ASSERT_TRUE(scratch);
  CompileOptions options;
  options.name = "net";
  options.caller_io = true;
  options.stream.mode = stream::Mode::off;
  const Analysis layers = analyze_ok(text, options);
  options.stream.mode = stream::Mode::resident;
  const Analysis lines = analyze_ok(text, options);
  ASSERT_TRUE(lines.stream);
  const verify::Sample sample = noise(layers);
  const auto expected =
      verify::run_on(write(layers, false, *scratch / "layers"), verify::Target::host, {sample}, quickly());
  const auto found = verify::run_on(write(lines, true, *scratch / "lines"), verify::Target::host, {sample}, quickly());
  ASSERT_TRUE(expected && found) << (found ? "" : found.faults()[0].message);
  EXPECT_EQ(expected->results, found->results);
}

TEST(Stream, BuffersOfTheCallerStayWhereTheyAre) { compare_in_callers_memory(images()); }

TEST(Stream, BuffersThatNothingReadsAreTakenWithoutAWarning) {
  compare_in_callers_memory("net (float[1, 1, 8, 8] x, float[3] x2) => (float[1, 2, 6, 6] y) <" +
                            weight("w", {2, 1, 3, 3}) + "> { a = Conv (x, w)  y = Relu (a) }");
}

}  // namespace
}  // namespace tarn
