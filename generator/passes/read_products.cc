// Products of two activations take steps for their operands: what Transpose and Reshape would rearrange is read where
// it lies, and the result is written where it is wanted. Where both operands and the result are transposed, the
// transposed product of them in the other order takes no copy at all.
#include <algorithm>
#include <array>

#include "passes/passes.h"
#include "passes/strided_view.h"

namespace tarn::passes {

namespace {

using graph::Node;

// Elements from one batch, row and column of a matrix to the next.
using MatrixSteps = std::array<int64_t, 3>;

struct Operand {
  ValueId value;
  MatrixSteps steps{};
  std::vector<size_t> nodes;  // that the result need no longer go through
};

struct Product {
  int64_t batches = 1, m = 1, n = 1, k = 1;
  Operand a, b, y;
  size_t passed = 0;  // rearrangements that are left out
  bool turned = false;
};

// The matrix itself, and what it is a view of, from the first element on.
std::vector<Operand> choices(ValueId value, const MatrixSteps& steps, const MatrixSteps& extents,
                             const std::vector<View>& views) {
  std::vector<Operand> list{{value, steps, {}}};
  for (const View& view : views) {
    Operand operand{view.other, {}, view.nodes};
    bool found = view.first == 0;
    for (size_t i = 0; found && i < 3; ++i) {
      const auto step = step_there(view, steps[i], extents[i]);
      found = step.has_value();
      operand.steps[i] = step.value_or(0);
    }
    if (found) list.push_back(std::move(operand));
  }
  return list;
}

// The kernels read a row of the left operand, and write one of the result, element by element.
bool rows_are_runs(const Product& p) { return (p.k == 1 || p.a.steps[2] == 1) && (p.n == 1 || p.y.steps[2] == 1); }

// The transposed product.
Product turned(const Product& p) {
  const auto transposed = [](Operand operand) {
    std::swap(operand.steps[1], operand.steps[2]);
    return operand;
  };
  return {p.batches, p.n, p.m, p.k, transposed(p.b), transposed(p.a), transposed(p.y), p.passed, true};
}

std::optional<Product> best_product(const Graph& graph, const graph::Uses& uses, size_t at) {
  const Node& node = graph.nodes[at];
  const Shape &a = graph.shape(node.inputs[0]), &b = graph.shape(node.inputs[1]), &y = graph.shape(node.outputs[0]);
  Product whole;
  whole.batches = y.count(0, y.rank() - 2);
  whole.m = a[a.rank() - 2];
  whole.k = a[a.rank() - 1];
  whole.n = b[b.rank() - 1];
  const int64_t batches = whole.batches, m = whole.m, n = whole.n, k = whole.k;
  if (batches * m * n * k == 0) return {};
  const std::vector<Operand> left =
      choices(node.inputs[0], {a.rank() > 2 ? m * k : 0, k, 1}, {a.rank() > 2 ? batches : 1, m, k},
              sources_of(graph, uses, node.inputs[0], at));
  const std::vector<Operand> right =
      choices(node.inputs[1], {b.rank() > 2 ? k * n : 0, n, 1}, {b.rank() > 2 ? batches : 1, k, n},
              sources_of(graph, uses, node.inputs[1], at));
  const std::vector<Operand> results =
      choices(node.outputs[0], {m * n, n, 1}, {batches, m, n}, destinations_of(graph, uses, node.outputs[0]));
  std::optional<Product> best;
  for (size_t i = 0; i < left.size(); ++i) {
    for (size_t j = 0; j < right.size(); ++j) {
      for (size_t r = 0; r < results.size(); ++r) {
        const Product plain{batches, m, n, k, left[i], right[j], results[r], i + j + r, false};
        if (plain.passed <= (best ? best->passed : 0)) continue;
        if (rows_are_runs(plain)) best = plain;
        else if (const Product other = turned(plain); rows_are_runs(other)) best = other;
      }
    }
  }
  return best;
}

}  // namespace

Graph read_products(Graph graph) {
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    if (!graph.nodes[i].is("IntMatMul", "tarn") || graph.nodes[i].has("steps")) continue;
    const std::optional<Product> p = best_product(graph, graph::find_uses(graph), i);
    if (!p) continue;
    Node& node = graph.nodes[i];
    std::vector<size_t> passed = p->y.nodes;
    for (size_t at : passed) {
      const Node& before = graph.nodes[at];
      node.origins.insert(node.origins.end(), before.origins.begin(), before.origins.end());
      node.origin_names.insert(node.origin_names.end(), before.origin_names.begin(), before.origin_names.end());
    }
    node.inputs = {p->a.value, p->b.value};
    node.outputs[0] = p->y.value;
    node.attributes["sizes"] = std::vector<int64_t>{p->batches, p->m, p->n, p->k};
    node.attributes["steps"] = std::vector<int64_t>{p->a.steps[0], p->a.steps[1], p->b.steps[0], p->b.steps[1],
                                                    p->b.steps[2], p->y.steps[0], p->y.steps[1]};
    if (p->turned) std::swap(node.attributes["a_zero"], node.attributes["b_zero"]);
    graph::remove_nodes(graph, std::move(passed));
    i = static_cast<size_t>(-1);  // positions have changed; what is done does not change again
  }
  return graph;
}

}  // namespace tarn::passes
