#include <algorithm>
#include <map>
#include <utility>

#include "passes/passes.h"

namespace tarn::passes {

namespace {

using graph::Node;
using graph::ValueId;

constexpr size_t kMostParts = 1000;  // longer lists are left alone: all beginnings of a list are looked up

}  // namespace

// Dense blocks joined anew before every layer: [a, b], [a, b, c], [a, b, c, d]. As [a, b], [[a, b], c], [[[a, b], c],
// d] each lies in the next, and no part is copied.
Graph nest_concats(Graph graph) {
  std::map<std::pair<int64_t, std::vector<ValueId>>, ValueId> known;
  for (Node& node : graph.nodes) {
    if (!node.is("Concat") || node.inputs.size() < 2 || node.inputs.size() > kMostParts || !node.has_output(0))
      continue;
    const bool fixed = std::all_of(node.inputs.begin(), node.inputs.end(),
                                   [&](ValueId id) { return id.valid() && graph[id].runtime_dims.empty(); });
    if (!fixed) continue;
    const int64_t axis = node.integer("axis", 1);
    const std::vector<ValueId> parts = node.inputs;
    for (size_t count = parts.size() - 1; count >= 2; --count) {
      const auto from = parts.begin(), end = from + static_cast<std::ptrdiff_t>(count);
      const auto before = known.find({axis, {from, end}});
      if (before == known.end()) continue;
      node.inputs.assign(end, parts.end());
      node.inputs.insert(node.inputs.begin(), before->second);
      break;
    }
    known.try_emplace({axis, parts}, node.outputs[0]);
  }
  return graph;
}

}  // namespace tarn::passes
