// What the graph, as the model has it, says of its outputs' accuracy.
#pragma once
#include <vector>

#include "graph/graph.h"
#include "tensor/accuracy.h"

namespace tarn::graph {

// One for each output. Bodies of control flow count as operators that sum.
std::vector<Accuracy> output_accuracy(const Graph& graph);

}  // namespace tarn::graph
