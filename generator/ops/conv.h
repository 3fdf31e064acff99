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

std::vector<Room> conv_rooms();           // Conv
std::vector<Room> convtranspose_rooms();  // ConvTranspose
std::vector<Room> matrix_rooms();         // Gemm, MatMul
std::vector<Room> pool_rooms();           // MaxPool, AveragePool, LpPool and the global ones
std::vector<Room> norm_rooms();           // BatchNormalization and what it becomes

}  // namespace tarn::ops
