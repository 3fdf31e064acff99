// Terms of the int8 layers for the M-profile vector extension.
#include "time/int8_call.h"

namespace tarn::timing {

namespace {

int64_t vectors_of(int64_t codes) { return (codes + 15) / 16; }

// tarn_int_mve_outputs(), or with `fours` int_conv2d_mve_fours_s8(): `blocks` of three patches, or of one, of each of
// `groups`, with `pixels` in all. `eights`: a single patch meets eight outputs at a time where there are sixteen.
struct Blocks {
  int64_t blocks = 0, groups = 1, pixels = 0;
  bool threes = false, fours = false, eights = false;
};

void add_mve_blocks(Int8Call& call, const Blocks& of, int64_t length, int64_t outputs) {
  // With zero points of weights sums are kept, and looked at, always.
  const bool zeros = !call.has("null.3"), many = of.eights && !of.threes && !zeros && outputs >= 16;
  const int64_t calls = of.blocks * of.groups, eights = many ? outputs / 8 : 0, rest = of.fours ? 0 : outputs % 4;
  const int64_t quads = (outputs + 3) / 4 - 2 * eights;
  const std::string part = of.threes ? "three" : "one";
  call.add("many", many ? calls : 0);
  call.add("eights", calls * eights);
  call.add("eight_steps", calls * eights * vectors_of(length));
  call.add("zoned_eights", call.zones() ? calls * eights : 0);
  call.add(!of.fours ? part + "_blocks" : of.threes ? "four_groups" : "one_groups", calls);
  // By four outputs: those that no eight takes, and those that are no four.
  const bool by_fours = of.fours ? quads > 0 : outputs / 4 > 2 * eights;
  call.add("entered", calls * (by_fours + (rest != 0)));
  call.add(part + "_quads", calls * quads);
  call.add(part + "_steps", calls * quads * vectors_of(length));
  call.add("zeroed_quads", zeros ? calls * quads : 0);
  call.add(part + "_zoned_quads", !zeros && call.zones() ? calls * quads : 0);
  call.add("rest_blocks", rest != 0 ? calls : 0);
  call.add("rest_pixels", rest != 0 ? of.pixels * of.groups : 0);
  call.add("rest_codes", of.pixels * of.groups * rest);
  if (of.fours) {
    add_mve_clamp(call, of.blocks, of.pixels, of.groups * outputs, call["y_pitch"]);
  } else {
    add_mve_clamp(call, calls, of.pixels * of.groups, outputs, call.knows("y_pitch") ? call["y_pitch"] : 0);
  }
}

// tarn_int_mve_few(): one or two patches, of `quads` of outputs.
void add_mve_few(Int8Call& call, int64_t count, int64_t length, int64_t quads) {
  const std::string part = count == 2 ? "two" : "single";
  call.add(part + "_quads", quads);
  call.add(part + "_steps", quads * vectors_of(length));
  call.add(part + "_zoned_quads", call.zones() ? quads : 0);
}

// tarn_int_mve_fewer(): those that are left.
void add_mve_fewer(Int8Call& call, int64_t count, int64_t length, int64_t outputs) {
  if (count == 0) return;
  const int64_t rest = outputs % 4;
  call.add("three_blocks", 1);
  call.add("entered", (outputs >= 4) + (rest != 0));
  add_mve_few(call, count, length, (outputs + 3) / 4);
  call.add("rest_blocks", rest != 0 ? 1 : 0);
  call.add("rest_pixels", rest != 0 ? count : 0);
  call.add("rest_codes", count * rest);
  add_mve_clamp(call, 1, count, outputs, call["y_pitch"]);
}

// tarn_int_mve_short(): three patches at a time from registers.
void add_mve_short(Int8Call& call, int64_t calls, int64_t threes, int64_t outputs) {
  const int64_t quads = threes * ((outputs + 3) / 4);
  call.add("short_calls", calls);
  call.add("short_threes", threes);
  call.add("short_quads", quads);
  call.add("three_zoned_quads", call.zones() ? quads : 0);
}

// Patches that are pixels side by side: copied as many at a time as a block still takes. Where `directly`, whole threes
// of a line are not copied.
struct Copies {
  int64_t runs = 0, vectors = 0;
  int64_t pixels = 0, calls = 0, threes = 0;
};

Copies side_by_side(const Int8Call& call, int64_t n, bool directly) {
  const int64_t lines = call["images"] * call["out_lines"], out = call["out_pixels"], block = call["block"];
  Copies copies;
  int64_t held = 0;
  const auto take = [&](int64_t pixels) {
    if (pixels == 0) return;
    ++copies.runs;
    copies.vectors += vectors_of(pixels * n);
    copies.pixels += pixels;
    held = (held + pixels) % block;
  };
  for (int64_t line = 0; line < lines; ++line) {
    int64_t left = out;
    if (held != 0) {
      const int64_t first = std::min(block - held, left);
      take(first);
      left -= first;
    }
    if (directly && left >= 3) {
      ++copies.calls;
      copies.threes += left / 3;
      left %= 3;
    }
    for (; left >= block; left -= block) take(block);
    take(left);
  }
  return copies;
}

// What a row of the kernel meets at the sides of the image, over some pixels of a line.
struct Sides {
  int64_t pixels = 0, gaps = 0, gap_vectors = 0, taps = 0, run_vectors = 0;
};

void add_side(Sides& to, const WindowAxisOf& columns, int64_t pixel, int64_t n, bool joined) {
  const int64_t inside = columns.valid(pixel);
  int64_t before = 0;
  while (before + inside < columns.kernel && columns.first(pixel) + before * columns.dilation < 0) ++before;
  const int64_t after = columns.kernel - before - inside;
  ++to.pixels;
  to.gaps += (before > 0) + (after > 0);
  to.gap_vectors += vectors_of(before * n) + vectors_of(after * n);
  to.taps += joined ? 0 : inside;
  to.run_vectors += joined ? vectors_of(inside * n) : n > 16 ? inside * vectors_of(n) : 0;
}

// Patches: where taps lie side by side and columns are inside, the lines that are there are copied at once, and at once
// filled those that are not; small taps of whole kernels all by one loop. Others line by line, with what is before and
// after the image.
void add_mve_patches(Int8Call& call, int64_t groups) {
  const WindowAxisOf lines = call.lines(), columns = call.pixels();
  const int64_t n = call["inputs"], images = call["images"], row = columns.kernel * n;
  const bool joined = call["x_pitch"] * call["dilation.1"] == n;
  Sides some, all;
  for (int64_t pixel = 0; pixel < columns.out; ++pixel) {
    add_side(all, columns, pixel, n, joined);
    if (!columns.inside(pixel)) add_side(some, columns, pixel, n, joined);
  }
  const int64_t whole = columns.out - some.pixels;
  for (int64_t line = 0; line < lines.out; ++line) {
    const int64_t there = lines.valid(line), missing = lines.kernel - there;
    const bool at_once = joined && there > 0, pieces = !joined && missing == 0 && n <= 16;
    if (at_once) {
      int64_t above = 0;
      while (above < missing && lines.first(line) + above * lines.dilation < 0) ++above;
      const int64_t below = missing - above;
      call.add("patches", images * whole);
      call.add("whole_rows", images * whole * there);
      call.add("run_vectors", row > 16 ? images * whole * there * vectors_of(row) : 0);
      call.add("gaps", images * whole * ((above > 0) + (below > 0)));
      call.add("gap_vectors", images * whole * (vectors_of(above * row) + vectors_of(below * row)));
    } else if (pieces) {
      call.add("piece_patches", images * whole);
      call.add("piece_rows", images * whole * groups * there);
      call.add("piece_taps", images * whole * groups * there * columns.kernel);
    }
    const Sides& sides = at_once || pieces ? some : all;
    if (joined && row <= 16) {  // a row at once
      call.add("edge_patches", images * sides.pixels);
      call.add("edge_rows", images * sides.pixels * lines.kernel);
      continue;
    }
    const int64_t rows = images * groups * there, gaps = images * groups * missing;
    call.add("side_patches", images * sides.pixels);
    call.add(joined ? "joined_rows" : "apart_rows", rows * sides.pixels);
    call.add(n <= 16 ? "short_taps" : "long_taps", rows * sides.taps);
    call.add("run_vectors", rows * sides.run_vectors);
    call.add("gaps", rows * sides.gaps + gaps * sides.pixels);
    call.add("gap_vectors", rows * sides.gap_vectors + gaps * sides.pixels * vectors_of(row));
  }
}

// tarn_int_conv1x1_mve_line_s8.c and tarn_int_conv1x1_mve_lines_s8.c: the outputs of pixels that are read where they
// lie; what they take beside that is told by models of theirs.
Terms mve_pixels(Int8Call call) {
  const int64_t lines = call["out_lines"], pixels = lines * call["out_pixels"], length = call["inputs"];
  const int64_t quads = call["outputs"] / 4, threes = pixels / 3, last = pixels % 3;
  if (length <= 16) {
    const bool runs = call["in_place"] == kLineInPlace;
    add_mve_short(call, (runs ? threes > 0 : threes) + (last > 0), threes + (last > 0), call["outputs"]);
  } else {
    call.add("entered", threes + (last > 0));
    call.add("three_quads", threes * quads);
    call.add("three_steps", threes * quads * vectors_of(length));
    call.add("three_zoned_quads", call.zones() ? threes * quads : 0);
    if (last != 0) add_mve_few(call, last, length, quads);
  }
  add_mve_clamp(call, lines, pixels, call["outputs"], call["y_pitch"]);
  return call.take();
}

// Over weights of 4 or 2 bits no patch stays in registers.
Terms mve_conv2d(Int8Call call, bool narrow) {
  const int64_t groups = call["groups"], lines = call["images"] * call["out_lines"], outputs = call["outputs"];
  const int64_t pixels = lines * call["out_pixels"], block = call["block"], n = call["inputs"],
                length = call["rows"] * call["taps"] * n;
  const bool zeros = !call.has("null.3"), is_short = !narrow && block == 3 && length <= 16;
  const bool fours = !zeros && (outputs % 4 == 0 || is_short);
  const bool whole = call["rows"] == 1 && call["taps"] == 1 && call["pad.0"] == 0 && call["pad.1"] == 0 &&
                     (call["out_pixels"] - 1) * call["stride.1"] < call["in_pixels"];
  const bool dense = whole && call["x_pitch"] == groups * n && call["stride.1"] == 1;
  const bool directly = whole && fours && is_short && groups == 1;
  call.add("call", 1);
  call.add("lines", lines);
  call.add("weight_zeros", zeros ? groups * pixels : 0);
  call.add("summed_vectors", zeros ? groups * pixels * vectors_of(length) : 0);
  const Copies copies = side_by_side(call, groups * n, directly);
  if (dense) {
    call.add("copies", copies.runs);
    call.add("run_vectors", copies.vectors);
  } else if (directly) {
    // Those that no three of a line takes.
    const bool joined = call["x_pitch"] * call["dilation.1"] == n;
    call.add(joined ? "patches" : "piece_patches", copies.pixels);
    call.add(joined ? "whole_rows" : "piece_rows", copies.pixels);
    call.add("piece_taps", joined ? 0 : copies.pixels);
  } else {
    add_mve_patches(call, groups);
  }
  // What stands in the scratch, block by block; behind it one or two patches, which take the time of three where they
  // are groups or weights have zero points.
  const int64_t held = pixels - 3 * copies.threes, blocks = held / block, last = held % block;
  if (directly) {
    add_mve_short(call, copies.calls, copies.threes, outputs);
    add_mve_clamp(call, copies.calls, 3 * copies.threes, outputs, call["y_pitch"]);
  }
  if (fours && is_short) {
    call.add("four_groups", blocks * groups);
    add_mve_short(call, blocks * groups, blocks * groups, outputs);
    add_mve_clamp(call, blocks, 3 * blocks, groups * outputs, call["y_pitch"]);
  } else {
    add_mve_blocks(call,
                   {.blocks = blocks,
                    .groups = groups,
                    .pixels = block * blocks,
                    .threes = block == 3,
                    .fours = fours,
                    .eights = !narrow},
                   length, outputs);
  }
  if (groups == 1 && !zeros) {
    add_mve_fewer(call, last, length, outputs);
  } else if (last != 0) {
    add_mve_blocks(call, {.blocks = 1, .groups = groups, .pixels = last, .threes = true}, length, outputs);
  }
  return call.take();
}

Terms mve_dense(Int8Call call, bool narrow) {
  call.add("call", 1);
  call.add("weight_zeros", call.has("null.3") ? 0 : 1);
  call.add("summed_vectors", call.has("null.3") ? 0 : vectors_of(call["inputs"]));
  add_mve_blocks(call, {.blocks = 1, .pixels = 1, .eights = !narrow}, call["inputs"], call["outputs"]);
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
  const bool at_once = call["times"] == 1;  // four taps of all rows
  const int64_t fours = aimed * ((columns.kernel + 3) / 4);
  call.add(at_once ? "aimed_at_once" : "aimed", aimed);
  call.add("aimed_fours", at_once ? fours : 0);
  call.add(at_once ? "aimed_rows_at_once" : "aimed_rows", (at_once ? fours : aimed) * rows.kernel);
  call.add("aimed_taps", at_once ? 0 : aimed * rows.kernel * columns.kernel);
  call.add("aimed_twice", call["times"] > 1 ? aimed * rows.kernel * columns.kernel : 0);
  call.add("moved", pixels - aimed);
  call.add("moved_taps", (pixels - aimed) * n);
  call.add("pixels", pixels);
  call.add(part + "_groups", pixels * groups);
  call.add(part + "_odd", n % 2 * pixels * groups);
  call.add(part + "_pairs", n / 2 * pixels * groups);
  call.add("zoned_groups", call.zones() ? pixels * groups : 0);
  add_mve_clamp(call, lines, pixels, channels, call["y_pitch"]);
  return call.take();
}

// tarn_int_depthwise3x3_mve_line_s8.c: pieces of a line become columns of four bytes for sixteen channels at a time.
Terms mve_depthwise3x3(Int8Call call) {
  const int64_t lines = call["images"] * call["out_lines"], out = call["out_pixels"], piece = call["piece"],
                stride = call["stride.1"], channels = call["channels"];
  const int64_t sets = channels > 16 ? (channels + 15) / 16 : 1, of_each = std::min<int64_t>(channels, 16);
  int64_t pieces = 0, outside = 0, inside = 0, runs = 0, fours = 0, turns = 0, entered = 0;
  for (int64_t first = 0; first < out; first += piece) {
    const int64_t n = std::min(piece, out - first), begin = first * stride - call["pad.1"],
                  count = (n - 1) * stride + 3;
    const int64_t left = std::min(std::max<int64_t>(0, -begin), count),
                  room = std::min(call["in_pixels"] - begin, count);
    const int64_t within = std::max<int64_t>(0, room - left);
    ++pieces;
    inside += within;
    outside += count - within;
    // Channels that come in fours go by two pixels where that takes less, an odd last one with the one before once
    // more; others by four pixels: int_depthwise3x3_mve_by_pairs_s8().
    const int64_t twos = (n + 1) / 2, entries = (n > 1) + n % 2;
    if (of_each % 4 == 0 && 13 * twos + 3 * entries < 15 + 22 * ((n + 3) / 4)) {
      turns += twos;
      entered += entries;
    } else {
      ++runs;
      fours += (n - 1) / 4;
    }
  }
  const std::string part = std::string(stride == 1 ? "near" : "far"), few = channels < 16 ? "few_" : "";
  call.add("call", 1);
  call.add("lines", lines);
  call.add("pieces", lines * pieces);
  call.add("sets", lines * pieces * sets);
  call.add(few + "columns", lines * sets * inside);
  call.add("filled", lines * outside);
  call.add("entered", lines * sets * entered);
  call.add("turns", lines * sets * turns);
  call.add("turn_fours", lines * sets * turns * (of_each / 4));
  call.add(part + "_channels", lines * sets * of_each * runs);
  call.add(part + "_fours", lines * sets * of_each * fours);
  call.add("zoned_channels", call.zones() ? lines * sets * of_each * runs : 0);
  add_mve_clamp(call, lines * pieces, lines * out, channels, call["y_pitch"]);
  return call.take();
}

}  // namespace

std::optional<Terms> int8_mve_terms(const std::string& kernel, const CallTerms& call) {
  if (kernel == "tarn_int_conv2d_mve_s8") {
    return call.knows("in_place") ? mve_pixels(Int8Call(call)) : mve_conv2d(Int8Call(call), false);
  }
  if (kernel == "tarn_int_conv2d_mve4_s8" || kernel == "tarn_int_conv2d_mve2_s8") {
    return mve_conv2d(Int8Call(call), true);
  }
  if (kernel == "tarn_int_dense_mve_s8") return mve_dense(Int8Call(call), false);
  if (kernel == "tarn_int_dense_mve4_s8" || kernel == "tarn_int_dense_mve2_s8") return mve_dense(Int8Call(call), true);
  if (kernel == "tarn_int_depthwise2d_mve_s8") return mve_depthwise2d(Int8Call(call));
  if (kernel == "tarn_int_depthwise3x3_mve_s8") return mve_depthwise3x3(Int8Call(call));
  return {};
}

}  // namespace tarn::timing
