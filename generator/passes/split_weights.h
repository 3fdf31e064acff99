// --weights stream: layers whose weights do not fit the buffer, as several layers of fewer output channels.
#pragma once
#include "graph/graph.h"

namespace tarn::passes {

// After all other passes. Conv, Gemm and MatMul with constant weights, and integer layers, of more than `most` bytes of
// weights become layers of some of the output channels each, and a Concat of what they make, which takes no time. None
// has fewer than four channels, so that some may still take more; layers in groups of several channels, and those that
// add a residual, stay as they are.
graph::Graph split_weights(graph::Graph graph, int64_t most);

}  // namespace tarn::passes
