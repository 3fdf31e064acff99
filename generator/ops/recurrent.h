// Entries of the recurrent layers.
#pragma once
#include <vector>

#include "graph/graph.h"
#include "ops/op.h"

namespace tarn::ops {

// Whether a node is a recurrent layer whose kernel reads packed weights and has the usual activations.
bool is_packed_recurrent(const graph::Graph& graph, const graph::Node& node);

std::vector<OperatorEntry> recurrent_entries();  // LSTM, GRU, RNN

}  // namespace tarn::ops
