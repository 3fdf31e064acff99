// The geometry of fused integer layers: what moves where, as fields, walks and line forms say it.
#pragma once
#include <string>
#include <vector>

#include "ops/lowering.h"
#include "ops/window.h"

namespace tarn::ops {

constexpr int64_t kMostPatches = 2048;  // bytes of scratch for patches, where a single patch is not larger

struct IntWindow {
  int64_t images = 1, groups = 1, inputs = 1, outputs = 1;  // channels per group
  WindowAxis lines, pixels;
  int64_t area() const { return lines.kernel * pixels.kernel; }
  int64_t macs() const { return images * lines.out * pixels.out * groups * outputs * area() * inputs; }
  // A pixel of the input for each of the output.
  bool takes_pixels() const { return groups == 1 && lines.single() && pixels.single(); }
  bool pointwise() const { return takes_pixels() && lines.stride == 1 && pixels.stride == 1; }
  // Windows along lines alone.
  bool pixel_by_pixel() const { return images == 1 && groups == 1 && pixels.plain(); }
  bool whole() const {
    auto covers = [](const WindowAxis& a) {
      return a.kernel == a.in && a.dilation == 1 && a.pad_begin == 0 && a.out == 1;
    };
    return groups == 1 && images == 1 && covers(lines) && covers(pixels);
  }
};

IntWindow int_window(const Node& node, const Lowering& low);
// A product with weights [outputs, inputs]: patches are single pixels, in one long line.
IntWindow dense_window(const Node& node, const Lowering& low);

// Makes the call of a layer whose patches are those of `g`; `line`: the layer as lines of pixels, where `g` is one long
// line.
using PatchLowering = void (*)(const Node& node, Lowering& low, const IntWindow& g, const IntWindow& line, Walk walk);
// Single pixels are one long line.
void lower_window(const Node& node, Lowering& low, const IntWindow& g, PatchLowering lower);
// A product with weights [outputs, inputs].
void lower_rows(const Node& node, Lowering& low, PatchLowering lower);

// The fields from `rows` to `y_pitch`; `y`: which argument is written.
std::vector<Field> window_fields(const IntWindow& g, size_t y,
                                 FieldValue x_pitch = program::Pitch{program::Pitch::Of::pixel, 0});
Walk window_walk(const IntWindow& g);

// Element k of a patch, taps before channels, stands at order[k] of a row of the model's weights.
std::vector<int64_t> patch_order(const IntWindow& g);

// A line takes the params of the whole call, with the sizes of `line`: a tensor that is not one long line.
void set_window_lines(Lowering& low, Operation& operation, const std::string& kernel, const IntWindow& line,
                      program::Params params, std::vector<program::LineArgument> arguments);

// Attribute "roomy": there is room for the scratch that makes the layer fastest, beyond kMostPatches.
bool has_room(const Node& node);

// What the report says of the layer.
void tell(Operation& operation, const Node& node, int64_t macs, int64_t parameters);

// Processors with pairs of 16-bit products.
bool has_pairs(const Lowering& low);
// Processors with sixteen products of codes at a time.
bool has_sixteens(const Lowering& low);

}  // namespace tarn::ops
