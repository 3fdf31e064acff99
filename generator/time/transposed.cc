// Terms of transposed convolutions, and of layers over int8 codes whose scale is only known at run time.
#include <algorithm>
#include <utility>
#include <vector>

#include "time/int8_call.h"
#include "time/quotients.h"

namespace tarn::timing {

namespace {

int64_t pair_at(const CallTerms& call, const std::string& name, int64_t axis) {
  return call[name + "." + std::to_string(axis)];
}

// Lines of the kernel that meet a line of the input, for an output position along planes (0) or lines (1).
int64_t sources(const CallTerms& call, int64_t axis, int64_t at) {
  const int64_t stride = pair_at(call, "stride", axis), in = pair_at(call, "in", axis);
  int64_t found = 0;
  for (int64_t k = 0; k < pair_at(call, "kernel", axis); ++k) {
    const int64_t moved = at + pair_at(call, "pad", axis) - k * pair_at(call, "dilation", axis);
    found += moved >= 0 && moved % stride == 0 && moved / stride < in;
  }
  return found;
}

// The columns of a phase, as the call's table lists them (emit/table_numbers.h): how many, and what the first of them
// moves by.
struct Phase {
  int64_t taps = 0, moved = 0;
};

std::vector<Phase> phases_of(const CallTerms& call, int64_t stride) {
  std::vector<Phase> phases(static_cast<size_t>(std::max<int64_t>(0, stride)));
  for (size_t f = 0; f < phases.size(); ++f) {
    const auto at = static_cast<int64_t>(f);
    phases[f] = {call.at("phase.taps", at), call.at("phase.moved", at)};
  }
  return phases;
}

// Of a line: pixels, or four at a time, and their taps inside of it and beside.
struct TapLoops {
  int64_t runs = 0, taps = 0, clipped = 0;
};

struct TransposedLine {
  int64_t looked = 0, blocks = 0;
  TapLoops four, one;
};

TransposedLine walk_transposed(const CallTerms& call, bool block) {
  const int64_t stride = call["line.stride"], step = call["line.step"], in = call["line.in_pixels"];
  if (stride < 1) call.refuse();
  const std::vector<Phase> phases = phases_of(call, stride);
  TransposedLine line;
  for (int64_t pixel = 0; pixel < call["out_pixels"];) {
    const bool many = block && pixel + 4 * stride <= call["out_pixels"];
    line.blocks += many;
    for (int64_t i = 0; i < (many ? stride : 1); ++i) {
      const int64_t column = pixel + i + call["line.pad"];
      const Phase& phase = phases[static_cast<size_t>(column % stride)];
      const int64_t at = (column - phase.moved) / stride;
      ++line.looked;
      if (many && at >= 0 && at + 3 + (phase.taps - 1) * step < in) {
        ++line.four.runs;
        line.four.taps += phase.taps;
        continue;
      }
      for (int64_t k = 0; k < (many ? 4 : 1); ++k) {
        ++line.one.runs;
        for (int64_t tap = 0; tap < phase.taps; ++tap) {
          const int64_t from = at + k + tap * step;
          (from >= 0 && from < in ? line.one.taps : line.one.clipped) += 1;
        }
      }
    }
    pixel += many ? 4 * stride : 1;
  }
  return line;
}

// tarn_int_convtranspose_line_s8.c: taps of a pixel are aimed at once, then quads of outputs sum what they meet.
Terms int_transposed(CallTerms call) {
  const int64_t images = call["images"], lines = call["out_lines"], pixels = call["out_pixels"];
  const bool divides = call.core().divides;
  Quotients quotients;
  // Positions of the kernel along an axis that are looked at for an output, and those that meet the input.
  const auto met = [&](int64_t axis, int64_t at, int64_t kernel, int64_t in, int64_t& looked) {
    const int64_t stride = pair_at(call, "stride", axis);
    int64_t found = 0, moved = at + pair_at(call, "pad", axis);
    for (int64_t k = 0; k < kernel && moved >= 0; ++k, moved -= pair_at(call, "dilation", axis)) {
      ++looked;
      quotients.add(static_cast<uint64_t>(moved / stride));
      found += moved % stride == 0 && moved / stride < in;
    }
    return found;
  };
  int64_t rows_looked = 0, rows = 0, looked = 0, taps = 0;
  for (int64_t line = 0; line < lines; ++line) rows += met(0, line, call["rows"], call["in_lines"], rows_looked);
  const Quotients of_rows = std::exchange(quotients, {});
  for (int64_t pixel = 0; pixel < pixels; ++pixel) taps += met(1, pixel, call["taps"], call["in_pixels"], looked);
  const int64_t all = images * lines, quads = call["groups"] * ((call["outputs"] + 3) / 4);
  call.add("call", 1);
  call.add("lines", all);
  call.add("rows", all * call["rows"]);
  call.add("rows_looked", images * rows_looked);
  call.add("rows_met", images * rows);
  call.add("pixels", all * pixels);
  call.add("looked", all * looked);
  call.add("taps", all * taps);
  call.add("quads", all * pixels * quads);
  call.add("quad_rows", all * pixels * quads * call["rows"]);
  call.add("met_rows", images * rows * pixels * quads);
  call.add("runs", images * rows * taps * quads);
  call.add("values", images * rows * taps * quads * call["inputs"]);
  const int64_t outputs = all * pixels * call["groups"] * call["outputs"];
  const bool zones = call["requant.mask"] != -1;
  call.add("outputs", zones ? 0 : outputs);
  call.add("zoned_outputs", zones ? outputs : 0);
  if (!divides) {
    const int64_t looks = call.knows("apart") ? 0 : images;  // rows of a line are found by the driver
    call.add("quotient_steps", looks * of_rows.steps + all * quotients.steps);
    call.add("quotient_ones", looks * of_rows.ones + all * quotients.ones);
  }
  return call.take();
}

// Over all lines; `rows`: of the kernel, those that meet a line of the input.
struct TransposedPart {
  int64_t runs = 0, clipped = 0, rows = 0, taps = 0;
  void add(const TapLoops& loops, int64_t lines, int64_t rows_met) {
    runs += lines * loops.runs;
    clipped += lines * loops.clipped;
    rows += rows_met * loops.runs;
    taps += rows_met * loops.taps;
  }
};

void add_transposed_part(CallTerms& call, const std::string& part, const TransposedPart& all) {
  const int64_t inputs = call["line.inputs"], quads = call["line.groups"] * ((call["line.outputs"] + 3) / 4);
  const int64_t taps = all.taps * quads;
  call.add(part + "_runs", all.runs);
  call.add(part + "_clipped", all.clipped);
  call.add(part + "_groups", all.runs * call["line.groups"]);
  call.add(part + "_quads", all.runs * quads);
  call.add(part + "_all_rows", all.runs * quads * call["line.rows"]);
  call.add(part + "_rows", all.rows * quads);
  call.add(part + "_taps", taps);
  call.add(part + "_entered", inputs > 1 ? taps : 0);
  call.add(part + "_odd", inputs % 2 * taps);
  call.add(part + "_pairs", inputs / 2 * taps);
}

Terms transposed(CallTerms call) {
  const int64_t planes = pair_at(call, "out", 0), of_each = pair_at(call, "out", 1);
  const int64_t all = call["images"] * planes * of_each;
  int64_t blocks = 0, looked = 0, met = 0;
  TransposedPart four, single;
  for (const bool block : {false, true}) {
    int64_t lines = 0, rows = 0;
    for (int64_t n = 0; n < all; ++n) {
      if ((n >= call["block_first"] && n < call["block_end"]) != block) continue;
      ++lines;
      rows += sources(call, 0, n / of_each % planes) * sources(call, 1, n % of_each);
    }
    const TransposedLine line = walk_transposed(call, block);
    met += rows;
    blocks += lines * line.blocks;
    looked += lines * line.looked;
    four.add(line.four, lines, rows);
    single.add(line.one, lines, rows);
  }
  call.add("call", 1);
  call.add("lines", all);
  call.add("rows", all * call["line.rows"]);
  call.add("sources", met);
  call.add("blocks", blocks);
  call.add("looked", looked);
  add_transposed_part(call, "four", four);
  add_transposed_part(call, "single", single);
  const int64_t outputs = call["line.outputs"], groups = call["line.groups"];
  // Without those with the zeros beside the last output. On cores with floats those of 16 bits are converted in
  // software, where zeros are short, too; data of others have no such term.
  const int64_t products = (4 * four.taps + single.taps) * call["line.inputs"] * groups * outputs;
  if (call.core().floats) call.add(kNonzero, products);
  call.add_nonzero(products, 0, "products");
  const int64_t runs = all * call["out_pixels"] * groups;
  for (int64_t rest = 1; rest < 4; ++rest) call.add("outputs" + std::to_string(rest), outputs % 4 == rest ? runs : 0);
  call.add("bounded_quads", call["line.bounded"] * runs * ((outputs + 3) / 4));
  return call.take();
}

// tarn_dynamic_core_f32.h: a patch per pixel and group unless it is one whole pixel.
Terms dynamic_conv2d(Int8Call call) {
  const WindowAxisOf lines = call.lines(), columns = call.pixels();
  const int64_t images = call["images"], groups = call["groups"], inputs = call["inputs"], length = call["length"];
  const int64_t pixels = images * lines.out * columns.out, outputs = call["outputs"], quads = (outputs + 3) / 4;
  const bool direct = lines.kernel == 1 && columns.kernel == 1 && groups == 1 && length == inputs && columns.pad == 0;
  const int64_t inside = images * count_window(lines).valid * count_window(columns).valid;
  const int64_t area = lines.kernel * columns.kernel, taken = direct ? inside : 0;
  const int64_t patches = (pixels - taken) * groups, taps = (inside - taken) * groups;
  call.add("call", 1);
  call.add("lines", images * lines.out);
  call.add("line_rows", images * lines.out * lines.kernel);
  call.add("pixels", pixels);
  call.add("groups", pixels * groups);
  call.add("patches", patches);
  call.add("patch_rows", patches * lines.kernel);
  call.add("taps", taps);
  call.add("codes", taps * inputs);
  call.add("gaps", patches * area - taps);
  call.add("gap_codes", (patches * area - taps) * inputs);
  call.add("rest_codes", patches * (length - area * inputs));
  const bool zeros = !call.has("null.3");
  call.add("weight_zeros", zeros ? pixels * groups * length : 0);
  call.add("zeroed_quads", zeros ? pixels * groups * quads : 0);
  call.add("quads", pixels * groups * quads);
  call.add("steps", pixels * groups * quads * length / 4);
  call.add("outputs", pixels * groups * outputs);
  call.add("biased", call.has("null.7") ? 0 : pixels * groups * outputs);
  return call.take();
}

Terms dynamic_depthwise(Int8Call call) {
  const WindowAxisOf lines = call.lines(), columns = call.pixels();
  const int64_t images = call["images"], channels = call["groups"], pixels = images * lines.out * columns.out;
  const int64_t area = lines.kernel * columns.kernel, rest = channels % 4;
  const int64_t inside = images * count_window(lines).valid * count_window(columns).valid;
  const bool zeros = !call.has("null.2");
  call.add("call", 1);
  call.add("lines", images * lines.out);
  call.add("line_rows", images * lines.out * lines.kernel);
  call.add("pixels", pixels);
  call.add("rows", pixels * lines.kernel);
  call.add("taps", pixels * area);
  call.add("inside", inside);
  call.add("quads", pixels * ((channels + 3) / 4));
  call.add("quad_taps", pixels * area * ((channels + 3) / 4));
  call.add("four_taps", inside * (channels / 4));
  for (int64_t left = 1; left < 4; ++left) call.add("rest_taps" + std::to_string(left), rest == left ? inside : 0);
  call.add("outputs", pixels * channels);
  call.add("zeroed", zeros ? pixels * channels : 0);
  call.add("zeroed_taps", zeros ? pixels * channels * area : 0);
  call.add("zeroed_inside", zeros ? inside * channels : 0);
  call.add("biased", call.has("null.6") ? 0 : pixels * channels);
  return call.take();
}

}  // namespace

std::optional<Terms> transposed_terms(const std::string& kernel, const CallTerms& call) {
  if (kernel == "tarn_convtranspose_f32") return transposed(call);
  if (kernel == "tarn_int_convtranspose_s8") return int_transposed(call);
  if (kernel == "tarn_dynamic_conv2d_f32" || kernel == "tarn_dynamic_conv2d_dsp_f32")
    return dynamic_conv2d(Int8Call(call));
  if (kernel == "tarn_dynamic_depthwise_f32") return dynamic_depthwise(Int8Call(call));
  return {};
}

}  // namespace tarn::timing
