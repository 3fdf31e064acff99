// Which tensors become codes, which of them share a scale, and which operators stay in floats: by what the integer
// kernels take.
#pragma once
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
  std::vector<size_t> layers;  // positions of the nodes whose weights become codes
  std::vector<KnownOperand> known;
  std::vector<size_t> in_floats;  // nodes that compute in floats amid the network
  std::vector<size_t> behind;     // and those behind the last layer, whose result is in floats anyway
  // False for constants that were added since.
  bool has_codes(graph::ValueId id) const { return id && id.pos() < group.size() && group[id.pos()] >= 0; }
};

// With `open_outputs` the last layers hand their sums over as floats, where only functions of small tensors follow.
// Nodes whose name, or whose weights' or output's name, is in `floats` compute in floats.
Scheme make_scheme(const graph::Graph& graph, bool open_outputs, const std::set<std::string>& floats = {});

}  // namespace tarn::quantize
