// Values that others take the place of. replace_uses() walks through the whole graph for one of them; here all are
// noted first, and one walk does them together.
#pragma once
#include "graph/graph.h"

namespace tarn::graph {

class Replacements {
 public:
  explicit Replacements(const Graph& graph) : by_(graph.values.size()) {}

  // From now on `from` is `to`. There is no way back from `to`, or from what takes its place, to `from`.
  void replace(ValueId from, ValueId to) { by_[from.pos()] = to; }
  // What stands in the place of a value by now.
  ValueId now(ValueId id);
  void apply(Graph& graph);

 private:
  std::vector<ValueId> by_;  // by value; nothing: it stands for itself
};

}  // namespace tarn::graph
