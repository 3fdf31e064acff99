// What the time of a network by lines is counted from: the lines of a layer together do what the layer does.
#include "time/lines.h"

#include <gtest/gtest.h>

#include "emit/line_work.h"
#include "report/line_time.h"
#include "support/text.h"
#include "unit/compile/analysed.h"
#include "unit/emit/written.h"

namespace tarn {
namespace {

// Layers that join around a window when they run by lines.
std::string bottleneck(int stride) {
  return "net (float[1, 3, 25, 23] x) => (float[1, 5, " + cat(stride == 1 ? 21 : 11, ", ", stride == 1 ? 21 : 11) +
         "] y) <" + weight("w", {24, 3, 1, 1}) + "," + weight("v", {5, 24, 5, 3}) + R"(> {
    a = Conv (x, w)
    b = Relu (a)
    y = Conv <strides = [)" +
         cat(stride, ", ", stride) + R"(]> (b, v)
  })";
}

Analysis by_lines(const std::string& text, stream::Mode mode) {
  CompileOptions options;
  options.target = "cortex-m4";
  options.nhwc_inputs = options.nhwc_outputs = true;
  options.stream.mode = mode;
  options.stream.drain = mode == stream::Mode::fed;
  return analyze_ok(text, options);
}

double products(const timing::Terms& terms) {
  double all = 0;
  for (const timing::Term& t : terms) {
    if (t.name == "four_odd") all += 4 * t.count;
    if (t.name == "four_pairs") all += 8 * t.count;
    if (t.name == "single_odd") all += t.count;
    if (t.name == "single_pairs") all += 2 * t.count;
    if (t.name == "four_taps") all += 4 * t.count;
    if (t.name == "single_taps" || t.name == "lane_taps") all += t.count;
  }
  return all;
}

TEST(LineTime, StepsAreThoseOfThePlan) {
  for (const stream::Mode mode : {stream::Mode::resident, stream::Mode::fed}) {
    const Analysis analysis = by_lines(bottleneck(1), mode);
    int64_t planned = 0;
    for (const stream::Step& step : analysis.stream->steps) planned += step.lines;
    EXPECT_EQ(static_cast<int64_t>(emit::line_steps(analysis).size()), planned);
  }
}

TEST(LineTime, LinesTogetherDoTheLoopsOfTheirLayer) {
  for (const int stride : {1, 2}) {
    const Analysis analysis = by_lines(bottleneck(stride), stream::Mode::fed);
    const auto joined = [](const stream::Actor& actor) { return actor.line_buffer.has_value(); };
    EXPECT_TRUE(std::any_of(analysis.stream->actors.begin(), analysis.stream->actors.end(), joined));
    std::map<program::OperationId, double> by_lines;
    std::map<program::OperationId, int64_t> pixels;
    for (const emit::LineStep& step : emit::line_steps(analysis)) {
      for (const emit::LineKernelCall& call : step.calls) {
        const timing::LineCallOf of = report::timed_call(analysis, call);
        const auto terms = timing::terms_of("cortex-m4", of.kernel, of.parameters);
        ASSERT_TRUE(terms) << of.function;
        by_lines[call.operation] += products(*terms);
        pixels[call.operation] += call.end - call.first;
      }
    }
    for (const auto& [id, count] : by_lines) {
      const program::Operation& operation = analysis.program[id];
      const auto terms =
          timing::terms_of("cortex-m4", operation.kernel, emit::call_parameters(analysis, operation)).value();
      EXPECT_EQ(count, products(terms)) << operation.kernel << " stride " << stride;
      for (const program::Argument& a : operation.arguments) {
        if (a.role != program::Argument::Role::write) continue;
        const program::Geometry& g = analysis.program[a.tensor].geometry;
        EXPECT_EQ(pixels[id], g.lines * g.pixels) << operation.kernel;
      }
    }
  }
}

