// Operands that are broadcast, what is made of all channels of a pixel or all pixels of a line, and parts of lines go
// line by line.
#include "unit/emit/by_lines.h"

namespace tarn {
namespace {

const std::vector<Way> kOperandWays{{stream::Mode::resident}, {stream::Mode::fed, true}};

std::string net(const std::string& ports, const std::string& constants, const std::string& body) {
  return cat("net ", ports, " <", constants, "> {", body, "}");
}

// One constant for each channel, row, column, pixel and for everything.
std::string constants() {
  return weight("ch", {1, 4, 1, 1}) + "," + weight("row", {1, 1, 6, 1}) + "," + weight("column", {5}) + "," +
         weight("pixel", {1, 1, 6, 5}) + "," + weight("row_ch", {4, 6, 1}) + "," + weight("column_ch", {1, 4, 1, 5}) +
         "," + weight("all", {1, 4, 6, 5});
}

TEST(OperandsStream, ConstantsOfAnyShapeGoByLines) {
  const std::string text = net("(float[1, 3, 6, 5] x) => (float[1, 4, 6, 5] y)",
                               weight("w", {4, 3, 3, 3}) + "," + weight("v", {4, 4, 3, 3}) + "," + constants(), R"(
    c = Conv <pads = [1, 1, 1, 1]> (x, w)
    d = Add (c, ch)
    e = Sub (row, d)
    f = Mul (e, column)
    g = Add (f, pixel)
    h = Conv <pads = [1, 1, 1, 1]> (g, v)
    i = Max (h, row_ch)
    j = Min (column_ch, i)
    k = Add (all, j)
    l = Greater (k, pixel)
    m = Where (l, k, column_ch)
    n = Less (m, row)
    y = Where (n, all, m)
  )");
  EXPECT_EQ(compare(text, kOperandWays), 0u);
}

std::string quantised_operand(const std::string& from, const std::string& to) {
  return cat(to, "_q = QuantizeLinear (", from, ", s, zs)\n", to, " = DequantizeLinear (", to, "_q, s, zs)\n");
}

TEST(OperandsStream, ConstantCodesGoByLines) {
  const std::string text = net(
      "(float[1, 3, 6, 5] x) => (float[1, 4, 6, 5] y)",
      weight("w", {4, 3, 3, 3}) + "," + weight("v", {4, 4, 3, 3}) + "," + constants() +
          ", float s = {0.03}, int8 zs = {-3}",
      quantised_operand("x", "xd") + "c = Conv <pads = [1, 1, 1, 1]> (xd, w)\n" + quantised_operand("c", "cd") +
          quantised_operand("pixel", "pd") + quantised_operand("row_ch", "rd") + quantised_operand("column", "kd") +
          quantised_operand("all", "ad") + "d = Add (cd, pd)\n" + quantised_operand("d", "dd") + "e = Mul (rd, dd)\n" +
          quantised_operand("e", "ed") + "f = Conv <pads = [1, 1, 1, 1]> (ed, v)\n" + quantised_operand("f", "fd") +
          "g = Add (fd, kd)\n" + quantised_operand("g", "gd") + "h = Sub (gd, ad)\n" + quantised_operand("h", "y"));
  EXPECT_EQ(compare(text, kOperandWays), 0u);
}

// Attention over pixels, over rows and over columns; between convolutions, and behind one.
TEST(OperandsStream, AttentionsGoByLines) {
  const std::string text =
      net("(float[1, 3, 8, 6] x) => (float[1, 4, 8, 6] y, float[1, 1, 8, 6] z)",
          weight("w", {4, 3, 3, 3}) + "," + weight("v", {1, 2, 3, 3}) + "," + weight("u", {4, 4, 1, 1}) +
              ", int64[1] channels = {1}, int64[1] columns = {3}, float half = {0.5}, int64[4] spread = {1, 4, 1, 1}",
          R"(
    c = Conv <pads = [1, 1, 1, 1]> (x, w)
    mean = ReduceMean <axes = [1]> (c)
    most = ReduceMax <axes = [1]> (c)
    both = Concat <axis = 1> (mean, most)
    a = Conv <pads = [1, 1, 1, 1]> (both, v)
    s = Sigmoid (a)
    d = Mul (c, s)
    row = ReduceSum <keepdims = 1> (d, columns)
    e = Add (d, row)
    f = Conv (e, u)
    size = ReduceL2 <axes = [1]> (f)
    mask = Greater (size, half)
    g = Where (mask, f, half)
    h = Tile (size, spread)
    y = Add (g, h)
    m = ArgMax <axis = 1> (y)
    z = Cast <to = 1> (m)
  )");
  EXPECT_EQ(compare(text, kOperandWays), 0u);
}

// Parts of the channels and the columns, in either direction.
TEST(OperandsStream, PartsOfLinesGoByLines) {
  const std::string text =
      net("(float[1, 3, 7, 8] x) => (float[1, 9, 3, 12] y)",
          weight("w", {6, 3, 3, 3}) + "," + weight("v", {5, 4, 3, 3}) +
              ", int64[2] first = {-1, 7}, int64[2] end = {-100, -100}, int64[2] axes = {1, 3}, "
              "int64[2] steps = {-2, -1}, int64[2] top = {1, 6}, int64[2] bottom = {7, -100}, int64[2] image = {2, 3}, "
              "int64[2] apart = {2, -1}, int64[4] spread = {1, 2, 1, 2}, int64[1] one = {1}, int64[1] all = {100}, "
              "int64[1] three = {3}, int64[1] columns = {3}, int64[1] five = {5}",
          R"(
    c = Conv <pads = [1, 1, 1, 1]> (x, w)
    a = Slice (c, first, end, axes, steps)
    b = Slice (c, one, all, one, three)
    d = Concat <axis = 1> (a, b)
    da = Slice (d, one, five, one)
    e = Conv <pads = [1, 1, 1, 1]> (da, v)
    f = Slice (e, top, bottom, image, apart)
    g = Slice (f, one, all, columns)
    t = Tile (g, spread)
    y = Slice (t, one, all, one)
  )");
  EXPECT_EQ(compare(text, kOperandWays), 0u);
}

}  // namespace
}  // namespace tarn
