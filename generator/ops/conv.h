#pragma once
#include <vector>

#include "ops/op.h"

namespace tarn::ops {

std::vector<Room> conv_rooms();    // Conv
std::vector<Room> convtranspose_rooms();  // ConvTranspose
std::vector<Room> matrix_rooms();  // Gemm, MatMul
std::vector<Room> pool_rooms();    // MaxPool, AveragePool, LpPool and the global ones
std::vector<Room> norm_rooms();    // BatchNormalization and what it becomes

}  // namespace tarn::ops
