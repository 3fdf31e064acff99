// Exchanges the two spatial axes of images, for --scan columns.
#pragma once
#include "graph/graph.h"

namespace tarn::passes {

// Images on their side: operators with two spatial axes work on N, C, W, H, between transposes. What one of them
// computes stays the same; a line of its tensors is a column. Those that cannot be turned, and all others, stay as they
// are.
void turn_images(graph::Graph& graph);

}  // namespace tarn::passes
