// Operators on quantised tensors, each as one kernel that follows the operator's own arithmetic.
#pragma once
#include "ops/lowering.h"

namespace tarn::ops {

inline bool is_byte(DType dtype) { return dtype == DType::int8 || dtype == DType::uint8; }
// What the tarn_byte header flips in codes of this type.
inline int64_t flip_of(DType dtype) { return dtype == DType::int8 ? 0x80 : 0; }

std::vector<OperatorEntry> integer_conv_entries();    // ConvInteger, QLinearConv
std::vector<OperatorEntry> integer_matrix_entries();  // MatMulInteger, QLinearMatMul, QGemm, MatMulIntegerToFloat,
                                                      // DynamicQuantizeMatMul, MatMulNBits
std::vector<OperatorEntry>
qlinear_entries();  // QLinearAdd, QLinearMul, pools, softmax, functions of one code, QLinearConcat

}  // namespace tarn::ops
