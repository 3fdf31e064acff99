// A resize with known scales, worked out position by position.
#pragma once
#include <optional>
#include <vector>

#include "../../runtime/tarn_resize_axis.h"
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

ResizeTable table_of(const tarn_resize_rule& rule, const tarn_resize_axis& axis);

// The tensor as images of planes of lines of pixels; only the last three of these change.
struct ResizeView {
  int64_t images = 1;
  ResizeTable planes{1, 1, 1, {0}, {1}, {{0, 1}}}, lines = planes, pixels = planes;
};

// By axis of the tensor, channels last. Nothing when more axes change.
std::optional<ResizeView> view_of(const std::vector<ResizeTable>& tables);

}  // namespace tarn::ops
