// Terms of layers whose weights are mostly zero and are skipped: the others are a constant table, whose numbers are
// counted in emit/table_numbers.h.
#include <algorithm>
#include <string>

#include "time/int8_call.h"

namespace tarn::timing {

namespace {

std::string of_row(const std::string& name, int64_t row) { return name + "." + std::to_string(row); }

// tarn_sparse_f32.h: whether there are bounds is told as "bounded", a residual as r_pitch.
void finish_sparse(CallTerms& call, const std::string& line, int64_t pixels, int64_t outputs) {
  call.add("outputs", pixels * outputs);
  call.add("bounded", call[line + "bounded"] * pixels * outputs);
  call.add("residuals", call[line + "r_pitch"] != 0 ? pixels * outputs : 0);
}

Terms sparse_dense(CallTerms call) {
  const int64_t pixels = call["pixels"], products = pixels * call["kept"];
  call.add("call", 1);
  call.add("pixels", pixels);
  finish_sparse(call, "", pixels, call["outputs"]);
  call.add("entered", pixels * call["entered"]);
  call.add("steps", products);
  call.add_nonzero(products, 0);
  return call.take();
}

// tarn_conv_line_sparse_f32.c: rows that lie inside as they are, others weight by weight.
Terms sparse_conv2d(CallTerms call) {
  const WindowAxisOf lines{call["in_lines"], call["out_lines"], call["line.rows"],
                           call["stride"],   call["dilation"],  call["pad"]};
  const WindowAxisOf along{call["line.in_pixels"], call["out_pixels"],    call["line.taps"],
                           call["line.stride"],    call["line.dilation"], call["line.pad"]};
  const int64_t outputs = call["line.outputs"], images = call["images"], all_lines = images * lines.out;
  const bool joined = call["line.x_pitch"] == call["line.inputs"] && along.dilation == 1;
  int64_t inside = 0;
  std::vector<int64_t> beside(static_cast<size_t>(along.kernel));  // pixels at the edges that have this tap
  for (int64_t pixel = 0; pixel < along.out; ++pixel) {
    if (joined && along.inside(pixel)) {
      ++inside;
      continue;
    }
    for (int64_t tap = 0; tap < along.kernel; ++tap) {
      const int64_t at = along.first(pixel) + tap * along.dilation;
      beside[static_cast<size_t>(tap)] += at >= 0 && at < along.in;
    }
  }
  int64_t rows = 0, entered = 0, steps = 0, edge_rows = 0, edge_steps = 0, edge_taps = 0, edge_products = 0;
  for (int64_t row = 0; row < lines.kernel; ++row) {
    int64_t there = 0;
    for (int64_t line = 0; line < lines.out; ++line) {
      const int64_t at = lines.first(line) + row * lines.dilation;
      there += at >= 0 && at < lines.in;
    }
    const int64_t kept = call[of_row("kept", row)], fast = images * there * inside;
    const int64_t slow = all_lines * along.out - fast;
    rows += fast * outputs;
    entered += fast * call[of_row("entered", row)];
    steps += fast * kept;
    edge_rows += slow * outputs;
    edge_steps += slow * kept;
    edge_taps += slow * call[of_row("kept_taps", row)];
    for (int64_t tap = 0; tap < along.kernel; ++tap)
      edge_products += images * there * beside[static_cast<size_t>(tap)] * call[of_row(of_row("kept", row), tap)];
  }
  call.add("call", 1);
  call.add("lines", all_lines);
  call.add("line_rows", all_lines * lines.kernel);
  call.add("pixels", all_lines * along.out);
  finish_sparse(call, "line.", all_lines * along.out, outputs);
  call.add("rows", rows);
  call.add("entered", entered);
  call.add("steps", steps);
  call.add("edge_rows", edge_rows);
  call.add("edge_steps", edge_steps);
  call.add("edge_taps", edge_taps);
  call.add("edge_products", edge_products);
  call.add_nonzero(steps + edge_products, 0);
  return call.take();
}

// tarn_int_sparse.h: with the instructions of DSPs two weights at a time.
void add_sparse_codes(Int8Call& call, int64_t patches) {
  const int64_t outputs = patches * call["outputs"], kept = patches * call["kept"], odd = patches * call["kept_odd"];
  const bool twos = call.core().dsp || call.core().vectors;
  call.add("outputs", call.zones() ? 0 : outputs);
  call.add("zoned_outputs", call.zones() ? outputs : 0);
  call.add("odd", twos ? odd : 0);
  call.add("twos", twos ? (kept - odd) / 2 : 0);
  call.add("entered", twos ? 0 : patches * call["entered"]);
  call.add("steps", twos ? 0 : kept);
}

Terms sparse_int_dense(Int8Call call) {
  call.add("call", 1);
  add_sparse_codes(call, 1);
  return call.take();
}

// tarn_int_conv2d_sparse_s8.c: a patch, then output by output.
Terms sparse_int_conv2d(Int8Call call) {
  const Gathered g = gathered(call, 1);
  const int64_t lines = call["images"] * call["out_lines"];
  call.add("call", 1);
  call.add("lines", lines);
  call.add("line_rows", lines * call["rows"]);
  add_gathered(call, g);
  add_sparse_codes(call, g.patches);
  return call.take();
}

}  // namespace

std::optional<Terms> sparse_terms(const std::string& kernel, const CallTerms& call) {
  if (kernel == "tarn_dense_sparse_f32") return sparse_dense(call);
  if (kernel == "tarn_conv2d_sparse_f32") return sparse_conv2d(call);
  if (kernel == "tarn_int_dense_sparse_s8") return sparse_int_dense(Int8Call(call));
  if (kernel == "tarn_int_conv2d_sparse_s8") return sparse_int_conv2d(Int8Call(call));
  return {};
}

}  // namespace tarn::timing