// The loops of a line's kernel are its layer's, what the driver of a layer does is not among them.
TEST(LineTime, WhatTheDriverDoesIsLeftOut) {
  const timing::Parameters line{{"images", 1},      {"in_lines", 8},     {"out_lines", 1},    {"out_pixels", 10},
                                {"stride", 1},      {"dilation", 1},     {"pad", -2},         {"block_first", 0},
                                {"block_end", 1},   {"line.rows", 3},    {"line.taps", 3},    {"line.in_pixels", 10},
                                {"line.stride", 1}, {"line.pad", 1},     {"line.inputs", 8},  {"line.outputs", 8},
                                {"line.groups", 1}, {"line.x_pitch", 8}, {"line.r_pitch", 0}, {"line.dilation", 1},
                                {"line.bounded", 0}};
  const timing::LineCallOf call{"tarn_conv_line_f32", "tarn_conv2d_f32", line};
  const timing::Prediction loops = timing::predict_loops("cortex-m4", call);
  const timing::Prediction layer = timing::predict("cortex-m4", "tarn_conv2d_f32", line);
  ASSERT_TRUE(loops.cost && layer.cost);
  EXPECT_LT(loops.cost->instructions, layer.cost->instructions);
  for (const auto& [term, instructions] : loops.parts) EXPECT_TRUE(term != "call" && term != "lines" && term != "rows");
  const timing::Prediction line_call = timing::predict_line("cortex-m4", call);
  ASSERT_TRUE(line_call.cost);
  EXPECT_GE(line_call.cost->instructions, loops.cost->instructions);
}

// Two rows of three lines change places in a cycle.
TEST(LineTime, RowsAreMovedInCycles) {
  const timing::LineCallOf call{"tarn_rows", "tarn_rows", {{"planes", 2}, {"lines", 3}, {"row", 40}}};
  std::map<std::string, double> count;
  for (const timing::Term& term : timing::own_terms("cortex-m4", call)) count[term.name] = term.count;
  // 1 takes from 3, 3 from 4, 4 from 2, 2 from 1: one cycle of four, in two pieces of 32 and 8 bytes.
  EXPECT_EQ(count["starts"], 4);
  EXPECT_EQ(count["pieces"], 2);
  EXPECT_EQ(count["moves"], 8);
  EXPECT_EQ(count["bytes"], 5 * 40);
}

// Sums of codes: eight channels at a time and up to four with vectors, else four and one.
TEST(LineTime, LinesAreAddedToSumsByGroupsOfChannels) {
  const timing::LineCallOf call{
      "tarn_int_global_sums_s8_add", "tarn_int_global_average_s8", {{"channels", 22}, {"line_pixels", 5}}};
  const auto count = [&](const char* target) {
    std::map<std::string, double> counts;
    for (const timing::Term& term : timing::own_terms(target, call)) counts[term.name] = term.count;
    return counts;
  };
  EXPECT_EQ(count("cortex-m55")["groups"], 2);
  EXPECT_EQ(count("cortex-m55")["rests"], 2);
  EXPECT_EQ(count("cortex-m4")["groups"], 5);
  EXPECT_EQ(count("cortex-m4")["rests"], 2);
  EXPECT_EQ(count("cortex-m4")["group_pixels"], 25);
}

// Lines of a transposed convolution look for what reaches them from where they are: together they do the layer's loops.
TEST(LineTime, LinesOfATransposedConvolutionDoTheLoopsOfTheirLayer) {
  const std::string text = "net (float[1, 3, 7, 6] x) => (float[1, 5, 15, 13] y) <" + weight("w", {3, 5, 3, 3}) + R"(> {
    y = ConvTranspose <strides = [2, 2]> (x, w)
  })";
  const Analysis analysis = by_lines(text, stream::Mode::fed);
  std::map<std::string, double> lines;
  int64_t calls = 0;
  program::OperationId id;
  for (const emit::LineStep& step : emit::line_steps(analysis)) {
    for (const emit::LineKernelCall& call : step.calls) {
      const timing::LineCallOf of = report::timed_call(analysis, call);
      if (of.kernel != "tarn_convtranspose_f32") continue;
      ++calls;
      id = call.operation;
      const auto terms = timing::terms_of("cortex-m4", of.kernel, of.parameters);
      ASSERT_TRUE(terms);
      for (const timing::Term& t : *terms) lines[t.name] += t.count;
      for (const auto& [term, _] : timing::predict_loops("cortex-m4", of).parts) {
        EXPECT_TRUE(term != "rows" && term != "sources") << term;
      }
    }
  }
  EXPECT_EQ(calls, 15);
  const timing::Parameters layer = emit::call_parameters(analysis, analysis.program[id]);
  for (const timing::Term& t : timing::terms_of("cortex-m4", "tarn_convtranspose_f32", layer).value()) {
    if (t.name != "single_taps" && t.name != "sources" && t.name != "looked") continue;
    EXPECT_EQ(lines[t.name], t.count) << t.name;
  }
}

