// Terms of layers that skip zeros among their weights, and of the decoder of packed weights.
#include <gtest/gtest.h>

#include "time/predict.h"
#include "unit/time/terms_by_name.h"

namespace tarn::timing {
namespace {

// A kernel of two lines of three taps over an image of two lines of six pixels, padded by one all around.
TEST(SparseTime, RowsAtTheEdgesGoWeightByWeight) {
  const Parameters call{{"images", 1},       {"in_lines", 2},      {"out_lines", 3},    {"out_pixels", 6},
                        {"stride", 1},       {"dilation", 1},      {"pad", 1},          {"line.rows", 2},
                        {"line.taps", 3},    {"line.inputs", 4},   {"line.outputs", 5}, {"line.in_pixels", 6},
                        {"line.stride", 1},  {"line.dilation", 1}, {"line.pad", 1},     {"line.x_pitch", 4},
                        {"line.r_pitch", 0}, {"line.bounded", 1},  {"kept.0", 7},       {"kept.1", 3},
                        {"entered.0", 4},    {"entered.1", 2},     {"kept_taps.0", 6},  {"kept_taps.1", 2},
                        {"kept.0.0", 2},     {"kept.0.1", 4},      {"kept.0.2", 1},     {"kept.1.0", 0},
                        {"kept.1.1", 1},     {"kept.1.2", 2}};
  const auto terms = terms_by_name("cortex-m4", "tarn_conv2d_sparse_f32", call);
  // Each line of the kernel lies inside for two lines of the output, and four of six pixels have all taps.
  EXPECT_EQ(terms.at("rows"), 2 * (2 * 4) * 5);
  EXPECT_EQ(terms.at("entered"), 2 * 4 * (4 + 2));
  EXPECT_EQ(terms.at("steps"), 2 * 4 * (7 + 3));
  EXPECT_EQ(terms.at("edge_rows"), 2 * (3 * 6 - 2 * 4) * 5);
  EXPECT_EQ(terms.at("edge_steps"), (3 * 6 - 2 * 4) * (7 + 3));
  EXPECT_EQ(terms.at("edge_taps"), (3 * 6 - 2 * 4) * (6 + 2));
  // The first pixel has no first tap, the last one no last.
  EXPECT_EQ(terms.at("edge_products"), 2 * (2 + 2 * 4 + 1) + 2 * (0 + 2 * 1 + 2));
  EXPECT_EQ(terms.at("bounded"), 3 * 6 * 5);
}

TEST(SparseTime, CodesGoTwoAtATimeWhereTheCoreHasTheirInstructions) {
  const Parameters call{{"outputs", 6}, {"kept", 25}, {"kept_odd", 3}, {"entered", 5}, {"requant.mask", -1}};
  const auto by_two = terms_by_name("cortex-m4", "tarn_int_dense_sparse_s8", call);
  EXPECT_EQ(by_two.at("odd"), 3);
  EXPECT_EQ(by_two.at("twos"), 11);
  EXPECT_EQ(by_two.at("steps"), 0);
  const auto by_one = terms_by_name("rv32imac", "tarn_int_dense_sparse_s8", call);
  EXPECT_EQ(by_one.at("twos"), 0);
  EXPECT_EQ(by_one.at("steps"), 25);
  EXPECT_EQ(by_one.at("entered"), 5);
}

TEST(SparseTime, EveryTargetHasDataOfThem) {
  const Parameters work{{"sequences", 1}, {"tables", 1}, {"symbols", 20}, {"entries", 256}, {"threes", 1000}};
  for (const char* target :
       {"cortex-m0", "cortex-m3", "cortex-m4", "cortex-m7", "cortex-m33", "cortex-m55", "rv32imac", "rv32imafc"}) {
    for (const char* kernel : {"tarn_unpack", "tarn_conv2d_sparse_f32", "tarn_dense_sparse_f32",
                               "tarn_int_conv2d_sparse_s8", "tarn_int_dense_sparse_s8"})
      EXPECT_NE(find_model(target, kernel), nullptr) << target << " " << kernel;
    const Prediction found = predict(target, "tarn_unpack", work);
    ASSERT_TRUE(found.cost) << target;
    EXPECT_GT(found.cost->instructions, 3 * 1000 * 4) << target;  // a byte's code is looked up, and the bits move on
    EXPECT_LT(found.cost->instructions, 3 * 1000 * 40) << target;
  }
}

}  // namespace
}  // namespace tarn::timing
