#include "graph/replacements.h"

namespace tarn::graph {

ValueId Replacements::now(ValueId id) {
  if (!id) return id;
  ValueId last = id;
  while (by_[last.pos()]) last = by_[last.pos()];
  // The next one who asks need not walk as far.
  while (by_[id.pos()]) {
    const ValueId next = by_[id.pos()];
    by_[id.pos()] = last;
    id = next;
  }
  return last;
}

void Replacements::apply(Graph& graph) {
  for (Node& node : graph.nodes) {
    for (ValueId& id : node.inputs) id = now(id);
    for (ValueId& id : node.captures) id = now(id);
  }
  for (ValueId& id : graph.outputs) id = now(id);
}

}  // namespace tarn::graph
