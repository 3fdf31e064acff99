// Terms of int8 convolutions whose patches are gathered, and of depthwise ones that take two pixels at a time.
#include <gtest/gtest.h>

#include "time/predict.h"
#include "unit/time/terms_by_name.h"

namespace tarn::timing {
namespace {

// 3 x 3 over 6 x 5 pixels with a border.
Parameters convolution(int64_t inputs) {
  return {{"images", 1},        {"in_lines", 6},
          {"in_pixels", 5},     {"out_lines", 6},
          {"out_pixels", 5},    {"rows", 3},
          {"taps", 3},          {"stride.0", 1},
          {"stride.1", 1},      {"dilation.0", 1},
          {"dilation.1", 1},    {"pad.0", 1},
          {"pad.1", 1},         {"inputs", inputs},
          {"outputs", 2},       {"x_pitch", inputs},
          {"direct", 0},        {"sums", 0},
          {"requant.mask", -1}, {"requant.lo", -128},
          {"requant.hi", 127},  {"length", (9 * inputs + 7) / 8 * 8}};
}

TEST(PatchTime, PixelsBesideEachOtherGoTogether) {
  const auto terms = terms_by_name("cortex-m4", "tarn_int_conv2d_dsp_s8", convolution(4));
  EXPECT_EQ(terms.at("inside"), 12);  // of 4 lines and 3 columns
  EXPECT_EQ(terms.at("inside_rows"), 36);
  EXPECT_EQ(terms.at("patches"), 18);
  EXPECT_EQ(terms.at("patch_rows"), 54);
  // Of the 4 lines 3 rows of 2 columns: 2 pixels and one beside. Of the others 2 rows of 5 columns, and a row that is
  // not there.
  EXPECT_EQ(terms.at("runs"), 24 + 20);
  EXPECT_EQ(terms.at("gaps"), 24 + 8 + 10);
  EXPECT_EQ(terms.at("gap_words"), 24 + 8 + 30 + 3);  // the last behind each of three patches
  EXPECT_EQ(terms.at("words"), 36 * 3 + 32 * 2 + 12 * 3);
}

TEST(PatchTime, CodesThatComeInNoFoursGoByWayOfBytes) {
  const auto terms = terms_by_name("cortex-m4", "tarn_int_conv2d_dsp_s8", convolution(3));
  EXPECT_EQ(terms.at("inside_by_bytes"), 12);
  EXPECT_EQ(terms.at("inside_words"), 36 * 2);  // of 9 codes, but for the last word
  EXPECT_EQ(terms.at("byte_runs"), 44);
  EXPECT_EQ(terms.at("copied_words"), 32 * 1 + 12 * 2);
  EXPECT_EQ(terms.at("copied_bytes"), 32 * 2 + 12 * 1);
  EXPECT_EQ(terms.at("sixteens"), 30 * 2);
  EXPECT_EQ(terms.at("gap_bytes"), (24 + 8 + 30) * 3 + 5);
}

TEST(PatchTime, PixelsApartAreTakenOneByOne) {
  Parameters call = convolution(4);
  call["x_pitch"] = 8;
  const auto terms = terms_by_name("cortex-m4", "tarn_int_conv2d_dsp_s8", call);
  EXPECT_EQ(terms.at("inside"), 0);
  EXPECT_EQ(terms.at("patches"), 30);
  EXPECT_EQ(terms.at("runs"), 16 * 13);  // rows and columns that meet the image
  EXPECT_EQ(terms.at("runs") + terms.at("gaps"), 30 * 9);
}

// Thirty-two elements a turn: 72 are nine eights, in three turns.
TEST(PatchTime, TheFirstTurnIsShorter) {
  const auto terms = terms_by_name("cortex-m4", "tarn_int_conv2d_dsp_s8", convolution(8));
  EXPECT_EQ(terms.at("pairs3"), 10);
  EXPECT_EQ(terms.at("steps3"), 90);
  EXPECT_EQ(terms.at("turns3"), 30);
}

Parameters depthwise(int64_t stride, int64_t out, int64_t channels) {
  return {{"images", 1},        {"in_lines", 5},        {"in_pixels", 5},     {"out_lines", out},
          {"out_pixels", out},  {"stride.0", stride},   {"stride.1", stride}, {"pad.0", 1},
          {"pad.1", 1},         {"channels", channels}, {"sums", 0},          {"piece", 8},
          {"requant.mask", -1}, {"requant.lo", -128},   {"requant.hi", 127},  {"y_pitch", channels}};
}

TEST(PatchTime, DepthwisePixelsGoByTwos) {
  auto terms = terms_by_name("cortex-m4", "tarn_int_depthwise3x3_dsp_s8", depthwise(1, 5, 8));
  EXPECT_EQ(terms.at("twos"), 5 * 8 * 2);
  EXPECT_EQ(terms.at("points"), 5 * 8);
  EXPECT_EQ(terms.at("columns"), 3 * 2 * 5);  // three lines all of whose rows are there
  EXPECT_EQ(terms.at("edge_columns"), 2 * 2 * 5);
  // With a stride of 2 zones are looked for where there are none, too.
  terms = terms_by_name("cortex-m4", "tarn_int_depthwise3x3_dsp_s8", depthwise(2, 3, 8));
  EXPECT_EQ(terms.at("twos_apart"), 3 * 8);
  EXPECT_EQ(terms.at("zoned_points"), 3 * 8);
  EXPECT_EQ(terms.at("points"), 0);
}

// A chunk of a line may be one pixel: each channel begins nevertheless, and has no pairs.
TEST(PatchTime, ChannelsOfOnePixelBeginToo) {
  Parameters one = depthwise(1, 1, 8);
  auto terms = terms_by_name("cortex-m4", "tarn_int_depthwise3x3_dsp_s8", one);
  EXPECT_EQ(terms.at("channels"), 8);
  EXPECT_EQ(terms.at("points"), 8);
  EXPECT_EQ(terms.at("paired_channels") + terms.at("odd_channels") + terms.at("zoned_odd_channels"), 0);
  EXPECT_GT(find_model("cortex-m4", "tarn_int_depthwise3x3_dsp_s8")->coefficients.at("channels").instructions, 10);
  one["out_pixels"] = 3;
  terms = terms_by_name("cortex-m4", "tarn_int_depthwise3x3_dsp_s8", one);
  EXPECT_EQ(terms.at("paired_channels"), 8);
  EXPECT_EQ(terms.at("odd_channels"), 8);
  one["requant.mask"] = 255;
  terms = terms_by_name("cortex-m4", "tarn_int_depthwise3x3_dsp_s8", one);
  EXPECT_EQ(terms.at("odd_channels"), 0);
  EXPECT_EQ(terms.at("zoned_odd_channels"), 8);
}

TEST(PatchTime, WithVectorsTheLastPixelGoesWithTheOneBefore) {
  auto terms = terms_by_name("cortex-m55", "tarn_int_depthwise3x3_mve_s8", depthwise(1, 5, 32));
  EXPECT_EQ(terms.at("entered"), 5 * 2 * 2);
  EXPECT_EQ(terms.at("turns"), 5 * 2 * 3);
  EXPECT_EQ(terms.at("turn_fours"), 5 * 2 * 3 * 4);
  EXPECT_EQ(terms.at("filled"), 5 * 2);
  terms = terms_by_name("cortex-m55", "tarn_int_depthwise3x3_mve_s8", depthwise(1, 5, 5));
  EXPECT_EQ(terms.at("turns"), 0);
  EXPECT_EQ(terms.at("near_channels"), 5 * 5);
  // Sixteen pixels go by fours.
  Parameters wide = depthwise(1, 16, 32);
  wide["in_lines"] = wide["in_pixels"] = wide["piece"] = 16;
  terms = terms_by_name("cortex-m55", "tarn_int_depthwise3x3_mve_s8", wide);
  EXPECT_EQ(terms.at("turns"), 0);
  EXPECT_EQ(terms.at("near_fours"), 16 * 32 * 3);
}

// Pixels whose outputs lie side by side are narrowed at once, those of which other channels lie between one by one.
TEST(PatchTime, WithVectorsPixelsAreNarrowedAtOnce) {
  Parameters narrowed = depthwise(1, 5, 24);
  EXPECT_EQ(terms_by_name("cortex-m55", "tarn_int_depthwise3x3_mve_s8", narrowed).count("clamped_calls"), 0u);
  narrowed["requant.lo"] = -3;
  auto terms = terms_by_name("cortex-m55", "tarn_int_depthwise3x3_mve_s8", narrowed);
  EXPECT_EQ(terms.at("clamped_calls"), 5);
  EXPECT_EQ(terms.at("clamped_pixels"), 5);
  EXPECT_EQ(terms.at("clamped_vectors"), 5 * 8);  // 120 codes
  narrowed["y_pitch"] = 30;
  terms = terms_by_name("cortex-m55", "tarn_int_depthwise3x3_mve_s8", narrowed);
  EXPECT_EQ(terms.at("clamped_calls"), 5);
  EXPECT_EQ(terms.at("clamped_pixels"), 5 * 5);
  EXPECT_EQ(terms.at("clamped_vectors"), 5 * 5 * 2);
}

}  // namespace
}  // namespace tarn::timing
