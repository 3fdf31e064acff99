// Networks that are quantised in part: what has codes keeps them.
#pragma once
#include <map>
#include <memory>
#include <vector>

#include "graph/graph.h"

namespace tarn::quantize {

// Weights that were codes of 8 bits with zero points of 0: as they are stored, and their scale along `axis`.
struct KeptWeights {
  Constant codes, scale;
  int axis = 0;
};
// By the constant of floats that stands for them in the graph.
using Kept = std::map<const Constant*, KeptWeights>;

// Takes QuantizeLinear and DequantizeLinear out of the graph: known numbers become floats, and are noted in the result
// where they are the weights of a layer; tensors that were codes of 8 bits have what these stood for in Value::codes,
// as codes with a sign. Pairs of another kind stay where they are.
Kept take_codes_out(graph::Graph& graph);

}  // namespace tarn::quantize
