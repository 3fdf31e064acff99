#pragma once
#include "graph/graph.h"

namespace tarn::passes {

// Moves a Transpose from the operands of node `i` to its results. false: there is none, or it cannot pass.
bool sink(graph::Graph& graph, size_t i);

}  // namespace tarn::passes
