// Terms of the float32 convolutions and products for the M-profile vector extension.
#include <array>
#include <string>
#include <vector>

#include "time/call_terms.h"

namespace tarn::timing {

namespace {

// A pixel that is made alone, or the first of three (four of a depthwise layer) that are made together.
struct TilePlace {
  bool together = false;
  int64_t taps = 0;  // inside the line
};

struct Line {
  std::vector<TilePlace> places;
  int64_t clipped = 0, edges = 0;  // taps outside, and pixels that look for them
};

// The pixels of a line from `first` on; `least` of them stand together where all taps are inside.
Line walk_line(const WindowAxisOf& axis, int64_t first, int64_t least, bool allowed) {
  Line line;
  for (int64_t i = first; i < axis.out;) {
    const bool together = allowed && i + least <= axis.out && axis.inside(i) && axis.inside(i + least - 1);
    const int64_t taps = axis.valid(i);
    line.places.push_back({together, taps});
    line.edges += !axis.inside(i);
    line.clipped += axis.kernel - taps;
    i += together ? least : 1;
  }
  return line;
}

// What the outputs of a pixel, or of three, are divided into (tarn_tile_mve_f32.h).
struct Tiles {
  int64_t sixteens = 0, eights = 0, fours = 0;
};
Tiles tiles_of(int64_t outputs, bool together) {
  Tiles tiles;
  tiles.sixteens = together ? 0 : outputs / 16;
  const int64_t left = outputs - 16 * tiles.sixteens;
  tiles.eights = left / 8 + (left % 8 > 4);
  tiles.fours = left % 8 >= 1 && left % 8 <= 4;
  return tiles;
}

// Lines of the output by how many of their rows lie in the image, in blocks or not.
struct Lines {
  int64_t count = 0, rows = 0;
};

// The line kernel: `lines` whose pixels are `line`, `runs` of `n` inputs for each tap.
class LineTerms {
 public:
  LineTerms(CallTerms& call, const std::string& prefix, int64_t groups, int64_t inputs, int64_t outputs)
      : call_(call), prefix_(prefix), groups_(groups), inputs_(inputs), outputs_(outputs) {}

  void add(const Line& line, Lines lines, int64_t kernel_rows, bool joined) {
    edges_ += lines.count * line.edges;
    clipped_ += lines.count * line.clipped;
    for (const TilePlace& place : line.places) {
      (place.together ? threes_ : singles_) += lines.count;
      const Tiles tiles = tiles_of(outputs_, place.together);
      const int64_t runs = place.taps == 0 ? 0 : joined ? 1 : place.taps, n = joined ? place.taps * inputs_ : inputs_;
      const std::array<int64_t, 3> of = {tiles.sixteens, tiles.eights, tiles.fours};
      for (size_t shape = 0; shape < 3; ++shape) {
        Shape& s = shapes_[place.together ? 1 : 0][shape];
        const int64_t times = groups_ * of[shape];
        const int64_t outputs = shape == 0 ? 16 : shape == 1 ? 8 : 4;
        s.tiles += times * lines.count;
        s.rows += times * (runs > 0 ? lines.rows : 0);
        s.odd += times * lines.rows * runs * (n % 2);
        s.pairs += times * lines.rows * runs * (n / 2);
        tiles_ += times * lines.count;
        all_rows_ += times * lines.count * kernel_rows;
        (place.together ? three_runs_ : one_runs_) += times * lines.rows * runs;
        bounded_ += times * lines.count * (place.together ? 3 : 1) * outputs / 4;
      }
    }
  }

  void take() {
    call_.add("threes", threes_);
    call_.add("singles", singles_);
    call_.add("edges", edges_);
    call_.add("clipped", clipped_);
    call_.add("all_rows", all_rows_);
    call_.add("three_runs", three_runs_);
    call_.add("one_runs", one_runs_);
    const std::array<const char*, 3> outputs = {"16", "8", "4"};
    for (const bool together : {false, true}) {
      for (size_t shape = together ? 1 : 0; shape < 3; ++shape) {
        const Shape& s = shapes_[together ? 1 : 0][shape];
        const std::string name = std::string(together ? "three_by_" : "one_by_") + outputs[shape];
        call_.add(name, s.tiles);
        call_.add(name + "_rows", s.rows);
        call_.add(name + "_odd", s.odd);
        call_.add(name + "_pairs", s.pairs);
      }
    }
    call_.add("bounded", call_[prefix_ + "bounded"] != 0 ? bounded_ : 0);
    const int64_t vectors = (3 * threes_ + singles_) * groups_ * ((outputs_ + 3) / 4);
    call_.add("residual", call_[prefix_ + "r_pitch"] != 0 ? vectors : 0);
    call_.add("residual_tiles", call_[prefix_ + "r_pitch"] != 0 ? tiles_ : 0);
  }

