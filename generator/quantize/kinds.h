// What an operator is to quantisation: which of its forms on codes have integer kernels.
#pragma once
#include <optional>
#include <vector>

#include "graph/graph.h"

namespace tarn::quantize {

enum class Kind {
  layer,    // Conv, ConvTranspose, Gemm, MatMul with known weights
  pair,     // two operands, one of which may be known
  pool,     // averages
  product,  // MatMul of two activations
  softmax,
  norm,    // LayerNormalization
  resize,  // with weights
  concat,
  recurrent,  // GRU, LSTM, RNN, whose sequences alone are codes: it computes in floats
  move,       // takes elements of its first input: codes as they are
  function,   // of one number
  affine,     // arithmetic with one known number per channel
  other       // stays in floats
};

Kind kind_of(const graph::Graph& graph, const graph::Node& node);

// A float32 tensor that is computed, of a size that is known.
bool is_activation(const graph::Graph& graph, graph::ValueId id);

// The operand of a function, pair or affine that is an activation; the first of two.
graph::ValueId operand_of(const graph::Graph& graph, const graph::Node& node);

// Can `node`, which reads `v`, be the next of the operators that a kernel applies to each sum before it becomes a code?
// `axis`: along which known numbers may differ; -1: along none.
bool is_step(const graph::Graph& graph, const graph::Node& node, graph::ValueId v, int axis);

// Which inputs are weights that are known: of a layer, a recurrent layer; none of other nodes.
std::vector<size_t> weight_inputs(const graph::Graph& graph, const graph::Node& node);

// The Add behind a product without a bias whose known operand can take one: by position; nothing where there is none.
std::optional<size_t> bias_behind(const graph::Graph& graph, const graph::Uses& uses, size_t layer);
// Can a number be added to each sum of the layer?
bool takes_bias(const graph::Graph& graph, const graph::Uses& uses, size_t layer);

}  // namespace tarn::quantize
