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

// Of one row of the kernel that lies in the image, over the positions of a line but for those `without` whole windows.
PatchRuns patch_runs(const WindowAxisOf& columns, bool beside, bool without) {
  PatchRuns runs;
  for (int64_t pixel = 0; pixel < columns.out; ++pixel) {
    if (without && columns.inside(pixel)) continue;
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
  explicit Patches(Int8Call& call) : call_(call), inputs_(call["inputs"]), by_bytes_(inputs_ % 4 != 0) {}

  void add_inside(int64_t pixels, int64_t kernel_rows, int64_t taps) {
    const int64_t n = taps * inputs_, rows = pixels * kernel_rows;
    call_.add("inside", by_bytes_ ? 0 : pixels);
    call_.add("inside_rows", by_bytes_ ? 0 : rows);
    call_.add("inside_by_bytes", by_bytes_ ? pixels : 0);
    call_.add("inside_byte_rows", by_bytes_ && n >= 4 ? rows : 0);
    call_.add("inside_words", by_bytes_ && n >= 4 ? rows * ((n - 1) / 4) : 0);
    if (!by_bytes_) add_widened(call_, rows, n);
    else if (n < 4) copied(rows, n);
  }

  void add_edges(int64_t pixels, int64_t rows) {
    call_.add("patches", by_bytes_ ? 0 : pixels);
    call_.add("patches_by_bytes", by_bytes_ ? pixels : 0);
    call_.add("patch_rows", pixels * rows);
  }

  // `rows` times the runs of a row of the kernel.
  void add_runs(int64_t rows, const PatchRuns& runs) {
    for (const auto& [taps, times] : runs.inside) {
      call_.add("runs", by_bytes_ ? 0 : rows * times);
      if (by_bytes_) copied(rows * times, taps * inputs_);
      else add_widened(call_, rows * times, taps * inputs_);
    }
    for (const auto& [taps, times] : runs.outside) add_gaps(rows * times, taps);
  }

  void add_gaps(int64_t times, int64_t taps) {
    call_.add(by_bytes_ ? "byte_gaps" : "gaps", times);
    add_filled(times * taps * inputs_);
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
  int64_t inputs_;
  bool by_bytes_;
};

}  // namespace

void add_widened(Int8Call& call, int64_t times, int64_t n) {
  call.add("sixteens", times * (n / 16));
  call.add("words", times * (n % 16 / 4));
}

void add_dsp_patch_lines(Int8Call& call, const PatchLines& of) {
  Patches patches(call);
  const int64_t pixels = of.lines * of.columns.out, absent = of.lines * (of.rows - of.valid);
  const bool whole = of.beside && of.valid == of.rows;
  const int64_t inside = whole ? of.lines * count_window(of.columns).whole : 0;
  patches.add_inside(inside, of.rows, of.columns.kernel);
  patches.add_edges(pixels - inside, of.rows);
  patches.add_runs(of.lines * of.valid, patch_runs(of.columns, of.beside, whole));
  patches.add_gaps(absent * of.columns.out * (of.beside ? 1 : of.columns.kernel), of.beside ? of.columns.kernel : 1);
  if (patches.by_bytes()) add_widened(call, pixels, of.length);
}

void add_dsp_padding(Int8Call& call, int64_t begins, int64_t behind) {
  call.add("padded", behind > 0 ? begins : 0);
  Patches patches(call);
  patches.add_filled(begins * (patches.by_bytes() ? behind : 3 * behind));
}

void add_dsp_patches(Int8Call& call, int64_t images, int64_t begins) {
  const WindowAxisOf lines = call.lines(), columns = call.pixels();
  std::map<int64_t, int64_t> by_valid;
  for (int64_t line = 0; line < lines.out; ++line) ++by_valid[lines.valid(line)];
  const bool beside = call["x_pitch"] == call["inputs"] && call["dilation.1"] == 1;
  for (const auto& [valid, count] : by_valid)
    add_dsp_patch_lines(call, {images * count, lines.kernel, valid, columns, call["length"], beside});
  add_dsp_padding(call, begins, call["length"] - lines.kernel * columns.kernel * call["inputs"]);
}

}  // namespace tarn::timing
