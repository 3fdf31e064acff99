// Weights of float layers in fewer bits, as the kernels of runtime/f32/tarn_dense_coded_f32.h read them.
#pragma once
#include <string>

#include "ops/packing.h"
#include "tensor/weight_type.h"

namespace tarn::ops {

// The type that a pass has chosen for a layer's weights, if any.
std::optional<WeightType> weight_type_of(const Node& node);

struct CodedWeights {
  std::string kernel_bits;          // "w16", "w8", "w4": part of the kernel's name
  Argument codes, scales, zeros;    // none where the type has none
  int64_t block = 0, quad_step = 0;  // fields of the kernel's params
};

// One group of rows (see QuadPacking; without a group_stride). Nothing is coded before it is written out.
CodedWeights pack_coded(Lowering& low, const std::string& key, const Constant& source, const QuadPacking& packing,
                        const WeightType& type);

// Why these weights cannot be stored so; empty: they can.
std::string not_codable(const Constant& weights, const WeightType& type);

}  // namespace tarn::ops
