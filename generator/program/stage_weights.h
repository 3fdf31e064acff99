// Weights that stand in the arena only while the operation that reads them runs: packed ones, and those of the
// caller's.
#pragma once
#include <functional>

#include "program/program.h"

namespace tarn::program {

// Weights begin at multiples of it in the tensor, for kernels that load words.
constexpr int64_t kStagedApart = 16;

// Gives every operation that reads weights which `is_staged` a tensor for them, `work` bytes more behind them, and
// tells its arguments.
void stage_weights(Program&, const std::function<bool(WeightId)>& is_staged, int64_t work);
// All weights, to be read by the caller: two steps' within `buffer` bytes where none takes more than half.
void stage_all_weights(Program&, int64_t buffer);

// Bytes of a weight as kernels read it.
int64_t plain_bytes(const Weight&);
DType plain_dtype(const Weight&);

}  // namespace tarn::program
