// Conversions between element types: Cast, CastLike, BitCast.
#pragma once
#include <vector>

#include "ops/kernel_text.h"
#include "ops/op.h"

namespace tarn::ops {

// Named "tarn_cast_<from>_<to>", with the suffixes of kernels or the names of types that kernels do not compute with;
// empty when the name is none of them.
std::optional<KernelText> cast_kernel(const std::string& name);

// y = x converted, element by element; `node` is only named in the report.
void lower_cast(const Node& node, Lowering& low, Argument x, Argument y, DType from, DType to, int64_t count);

std::vector<OperatorEntry> cast_entries();

}  // namespace tarn::ops
