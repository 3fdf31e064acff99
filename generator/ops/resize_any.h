// Resize and Upsample whose lists are known only at run time, or along axes that the faster kernels do not take.
#pragma once
#include <optional>

#include "ops/lowering.h"
#include "ops/resize_axes.h"

namespace tarn::ops {

// Faults: E204 for element types that are no numbers; lists that do not fit the axes.
std::optional<Fault> lower_any_resize(const Node& node, Lowering& low, const tarn_resize_rule& rule,
                                      const ResizeLists& known);

}  // namespace tarn::ops
