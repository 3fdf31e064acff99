// Terms of the fused int8 layers for the DSP instructions of Cortex-M4, M7 and M33.
#include <algorithm>

#include "time/int8_call.h"
#include "time/int8_parts.h"

namespace tarn::timing {

namespace {

// tarn_int_clamp_s8.
void add_dsp_clamp(Int8Call& call, int64_t calls, int64_t pixels, int64_t channels) {
  call.add("clamped_calls", call.clamps() ? calls : 0);
  call.add("clamped_pixels", call.clamps() ? pixels : 0);
  call.add("clamped_fours", call.clamps() ? pixels * (channels / 4) : 0);
  call.add("clamped", call.clamps() ? pixels * (channels % 4) : 0);
}

// tarn_int_conv2d_dsp_run_s8.c: a patch per pixel, made anew.
void patches(Int8Call& call, int64_t images) {
  const WindowAxisOf lines = call.lines(), columns = call.pixels();
  const WindowCounts rows = count_window(lines), taps = count_window(columns);
  const int64_t n = call["inputs"], bytes = n % 4 != 0;
  const bool can_join = call["x_pitch"] == n && call["dilation.1"] == 1;
  const int64_t joined = can_join ? taps.whole : 0, valid_taps = can_join ? taps.valid_beside : taps.valid;
  const int64_t all_rows = lines.out * lines.kernel, apart = columns.out - joined;
  const int64_t pixels = images * lines.out * columns.out;
  const int64_t runs = images * rows.valid * (joined + valid_taps);
  const int64_t gaps = images * (all_rows * (joined + apart * columns.kernel) - rows.valid * (joined + valid_taps));
  const int64_t taken = images * rows.valid * (joined * columns.kernel + valid_taps) * n;
  const int64_t filled = images * all_rows * columns.out * columns.kernel * n - taken;
  const int64_t rest = pixels * (call["length"] - lines.kernel * columns.kernel * n);
  call.add("patches", bytes ? 0 : pixels);
  call.add("patches_by_bytes", bytes ? pixels : 0);
  call.add("patch_rows", images * all_rows * columns.out);
  call.add("runs", bytes ? 0 : runs);
  call.add("gaps", bytes ? 0 : gaps);
  call.add("words", bytes ? 0 : taken / 4);
  call.add("gap_words", bytes ? 0 : (filled + rest) / 4);
  // The words and the last bytes of each run that is copied.
  const int64_t long_run = columns.kernel * n, whole_runs = images * rows.valid * joined, tap_runs = runs - whole_runs;
  call.add("byte_runs", bytes ? runs : 0);
  call.add("byte_gaps", bytes ? gaps : 0);
  call.add("copied_words", bytes ? whole_runs * (long_run / 4) + tap_runs * (n / 4) : 0);
  call.add("copied_bytes", bytes ? whole_runs * (long_run % 4) + tap_runs * (n % 4) : 0);
  call.add("gap_bytes", bytes ? filled + rest : 0);
  call.add("widened_words", bytes ? pixels * call["length"] / 4 : 0);
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
    call.add("direct_words", pixels * call["inputs"] / 4);
  } else {
    patches(call, images);
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
  call.add("steps2", rest == 2 ? runs * all * steps : 0);
  call.add("steps1", rest == 1 ? runs * all * steps : 0);
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
  call.add("columns", lines * fours * inside);
  call.add("summed", call["sums"] != 0 ? lines * fours * count : 0);
  call.add("points", call.zones() ? 0 : lines * call["channels"] * out);
  call.add("zoned_points", call.zones() ? lines * call["channels"] * out : 0);
  call.add("channels", lines * call["channels"]);
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
  call.add("whole_runs", g.whole_runs);
  call.add("tap_runs", g.tap_runs);
  call.add("gaps", g.gaps);
  call.add("copied_fours", g.full(4));
  call.add("copied_bytes", g.rest(4));
  call.add("filled", g.gaps * g.short_run + g.patches * (call["length"] - rows * call["taps"] * call["inputs"]));
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
  if (kernel == "tarn_int_conv2d_dsp_s8") return conv2d_dsp(Int8Call(call), 1, false);
  if (kernel == "tarn_int_conv2d_dsp4_s8" || kernel == "tarn_int_conv2d_dsp2_s8")
    return conv2d_dsp(Int8Call(call), 1, true);
  if (kernel == "tarn_int_conv2d_dsp_groups_s8") return conv2d_dsp(Int8Call(call), call["groups"], false);
  if (kernel == "tarn_int_conv2d_dsp4_groups_s8" || kernel == "tarn_int_conv2d_dsp2_groups_s8")
    return conv2d_dsp(Int8Call(call), call["groups"], true);
  if (kernel == "tarn_int_conv2d_dsp_parts_s8") return conv2d_dsp_parts(Int8Call(call));
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
