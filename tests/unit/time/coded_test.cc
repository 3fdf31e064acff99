// Terms of layers over weights of fewer bits, beside loops written out, and of kernels that are another one's text.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "time/predict.h"
#include "unit/time/terms_by_name.h"

namespace tarn::timing {
namespace {

std::map<std::string, double> counted(const std::string& kernel, const Parameters& call) {
  std::map<std::string, double> counts;
  const Terms terms = terms_of("cortex-m4", kernel, call).value();
  for (const Term& term : terms) counts[term.name] += term.count;
  return counts;
}

struct Layer {
  int64_t lines, pixels, rows, taps, stride, dilation, pad, inputs, outputs, block;
};

Parameters coded_conv(const Layer& l, int64_t out_lines, int64_t out_pixels) {
  return {{"images", 1},
          {"in_lines", l.lines},
          {"out_lines", out_lines},
          {"out_pixels", out_pixels},
          {"stride", l.stride},
          {"dilation", l.dilation},
          {"pad", l.pad},
          {"block_first", 1},
          {"block_end", out_lines - 1},
          {"line.rows", l.rows},
          {"line.taps", l.taps},
          {"line.in_pixels", l.pixels},
          {"line.stride", l.stride},
          {"line.dilation", l.dilation},
          {"line.pad", l.pad},
          {"line.inputs", l.inputs},
          {"line.outputs", l.outputs},
          {"line.groups", 1},
          {"line.x_pitch", l.inputs},
          {"line.r_pitch", 0},
          {"line.bounded", 0},
          {"line.w.columns", l.rows * l.taps * l.inputs},
          {"line.w.block", l.block},
          {"null.3", 1}};
}

// Every product of every pixel once, and the scales that its runs meet.
TEST(CodedTime, RunsMeetTheirScales) {
  for (const Layer& l : {Layer{7, 9, 3, 3, 1, 1, 1, 5, 6, 8}, Layer{8, 11, 3, 2, 2, 1, 1, 4, 3, 16},
                         Layer{9, 12, 2, 3, 1, 2, 1, 6, 9, 4}}) {
    const auto out = [&](int64_t in, int64_t kernel) {
      return (in + 2 * l.pad - l.dilation * (kernel - 1) - 1) / l.stride + 1;
    };
    const int64_t out_lines = out(l.lines, l.rows), out_pixels = out(l.pixels, l.taps), quads = (l.outputs + 3) / 4;
    const bool joined = l.dilation == 1;
    int64_t products = 0, blocks = 0;
    for (int64_t line = 0; line < out_lines; ++line) {
      for (int64_t row = 0; row < l.rows; ++row) {
        const int64_t y = line * l.stride - l.pad + row * l.dilation;
        if (y < 0 || y >= l.lines) continue;
        for (int64_t pixel = 0; pixel < out_pixels; ++pixel) {
          std::vector<bool> met(static_cast<size_t>(l.rows * l.taps * l.inputs / l.block + 1));
          for (int64_t tap = 0; tap < l.taps; ++tap) {
            const int64_t x = pixel * l.stride - l.pad + tap * l.dilation;
            if (x < 0 || x >= l.pixels) continue;
            if (!joined) met.assign(met.size(), false);
            for (int64_t i = 0; i < l.inputs; ++i) {
              const auto scale = static_cast<size_t>(((row * l.taps + tap) * l.inputs + i) / l.block);
              blocks += met[scale] ? 0 : quads;
              met[scale] = true;
              products += quads;
            }
          }
        }
      }
    }
    const Parameters call = coded_conv(l, out_lines, out_pixels);
    const auto counts = counted("tarn_conv2d_w8_f32", call);
    EXPECT_EQ(counts.at("single_products") + 4 * counts.at("four_products"), static_cast<double>(products));
    EXPECT_EQ(counts.at("single_blocks") + 4 * counts.at("four_blocks"), static_cast<double>(blocks));
    EXPECT_EQ(counts.at("singles") + 4 * counts.at("fours"), static_cast<double>(out_lines * out_pixels));
    EXPECT_EQ(counted("tarn_conv2d_w4s_f32", call), counts);
    // float16 has no scales.
    const auto halves = counted("tarn_conv2d_w16_f32", call);
    EXPECT_EQ(halves.at("single_blocks"), halves.at("single_runs"));
  }
}

// The last channels of a depthwise layer meet as many products as there are.
TEST(CodedTime, RestsOfFourChannelsStandAlone) {
  const Layer l{6, 8, 3, 3, 1, 1, 1, 1, 1, 9};
  Parameters call = coded_conv(l, 6, 8);
  for (int64_t channels = 1; channels < 9; ++channels) {
    call["line.groups"] = channels;
    const auto counts = counted("tarn_depthwise2d_w8_f32", call);
    double rest = 0;
    for (const int64_t r : {1, 2, 3}) {
      const std::string name = "_rest" + std::to_string(r);
      const double of = counts.at("single" + name) + 4 * counts.at("four" + name);
      EXPECT_EQ(of > 0, channels % 4 == r);
      rest += of;
    }
    const double inside = (3.0 * 6 - 2) * (3.0 * 8 - 2);
    EXPECT_EQ(rest, channels % 4 == 0 ? 0 : inside);
    const auto whole = static_cast<double>(channels / 4);
    EXPECT_EQ(counts.at("single_products") + 4 * counts.at("four_products"), whole * inside);
  }
}

TEST(Time, KernelsOfOtherTypesHaveTheLoopsOfTheirText) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(written_for("tarn_conv2d_f16"), (Names{"tarn_conv2d_f16", "tarn_conv2d_f32"}));
  EXPECT_EQ(written_for("tarn_add_s64_nd"), (Names{"tarn_add_s64_nd", "tarn_add_f32_nd"}));
  EXPECT_EQ(written_for("tarn_gather_b8"), (Names{"tarn_gather_b8", "tarn_gather_b4"}));
  EXPECT_EQ(written_for("tarn_int_conv2d_dsp4_s8").back(), "tarn_int_conv2d_dsp_s8");
  EXPECT_EQ(written_for("tarn_int_conv2d_mve2_s8").back(), "tarn_int_conv2d_mve_s8");
  EXPECT_EQ(written_for("tarn_copy"), (Names{"tarn_copy"}));
  const Parameters runs{{"outer", 3}, {"inner", 5}};
  EXPECT_EQ(counted("tarn_sqrt_f32", runs).at("elements"), 15);
  // Something else decides too: not told by runs alone.
  EXPECT_FALSE(terms_of("cortex-m4", "tarn_no_such_f32", {{"outer", 3}, {"inner", 5}, {"rank", 2}}));
}

// Lengths of sequences are data: all steps usually, none at least.
TEST(Time, LengthsOfSequencesAreARange) {
  Parameters call{{"all.packed", 1}, {"all.directions", 1}, {"all.batch", 2},          {"all.steps", 7},
                  {"all.inputs", 5}, {"all.units", 8},      {"linear_before_reset", 0}};
  for (int i = 0; i < 9; ++i) call["null." + std::to_string(i)] = i > 4;
  const auto steps = [&](Data data) {
    const Terms terms = terms_of("cortex-m4", "tarn_gru_f32", call, data).value();
    const auto at = std::find_if(terms.begin(), terms.end(), [](const Term& t) { return t.name == "steps"; });
    return at->count;
  };
  EXPECT_EQ(steps(Data::usual), 14);
  EXPECT_EQ(steps(Data::most), 14);
  EXPECT_EQ(steps(Data::least), 0);
  EXPECT_TRUE(data_decide("tarn_gru_f32"));
}

// Places outside of the image are filled without a look at the input; folded ones are looked for.
TEST(Time, PaddingCountsWhatLiesOutside) {
  Parameters call{{"rank", 2},     {"mode", 0},     {"inner", 3},   {"in.0", 4},    {"in.1", 5},
                  {"out.0", 6},    {"out.1", 8},    {"begin.0", 1}, {"begin.1", 2}, {"null.0", 0},
                  {"stride.0", 0}, {"stride.1", 4}, {"offset", 0},  {"word.0", 1},  {"word.2", 1}};
  const auto constant = counted("tarn_pad_b4", call);
  EXPECT_EQ(constant.at("inside"), 4 * 5);
  EXPECT_EQ(constant.at("filled_beside"), 4 * 3);
  EXPECT_EQ(constant.at("outside"), 2 * 8);
  EXPECT_EQ(constant.at("elements"), 4 * 8 * 3);
  EXPECT_EQ(constant.at("outside_elements"), 2 * 8 * 3);
  call["mode"] = 2;
  const auto folded = counted("tarn_pad_b1", call);
  EXPECT_EQ(folded.at("inside"), 6 * 5);
  EXPECT_EQ(folded.at("folded_beside"), 6 * 3);
  EXPECT_EQ(folded.at("folded_axes"), 2);
}

// Signed weights on ARMv6-M, which code for no core in particular has, were not measured.
TEST(Time, SignedWeightsOfAnyCoreAreNotModelledOnCortexM0) {
  Parameters call{{"inputs", 8}, {"outputs", 4}, {"requant.mask", -1}, {"null.3", 0}};
  EXPECT_TRUE(terms_of("cortex-m0", "tarn_int_dense_s8", call));
  call["null.3"] = 1;
  EXPECT_FALSE(terms_of("cortex-m0", "tarn_int_dense_s8", call));
  EXPECT_TRUE(terms_of("rv32imac", "tarn_int_dense_s8", call));
}

// Runs of 8 bytes and more go by words: at any address, or where everything is a multiple of a word.
TEST(Time, RunsAreCountedInWords) {
  const auto has = [](const Terms& terms, const std::string& name) {
    const auto at = std::find_if(terms.begin(), terms.end(), [&](const Term& t) { return t.name == name; });
    return at == terms.end() ? 0 : at->count;
  };
  Parameters copy{{"outer", 3},    {"inner", 23},   {"x_pitch", 23}, {"y_pitch", 30},
                  {"x_offset", 0}, {"y_offset", 1}, {"word.0", 1},   {"word.1", 1}};
  const Terms anywhere = terms_of("cortex-m4", "tarn_copy", copy).value();
  EXPECT_EQ(has(anywhere, "word_runs"), 3);
  EXPECT_EQ(has(anywhere, "fours"), 3);
  EXPECT_EQ(has(anywhere, "words"), 3);
  EXPECT_EQ(has(anywhere, "tail_bytes"), 9);
  EXPECT_EQ(has(terms_of("cortex-m0", "tarn_copy", copy).value(), "elements"), 3 * 23);
  copy["inner"] = 7;
  EXPECT_EQ(has(terms_of("cortex-m4", "tarn_copy", copy).value(), "elements"), 3 * 7);
  Parameters strided{{"rank", 2},      {"dims.0", 4}, {"dims.1", 4}, {"strides.0", 6},
                     {"strides.1", 1}, {"offset", 2}, {"word.0", 1}, {"word.1", 1}};
  EXPECT_EQ(has(terms_of("cortex-m0", "tarn_strided_b4", strided).value(), "word_runs"), 4);
  EXPECT_EQ(has(terms_of("cortex-m0", "tarn_strided_b2", strided).value(), "word_runs"), 4);
  EXPECT_EQ(has(terms_of("cortex-m4", "tarn_strided_b1", strided).value(), "elements"), 16);
  strided["strides.1"] = 2;
  EXPECT_EQ(has(terms_of("cortex-m4", "tarn_strided_b4", strided).value(), "elements"), 16);
}

// A factor of three eighths puts each eighth sum on a tie; with zones of a few of 2^14 steps no others are near one.
TEST(CodedTime, ProductsOfFewCodesCountTheSumsOnTies) {
  Parameters call{{"m", 12},
                  {"n", 4},
                  {"k", 7},
                  {"batches", 3},
                  {"b_row", 4},
                  {"b_column", 1},
                  {"a_zero", 0},
                  {"b_zero", 0},
                  {"factor", 1610612736},
                  {"constant", 8192 + 4},
                  {"requant.pre", 14},
                  {"requant.post", 14},
                  {"requant.mask", (1 << 14) - 8},
                  {"requant.lo", -128},
                  {"requant.hi", 127}};
  const double blocks = 3 * 6, zones = 1.0 / 8;
  const auto terms = terms_by_name("cortex-m4", "tarn_int_matmul_dsp_s8", call);
  EXPECT_EQ(terms.at("few_bytes"), blocks);
  EXPECT_NEAR(terms.at("few_near_blocks"), blocks * (1 - std::pow(1 - zones, 8)), 1);
  EXPECT_NEAR(terms.at("few_near_codes") + terms.at("few_near_far"), blocks * 8 * zones, 1);
  // Three eighths of sums of products of codes are mostly far beyond those that there are.
  EXPECT_LT(terms.at("few_near_codes"), 2);
  const Prediction near = predict("cortex-m4", "tarn_int_matmul_dsp_s8", call);
  EXPECT_LT(near.least, 0.95 * near.cost->instructions);
  call["requant.mask"] = -1;
  const auto without = terms_by_name("cortex-m4", "tarn_int_matmul_dsp_s8", call);
  EXPECT_EQ(without.at("few_near_blocks"), 0);
  EXPECT_EQ(without.at("few_near_far"), 0);
  const Prediction plain = predict("cortex-m4", "tarn_int_matmul_dsp_s8", call);
  EXPECT_EQ(plain.least, plain.most);
  EXPECT_LT(plain.cost->instructions, 0.9 * near.cost->instructions);
}

}  // namespace
}  // namespace tarn::timing
