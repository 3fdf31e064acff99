// Values that hold the elements of another one, rearranged: what Transpose, Reshape, Expand, Slice and their like make.
// A kernel that takes steps for its operands can read the other one instead, and no copy is made.
//
// note [digits]: the position of an element in a value is a number with mixed radices, one digit per axis. A view is
// the list of digits of the value, outermost first, each with its weight there and its weight in the other value.
#pragma once
#include <optional>
#include <vector>

#include "graph/graph.h"

namespace tarn::passes {

using graph::Graph;
using graph::Uses;
using graph::ValueId;

struct Digit {
  int64_t extent = 1;
  int64_t here = 0;   // elements from one to the next in the value
  int64_t there = 0;  // in the other value; 0: the same element again
  bool operator==(const Digit&) const = default;
};

struct View {
  ValueId other;              // what the value's elements come from, or where they go
  int64_t first = 0;          // position of the first element there
  std::vector<Digit> digits;  // in the order of `here`, from large to small, without gaps
  std::vector<size_t> nodes;  // the nodes between, positions in Graph::nodes
};

// The digits that a walk of `extent` steps of `step` elements in the value goes through, outermost first, joined where
// `there` allows it: one digit when the walk has a single step in the other value too. Empty optional: no such digits.
std::optional<std::vector<Digit>> digits_of_walk(const View& view, int64_t step, int64_t extent);
// The same if there is just one; its step there. A walk of one element has step 0.
std::optional<int64_t> step_there(const View& view, int64_t step, int64_t extent);

// Values that `value` is a rearrangement of, the nearest first. Values between them and it are read by nothing that
// does not lead to the node `consumer` (a position in Graph::nodes), or cost nothing.
std::vector<View> sources_of(const Graph& graph, const Uses& uses, ValueId value, size_t consumer);
// Values that are rearrangements of `value`, which nothing else reads, the nearest first.
std::vector<View> destinations_of(const Graph& graph, const Uses& uses, ValueId value);

}  // namespace tarn::passes
