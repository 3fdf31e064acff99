// Terms of transposed convolutions of int8 codes by phases: each a convolution of its own (tarn_int_transposed.h).
#include <algorithm>
#include <vector>

#include "time/int8_patches.h"

namespace tarn::timing {

namespace {

int64_t phase_taps(int64_t n, int64_t stride, int64_t phase) { return (n - phase + stride - 1) / stride; }

// The pixels of a phase of a line, and what a row of the kernel meets for all of them.
struct PhasePixels {
  int64_t taps = 0, count = 0, pad = 0;
  int64_t whole = 0;  // pixels all of whose taps lie side by side
  // With vectors, of all pixels: taps in the image, sides of a kernel that reach out of it, and begun sixteens of both.
  int64_t inside = 0, sides = 0, inside_vectors = 0, side_vectors = 0;
  int64_t apart_vectors = 0;  // of those inside, of pixels not all of whose taps lie side by side
};

int64_t sixteens(int64_t codes) { return (codes + 15) / 16; }

// What a row of the kernel meets at this column with vectors.
void add_sides(PhasePixels& of, int64_t column, int64_t in, int64_t n, bool can_join) {
  const int64_t before = std::clamp<int64_t>(-column, 0, of.taps);
  const int64_t after = std::clamp<int64_t>(column + of.taps - in, 0, of.taps - before);
  const int64_t inside = of.taps - before - after;
  of.inside += inside;
  of.sides += (before > 0) + (after > 0);
  of.inside_vectors += can_join ? sixteens(inside * n) : inside * sixteens(n);
  of.side_vectors += sixteens(before * n) + sixteens(after * n);
}

PhasePixels phase_pixels(const Int8Call& call, int64_t phase, bool can_join) {
  const int64_t stride = call["stride.1"], pad = call["pad.1"], out = call["out_pixels"], in = call["in_pixels"];
  PhasePixels of;
  of.taps = phase_taps(call["taps"], stride, phase);
  const int64_t first = (phase - pad % stride + stride) % stride;
  of.count = first < out ? (out - 1 - first) / stride + 1 : 0;
  of.pad = of.taps - 1 - (first + pad) / stride;
  for (int64_t i = 0; i < of.count; ++i) {
    const int64_t column = i - of.pad, last = column + of.taps;
    add_sides(of, column, in, call["inputs"], can_join);
    if (can_join && column >= 0 && last <= in) {
      ++of.whole;
      continue;
    }
    of.apart_vectors = of.inside_vectors - of.whole * sixteens(of.taps * call["inputs"]);
  }
  return of;
}

// What all lines take in of their patches.
struct PhasePatches {
  int64_t patches = 0, rows = 0, whole_runs = 0, tap_runs = 0, gaps = 0;
  int64_t vectors = 0, gap_vectors = 0;  // begun sixteens of runs, and of codes without a pixel
  int64_t direct = 0, calls = 0;
  int64_t whole = 0, whole_rows = 0;  // with vectors, patches whose taps lie side by side
  int64_t edges = 0, edge_rows = 0;   // those at edges whose rows fit a vector
};

// With vectors whole patches have a gap for all lines that are not there, others one for each, and one for
// each side.
void add_mve_patches(PhasePatches& all, const Int8Call& call, const PhasePixels& of, int64_t rows, int64_t valid,
                     bool can_join) {
  const int64_t empty = rows - valid;
  const int64_t n = call["inputs"], row = of.taps * n, whole = can_join && valid > 0 ? of.whole : 0;
  const int64_t apart = of.count - whole;
  all.whole += whole;
  all.whole_rows += whole * valid;
  if (can_join && row <= 16) {
    all.edges += apart;
    all.edge_rows += apart * rows;
    all.gaps += whole * (empty > 0);
    all.gap_vectors += whole * sixteens(empty * row);
    return;
  }
  all.patches += apart;
  all.rows += apart * rows;
  all.whole_runs += can_join ? valid * apart : 0;
  all.tap_runs += can_join ? 0 : valid * of.inside;
  all.vectors +=
      whole != 0 ? valid * (of.apart_vectors + (row > 16 ? whole * sixteens(row) : 0)) : valid * of.inside_vectors;
  all.gaps += whole * (empty > 0) + empty * apart + valid * of.sides;
  all.gap_vectors += whole * sixteens(empty * row) + empty * apart * sixteens(row) + valid * of.side_vectors;
}

// tarn_int_convtranspose_mve_line_s8.c, or with `vectors` false tarn_int_convtranspose_dsp_line_s8.c: three pixels at a
// time.
Terms int_phases(Int8Call call, bool vectors) {
  const int64_t stride = call["stride.0"], n = call["inputs"], outputs = call["outputs"], images = call["images"];
  const bool can_join = call["x_pitch"] == n;
  std::vector<PhasePixels> pixels;
  for (int64_t phase = 0; phase < call["stride.1"]; ++phase) pixels.push_back(phase_pixels(call, phase, can_join));
  PhasePatches all;
  const int64_t pairs = outputs / 2, odd = outputs % 2, fours = (outputs + 3) / 4;
  int64_t blocks = 0, threes = 0, twos = 0, ones = 0, steps3 = 0, turns3 = 0, steps2 = 0, turns2 = 0, steps1 = 0,
          skipped = 0;
  int64_t short_calls = 0, short_threes = 0, four_blocks = 0, rest_pixels = 0;  // with vectors
  for (int64_t line = 0; line < call["out_lines"]; ++line) {
    const int64_t moved = line + call["pad.0"];
    int64_t valid = 0, reached = call["rows"];
    for (int64_t row = 0; row < call["rows"]; ++row) {
      const int64_t at = moved - row;
      if (at < 0 || at % stride != 0 || at / stride >= call["in_lines"]) continue;
      reached = std::min(reached, row % stride);
      ++valid;
    }
    if (valid == 0) reached = 0;
    const int64_t rows = phase_taps(call["rows"], stride, reached);
    skipped += (reached + 1) * call["stride.1"];
    for (const PhasePixels& of : pixels) {
      if (of.count == 0) continue;
      const int64_t codes = rows * of.taps * n, length = (codes + 7) / 8 * 8;
      ++all.calls;
      const bool beside = rows == 1 && of.taps == 1 && valid == 1;
      const bool is_short = vectors && codes <= 16 && call["block"] == 3;
      const bool directly = is_short && beside && of.pad == 0 && of.count <= call["in_pixels"];
      if (directly) {
        all.direct += of.count % 3 != 0;
        all.vectors += (of.count % 3 * n + 15) / 16;
      } else if (vectors && beside && can_join && of.pad == 0 && of.count <= call["in_pixels"]) {
        all.direct += (of.count + 2) / 3;
        all.vectors += of.count / 3 * ((3 * n + 15) / 16) + (of.count % 3 != 0 ? (of.count % 3 * n + 15) / 16 : 0);
      } else if (!vectors && beside && length == n && of.pad <= 0 && of.count - of.pad <= call["in_pixels"]) {
        all.direct += of.count;
      } else if (vectors) {
        add_mve_patches(all, call, of, rows, valid, can_join);
      } else {
        const WindowAxisOf columns{call["in_pixels"], of.count, of.taps, 1, 1, of.pad};
        add_dsp_patch_lines(call, {images, rows, valid, columns, length, can_join});
      }
      if (!vectors) add_dsp_padding(call, images, length - codes);
      const int64_t run = of.count / 3, rest = of.count % 3, step = vectors ? (codes + 15) / 16 : length / 8;
      const bool shared = is_short || (vectors && outputs % 4 == 0);
      blocks += shared ? rest != 0 : run + (rest != 0);
      rest_pixels += shared ? rest : of.count;
      four_blocks += shared && !directly ? run : 0;
      short_calls += directly ? run != 0 : is_short ? run : 0;
      short_threes += is_short ? run : 0;
      threes += is_short ? 0 : run;
      twos += rest == 2;
      ones += rest == 1;
      steps3 += is_short ? 0 : run * step;
      turns3 += run * ((step + 3) / 4);  // of the DSP kernels: 32 elements
      steps2 += (rest == 2) * step;
      turns2 += (rest == 2) * ((step + 3) / 4);
      steps1 += (rest == 1) * step;
    }
  }
  const int64_t of_all = images * call["out_lines"] * call["out_pixels"];
  call.add("call", 1);
  call.add("lines", images * call["out_lines"]);
  call.add("line_rows", images * call["out_lines"] * call["rows"]);
  call.add("phases", images * all.calls);
  call.add("looked", images * skipped);
  if (vectors) {
    call.add("copies", images * all.direct);
    call.add("whole_patches", images * all.whole);
    call.add("whole_rows", images * all.whole_rows);
    call.add("edges", images * all.edges);
    call.add("edge_rows", images * all.edge_rows);
    call.add("patches", images * all.patches);
    call.add("patch_rows", images * all.rows);
    call.add("whole_runs", images * all.whole_runs);
    call.add("tap_runs", images * all.tap_runs);
    call.add("gaps", images * all.gaps);
    call.add("run_vectors", images * all.vectors);
    call.add("gap_vectors", images * all.gap_vectors);
    call.add("blocks", images * blocks);
    call.add("four_blocks", images * four_blocks);
    call.add("entered", images * (blocks * ((outputs >= 4) + (outputs % 4 != 0)) + four_blocks));
    call.add("short_calls", images * short_calls);
    call.add("short_quads", images * short_threes * fours);
    call.add("short_threes", images * short_threes);
    call.add("quads", images * threes * fours);
    call.add("two_quads", images * twos * fours);
    call.add("single_quads", images * ones * fours);
    call.add("steps", images * steps3 * fours);
    call.add("two_steps", images * steps2 * fours);
    call.add("single_steps", images * steps1 * fours);
    call.add("zoned_quads", call.zones() ? images * (threes + twos + ones + short_threes) * fours : 0);
    call.add("rest_blocks", outputs % 4 != 0 ? images * blocks : 0);
    call.add("rest_codes", images * rest_pixels * (outputs % 4));
    call.add("clamped_vectors", call.clamps() ? of_all * ((outputs + 15) / 16) : 0);
  } else {
    const int64_t both = pairs + odd;
    call.add("direct", images * all.direct);
    add_widened(call, images * all.direct, n);
    call.add("blocks", images * blocks);
    call.add("even_blocks", pairs != 0 ? images * blocks : 0);
    call.add("odd_blocks", images * odd * blocks);
    call.add("odd_pixels", odd * of_all);
    call.add("pairs3", images * threes * both);
    call.add("pairs2", images * twos * both);
    call.add("pairs1", images * ones * both);
    call.add("steps3", images * steps3 * both);
    call.add("turns3", images * turns3 * both);
    call.add("steps2", images * steps2 * both);
    call.add("turns2", images * turns2 * both);
    call.add("steps1", images * steps1 * both);
    call.add("zoned_pairs", call.zones() ? images * blocks * both : 0);
    call.add("clamped_pixels", call.clamps() ? of_all : 0);
    call.add("clamped_fours", call.clamps() ? of_all * (outputs / 4) : 0);
    call.add("clamped", call.clamps() ? of_all * (outputs % 4) : 0);
  }
  return call.take();
}

}  // namespace

std::optional<Terms> int8_phase_terms(const std::string& kernel, const CallTerms& call) {
  if (kernel == "tarn_int_convtranspose_mve_s8") return int_phases(Int8Call(call), true);
  if (kernel == "tarn_int_convtranspose_dsp_s8") return int_phases(Int8Call(call), false);
  return {};
}

}  // namespace tarn::timing