 private:
  struct Shape {
    int64_t tiles = 0, rows = 0, odd = 0, pairs = 0;
  };
  CallTerms& call_;
  std::string prefix_;
  int64_t groups_, inputs_, outputs_;
  int64_t tiles_ = 0, threes_ = 0, singles_ = 0, edges_ = 0, clipped_ = 0, all_rows_ = 0, three_runs_ = 0,
          one_runs_ = 0, bounded_ = 0;
  std::array<std::array<Shape, 3>, 2> shapes_;
};

WindowAxisOf rows_of(const CallTerms& call) {
  return {call["in_lines"], call["out_lines"], call["line.rows"], call["stride"], call["dilation"], call["pad"]};
}
WindowAxisOf pixels_of(const CallTerms& call) {
  return {call["line.in_pixels"], call["out_pixels"],    call["line.taps"],
          call["line.stride"],    call["line.dilation"], call["line.pad"]};
}

Lines lines_made(const CallTerms& call, const WindowAxisOf& axis, bool block) {
  Lines lines;
  for (int64_t i = 0; i < call["images"] * axis.out; ++i) {
    if ((i >= call["block_first"] && i < call["block_end"]) != block) continue;
    ++lines.count;
    lines.rows += axis.valid(i % axis.out);
  }
  return lines;
}

void add_driver(CallTerms& call, const WindowAxisOf& axis) {
  call.add("call", 1);
  call.add("lines", call["images"] * axis.out);
}

Terms mve_conv2d(CallTerms call) {
  const WindowAxisOf axis = rows_of(call), along = pixels_of(call);
  const int64_t inputs = call["line.inputs"], outputs = call["line.outputs"], groups = call["line.groups"];
  add_driver(call, axis);
  LineTerms terms(call, "line.", groups, inputs, outputs);
  for (const bool block : {false, true}) {
    terms.add(walk_line(along, 0, 3, block || (groups == 1 && outputs <= 8)), lines_made(call, axis, block),
              axis.kernel, along.dilation * call["line.x_pitch"] == inputs);
  }
  terms.take();
  return call.take();
}

// A line of one tap, in three parts.
Terms mve_dense(CallTerms call) {
  const int64_t pixels = call["pixels"], first = call["block_first"], end = call["block_end"];
  call.add("call", 1);
  LineTerms terms(call, "", 1, call["inputs"], call["outputs"]);
  const bool all = call["outputs"] <= 8;
  for (const auto& [from, to, block] : {std::array<int64_t, 3>{0, first, 0}, {first, end, 1}, {end, pixels, 0}}) {
    const WindowAxisOf along{.in = to, .out = to};
    terms.add(walk_line(along, from, 3, block != 0 || all), {1, 1}, 1, call["x_pitch"] == call["inputs"]);
  }
  terms.take();
  return call.take();
}

Terms mve_depthwise2d(CallTerms call) {
  const WindowAxisOf axis = rows_of(call), along = pixels_of(call);
  call.add("rows", call["images"] * axis.out * axis.kernel);
  const int64_t channels = call["line.channels"], rows = axis.kernel;
  const bool three = along.kernel == 3 && along.stride == along.dilation;
  const bool bounded = call["line.bounded"] != 0, residual = call["line.r_pitch"] != 0;
  add_driver(call, axis);
  // By what is made: sixteen channels of a pixel, four, fewer; of four pixels at a time, by any taps or three.
  struct Part {
    int64_t tiles = 0, rows = 0, taps = 0;
  };
  std::array<Part, 7> parts;
  int64_t fours = 0, singles = 0, edges = 0, clipped = 0, all_rows = 0, tiles = 0, ends = 0;
  for (const bool block : {false, true}) {
    const Lines lines = lines_made(call, axis, block);
    const Line line = walk_line(along, 0, 4, block);
    edges += lines.count * line.edges;
    clipped += lines.count * line.clipped;
    for (const TilePlace& place : line.places) {
      (place.together ? fours : singles) += lines.count;
      const int64_t sixteens = place.together ? 0 : channels / 16, left = channels - 16 * sixteens;
      auto add = [&, taps = place.taps](Part& part, int64_t times, int64_t vectors) {
        part.tiles += times * lines.count;
        all_rows += times * lines.count * rows;
        tiles += times * lines.count;
        ends += times * lines.count * vectors;
        part.rows += times * (taps > 0 ? lines.rows : 0);
        part.taps += times * lines.rows * taps;
      };
      const size_t kind = place.together ? (three ? 5 : 3) : 1;
      const int64_t vectors = place.together ? 4 : 1;
      add(parts[0], sixteens, 4);
      add(parts[kind], left / 4, vectors);
      add(parts[kind + 1], left % 4 != 0, vectors);
    }
  }
  call.add("fours", fours);
  call.add("singles", singles);
  call.add("edges", edges);
  call.add("clipped", clipped);
  const std::array<const char*, 7> names = {"sixteens",   "single_quads", "single_rest", "four_quads",
                                            "four_rests", "three_quads",  "three_rests"};
  for (size_t i = 0; i < parts.size(); ++i) {
    const std::string name = names[i];
    call.add(name, parts[i].tiles);
    call.add(name + "_rows", parts[i].rows);
    if (i < 5) call.add(name + "_taps", parts[i].taps);
  }
  call.add("all_rows", all_rows);
  call.add("bounded", bounded ? ends : 0);
  call.add("residual_tiles", residual ? tiles : 0);
  call.add("residual", residual ? ends : 0);
  return call.take();
}

}  // namespace

std::optional<Terms> float32_mve_terms(const std::string& kernel, const CallTerms& call) {
  if (kernel == "tarn_conv2d_mve_f32") return mve_conv2d(call);
  if (kernel == "tarn_dense_mve_f32") return mve_dense(call);
  if (kernel == "tarn_depthwise2d_mve_f32") return mve_depthwise2d(call);
  return {};
}

}  // namespace tarn::timing
