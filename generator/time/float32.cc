// Terms of the kernels for float32 convolutions and products.
#include <algorithm>

#include "time/call_terms.h"

namespace tarn::timing {

namespace {

// Loops over n products, unrolled by two (tarn_block_f32.h), `times` of them.
struct Products {
  int64_t loops = 0, entered = 0, odd = 0, pairs = 0;  // entered: those of at least two
  void add(int64_t times, int64_t n) {
    loops += times;
    entered += n > 1 ? times : 0;
    odd += times * (n % 2);
    pairs += times * (n / 2);
  }
};

// One pixel, or four at a time, of a line.
struct Pixels {
  int64_t fours = 0, singles = 0;
  int64_t single_taps = 0;  // within the image, over all single pixels
  int64_t single_runs = 0;  // single pixels that have any
  int64_t clipped = 0;      // taps outside, found one by one
};

Pixels walk_pixels(const WindowAxisOf& axis, bool block) {
  Pixels pixels;
  const int64_t span = (axis.kernel - 1) * axis.dilation + 1;
  for (int64_t i = 0; i < axis.out;) {
    const int64_t at = axis.first(i);
    if (block && at >= 0 && i + 4 <= axis.out && at + 3 * axis.stride + span <= axis.in) {
      ++pixels.fours;
      i += 4;
      continue;
    }
    const int64_t valid = axis.valid(i);
    ++pixels.singles;
    pixels.single_taps += valid;
    pixels.single_runs += valid > 0;
    pixels.clipped += axis.kernel - valid;
    ++i;
  }
  return pixels;
}

void finish(CallTerms& call, int64_t pixels, int64_t groups, int64_t outputs) {
  call.add("outputs4", pixels * groups * (outputs / 4));
  call.add("outputs1", pixels * groups * (outputs % 4 == 1));
  call.add("outputs2", pixels * groups * (outputs % 4 == 2));
  call.add("outputs3", pixels * groups * (outputs % 4 == 3));
}

// A float's bits are no number here: whether there are bounds is told as "bounded", a residual as r_pitch.
void finish_with(CallTerms& call, const std::string& line, int64_t pixels, int64_t quads) {
  call.add("bounded_quads", call[line + "bounded"] * pixels * quads);
  call.add("residual_quads", call[line + "r_pitch"] != 0 ? pixels * quads : 0);
}

// Lines of the output by how many of their rows lie in the image, in blocks or not.
struct LineClass {
  int64_t lines = 0, rows = 0;
};

LineClass lines_of(const CallTerms& call, const WindowAxisOf& axis, bool block) {
  LineClass result;
  for (int64_t i = 0; i < call["images"] * axis.out; ++i) {
    if ((i >= call["block_first"] && i < call["block_end"]) != block) continue;
    ++result.lines;
    result.rows += axis.valid(i % axis.out);
  }
  return result;
}

WindowAxisOf line_axis(const CallTerms& call) {
  return {call["in_lines"], call["out_lines"], call["line.rows"], call["stride"], call["dilation"], call["pad"]};
}
WindowAxisOf pixel_axis(const CallTerms& call) {
  return {call["line.in_pixels"], call["out_pixels"],    call["line.taps"],
          call["line.stride"],    call["line.dilation"], call["line.pad"]};
}

Terms conv2d(CallTerms call) {
  const WindowAxisOf axis = line_axis(call), along = pixel_axis(call);
  const int64_t inputs = call["line.inputs"], outputs = call["line.outputs"], groups = call["line.groups"];
  const int64_t quads = groups * ((outputs + 3) / 4), taps = along.kernel;
  const bool joined = along.dilation * call["line.x_pitch"] == inputs;
  Products four, one;
  int64_t fours = 0, singles = 0, rows4 = 0, rows1 = 0, clipped = 0;
  for (const bool block : {false, true}) {
    const LineClass lines = lines_of(call, axis, block);
    const Pixels pixels = walk_pixels(along, block);
    fours += lines.lines * pixels.fours;
    singles += lines.lines * pixels.singles;
    clipped += lines.lines * pixels.clipped;
    rows4 += lines.rows * pixels.fours;
    rows1 += lines.rows * pixels.single_runs;
    if (joined) {
      four.add(lines.rows * pixels.fours * quads, taps * inputs);
      for (int64_t i = 0, next = 0; i < along.out; i = next) {
        const int64_t at = along.first(i), span = (taps - 1) * along.dilation + 1;
        const bool in_four = block && at >= 0 && i + 4 <= along.out && at + 3 * along.stride + span <= along.in;
        next = i + (in_four ? 4 : 1);
        if (!in_four && along.valid(i) > 0) one.add(lines.rows * quads, along.valid(i) * inputs);
      }
    } else {
      four.add(lines.rows * pixels.fours * quads * taps, inputs);
      one.add(lines.rows * pixels.single_taps * quads, inputs);
    }
  }
  const int64_t lines = call["images"] * axis.out, pixels = 4 * fours + singles;
  call.add("call", 1);
  call.add("lines", lines);
  call.add("rows", lines * axis.kernel);
  call.add("fours", fours);
  call.add("singles", singles);
  call.add("clipped", clipped);
  call.add("four_groups", fours * groups);
  call.add("single_groups", singles * groups);
  call.add("four_quads", fours * quads);
  call.add("single_quads", singles * quads);
  call.add("four_all_rows", fours * quads * axis.kernel);
  call.add("single_all_rows", singles * quads * axis.kernel);
  call.add("four_rows", rows4 * quads);
  call.add("single_rows", rows1 * quads);
  call.add("four_loops", joined ? 0 : four.loops);
  call.add("four_entered", four.entered);
  call.add("single_entered", one.entered);
  call.add("four_odd", four.odd);
  call.add("four_pairs", four.pairs);
  call.add("single_loops", joined ? 0 : one.loops);
  call.add("single_odd", one.odd);
  call.add("single_pairs", one.pairs);
  const int64_t all = 4 * (four.odd + 2 * four.pairs) + one.odd + 2 * one.pairs;  // for each four outputs
  // Without those with the zeros beside the last output.
  call.add_nonzero(call.nonzero(groups * outputs * (quads == 0 ? 0 : all / quads), 1), 0, "products");
  finish(call, pixels, groups, outputs);
  finish_with(call, "line.", pixels, quads);
  return call.take();
}

Terms depthwise2d(CallTerms call) {
  const WindowAxisOf axis = line_axis(call), along = pixel_axis(call);
  const int64_t quads = call["line.channels"] / 4, lanes = call["line.channels"] % 4, taps = along.kernel;
  int64_t fours = 0, singles = 0, rows4 = 0, rows1 = 0, clipped = 0, taps4 = 0, taps1 = 0;
  for (const bool block : {false, true}) {
    const LineClass lines = lines_of(call, axis, block);
    const Pixels pixels = walk_pixels(along, block);
    fours += lines.lines * pixels.fours;
    singles += lines.lines * pixels.singles;
    clipped += lines.lines * pixels.clipped;
    rows4 += lines.rows * pixels.fours;
    rows1 += lines.rows * pixels.singles;
    taps4 += lines.rows * pixels.fours * taps;
    taps1 += lines.rows * pixels.single_taps;
  }
  const int64_t lines = call["images"] * axis.out, pixels = 4 * fours + singles;
  call.add("call", 1);
  call.add("lines", lines);
  call.add("rows", lines * axis.kernel);
  call.add("fours", fours);
  call.add("singles", singles);
  call.add("clipped", clipped);
  call.add("four_quads", fours * quads);
  call.add("single_quads", singles * quads);
  call.add("four_all_rows", fours * quads * axis.kernel);
  call.add("single_all_rows", singles * quads * axis.kernel);
  call.add("four_rows", rows4 * quads);
  call.add("single_rows", rows1 * quads);
  call.add("four_taps", taps4 * quads);
  call.add("single_taps", taps1 * quads);
  call.add("lanes", pixels * lanes);
  call.add("lane_all_rows", pixels * lanes * axis.kernel);
  call.add("lane_rows", (4 * rows4 + rows1) * lanes);
  call.add("lane_taps", (4 * taps4 + taps1) * lanes);
  call.add_nonzero(call.nonzero((4 * taps4 + taps1) * (4 * quads + lanes), 1), 0);
  finish_with(call, "line.", pixels, quads);
  // What is set up once per pixel or four.
  call.add("fours_of_quads", quads > 0 ? fours : 0);
  call.add("singles_of_quads", quads > 0 ? singles : 0);
  call.add("fours_of_lanes", lanes > 0 ? fours : 0);
  call.add("singles_of_lanes", lanes > 0 ? singles : 0);
  call.add("lane_sets", (fours + singles) * lanes);
  call.add("lane_bounded", call["line.bounded"] * pixels * lanes);
  call.add("lane_residual", call["line.r_pitch"] != 0 ? pixels * lanes : 0);
  return call.take();
}

Terms dense(CallTerms call) {
  const int64_t pixels = call["pixels"], inputs = call["inputs"], outputs = call["outputs"], quads = (outputs + 3) / 4;
  const int64_t within = std::max<int64_t>(0, call["block_end"] - call["block_first"]), fours = within / 4;
  const int64_t singles = pixels - 4 * fours;
  Products four, one;
  four.add(fours * quads, inputs);
  one.add(singles * quads, inputs);
  call.add("call", 1);
  call.add("fours", fours);
  call.add("singles", singles);
  call.add("four_quads", fours * quads);
  call.add("single_quads", singles * quads);
  call.add("four_entered", four.entered);
  call.add("single_entered", one.entered);
  call.add("four_odd", four.odd);
  call.add("four_pairs", four.pairs);
  call.add("single_odd", one.odd);
  call.add("single_pairs", one.pairs);
  call.add_nonzero(call.nonzero(outputs * pixels * inputs, 1), 0, "products");
  finish(call, pixels, 1, outputs);
  finish_with(call, "", pixels, quads);
  return call.take();
}

}  // namespace

std::optional<Terms> float32_terms(const std::string& kernel, const CallTerms& call) {
  if (kernel == "tarn_conv2d_f32") return conv2d(call);
  if (kernel == "tarn_depthwise2d_f32") return depthwise2d(call);
  if (kernel == "tarn_dense_f32") return dense(call);
  return {};
}

}  // namespace tarn::timing
