// Quantised tensors: which scale and zero point belongs to which element, and operands in the form the kernels read.
#pragma once
#include "ops/lowering.h"
#include "tensor/coded_values.h"

namespace tarn::ops {

// From the node's axis and block_size: one scale for all, one per index of the axis, or one per block along it. `axis`
// is what the operator has when the attribute is not there.
Answer<ScaleGeometry> scale_geometry(const Node& node, const Shape& x, const Shape& scale, int64_t axis);
program::Params quantize_params(const ScaleGeometry& g, DType codes);

// 2 to 16 bits, and int32 where only dequantised.
bool is_code(DType dtype);
int64_t least_code(DType dtype);
int64_t greatest_code(DType dtype);

// Numbers of any real type as float32: a weight, the tensor itself, or a converted copy. Absent operands stay absent.
Argument read_floats(const Node& node, Lowering& low, ValueId id);
// A zero point that is not known to be 0 everywhere.
Argument read_zero_point(Lowering& low, ValueId id);
bool is_zero(const Lowering& low, ValueId id);  // omitted, or known and 0 everywhere

// The values of DequantizeLinear and QuantizeLinear in float32 arithmetic; empty when something is unknown or absent,
// or the type is not handled here. Codes of 8 bits or less that become float32 stay codes, of that name.
std::optional<Constant> dequantized(const Node& node, const Constant& x, const Constant& scale, const Constant* zero,
                                    const TensorType& out, const std::string& name = {});
std::optional<Constant> quantized(const Node& node, const Constant& x, const Constant& scale, const Constant* zero,
                                  const TensorType& out);

std::vector<OperatorEntry> quantize_entries();  // QuantizeLinear, DequantizeLinear, DynamicQuantizeLinear

}  // namespace tarn::ops
