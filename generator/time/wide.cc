// Terms of layers of codes of 16 bits.
#include <algorithm>

#include "time/int8_call.h"

namespace tarn::timing {

namespace {

int64_t quads_of(int64_t n) { return (n + 3) / 4; }

// tarn_wide_conv2d_line_s16.c: a patch per pixel and group; sums of 32 bits, a piece at a time.
Terms wide_conv2d(Int8Call call) {
  const int64_t groups = call["groups"], outputs = call["outputs"], length = call["length"];
  const Gathered g = gathered(call, groups);
  const int64_t lines = call["images"] * call["out_lines"], quads = g.patches * quads_of(outputs);
  const int64_t piece = std::max<int64_t>(4, call["piece"]);
  call.add("call", 1);
  call.add("lines", lines);
  call.add("line_rows", lines * call["rows"]);
  call.add("pixels", g.patches / groups);
  add_gathered(call, g);
  call.add("quads", quads);
  call.add("pieces", quads * ((length + piece - 1) / piece));
  call.add("steps", quads * (length / 4));
  call.add("outputs", g.patches * outputs);
  return call.take();
}

// tarn_wide_depthwise_line_s16.c: four channels at a time.
Terms wide_depthwise2d(Int8Call call) {
  const WindowAxisOf rows = call.lines(), columns = call.pixels();
  const int64_t lines = call["images"] * rows.out, pixels = lines * columns.out, channels = call["channels"];
  const int64_t taps = rows.kernel * columns.kernel;
  call.add("call", 1);
  call.add("lines", lines);
  call.add("line_rows", lines * rows.kernel);
  call.add("filled", lines * channels);
  call.add("pixels", pixels);
  call.add("rows", pixels * rows.kernel);
  call.add("taps", pixels * taps);
  call.add("inside", call["images"] * count_window(rows).valid * count_window(columns).valid);
  call.add("quads", pixels * quads_of(channels));
  call.add("quad_taps", pixels * quads_of(channels) * taps);
  call.add("outputs", pixels * channels);
  return call.take();
}

}  // namespace

std::optional<Terms> wide_terms(const std::string& kernel, const CallTerms& call) {
  if (kernel == "tarn_wide_conv2d_s16") return wide_conv2d(Int8Call(call));
  if (kernel == "tarn_wide_depthwise2d_s16") return wide_depthwise2d(Int8Call(call));
  return {};
}

}  // namespace tarn::timing
