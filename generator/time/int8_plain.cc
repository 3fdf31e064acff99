// Terms of the int8 layers for cores without instructions for several codes at a time.
#include "time/int8_call.h"

namespace tarn::timing {

namespace {

// tarn_int_quad_finish(): `count` vectors of outputs, four at a time.
void add_plain_quads(Int8Call& call, int64_t count, int64_t outputs) {
  call.add("quads", count * ((outputs + 3) / 4));
  call.add("partial_quads", outputs % 4 != 0 ? count : 0);
  call.add("outputs", call.zones() ? 0 : count * outputs);
  call.add("zoned_outputs", call.zones() ? count * outputs : 0);
}

// On ARMv6-M signed weights are what code for no core in particular has (ops/int_conv.cc): other loops than those that
// were measured there.
void refuse_signed(const Int8Call& call) {
  if (!call.core().divides && call.has("null.3")) call.refuse();
}

// tarn_int_conv2d_line_s8.c: a patch, then four outputs at a time. Where weights have zeros patches are summed, and
// what the sum makes of each output is taken off first; weights are unsigned then, which multiply by other code.
Terms plain_conv2d(Int8Call call) {
  refuse_signed(call);
  const int64_t groups = call["groups"], quads = (call["outputs"] + 3) / 4;
  const bool zeros = !call.has("null.3");
  const Gathered g = gathered(call, groups);
  call.add("call", 1);
  call.add("lines", call["images"] * call["out_lines"]);
  call.add("line_rows", call["images"] * call["out_lines"] * call["rows"]);
  call.add("pixels", g.patches / groups);
  call.add("weight_zeros", zeros ? g.patches * call["length"] : 0);
  add_gathered(call, g);
  call.add("zeroed_quads", zeros ? g.patches * quads : 0);
  call.add(zeros ? "zeroed_steps" : "steps", g.patches * quads * (call["length"] / 4));
  add_plain_quads(call, g.patches, call["outputs"]);
  return call.take();
}

// tarn_int_conv2d_four_line_s8.c: four patches at a time, also across lines.
Terms plain_conv2d_four(Int8Call call) {
  const int64_t quads = (call["outputs"] + 3) / 4, outputs = call["outputs"];
  const Gathered g = gathered(call, 1);
  const int64_t blocks = g.patches / 4, rest = g.patches % 4, all = blocks + (rest != 0);
  call.add("call", 1);
  call.add("lines", call["images"] * call["out_lines"]);
  call.add("line_rows", call["images"] * call["out_lines"] * call["rows"]);
  add_gathered(call, g);
  call.add("blocks", all);
  call.add("quads", all * quads);
  call.add("steps", all * quads * (call["length"] / 4));
  call.add("outputs", call.zones() ? 0 : blocks * outputs);
  call.add("zoned_outputs", call.zones() ? blocks * outputs : 0);
  call.add("rest_outputs", rest != 0 ? outputs : 0);
  call.add("rest_codes", rest * outputs);
  return call.take();
}

Terms plain_dense(Int8Call call) {
  refuse_signed(call);
  const int64_t inputs = call["inputs"], quads = (call["outputs"] + 3) / 4;
  const bool zeros = !call.has("null.3");
  const std::string of = zeros ? "zeroed_" : "";
  call.add("call", 1);
  call.add("weight_zeros", zeros ? inputs : 0);
  call.add("zeroed_quads", zeros ? quads : 0);
  call.add("rest_inputs", inputs % 4);
  call.add(of + "steps", quads * (inputs / 4));
  call.add(of + "whole", inputs >= 4 ? quads : 0);
  call.add(of + "rest_steps", inputs % 4 != 0 ? quads : 0);
  add_plain_quads(call, 1, call["outputs"]);
  return call.take();
}

// tarn_int_depthwise_line_s8.c: pointers to the taps of a pixel, then four channels at a time; on ARMv6-M one where
// weights have no zeros. Where they have, inputs are summed as well.
Terms plain_depthwise2d(Int8Call call) {
  const WindowAxisOf rows = call.lines(), columns = call.pixels();
  const int64_t images = call["images"], lines = images * rows.out, pixels = lines * columns.out;
  const int64_t channels = call["channels"], n = rows.kernel * columns.kernel, rest = channels % 4;
  const int64_t inside = images * count_window(rows).valid * count_window(columns).valid;
  call.add("call", 1);
  call.add("lines", lines);
  call.add("line_rows", lines * rows.kernel);
  call.add("filled", lines * channels);
  call.add("pixels", pixels);
  call.add("rows", pixels * rows.kernel);
  call.add("taps", pixels * n);
  call.add("inside", inside);
  const bool zeros = !call.has("null.3");
  if (!call.core().divides && !zeros) {
    call.add("channels", pixels * channels);
    call.add("nine", n == 9 ? pixels * channels : 0);
    call.add("channel_taps", n == 9 ? 0 : pixels * channels * n);
  } else {
    call.add("quads", pixels * ((channels + 3) / 4));
    call.add("zeroed_quads", zeros ? pixels * ((channels + 3) / 4) : 0);
    call.add(zeros ? "zeroed_quad_taps" : "quad_taps", pixels * (channels / 4) * n);
    for (int64_t left = 1; left < 4; ++left) {
      call.add("rest" + std::to_string(left), rest == left ? pixels : 0);
      call.add("rest_taps" + std::to_string(left), rest == left ? pixels * n : 0);
    }
  }
  call.add("outputs", call.zones() ? 0 : pixels * channels);
  call.add("zoned_outputs", call.zones() ? pixels * channels : 0);
  return call.take();
}

}  // namespace

std::optional<Terms> int8_plain_terms(const std::string& kernel, const CallTerms& call) {
  if (kernel == "tarn_int_conv2d_s8") return plain_conv2d(Int8Call(call));
  if (kernel == "tarn_int_conv2d_four_s8") return plain_conv2d_four(Int8Call(call));
  if (kernel == "tarn_int_dense_s8") return plain_dense(Int8Call(call));
  if (kernel == "tarn_int_depthwise2d_s8") return plain_depthwise2d(Int8Call(call));
  return {};
}

}  // namespace tarn::timing
