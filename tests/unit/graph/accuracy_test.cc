#include "graph/accuracy.h"

#include "unit/graph/built.h"

namespace tarn::graph {
namespace {

Accuracy accuracy(const std::string& text) { return output_accuracy(build_ok(text, {}))[0]; }

TEST(OutputAccuracy, FloatsAreExactToThemselves) {
  EXPECT_EQ(accuracy("g (float[2, 3] x, float[3, 2] w) => (float[2, 2] y) { y = MatMul(x, w) }"), Accuracy{});
}

TEST(OutputAccuracy, HalvesOnTheWayAreCoarse) {
  const Accuracy half{0x1p-10, 0};
  EXPECT_EQ(accuracy("g (float[2, 3] x, float16[3, 2] w) => (float[2, 2] y) { h = Cast <to = 10> (x) p = MatMul(h, w) "
                     "y = Cast <to = 1> (p) }"),
            half);
}

TEST(OutputAccuracy, CodesOfSumsMayMove) {
  const std::string head =
      "g (float[2, 3] x, float[3, 2] w) => (float[2, 2] y) <float s = {0.5}, int8 z = {0}, int16 z2 = {0}> { ";
  EXPECT_EQ(accuracy(head + "p = MatMul(x, w) q = QuantizeLinear(p, s, z) y = DequantizeLinear(q, s, z) }"),
            (Accuracy{0, 8}));
  EXPECT_EQ(accuracy(head + "p = MatMul(x, w) q = QuantizeLinear(p, s, z2) y = DequantizeLinear(q, s, z2) }"),
            (Accuracy{0, 16}));
  // The input's own codes are the same everywhere.
  EXPECT_EQ(accuracy(head + "q = QuantizeLinear(x, s, z) d = DequantizeLinear(q, s, z) y = MatMul(d, w) }"),
            Accuracy{});
}

TEST(OutputAccuracy, IntegerArithmeticIsExact) {
  EXPECT_EQ(
      accuracy(
          R"(g (float[2, 3] x) => (float[2, 2] y) <float s = {0.5}, int8 z = {0}, int8[3, 2] w = {1, 2, 3, 4, 5, 6}> {
      a = QuantizeLinear(x, s, z)  b = QLinearMatMul(a, s, z, w, s, z, s, z)  y = DequantizeLinear(b, s, z) })"),
      Accuracy{});
}

}  // namespace
}  // namespace tarn::graph
