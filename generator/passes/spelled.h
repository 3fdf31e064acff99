// Finding operators that exporters spell out as several: what the passes fuse_activations and fuse_norms share.
#pragma once
#include <optional>
#include <set>
#include <vector>

#include "graph/graph.h"

namespace tarn::passes {

// Looks at one place of a graph. Nodes that a pattern consists of are collected; a pattern may only disappear into one
// operator when nothing else reads what is made inside.
class Spelled {
 public:
  Spelled(const graph::Graph& graph, const graph::Uses& uses) : graph_(graph), uses_(uses) {}

  // Forgets all nodes and starts with the one that makes the pattern's result.
  void begin(size_t root) { inside_ = {root}; }
  const std::set<size_t>& inside() const { return inside_; }
  void reset(std::set<size_t> inside) { inside_ = std::move(inside); }

  // The node of ai.onnx that makes `id`, if it is the wanted operator; it becomes part of the pattern.
  const graph::Node* made_by(graph::ValueId id, std::string_view op);
  // The only value of a constant.
  std::optional<double> number(graph::ValueId id) const;
  // Is it this constant, as exactly as the element type tells?
  bool is_number(graph::ValueId id, double wanted) const;
  // c and x, if `id` is x + c (in either order).
  std::optional<double> sum_with_number(graph::ValueId id, graph::ValueId& x);
  // Is it x * x, or the like for `power` 3?
  bool is_power(graph::ValueId id, graph::ValueId x, int power);

  // A product as its coefficient and its other factors: nested multiplications that are read once, divisions by
  // numbers.
  struct Product {
    double coefficient = 1;
    std::vector<graph::ValueId> factors;
  };
  Product product(graph::ValueId id);

  // Axes and operand of a reduction with keepdims whose axes are known; ascending.
  std::optional<std::vector<int>> reduced_axes(const graph::Node& node) const;

  // Nothing outside reads a value made inside, except the result.
  bool closed(graph::ValueId result) const;
  // The only node that reads a value, which is no output of the graph.
  std::optional<size_t> only_reader(graph::ValueId id) const;
  void add(size_t node) { inside_.insert(node); }

 private:
  void collect(graph::ValueId id, bool first, Product& product);
  double tolerance(graph::ValueId id) const;
  const graph::Graph& graph_;
  const graph::Uses& uses_;
  std::set<size_t> inside_;
};

// Node `at` takes the place of the nodes of a pattern: their origins become its own, the others go. The caller has set
// its operator, inputs and attributes, and drops dead nodes in the end.
void replace_pattern(graph::Graph& graph, const std::set<size_t>& inside, size_t at, graph::Node fused,
                     graph::ValueId result);

}  // namespace tarn::passes
