// Terms of the int8 layers for the M-profile vector extension.
#include "time/int8_call.h"

namespace tarn::timing {

namespace {

int64_t vectors_of(int64_t codes) { return (codes + 15) / 16; }

// tarn_int_mve_clamp().
void add_mve_clamp(Int8Call& call, int64_t calls, int64_t pixels, int64_t channels) {
  call.add("clamped_calls", call.clamps() ? calls : 0);
  call.add("clamped_pixels", call.clamps() ? pixels : 0);
  call.add("clamped_vectors", call.clamps() ? pixels * vectors_of(channels) : 0);
}

// tarn_int_mve_few_outputs(): `blocks` of three patches, or of one, with `pixels` in all; of those of three, how many
// have but two, or one.
struct Fewer {
  int64_t twos = 0, ones = 0;
};

void add_mve_outputs(Int8Call& call, int64_t blocks, bool threes, int64_t pixels, int64_t length, int64_t outputs,
                     const Fewer& fewer = {}) {
  const int64_t quads = (outputs + 3) / 4, rest = outputs % 4;
  const std::string part = threes ? "three" : "one";
  call.add(part + "_blocks", blocks);
  call.add(part + "_entered", blocks * ((outputs >= 4) + (rest != 0)));
  const int64_t full = blocks - fewer.twos - fewer.ones, steps = quads * vectors_of(length);
  call.add(part + "_quads", full * quads);
  call.add(part + "_steps", full * steps);
  if (threes) {
    call.add("two_quads", fewer.twos * quads);
    call.add("two_steps", fewer.twos * steps);
    call.add("single_quads", fewer.ones * quads);
    call.add("single_steps", fewer.ones * steps);
  }
  call.add(part + "_zoned_quads", call.zones() ? blocks * quads : 0);
  call.add("rest_blocks", rest != 0 ? blocks : 0);
  call.add("rest_pixels", rest != 0 ? pixels : 0);
  call.add("rest_codes", pixels * rest);
  add_mve_clamp(call, blocks, pixels, outputs);
}

// Patches that are pixels side by side: copied as many at a time as a block still takes.
struct Copies {
  int64_t runs = 0, vectors = 0;
};

Copies side_by_side(const Int8Call& call) {
  const int64_t lines = call["images"] * call["out_lines"], out = call["out_pixels"], n = call["inputs"],
                block = call["block"];
  Copies copies;
  int64_t held = 0;
  for (int64_t line = 0; line < lines; ++line) {
    const int64_t first = std::min(block - held, out), whole = (out - first) / block, last = (out - first) % block;
    copies.runs += 1 + whole + (last != 0);
    copies.vectors += vectors_of(first * n) + whole * vectors_of(block * n) + vectors_of(last * n);
    held = (held + out) % block;
  }
  return copies;
}

// Patches: rows of the kernel outside of the image are filled, and taps before and after it; those inside lie side by
// side, or are copied one by one, by a loop of their own where each has sixteen codes at most.
void add_mve_patches(Int8Call& call, int64_t groups) {
  const WindowAxisOf lines = call.lines(), columns = call.pixels();
  const int64_t n = call["inputs"], images = call["images"];
  const int64_t rows = images * groups * count_window(lines).valid,
                missing = images * groups * lines.out * lines.kernel * columns.out - rows * columns.out;
  const bool joined = call["x_pitch"] * call["dilation.1"] == n;
  int64_t outside = 0, gaps = 0, gap_vectors = 0, taps = 0, run_vectors = 0, whole = 0;
  for (int64_t pixel = 0; pixel < columns.out; ++pixel) {
    const int64_t inside = columns.valid(pixel);
    if (joined && columns.inside(pixel)) {
      ++whole;
      continue;
    }
    int64_t before = 0;
    while (before + inside < columns.kernel && columns.first(pixel) + before * columns.dilation < 0) ++before;
    const int64_t after = columns.kernel - before - inside;
    outside += before + after;
    gaps += (before > 0) + (after > 0);
    gap_vectors += vectors_of(before * n) + vectors_of(after * n);
    taps += joined ? 0 : inside;
    run_vectors += joined ? vectors_of(inside * n) : inside * vectors_of(n);
  }
  call.add("patches", images * lines.out * whole);
  call.add("whole_rows", rows * whole);
  call.add("side_patches", images * lines.out * (columns.out - whole));
  call.add("patch_outside", images * lines.out * outside);
  call.add("patch_groups", images * groups * lines.out * (columns.out - whole));
  call.add("joined_rows", joined ? rows * (columns.out - whole) : 0);
  call.add("apart_rows", joined ? 0 : rows * columns.out);
  call.add("short_taps", n <= 16 ? rows * taps : 0);
  call.add("long_taps", n > 16 ? rows * taps : 0);
  const int64_t whole_vectors = whole * vectors_of(columns.kernel * n);
  call.add("run_vectors", joined || n > 16 ? rows * (whole_vectors + run_vectors) : 0);
  call.add("gaps", rows * gaps + missing);
  call.add("gap_vectors", rows * gap_vectors + missing * vectors_of(columns.kernel * n));
}

Terms mve_conv2d(Int8Call call) {
  const int64_t groups = call["groups"], lines = call["images"] * call["out_lines"], outputs = call["outputs"];
  const int64_t pixels = lines * call["out_pixels"], block = call["block"];
  const int64_t blocks = groups * ((pixels + block - 1) / block);
  const bool dense = call["rows"] == 1 && call["taps"] == 1 && groups == 1 && call["x_pitch"] == call["inputs"] &&
                     call["pad.0"] == 0 && call["pad.1"] == 0 && call["stride.1"] == 1 &&
                     call["out_pixels"] <= call["in_pixels"];
  call.add("call", 1);
  call.add("lines", lines);
  call.add("line_rows", lines * call["rows"]);
  call.add("weight_zeros", call.has("null.3") ? 0 : pixels);
  if (dense) {
    const Copies copies = side_by_side(call);
    call.add("copies", copies.runs);
    call.add("copied_vectors", copies.vectors);
  } else {
    add_mve_patches(call, groups);
  }
  // The last ones, where they are no groups and weights have no zero points.
  const bool few = block == 3 && groups == 1 && call.has("null.3");
  const Fewer fewer = {few && pixels % 3 == 2, few && pixels % 3 == 1};
  add_mve_outputs(call, blocks, block == 3, groups * pixels, call["rows"] * call["taps"] * call["inputs"], outputs,
                  fewer);
  return call.take();
}

Terms mve_dense(Int8Call call) {
  call.add("call", 1);
  call.add("weight_zeros", call.has("null.3") ? 0 : 1);
  add_mve_outputs(call, 1, false, 1, call["inputs"], call["outputs"]);
  return call.take();
}

// tarn_int_depthwise_mve_line_s8.c: the first pixels of a line, and those at its ends, look for their taps.
Terms mve_depthwise2d(Int8Call call) {
  const WindowAxisOf rows = call.lines(), columns = call.pixels();
  const int64_t images = call["images"], lines = images * rows.out, pixels = lines * columns.out;
  const int64_t channels = call["channels"], n = rows.kernel * columns.kernel * call["times"];
  const int64_t aimed = images * aimed_pixels(rows, columns);
  const int64_t groups = channels > 16 ? (channels + 15) / 16 : 1;
  const std::string part = channels < 16 ? "few" : "all";
  call.add("call", 1);
  call.add("lines", lines);
  call.add("line_rows", lines * rows.kernel);
  call.add("filled_vectors", lines * vectors_of(channels));
  call.add("aimed", aimed);
  call.add("aimed_rows", aimed * rows.kernel);
  call.add("aimed_taps", aimed * rows.kernel * columns.kernel);
  call.add("aimed_twice", call["times"] > 1 ? aimed * rows.kernel * columns.kernel : 0);
  call.add("moved", pixels - aimed);
  call.add("moved_taps", (pixels - aimed) * n);
  call.add("pixels", pixels);
  call.add(part + "_groups", pixels * groups);
  call.add(part + "_odd", n % 2 * pixels * groups);
  call.add(part + "_pairs", n / 2 * pixels * groups);
  call.add("zoned_groups", call.zones() ? pixels * groups : 0);
  add_mve_clamp(call, lines, pixels, channels);
  return call.take();
}

// tarn_int_depthwise3x3_mve_line_s8.c: pieces of a line become columns of four bytes for sixteen channels at a time.
Terms mve_depthwise3x3(Int8Call call) {
  const int64_t lines = call["images"] * call["out_lines"], out = call["out_pixels"], piece = call["piece"],
                stride = call["stride.1"], channels = call["channels"];
  const int64_t sets = channels > 16 ? (channels + 15) / 16 : 1, of_each = std::min<int64_t>(channels, 16);
  int64_t pieces = 0, outside = 0, inside = 0, fours = 0;
  for (int64_t first = 0; first < out; first += piece) {
    const int64_t n = std::min(piece, out - first), begin = first * stride - call["pad.1"],
                  count = (n - 1) * stride + 3;
    const int64_t left = std::min(std::max<int64_t>(0, -begin), count),
                  room = std::min(call["in_pixels"] - begin, count);
    const int64_t within = std::max<int64_t>(0, room - left);
    ++pieces;
    inside += within;
    outside += count - within;
    fours += (n - 1) / 4;
  }
  const std::string part = std::string(stride == 1 ? "near" : "far"), few = channels < 16 ? "few_" : "";
  call.add("call", 1);
  call.add("lines", lines);
  call.add("pieces", lines * pieces);
  call.add("sets", lines * pieces * sets);
  call.add(few + "columns", lines * sets * inside);
  call.add(few + "filled", lines * sets * outside);
  call.add(part + "_channels", lines * pieces * sets * of_each);
  call.add(part + "_fours", lines * sets * of_each * fours);
  call.add("zoned_channels", call.zones() ? lines * pieces * sets * of_each : 0);
  add_mve_clamp(call, lines * pieces, lines * out, channels);
  return call.take();
}

}  // namespace

std::optional<Terms> int8_mve_terms(const std::string& kernel, const CallTerms& call) {
  if (kernel == "tarn_int_conv2d_mve_s8") return mve_conv2d(Int8Call(call));
  if (kernel == "tarn_int_dense_mve_s8") return mve_dense(Int8Call(call));
  if (kernel == "tarn_int_depthwise2d_mve_s8") return mve_depthwise2d(Int8Call(call));
  if (kernel == "tarn_int_depthwise3x3_mve_s8") return mve_depthwise3x3(Int8Call(call));
  return {};
}

}  // namespace tarn::timing
