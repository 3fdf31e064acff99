// Weights of which most are zero, as runtime/f32/tarn_sparse_f32.h and runtime/int8/tarn_int_sparse.h have them:
// kernels skip the zeros. With --weights packed alone, which trades time for flash: where processors take several
// products at a time, that is not always faster.
#pragma once
#include <optional>
#include <string>

#include "ops/packing.h"

namespace tarn::ops {

struct SparseWeights {
  Argument values, gaps;
};

// The rows that `packing` tells of a layer of one group, each as `parts` rows of equal length with a count of their
// own. Nothing where weights are not packed, too few of these are zero, or they are not there.
std::optional<SparseWeights> sparse_weights(Lowering& low, const std::string& key, const Constant& source,
                                            const QuadPacking& packing, int64_t parts, DType dtype);

}  // namespace tarn::ops
