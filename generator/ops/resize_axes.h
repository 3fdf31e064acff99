// What a Resize or Upsample says: its rule, and for each axis from how much it makes how much.
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "../../runtime/tarn_resize_axis.h"
#include "ops/op.h"

namespace tarn::ops {

// Where the three lists stand, by version; -1: this version has none.
struct ListPlaces {
  int roi = -1, scales = 1, sizes = -1;
};
ListPlaces list_places(const Node& node);

// Nothing for a mode that the standard does not know.
std::optional<tarn_resize_rule> rule_of(const Node& node);

// 0 stretch, 1 not larger, 2 not smaller.
int keep_ratio(const Node& node);

// Position of a tensor's axis in the order of the model.
int model_axis(int position, int rank, bool channels_last);

// By axis of the input as the model has it: which entry of the lists is for it, -1: none.
Answer<std::vector<int>> entries_of(const Node& node, int rank);

// What is known of the lists; `unknown`: one of them is only known at run time.
struct ResizeLists {
  std::vector<float> scales, roi;
  std::vector<int64_t> sizes;
  bool unknown = false;
};

// `given(i)`: input i is there and not empty; `value(i)`: its constant, or null.
ResizeLists known_of(const Node& node, const std::function<bool(size_t)>& given,
                     const std::function<const Constant*(size_t)>& value, bool crop);

// An axis, and whether its size was given, so that the scale is the very ratio of the sizes.
struct ResizeAxis : tarn_resize_axis {
  bool by_size = false;
};

// The axes of the input as the model has it, with known lists.
Answer<std::vector<ResizeAxis>> axes_of(const Node& node, const Shape& x, const ResizeLists& known);

}  // namespace tarn::ops
