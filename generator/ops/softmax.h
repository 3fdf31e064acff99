// Operators along one axis (softmaxes, the place of the largest element, running sums), norms over the last axes,
// losses, and operators on matrices that are no products.
#pragma once
#include <vector>

#include "ops/kernel_text.h"
#include "ops/op.h"

namespace tarn::ops {

// Vectors of `count` elements, `inner` elements apart, `inner` of them interleaved; `outer` such bundles.
struct Vectors {
  int64_t outer = 1, count = 1, inner = 1;
};
// Those of an operator with "axis"; before version 13, the input flattened to a matrix. Nothing: the axis is outside.
std::optional<Vectors> softmax_vectors(const Node& node, const Shape& x);
std::optional<std::vector<int>> permute_softmax(graph::Graph&, Node& node, const std::vector<int>& to);

std::vector<OperatorEntry> softmax_entries();    // Softmax, LogSoftmax, Hardmax
std::vector<OperatorEntry> argmax_entries();     // ArgMax, ArgMin
std::vector<OperatorEntry> scan_entries();       // CumSum, CumProd
std::vector<OperatorEntry> layernorm_entries();  // LayerNormalization, RMSNormalization, LpNormalization
std::vector<OperatorEntry> loss_entries();       // NegativeLogLikelihoodLoss, SoftmaxCrossEntropyLoss
std::vector<OperatorEntry> matrices_entries();   // Trilu, EyeLike, Det

// Running sums and products, named "tarn_cumsum_<suffix>", "tarn_cumprod_<suffix>"; empty when the name is none of
// them.
std::optional<KernelText> scan_kernel(const std::string& name);

}  // namespace tarn::ops
