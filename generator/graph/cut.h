// The subgraph of --cut, between two tensors.
#pragma once
#include <string>

#include "graph/graph.h"
#include "support/result.h"

namespace tarn::graph {

// Keeps what lies between two tensors: `between` is "A:B". A becomes the first input; inputs of the model that B needs
// besides A stay. B becomes the only output. E209 when there are no such tensors, or B does not depend on A.
Result<Done> cut(Graph& graph, const std::string& between, const std::string& file);

}  // namespace tarn::graph
