// Averages over windows, spelled in floats or as quantised operators.
#pragma once
#include <functional>

#include "passes/integer/work.h"

namespace tarn::passes::integer {

struct Average {
  std::vector<int64_t> kernel, stride, dilation, pads;  // as attributes
  int64_t least = 1, most = 1;                          // elements that a window may count
  bool by_count = false;
};

// x: the shape of the images; `last`: their channels are the last axis.
std::optional<Average> average_of(const Work& work, const Node& node, const Shape& x, bool last);

// Sets the attributes of IntAveragePool. value(sum of (x - zero), count): the signed code.
bool fit_average(const Average& average, const Codes& x, const std::function<int32_t(int64_t, int64_t)>& value,
                 int32_t parity, Node& node);

}  // namespace tarn::passes::integer
