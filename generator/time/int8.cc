// Terms of the fused int8 layers for the DSP instructions of Cortex-M4, M7 and M33.
#include <algorithm>

#include "time/int8_call.h"
#include "time/int8_parts.h"
#include "time/int8_patches.h"

namespace tarn::timing {

namespace {

// tarn_int_clamp_s8.
void add_dsp_clamp(Int8Call& call, int64_t calls, int64_t pixels, int64_t channels) {
  call.add("clamped_calls", call.clamps() ? calls : 0);
  call.add("clamped_pixels", call.clamps() ? pixels : 0);
  call.add("clamped_fours", call.clamps() ? pixels * (channels / 4) : 0);
  call.add("clamped", call.clamps() ? pixels * (channels % 4) : 0);
}

// By groups each line of a group is one by itself. Over weights of 4 or 2 bits a last output without a pair has steps
// of its own.
Terms conv2d_dsp(Int8Call call, int64_t groups, bool narrow) {
  const int64_t images = call["images"] * groups, lines = images * call["out_lines"],
                pixels = lines * call["out_pixels"];
  call.add("call", 1);
  call.add("lines", lines);
  call.add("rows", lines * call["rows"]);
  if (call["direct"] != 0) {
    call.add("direct", pixels);
    add_widened(call, pixels, call["inputs"]);
  } else {
    add_dsp_patches(call, images, groups > 1 ? lines : 1);
  }
  call.add("summed", call["sums"] != 0 ? pixels : 0);
  call.add("summed_fours", call["sums"] != 0 ? pixels * ((call["rows"] * call["taps"] * call["inputs"] + 3) / 4) : 0);
  call.add("summed_pieces", pixels * call["sums"]);
  // Three pixels at a time by two channels; the last ones by themselves.
  const int64_t runs = groups > 1 ? lines : 1, run = pixels / runs, threes = runs * (run / 3), rest = run % 3;
  const int64_t pairs = call["outputs"] / 2, odd = call["outputs"] % 2;
  const int64_t steps = call["length"] / 8, blocks = threes + (rest != 0 ? runs : 0);
  call.add("blocks", blocks);
  call.add("even_blocks", pairs != 0 ? blocks : 0);
  call.add("odd_blocks", odd * blocks);
  call.add("odd_pixels", odd * pixels);
  const int64_t all = pairs + odd;
  call.add("pairs3", threes * all);
  call.add("pairs2", rest == 2 ? runs * all : 0);
  call.add("pairs1", rest == 1 ? runs * all : 0);
  call.add("steps3", threes * all * steps);
  // Thirty-two elements a turn, the first of which may have fewer.
  call.add("turns3", narrow ? 0 : threes * all * ((steps + 3) / 4));
  call.add("steps2", rest == 2 ? runs * all * steps : 0);
  call.add("turns2", rest == 2 && !narrow ? runs * all * ((steps + 3) / 4) : 0);
  call.add("steps1", rest == 1 ? runs * all * steps : 0);
  // Over narrow weights patches are summed for the pairs, and once more for an odd output.
  call.add("even_steps", narrow && pairs != 0 ? blocks * steps : 0);
  call.add("odd_steps", narrow ? odd * blocks * steps : 0);
  call.add("zoned_pairs", call.zones() ? blocks * all : 0);
  add_dsp_clamp(call, blocks, pixels, call["outputs"]);
  return call.take();
}

// tarn_int_depthwise3x3_dsp_line_s8.c: all pixels of a line for four channels at a time.
Terms depthwise3x3_dsp(Int8Call call) {
  const int64_t lines = call["images"] * call["out_lines"], out = call["out_pixels"],
                fours = (call["channels"] + 3) / 4;
  const int64_t begin = -call["pad.1"], count = (out - 1) * call["stride.1"] + 3;
  const int64_t left = std::min(std::max<int64_t>(0, -begin), count), room = std::min(call["in_pixels"] - begin, count);
  const int64_t inside = std::max<int64_t>(0, room - left);
  call.add("call", 1);
  call.add("lines", lines);
  call.add("fours", lines * fours);
  call.add("filled", lines * (count - inside));
  // Three lines that are there have one step.
  const WindowAxisOf rows{call["in_lines"], call["out_lines"], 3, call["stride.0"], 1, call["pad.0"]};
  const int64_t whole = call["images"] * count_window(rows).whole;
  call.add("columns", whole * fours * inside);
  call.add("edge_columns", (lines - whole) * fours * inside);
  call.add("summed", call["sums"] != 0 ? lines * fours * count : 0);
  // Up to a stride of 2 two pixels at a time; those of stride 2 are looked at for zones where there are none, too.
  const int64_t stride = call["stride.1"], all = lines * call["channels"], twos = stride <= 2 ? all * (out / 2) : 0;
  const int64_t points = all * out - 2 * twos;
  const bool plain = !call.zones() && (stride != 2 || twos == 0);
  call.add("points", plain ? points : 0);
  call.add("zoned_points", plain ? 0 : points);
  call.add("twos", plain ? twos : 0);
  call.add("zoned_twos", !plain && stride == 1 ? twos : 0);
  call.add("twos_apart", stride == 2 ? twos : 0);
  call.add("paired_channels", twos > 0 ? all : 0);
  // What pairs leave, by the loop of one pixel.
  call.add("odd_channels", plain && twos > 0 ? all * (out % 2) : 0);
  call.add("zoned_odd_channels", !plain && twos > 0 ? all * (out % 2) : 0);
  call.add("channels", all);
  add_dsp_clamp(call, lines, lines * out, call["channels"]);
  return call.take();
}

void dense_rows(Int8Call& call, int64_t rows, int64_t inputs, int64_t outputs) {
  const int64_t fours = (outputs + 3) / 4;
  call.add("dense_fours", rows * fours);
  call.add("dense_words", rows * fours * (inputs / 4));
  call.add("dense_outputs", call.zones() ? 0 : rows * outputs);
  call.add("dense_zoned", call.zones() ? rows * outputs : 0);
}

// tarn_int_conv2d_dsp_long_line_s8.c: a patch of bytes per pixel, then the product of a dense layer.
Terms conv2d_dsp_long(Int8Call call) {
  const int64_t images = call["images"], rows = call["rows"];
  const Gathered g = gathered(call, 1);
  call.add("call", 1);
  call.add("lines", images * call["out_lines"]);
  call.add("line_rows", images * call["out_lines"] * rows);
  call.add("pixels", g.patches);
  call.add("rows", g.rows);
  add_runs(call, g);
  dense_rows(call, g.patches, call["length"], call["outputs"]);
  return call.take();
}

// tarn_int_depthwise_dsp_line_s8.c: four channels at a time, three taps in a step; the last four end with the last
// channel.
// By `unit` channels at a time.
Terms depthwise2d_dsp(Int8Call call, int64_t unit) {
  const WindowAxisOf rows = call.lines(), columns = call.pixels();
  const int64_t images = call["images"], lines = images * rows.out, pixels = lines * columns.out;
  const int64_t channels = call["channels"], n = rows.kernel * columns.kernel, rest = channels % unit;
  const int64_t aimed = images * aimed_pixels(rows, columns), units = channels / unit + (rest != 0);
  call.add("call", 1);
  call.add("lines", lines);
  call.add("line_rows", lines * rows.kernel);
  call.add("filled", lines * channels);
  call.add("aimed", aimed);
  call.add("aimed_rows", aimed * rows.kernel);
  call.add("aimed_taps", aimed * n);
  call.add("moved", pixels - aimed);
  call.add("moved_taps", (pixels - aimed) * n);
  call.add("fours", pixels * units);
  call.add("triples", pixels * units * ((n + 2) / 3));
  call.add("rest", rest != 0 ? pixels : 0);
  call.add("rest_outputs", pixels * rest);
  call.add("outputs", call.zones() ? 0 : pixels * channels);
  call.add("zoned_outputs", call.zones() ? pixels * channels : 0);
  call.add("clamped", call.clamps() ? pixels * channels : 0);
  return call.take();
}

// Over weights of 4 or 2 bits the inputs are summed too.
Terms dense_dsp(Int8Call call, bool narrow) {
  call.add("call", 1);
  call.add("summed_words", narrow ? call["inputs"] / 4 : 0);
  dense_rows(call, 1, call["inputs"], call["outputs"]);
  return call.take();
}

}  // namespace

std::optional<Terms> int8_terms(const std::string& kernel, const CallTerms& call) {
  if (kernel == "tarn_int_conv2d_dsp_s8" || kernel == "tarn_int_conv2d_dsp_halves_s8")
    return conv2d_dsp(Int8Call(call), 1, false);
  if (kernel == "tarn_int_conv2d_dsp4_s8" || kernel == "tarn_int_conv2d_dsp2_s8")
    return conv2d_dsp(Int8Call(call), 1, true);
  if (kernel == "tarn_int_conv2d_dsp_groups_s8" || kernel == "tarn_int_conv2d_dsp_halves_groups_s8")
    return conv2d_dsp(Int8Call(call), call["groups"], false);
  if (kernel == "tarn_int_conv2d_dsp4_groups_s8" || kernel == "tarn_int_conv2d_dsp2_groups_s8")
    return conv2d_dsp(Int8Call(call), call["groups"], true);
  if (kernel == "tarn_int_conv2d_dsp_parts_s8" || kernel == "tarn_int_conv2d_dsp_halves_parts_s8")
    return conv2d_dsp_parts(Int8Call(call));
  if (kernel == "tarn_int_conv2d_dsp_long_s8") return conv2d_dsp_long(Int8Call(call));
  if (kernel == "tarn_int_depthwise3x3_dsp_s8") return depthwise3x3_dsp(Int8Call(call));
  if (kernel == "tarn_int_depthwise2d_dsp_s8") return depthwise2d_dsp(Int8Call(call), 4);
  if (kernel == "tarn_int_depthwise2d_few_s8") return depthwise2d_dsp(Int8Call(call), 1);
  if (kernel == "tarn_int_dense_dsp_s8" || kernel == "tarn_int_dense_dsp_halves_s8")
    return dense_dsp(Int8Call(call), false);
  if (kernel == "tarn_int_dense_dsp4_s8" || kernel == "tarn_int_dense_dsp2_s8") return dense_dsp(Int8Call(call), true);
  return {};
}

}  // namespace tarn::timing
