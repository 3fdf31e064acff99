// The quantised network as a graph of floats between QuantizeLinear and DequantizeLinear: what ONNX tools call QDQ.
#pragma once
#include <map>
#include <set>
#include <vector>

#include "quantize/scheme.h"
#include "quantize/weights.h"

namespace tarn::quantize {

struct Quantisation {
  std::vector<Codes> codes;             // by group of the scheme
  std::vector<Codes> others;            // the same of 16 bits instead of 8, or of 8 instead of 16
  std::map<size_t, LayerCodes> layers;  // by node
  std::set<size_t> recurrent;           // nodes in floats whose weights are codes of 8 bits
  std::set<size_t> halves;              // nodes in floats whose weights are float16, behind a Cast
  std::map<size_t, int> bits;           // of a layer's weights; 8 where it is not named
  // Of a group's tensors, `bits` wide.
  const Codes& of(int group, int bits) const {
    const Codes& own = codes[static_cast<size_t>(group)];
    return own.bits == bits ? own : others[static_cast<size_t>(group)];
  }
  std::map<graph::ValueId, float> floors;  // of known operands: numbers below it are as good as it
};

inline int bits_of(const Quantisation& quantisation, size_t layer) {
  const auto found = quantisation.bits.find(layer);
  return found == quantisation.bits.end() ? 8 : found->second;
}

// The constants that say what the codes of a tensor of that group stand for, in the rewritten graph.
struct CodeConstants {
  size_t group = 0;
  graph::ValueId scale, zero;
};

// Codes of 8 bits for known numbers, a scale for each place along `axis`, and their DequantizeLinear at the end of
// `nodes`: its result.
graph::ValueId dequantised_rows(graph::Graph& graph, graph::ValueId numbers, int axis, std::vector<graph::Node>& nodes);

// `floats`: by value of the given graph, what stands for it in the result: behind DequantizeLinear where it has codes.
graph::Graph rewrite(const graph::Graph& graph, const Scheme& scheme, const Quantisation& quantisation,
                     std::vector<graph::ValueId>* floats, std::vector<CodeConstants>* constants = nullptr);

}  // namespace tarn::quantize
