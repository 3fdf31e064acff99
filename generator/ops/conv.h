// Entries of convolutions, products, pools and batch normalisation, and the axes of transposed convolutions.
#pragma once
#include <vector>

#include "ops/op.h"
#include "ops/window.h"

namespace tarn::ops {

// The axes of a transposed convolution: `in` and `out` as the node has them, pad_begin output positions cut off.
Answer<std::vector<WindowAxis>> transposed_axes(const Node& node, const std::vector<int64_t>& in,
                                                const std::vector<int64_t>& kernel);
// The input positions that reach each output position of such an axis.
std::vector<program::Span> reaching(const WindowAxis& axis);

std::vector<OperatorEntry> conv_entries();           // Conv
std::vector<OperatorEntry> convtranspose_entries();  // ConvTranspose
std::vector<OperatorEntry> matrix_entries();         // Gemm, MatMul
std::vector<OperatorEntry> pool_entries();           // MaxPool, AveragePool, LpPool and the global ones
std::vector<OperatorEntry> norm_entries();           // BatchNormalization and what it becomes

}  // namespace tarn::ops
