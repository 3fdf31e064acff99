// Adding nodes to a graph. They go to the end of its list: the pass that adds them sorts the nodes when it is done.
#pragma once
#include <string>
#include <vector>

#include "graph/graph.h"

namespace tarn::passes {

using graph::Graph;
using graph::Node;
using graph::ValueId;

// A node of the standard domain with one output, standing for (part of) `origin`; its output.
ValueId append(Graph& graph, const Node& origin, const std::string& op, int version, std::vector<ValueId> inputs,
               TensorType type, graph::Attributes attributes = {});
// The same elements in another shape, or with the axes in another order; `x` itself when nothing changes.
ValueId append_reshape(Graph& graph, const Node& origin, ValueId x, Shape shape);
ValueId append_transpose(Graph& graph, const Node& origin, ValueId x, std::vector<int64_t> perm);

}  // namespace tarn::passes
