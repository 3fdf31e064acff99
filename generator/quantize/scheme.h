// Which tensors become codes, which of them share a scale, and which operators stay in floats: by what the integer
// kernels take.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "quantize/kinds.h"

namespace tarn::quantize {

// A known operand that becomes codes beside an activation.
struct KnownOperand {
  size_t node = 0, input = 0;
  int group = -1;  // whose scale it takes; -1: one of its own
};

struct Scheme {
  std::vector<Kind> kinds;  // by node
  std::vector<int> group;   // by value: which scale its codes have; -1: it has no codes
  int groups = 0;
  std::vector<int> width;            // by node: bits of the codes that it reads and makes, 8 or 16
  std::vector<int> made;             // by value: bits of the codes that it is first made as, where it has some
  std::vector<size_t> layers;        // positions of the nodes whose weights become codes
  std::vector<graph::ValueId> ends;  // by layer: the tensor of codes that its kernel makes, behind the steps that
                                     // follow it; none where it hands over floats
  std::vector<KnownOperand> known;
  std::vector<size_t> in_floats;  // nodes that compute in floats amid the network
  std::vector<size_t> behind;     // and those behind the last layer, whose result is in floats anyway
  // False for constants that were added since.
  bool has_codes(graph::ValueId id) const { return id && id.pos() < group.size() && group[id.pos()] >= 0; }
};

struct SchemeOptions {
  bool open_outputs = true;  // the last layers hand their sums over as floats, where only functions of small tensors
                             // follow; never those of 16-bit codes
  int bits = 8;              // of the codes of all tensors; 16: of those that no kernel takes, too
  // Nodes by their name, that of their weights or of an output: they compute in floats; layers on codes of 8 or of 16
  // bits whatever the others have.
  std::set<std::string> floats, narrow, wide;
  std::optional<size_t> alone;  // a layer's node: all others compute in floats
};

// Beside layers on 16-bit codes in a network of 8, sums, products, pools, bounds and concatenations have as many bits
// as their operands, up to the next layer.
Scheme make_scheme(const graph::Graph& graph, const SchemeOptions& options);

// The tensor that each layer makes, of codes or, last of the network or kept in floats, of floats.
struct LayerEnd {
  size_t node = 0;
  graph::ValueId value;
  bool codes = true;  // weights are codes
};
std::vector<LayerEnd> layer_ends(const graph::Graph& graph, const Scheme& scheme);

bool is_named(const graph::Graph& graph, const graph::Node& node, const std::set<std::string>& names);

}  // namespace tarn::quantize
