// Terms of float layers over weights of fewer bits, widened in registers (tarn_coded_f32.h).
#include "time/coded.h"

#include <algorithm>
#include <array>
#include <vector>

namespace tarn::timing {

namespace {

// How the codes of a layer lie. Halves have no scales: a run of them is one block.
struct Codes {
  int64_t columns = 0, block = 1;
  bool halves = false;

  // Scales that the elements [first, first + n) of a row meet.
  int64_t blocks(int64_t first, int64_t n) const {
    if (n <= 0) return 0;
    return halves ? 1 : (first + n - 1) / block - first / block + 1;
  }
};

Codes codes_of(const CallTerms& call, const std::string& kernel, const std::string& layout) {
  return {call[layout + "columns"], std::max<int64_t>(1, call[layout + "block"]),
          kernel.find("_w16_") != std::string::npos};
}

// tarn_coded_run_f32(), of one pixel or of four at a time: for each four rows.
struct Runs {
  int64_t runs = 0, blocks = 0, products = 0;
  void add(const Codes& codes, int64_t times, int64_t first, int64_t n) {
    if (n <= 0) return;
    runs += times;
    blocks += times * codes.blocks(first, n);
    products += times * n;
  }
};

void add_runs(CallTerms& call, const std::string& part, const Runs& runs, bool zeros) {
  call.add(part + "_runs", runs.runs);
  call.add(part + "_blocks", runs.blocks);
  call.add(part + "_zeros", zeros ? runs.blocks : 0);
  call.add(part + "_products", runs.products);
}

// What is left of a quad's outputs is stored one by one.
void add_outputs(CallTerms& call, const std::string& line, int64_t pixels, int64_t groups, int64_t outputs) {
  for (int64_t rest = 1; rest < 4; ++rest)
    call.add("outputs" + std::to_string(rest), outputs % 4 == rest ? pixels * groups : 0);
  const int64_t quads = pixels * groups * ((outputs + 3) / 4);
  call.add("bounded_quads", call[line + "bounded"] * quads);
  call.add("residual_quads", call[line + "r_pitch"] != 0 ? quads : 0);
}

// Products of the outputs that there are, of `quads` that take them four at a time.
void add_nonzero(CallTerms& call, const Runs& one, const Runs& four, int64_t quads, int64_t outputs) {
  call.add_nonzero(quads == 0 ? 0 : (one.products + 4 * four.products) / quads * outputs, 0);
}

// Pixels of a line of one class, four at a time or by their taps inside.
struct Place {
  bool four = false;
  int64_t first = 0, end = 0;  // taps
};

std::vector<Place> places_of(const WindowAxisOf& axis, bool block) {
  std::vector<Place> places;
  const int64_t span = (axis.kernel - 1) * axis.dilation + 1;
  for (int64_t i = 0; i < axis.out;) {
    const int64_t at = axis.first(i);
    const bool four = block && at >= 0 && i + 4 <= axis.out && at + 3 * axis.stride + span <= axis.in;
    Place place{four, 0, axis.kernel};
    if (!four) {
      while (place.first < place.end && at + place.first * axis.dilation < 0) ++place.first;
      while (place.end > place.first && at + (place.end - 1) * axis.dilation >= axis.in) --place.end;
    }
    places.push_back(place);
    i += four ? 4 : 1;
  }
  return places;
}

// Lines of a result whose pixels go one by one or four at a time, and how many of them read each row of the kernel.
struct LinesOf {
  int64_t count = 0;
  std::vector<int64_t> with_row;
};

LinesOf lines_of(const CallTerms& call, const WindowAxisOf& axis, int64_t lines, bool block) {
  LinesOf made{0, std::vector<int64_t>(static_cast<size_t>(axis.kernel), 0)};
  for (int64_t line = 0; line < lines; ++line) {
    if ((line >= call["block_first"] && line < call["block_end"]) != block) continue;
    ++made.count;
    for (int64_t row = 0; row < axis.kernel; ++row) {
      const int64_t at = axis.first(line % axis.out) + row * axis.dilation;
      made.with_row[static_cast<size_t>(row)] += at >= 0 && at < axis.in;
    }
  }
  return made;
}

// The last channels of a depthwise layer meet only as many products.
void add_rest(CallTerms& call, const std::string& name, Runs& runs, int64_t rest, int64_t quads) {
  const int64_t of_rest = rest != 0 ? runs.products / quads : 0;
  runs.products -= of_rest;
  for (int64_t r = 1; r < 4; ++r) call.add(name + "_rest" + std::to_string(r), r == rest ? of_rest : 0);
}

// Convolutions, and depthwise ones, whose channels are groups.
Terms window(CallTerms call, const std::string& kernel, bool depthwise) {
  const WindowAxisOf axis{call["in_lines"], call["out_lines"], call["line.rows"],
                          call["stride"],   call["dilation"],  call["pad"]};
  const WindowAxisOf along{call["line.in_pixels"], call["out_pixels"],    call["line.taps"],
                           call["line.stride"],    call["line.dilation"], call["line.pad"]};
  const Codes codes = codes_of(call, kernel, "line.w.");
  const int64_t groups = depthwise ? 1 : call["line.groups"], inputs = depthwise ? 1 : call["line.inputs"];
  const int64_t outputs = call[depthwise ? "line.groups" : "line.outputs"], quads = groups * ((outputs + 3) / 4);
  const bool joined = !depthwise && along.dilation * call["line.x_pitch"] == inputs;
  const int64_t lines = call["images"] * axis.out;
  std::array<Runs, 2> runs;  // of one pixel, of four
  std::array<int64_t, 2> pixels = {};
  int64_t clipped = 0;
  for (const bool block : {false, true}) {
    const LinesOf of = lines_of(call, axis, lines, block);
    for (const Place& place : places_of(along, block)) {
      const size_t kind = place.four ? 1 : 0;
      pixels[kind] += of.count;
      clipped += of.count * (along.kernel - (place.end - place.first));
      for (int64_t row = 0; row < axis.kernel; ++row) {
        const int64_t times = quads * of.with_row[static_cast<size_t>(row)], first = row * along.kernel + place.first;
        const int64_t n = place.end - place.first;
        if (joined || depthwise) {
          runs[kind].add(codes, times, first * inputs, n * inputs);
          continue;
        }
        for (int64_t tap = 0; tap < n; ++tap) runs[kind].add(codes, times, (first + tap) * inputs, inputs);
      }
    }
  }
  call.add("call", 1);
  call.add("lines", lines);
  call.add("rows", lines * axis.kernel);
  call.add("singles", pixels[0]);
  call.add("fours", pixels[1]);
  call.add("clipped", clipped);
  call.add("single_groups", pixels[0] * groups);
  call.add("four_groups", pixels[1] * groups);
  call.add("single_quads", pixels[0] * quads);
  call.add("four_quads", pixels[1] * quads);
  call.add("single_all_rows", pixels[0] * quads * axis.kernel);
  call.add("four_all_rows", pixels[1] * quads * axis.kernel);
  add_nonzero(call, runs[0], runs[1], quads, groups * outputs);
  const bool zeros = call["null.3"] == 0;
  add_rest(call, "single", runs[0], depthwise ? outputs % 4 : 0, quads);
  add_rest(call, "four", runs[1], depthwise ? outputs % 4 : 0, quads);
  add_runs(call, "single", runs[0], zeros);
  add_runs(call, "four", runs[1], zeros);
  add_outputs(call, "line.", pixels[0] + 4 * pixels[1], groups, outputs);
  return call.take();
}

Terms dense(CallTerms call, const std::string& kernel) {
  const int64_t within = std::max<int64_t>(0, call["block_end"] - call["block_first"]), fours = within / 4;
  const int64_t pixels = call["pixels"], singles = pixels - 4 * fours, outputs = call["outputs"];
  const int64_t quads = (outputs + 3) / 4;
  const Codes codes = codes_of(call, kernel, "w.");
  Runs one, four;
  one.add(codes, singles * quads, 0, codes.columns);
  four.add(codes, fours * quads, 0, codes.columns);
  call.add("call", 1);
  call.add("singles", singles);
  call.add("fours", fours);
  add_nonzero(call, one, four, quads, outputs);
  add_runs(call, "single", one, call["null.3"] == 0);
  add_runs(call, "four", four, call["null.3"] == 0);
  add_outputs(call, "", pixels, 1, outputs);
  return call.take();
}

Terms gather(CallTerms call, const std::string& kernel) {
  const Codes codes = codes_of(call, kernel, "w.");
  call.add("call", 1);
  call.add(call["wide"] != 0 ? "wide_rows" : "rows", call["count"]);
  call.add("blocks", call["count"] * codes.blocks(0, codes.columns));
  call.add("elements", call["count"] * codes.columns);
  return call.take();
}

}  // namespace

void add_coded_products(CallTerms& call, const std::string& kernel, const std::string& layout, const std::string& part,
                        int64_t times, int64_t n) {
  const bool zeros = call[layout.ends_with("w.") ? "null.3" : "null.6"] == 0;
  Runs runs;
  runs.add(codes_of(call, kernel, layout), times, 0, n);
  add_runs(call, part, runs, zeros);
}

std::optional<Terms> coded_terms(const std::string& kernel, const CallTerms& call) {
  const size_t at = kernel.find("_w");
  if (at == std::string::npos || !kernel.ends_with("_f32")) return {};
  const std::string layer = kernel.substr(0, at);
  if (layer == "tarn_conv2d") return window(call, kernel, false);
  if (layer == "tarn_depthwise2d") return window(call, kernel, true);
  if (layer == "tarn_dense") return dense(call, kernel);
  if (layer == "tarn_gather") return gather(call, kernel);
  return {};
}

}  // namespace tarn::timing
