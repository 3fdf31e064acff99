// Moves transposes towards the outputs.
#pragma once
#include "graph/graph.h"

namespace tarn::passes {

// Along the nodes once, moves each Transpose from the operands of the node behind it to the results. false: there is
// none that can pass.
bool sink(graph::Graph& graph);

}  // namespace tarn::passes
