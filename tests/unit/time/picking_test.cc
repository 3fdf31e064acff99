// Terms of kernels that take single elements, of codes along an axis, and of layers that few networks have.
#include <gtest/gtest.h>

#include "time/predict.h"
#include "unit/time/terms_by_name.h"

namespace tarn::timing {
namespace {

TEST(PickingTime, ElementsAreCountedByTheirIndices) {
  const Parameters call{{"rank", 2}, {"dims.0", 3}, {"dims.1", 5}, {"wide", 1}};
  const auto terms = terms_by_name("cortex-m4", "tarn_gather_elements_b8", call);
  EXPECT_EQ(terms.at("wide_elements"), 15);
  EXPECT_EQ(terms.at("counted"), 3 + 15);
}

TEST(PickingTime, BoundsOfASliceAreLookedThroughForEachAxis) {
  const Parameters call{{"rank", 3}, {"out.0", 2}, {"out.1", 4}, {"out.2", 5}, {"in.0", 4},
                        {"in.1", 4}, {"in.2", 6},  {"count", 2}, {"wide", 1}};
  const auto terms = terms_by_name("cortex-m4", "tarn_slice_run_time_b4", call);
  EXPECT_EQ(terms.at("wide_bounds"), 6);
  EXPECT_EQ(terms.at("word_runs"), 8);
  EXPECT_EQ(terms.at("words"), 8);
  const auto bytes = terms_by_name("cortex-m4", "tarn_slice_run_time_b1", call);
  EXPECT_EQ(bytes.at("runs"), 8);
  EXPECT_EQ(bytes.at("elements"), 40);
}

TEST(PickingTime, CodesOfEveryWidthAreApart) {
  Parameters call{{"outer", 2}, {"size", 3}, {"inner", 4}, {"bits", 8}, {"lo", -128}, {"null.3", 0}};
  EXPECT_EQ(terms_by_name("cortex-m4", "tarn_dequantize_f16", call).at("8_signed"), 24);
  EXPECT_EQ(terms_by_name("cortex-m4", "tarn_dequantize_f16", call).at("8_signed_zeros"), 24);
  call["null.3"] = 1;
  call["lo"] = 0;
  EXPECT_EQ(terms_by_name("cortex-m4", "tarn_quantize_f32", call).at("8_unsigned_zeros"), 0);
}

// Other powers than squares go by Pow, which takes what the values say.
TEST(PickingTime, AVectorsLengthIsTakenByItsOrder) {
  Parameters call{{"outer", 2}, {"inner", 3}, {"count", 4}, {"order", 2}};
  EXPECT_EQ(terms_by_name("cortex-m4", "tarn_lpnormalization_f32", call).at("square_elements"), 24);
  call["order"] = 1;
  EXPECT_EQ(terms_by_name("cortex-m4", "tarn_lpnormalization_f32", call).at("elements"), 24);
  EXPECT_EQ(terms_by_name("cortex-m4", "tarn_lppool_f32", {{"line.option", 3}}).size(), 0U);
}

// On cores of all kinds, so that a network of such layers has a total.
TEST(PickingTime, EveryTargetHasDataOfThem) {
  for (const char* target :
       {"cortex-m0", "cortex-m3", "cortex-m4", "cortex-m7", "cortex-m33", "cortex-m55", "rv32imac", "rv32imafc"}) {
    for (const char* kernel :
         {"tarn_cast_s32_s64", "tarn_cast_s8_s32", "tarn_add_s32", "tarn_mul_s32", "tarn_less_s64", "tarn_or_bool",
          "tarn_bitshift_left_u32", "tarn_argmin_f32", "tarn_gather_elements_b4", "tarn_hardmax_f32",
          "tarn_reducelogsumexp_f32", "tarn_dequantize_f32", "tarn_rnn_f32", "tarn_tan_f32"})
      EXPECT_NE(find_model(target, kernel), nullptr) << target << " " << kernel;
  }
}

}  // namespace
}  // namespace tarn::timing
