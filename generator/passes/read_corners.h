// Run-time dimensions: constants that grow along several axes are stored once, for the largest size.
#pragma once
#include "graph/graph.h"

namespace tarn::passes {

// After all other passes, on the graph of one size; `largest` is that of the largest. A mask or bias of attention that
// is the corner of the largest's constant of the same name ([rows, keys] of [most rows, most keys]) becomes that one,
// read with its steps. What is the beginning of the largest's already, and what is no corner of it, stays as it is.
graph::Graph read_corners(graph::Graph graph, const graph::Graph& largest);

}  // namespace tarn::passes
