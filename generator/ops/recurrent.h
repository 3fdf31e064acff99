// Entries of the recurrent layers.
#pragma once
#include <functional>
#include <vector>

#include "graph/graph.h"
#include "ops/op.h"

namespace tarn::ops {

bool is_recurrent(const graph::Node& node);  // LSTM, GRU, RNN, of floats

// Whether a node is a recurrent layer whose kernel reads packed weights and has the usual activations.
bool is_packed_recurrent(const graph::Graph& graph, const graph::Node& node);

// Whether a recurrent layer of floats has a kernel that takes and gives its sequences as codes of 8 bits: one sequence
// in one direction. `known`: what is a constant, or will be one.
bool takes_codes(const graph::Graph& graph, const graph::Node& node, const std::function<bool(graph::ValueId)>& known);

std::vector<OperatorEntry> recurrent_entries();          // LSTM, GRU, RNN
std::vector<OperatorEntry> integer_recurrent_entries();  // IntLSTM, IntGRU, IntRNN

}  // namespace tarn::ops