// A network may have no call of the layer's own kernel, of which they would be a part.
TEST(LineTime, SumsHaveTermsWhereTheyAreTheKernelToo) {
  for (const char* part : {"_begin", "_add", "_finish"}) {
    const std::string function = cat("tarn_global_averagepool_f32", part);
    const timing::Parameters parameters{{"channels", 22}, {"line_pixels", 5}};
    EXPECT_FALSE(timing::own_terms("cortex-m4", {function, function, parameters}).empty()) << function;
    EXPECT_GT(timing::predict_line("cortex-m4", {function, function, parameters}).cost->instructions, 22) << function;
  }
}

// Pixels that are read where they lie: blocks of three in one go where they stay in registers, and what is left.
TEST(LineTime, PixelsInPlaceAreCountedByBlocks) {
  timing::Parameters p{{"out_lines", 1}, {"out_pixels", 8},    {"inputs", 40},       {"outputs", 8},     {"y_pitch", 8},
                       {"apart", 1},     {"requant.mask", -1}, {"requant.lo", -128}, {"requant.hi", 127}};
  const auto count = [&](const char* function) {
    const timing::LineCallOf call{function, "tarn_int_conv2d_mve_s8", p};
    std::map<std::string, double> counts;
    for (const timing::Term& term : timing::own_terms("cortex-m55", call)) counts[term.name] = term.count;
    for (const auto& [term, _] : timing::predict_loops("cortex-m55", call).parts) counts["loop " + term] = 1;
    return counts;
  };
  auto line = count("tarn_int_conv1x1_mve_line_s8");
  EXPECT_EQ(line["blocks"], 3);
  EXPECT_EQ(line["runs"], 0);
  EXPECT_EQ(line["copied"], 0);
  EXPECT_EQ(line["loop two_quads"], 1);
  EXPECT_EQ(line["loop lines"] + line["loop patches"] + line["loop copies"], 0);  // of a layer's driver and patches
  p["apart"] = 0;
  EXPECT_EQ(count("tarn_int_conv1x1_mve_line_s8")["copied_vectors"], 8 * 3);
  p["inputs"] = 16;
  line = count("tarn_int_conv1x1_mve_line_s8");
  EXPECT_EQ(line["runs"], 1);
  EXPECT_EQ(line["blocks"], 1);
  EXPECT_EQ(line["copied"], 2);
  p["out_lines"] = 3;
  p["out_pixels"] = 1;
  auto lines = count("tarn_int_conv1x1_mve_lines_s8");
  EXPECT_EQ(lines["blocks"], 1);
  EXPECT_EQ(lines["runs"], 0);
  EXPECT_EQ(lines["pixels"], 3);
  EXPECT_EQ(lines["lines"], 3);
}

TEST(LineTime, FunctionsAreInTheFilesOfTheirKernels) {
  EXPECT_EQ(timing::file_of("tarn_dense_f32_line"), "tarn_dense_f32");
  EXPECT_EQ(timing::file_of("tarn_conv_line_f32"), "tarn_conv_line_f32");
  EXPECT_EQ(timing::file_of("tarn_int_global_sums_s8_add"), "tarn_int_global_sums_s8");
  EXPECT_EQ(timing::file_of("tarn_add_f32"), "tarn_add_f32");
}

}  // namespace
}  // namespace tarn
