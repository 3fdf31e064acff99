// What moves the channels of a pixel goes line by line.
#include "unit/emit/by_lines.h"

namespace tarn {
namespace {

const std::vector<Way> kWays{{stream::Mode::resident}, {stream::Mode::fed, true}};

// Two blocks as ShuffleNet has them: half of the channels go on as they are, those of both halves are shuffled.
TEST(ChannelsStream, ShufflesGoByLines) {
  const std::string text = "net (float[1, 3, 9, 7] x) => (float[1, 6, 4, 3] y) <" + weight("w", {8, 3, 3, 3}) + "," +
                           weight("v", {4, 4, 3, 3}) + "," + weight("u", {6, 4, 3, 3}) +
                           R"(, int64[5] apart = {1, 2, 4, 9, 7}, int64[5] four = {1, 4, 2, 9, 7},
                               int64[4] image = {1, 8, 9, 7}> {
    c = Conv <pads = [1, 1, 1, 1]> (x, w)
    a = Reshape (c, apart)
    t = Transpose <perm = [0, 2, 1, 3, 4]> (a)
    b = Reshape (t, image)
    p, q = Split <axis = 1> (b)
    d = Conv <pads = [1, 1, 1, 1]> (q, v)
    e = Relu (d)
    f = Concat <axis = 1> (p, e)
    g = Reshape (f, four)
    h = Transpose <perm = [0, 2, 1, 3, 4]> (g)
    i = Reshape (h, image)
    y = Conv <group = 2, strides = [2, 2]> (i, u)
  })";
  EXPECT_EQ(compare(text, kWays), 0u);
}

// Channels in any order, some left out, some taken twice; columns too.
TEST(ChannelsStream, PickedChannelsAndColumnsGoByLines) {
  const std::string text = "net (float[1, 3, 9, 7] x) => (float[1, 6, 9, 4] y, float[1, 6, 7, 5] z) <" +
                           weight("w", {8, 3, 3, 3}) + "," + weight("v", {6, 5, 1, 1}) + "," +
                           weight("u", {6, 10, 3, 3}) +
                           R"(, int64[5] less = {3, 1, 7, 1, 0}, int64[10] more = {9, 1, 2, -1, 4, 7, 8, 0, 0, 3},
                               int64[4] columns = {6, 0, 2, 2}> {
    c = Conv <pads = [1, 1, 1, 1]> (x, w)
    b = Gather <axis = 1> (c, less)
    y0 = Conv (b, v)
    y = Gather <axis = 3> (y0, columns)
    f = Concat <axis = 1> (b, c)
    r = Relu (f)
    d = Gather <axis = 1> (r, more)
    z = Conv (d, u)
  })";
  EXPECT_EQ(compare(text, kWays), 0u);
}

std::string quantised(const std::string& from, const std::string& to) {
  return cat(to, "_q = QuantizeLinear (", from, ", s, zs)\n", to, " = DequantizeLinear (", to, "_q, s, zs)\n");
}

TEST(ChannelsStream, CodesAreShuffledAndPickedByLines) {
  const std::string text =
      "net (float[1, 3, 6, 7] x) => (float[1, 4, 6, 7] y) <" + weight("w", {8, 3, 3, 3}) + "," +
      weight("v", {4, 5, 3, 3}) +
      R"(, int64[5] apart = {1, 2, 4, 6, 7}, int64[4] image = {1, 8, 6, 7},
                               int64[5] less = {3, 1, 7, 1, 0}, float s = {0.03}, int8 zs = {-3}> {)" +
      quantised("x", "xd") + "c = Conv <pads = [1, 1, 1, 1]> (xd, w)\n" + quantised("c", "cd") +
      "a = Reshape (cd, apart)\n" + quantised("a", "ad") + "t = Transpose <perm = [0, 2, 1, 3, 4]> (ad)\n" +
      quantised("t", "td") + "b = Reshape (td, image)\n" + quantised("b", "bd") + "d = Gather <axis = 1> (bd, less)\n" +
      quantised("d", "dd") + "e = Conv <pads = [1, 1, 1, 1]> (dd, v)\n" + quantised("e", "y") + "}";
  EXPECT_EQ(compare(text, kWays), 0u);
}

}  // namespace
}  // namespace tarn
