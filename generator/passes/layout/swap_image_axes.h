// Exchanges the two spatial axes of images, for --scan columns.
#pragma once
#include "graph/graph.h"

namespace tarn::passes {

// Operators with two spatial axes then work on N, C, W, H, between transposes: what each of them computes stays the
// same, and a line of its tensors is a column. Those whose axes cannot be exchanged, and all others, are left alone.
void swap_image_axes(graph::Graph& graph);

}  // namespace tarn::passes
