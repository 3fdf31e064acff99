// Where ONNX says one thing and ONNX Runtime does another: what is emitted follows ONNX, and a warning tells it.
#pragma once
#include <string>

#include "graph/graph.h"
#include "support/diagnostic.h"

namespace tarn::ops {

// W202 for each node of the graph, as it has been built, that ONNX Runtime gives other values or another shape.
// `file`: the model, for the diagnostics.
Diagnostics onnxruntime_differences(const graph::Graph& graph, const std::string& file);

}  // namespace tarn::ops
