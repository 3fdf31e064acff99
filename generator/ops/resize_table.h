// A resize with known scales, worked out position by position.
#pragma once
#include <optional>
#include <vector>

#include "ops/resize_axes.h"
#include "program/program.h"

namespace tarn::ops {

using program::Span;

// One axis in the tensor's own order, worked out: from where output position i takes, and how much of each.
struct ResizeTable {
  int64_t in = 1, out = 1, taps = 1;
  std::vector<int32_t> starts;  // -1: from nowhere
  std::vector<float> weights;   // [out][taps]
  std::vector<Span> spans;

  bool unchanged() const;  // every position is taken as it is
};

// note [places]: ONNX says where an output position lies as numbers, and not how they round; where one lies on a pixel,
// or halfway between two, rounding decides which is taken. Of the rules whose terms cancel (half_pixel_symmetric, and
// asymmetric by sizes) ONNX's reference and ONNX Runtime agree on the exact number wherever they agree at all, so it is
// worked out exactly. The others are worked out in float32, as ONNX Runtime has them, which the reference agrees with
// likewise; a kernel that learns its scales at run time works in float32 too.
ResizeTable table_of(const tarn_resize_rule& rule, const ResizeAxis& axis);

// The tensor as images of planes of lines of pixels; only the last three of these change.
struct ResizeView {
  int64_t images = 1;
  ResizeTable planes{1, 1, 1, {0}, {1}, {{0, 1}}}, lines = planes, pixels = planes;
};

// By axis of the tensor, channels last. Nothing when more axes change.
std::optional<ResizeView> view_of(const std::vector<ResizeTable>& tables);

// What the codes' kernel computes with; see runtime/int8/tarn_int_resize_line_s8.h.
struct ResizeCodes {
  std::vector<int32_t> weights;
  int64_t factor = 0, post = 0;
};

// `ratio`: the scale of x over that of y.
ResizeCodes resize_codes(const ResizeView& view, double ratio);

}  // namespace tarn::ops
