// Which products are layers.
#pragma once
#include "graph/graph.h"

namespace tarn::ops {

// Whether a Gemm or MatMul is lowered to the kernel of packed weights: the only one that scales by column, adds a
// residual and clamps. What a pass lets a product take in must ask this: other products would lose it.
bool is_dense(const graph::Graph& graph, const graph::Node& node);

}  // namespace tarn::ops
