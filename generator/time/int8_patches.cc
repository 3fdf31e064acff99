// Terms of patches: inside the image, where they are not looked at pixel by pixel, and at its edges, where pixels side
// by side go together as far as they are inside or outside.
#include "time/int8_patches.h"

#include <map>

namespace tarn::timing {

namespace {

// How often a run of so many pixels is copied, or filled where it lies outside.
struct PatchRuns {
  std::map<int64_t, int64_t> inside, outside;
};

// Of one row of the kernel that lies in the image, over the positions of a line that `wanted` tells.
template <class Wanted>
PatchRuns patch_runs(const WindowAxisOf& columns, bool beside, Wanted wanted) {
  PatchRuns runs;
  for (int64_t pixel = 0; pixel < columns.out; ++pixel) {
    if (!wanted(pixel)) continue;
    const int64_t valid = columns.valid(pixel), taps = columns.kernel;
    if (!beside) {
      runs.inside[1] += valid;
      runs.outside[1] += taps - valid;
      continue;
    }
    const int64_t before = std::clamp<int64_t>(-columns.first(pixel), 0, taps), after = taps - before - valid;
    if (valid > 0) ++runs.inside[valid];
    if (valid > 0 && before > 0) ++runs.outside[before];
    if (valid > 0 && after > 0) ++runs.outside[after];
    if (valid == 0) ++runs.outside[taps];
  }
  return runs;
}

class Patches {
 public:
  Patches(Int8Call& call, int64_t images)
      : call_(call), images_(images), inputs_(call["inputs"]), by_bytes_(inputs_ % 4 != 0) {}

  void add_inside(int64_t pixels, const WindowAxisOf& lines, const WindowAxisOf& columns) {
    const int64_t n = columns.kernel * inputs_, all = images_ * pixels, rows = all * lines.kernel;
    call_.add("inside", by_bytes_ ? 0 : all);
    call_.add("inside_rows", by_bytes_ ? 0 : rows);
    call_.add("inside_by_bytes", by_bytes_ ? all : 0);
    call_.add("inside_byte_rows", by_bytes_ && n >= 4 ? rows : 0);
    call_.add("inside_words", by_bytes_ && n >= 4 ? rows * ((n - 1) / 4) : 0);
    if (!by_bytes_) add_widened(call_, rows, n);
    else if (n < 4) copied(rows, n);
  }

  void add_edges(int64_t pixels, const WindowAxisOf& lines) {
    call_.add("patches", by_bytes_ ? 0 : images_ * pixels);
    call_.add("patches_by_bytes", by_bytes_ ? images_ * pixels : 0);
    call_.add("patch_rows", images_ * pixels * lines.kernel);
  }

  // `rows` times the runs of a row of the kernel.
  void add_runs(int64_t rows, const PatchRuns& runs) {
    for (const auto& [taps, times] : runs.inside) {
      if (by_bytes_) {
        copied(images_ * rows * times, taps * inputs_);
      } else {
        call_.add("runs", images_ * rows * times);
        add_widened(call_, images_ * rows * times, taps * inputs_);
      }
    }
    for (const auto& [taps, times] : runs.outside) add_gaps(rows * times, taps);
  }

  void add_gaps(int64_t times, int64_t taps) {
    call_.add(by_bytes_ ? "byte_gaps" : "gaps", images_ * times);
    add_filled(images_ * times * taps * inputs_);
  }

  void add_filled(int64_t codes) { call_.add(by_bytes_ ? "gap_bytes" : "gap_words", by_bytes_ ? codes : codes / 4); }

  bool by_bytes() const { return by_bytes_; }

 private:
  void copied(int64_t runs, int64_t n) {
    call_.add("byte_runs", runs);
    call_.add("copied_words", runs * (n / 4));
    call_.add("copied_bytes", runs * (n % 4));
  }

  Int8Call& call_;
  int64_t images_, inputs_;
  bool by_bytes_;
};

}  // namespace

void add_widened(Int8Call& call, int64_t times, int64_t n) {
  call.add("sixteens", times * (n / 16));
  call.add("words", times * (n % 16 / 4));
}

void add_dsp_patches(Int8Call& call, int64_t images, int64_t begins) {
  const WindowAxisOf lines = call.lines(), columns = call.pixels();
  const WindowCounts rows = count_window(lines);
  const bool beside = call["x_pitch"] == call["inputs"] && call["dilation.1"] == 1;
  const int64_t whole_columns = beside ? count_window(columns).whole : 0;
  const int64_t inside = rows.whole * whole_columns, edges = lines.out * columns.out - inside;
  Patches patches(call, images);
  patches.add_inside(inside, lines, columns);
  patches.add_edges(edges, lines);
  // Rows of lines whose windows lie within, for the pixels that do not; then those of the other lines.
  const int64_t rest_rows = (lines.out - rows.whole) * lines.kernel;
  patches.add_runs(rows.whole * lines.kernel,
                   patch_runs(columns, beside, [&](int64_t pixel) { return !beside || !columns.inside(pixel); }));
  patches.add_runs(rows.valid_beside, patch_runs(columns, beside, [](int64_t) { return true; }));
  const int64_t runs = beside ? columns.out : columns.out * columns.kernel;
  patches.add_gaps((rest_rows - rows.valid_beside) * runs, beside ? columns.kernel : 1);
  const int64_t behind = call["length"] - lines.kernel * columns.kernel * call["inputs"];
  call.add("padded", behind > 0 ? begins : 0);
  call.add(patches.by_bytes() ? "gap_bytes" : "gap_words", begins * (patches.by_bytes() ? behind : 3 * behind / 4));
  if (patches.by_bytes()) add_widened(call, images * lines.out * columns.out, call["length"]);
}

}  // namespace tarn::timing
