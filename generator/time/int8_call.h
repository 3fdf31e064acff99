// What the terms of fused int8 layers share: windows, forms of requantisation, the gathering of patches.
#pragma once
#include <algorithm>

#include "time/call_terms.h"

namespace tarn::timing {

class Int8Call : public CallTerms {
 public:
  explicit Int8Call(const CallTerms& call) : CallTerms(call) {}

  WindowAxisOf lines() const { return axis("lines", "rows", ".0"); }
  WindowAxisOf pixels() const { return axis("pixels", "taps", ".1"); }
  // Values near a tie are looked up; a mask of all bits: there are none.
  bool zones() const { return (*this)["requant.mask"] != -1; }
  bool clamps() const { return (*this)["requant.lo"] > -128 || (*this)["requant.hi"] < 127; }
  bool has(const std::string& name) const { return (*this)[name] != 0; }

 private:
  WindowAxisOf axis(const std::string& name, const std::string& kernel, const std::string& index) const {
    const CallTerms& p = *this;
    return {p["in_" + name], p["out_" + name], p[kernel], p["stride" + index], p["dilation" + index], p["pad" + index]};
  }
};

// tarn_int_mve_clamp(), `calls` of it: pixels that lie side by side are narrowed at once.
inline void add_mve_clamp(Int8Call& call, int64_t calls, int64_t pixels, int64_t channels, int64_t pitch) {
  if (!call.clamps() || calls == 0) return;
  const bool at_once = pitch == channels;
  call.add("clamped_calls", calls);
  call.add("clamped_pixels", at_once ? calls : pixels);
  call.add("clamped_vectors",
           at_once ? calls * ((pixels * channels + 16 * calls - 1) / (16 * calls)) : pixels * ((channels + 15) / 16));
}

// Depthwise kernels move the pointers to a pixel's taps on to the next; of the first pixels of a line, and of those at
// its ends, they are looked for.
inline int64_t aimed_pixels(const WindowAxisOf& rows, const WindowAxisOf& columns) {
  int64_t aimed = 0;
  for (int64_t line = 0; line < rows.out; ++line) {
    const bool whole = rows.inside(line);
    bool moved = false;
    for (int64_t pixel = 0; pixel < columns.out; ++pixel) {
      if (moved && columns.last(pixel) < columns.in) continue;
      ++aimed;
      moved = whole && columns.first(pixel) >= 0;
    }
  }
  return aimed;
}

// Patches of a convolution, in runs of codes that lie side by side: of a whole row of the kernel where that is inside
// and the pixels follow each other, else of one tap.
struct Gathered {
  int64_t patches = 0, rows = 0;  // rows of kernels, over all patches
  int64_t whole_runs = 0, tap_runs = 0, gaps = 0;
  int64_t long_run = 0, short_run = 0;  // codes of each

  // Over all runs and gaps, of pieces of `size` codes: those that are full, or with the last one of each run.
  int64_t full(int64_t size) const { return whole_runs * (long_run / size) + tap_runs * (short_run / size); }
  int64_t rest(int64_t size) const { return whole_runs * (long_run % size) + tap_runs * (short_run % size); }
  int64_t pieces(int64_t size) const {
    return whole_runs * ((long_run + size - 1) / size) + tap_runs * ((short_run + size - 1) / size);
  }
};

inline Gathered gathered(const Int8Call& call, int64_t groups) {
  const WindowAxisOf lines = call.lines(), columns = call.pixels();
  const WindowCounts rows = count_window(lines), taps = count_window(columns);
  const int64_t n = call["inputs"], images = call["images"];
  const bool can_join = call["x_pitch"] == n && call["dilation.1"] == 1;
  const int64_t joined = can_join ? taps.whole : 0, valid_taps = can_join ? taps.valid_beside : taps.valid;
  Gathered g;
  g.patches = images * groups * lines.out * columns.out;
  g.rows = images * groups * lines.out * lines.kernel * columns.out;
  g.whole_runs = images * groups * rows.valid * joined;
  g.tap_runs = images * groups * rows.valid * valid_taps;
  g.long_run = columns.kernel * n;
  g.short_run = n;
  g.gaps = g.rows * columns.kernel - g.whole_runs * columns.kernel - g.tap_runs;
  return g;
}

// Runs of patches that are copied four codes at a time; patches are filled up to `length`.
inline void add_runs(Int8Call& call, const Gathered& g) {
  call.add("whole_runs", g.whole_runs);
  call.add("tap_runs", g.tap_runs);
  call.add("gaps", g.gaps);
  call.add("copied_fours", g.full(4));
  call.add("copied_bytes", g.rest(4));
  const int64_t kernel = call["rows"] * call["taps"] * call["inputs"];
  call.add("filled", g.gaps * g.short_run + g.patches * (call["length"] - kernel));
}

// The loops of tarn_int_conv2d_patch_s8.h and its like.
inline void add_gathered(Int8Call& call, const Gathered& g) {
  call.add("patches", g.patches);
  call.add("patch_rows", g.rows);
  add_runs(call, g);
}

}  // namespace tarn::timing
