// Zeros of weights, one by one and in blocks.
#include "report/sparsity.h"

#include <gtest/gtest.h>

#include "unit/compile/analysed.h"

namespace tarn::report {
namespace {

TEST(Sparsity, CountsElementsAndBlocks) {
  // Five rows of six: the first four begin with a square of zeros, but for one element of the last.
  const Analysis analysis = analyze_ok(R"(g (float[1,5] x) => (float[1,6] y) <float[5,6] w = {
    0,0,0,0,1,0,  0,0,0,0,2,0,  0,0,0,0,3,0,  0,0,0,7,4,0,  1,0,0,5,0,0}> { y = MatMul(x, w) })");
  Report report;
  profile_sparsity(analysis, report);
  ASSERT_EQ(report.sparsity.size(), 2u);
  const SparsityRow& w = report.sparsity[0];
  EXPECT_EQ(w.tensor, "w");
  EXPECT_EQ(w.elements.all, 30);
  EXPECT_EQ(w.elements.zero, 23);
  EXPECT_EQ(w.along.all, 5);  // the last two columns are no block
  EXPECT_EQ(w.along.zero, 3);
  EXPECT_EQ(w.across.all, 6);  // nor is the last row
  EXPECT_EQ(w.across.zero, 4);
  EXPECT_EQ(w.squares.all, 1);
  EXPECT_EQ(w.squares.zero, 0);
  EXPECT_EQ(w.two_of_four.zero, 5);
  EXPECT_EQ(report.sparsity[1].tensor, "in all");
  EXPECT_EQ(report.sparsity[1].elements.zero, 23);
}

TEST(Sparsity, NetworksWithoutWeights) {
  Report report;
  profile_sparsity(analyze_ok("g (float[2] x) => (float[2] y) { y = Relu(x) }"), report);
  ASSERT_EQ(report.sparsity.size(), 1u);
  EXPECT_EQ(report.sparsity[0].elements.share(), 0);
}

}  // namespace
}  // namespace tarn::report
