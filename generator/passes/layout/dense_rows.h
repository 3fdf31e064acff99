// Moves a transpose in front of a dense layer into its weights.
#pragma once
#include "graph/graph.h"

namespace tarn::passes {

// Transpose, then flattening to rows, then a product with known weights: the weights' rows are permuted instead.
void fold_into_dense(graph::Graph& graph);

}  // namespace tarn::passes
