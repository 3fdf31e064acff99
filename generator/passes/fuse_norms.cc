// Softmax, LayerNormalization and RMSNormalization as exporters spell them out become one operator. What surrounds them
// (scale, bias) is taken in where the operator has a place for it.
#include <cmath>

#include "passes/passes.h"
#include "passes/spelled.h"

namespace tarn::passes {

namespace {

using graph::Node;
using graph::ValueId;

// The axes from `first` on to the last; empty when they are others.
std::optional<int> trailing_axis(const std::vector<int>& axes, int rank) {
  const int first = rank - static_cast<int>(axes.size());
  for (size_t i = 0; i < axes.size(); ++i) {
    if (axes[i] != first + static_cast<int>(i)) return {};
  }
  return first;
}

class Norms {
 public:
  Norms(const Graph& graph, const graph::Uses& uses) : graph_(graph), spelled_(graph, uses) {}

  // The operator in place of the pattern that ends at `root`; `result` receives what it makes.
  std::optional<Node> find(size_t root, ValueId& result) {
    const Node& node = graph_.nodes[root];
    if (!node.domain.empty() || node.outputs.empty() || !node.outputs[0] || !is_float(graph_.dtype(node.outputs[0])))
      return {};
    for (auto rule : {&Norms::softmax, &Norms::layer_norm, &Norms::rms_norm}) {
      spelled_.begin(root);
      result = node.outputs[0];
      auto fused = (this->*rule)(node, result);
      if (fused && graph_[fused->inputs[0]].type == graph_[result].type && spelled_.closed(result)) return fused;
    }
    return {};
  }
  const std::set<size_t>& inside() const { return spelled_.inside(); }

 private:
  // exp(e) / sum(exp(e)), where e is x, or x less its maximum along the same axis.
  std::optional<Node> softmax(const Node& node, ValueId&) {
    if (!node.is("Div") || node.inputs.size() != 2) return {};
    const Node* exp = spelled_.made_by(node.inputs[0], "Exp");
    const Node* sum = exp ? spelled_.made_by(node.inputs[1], "ReduceSum") : nullptr;
    if (!sum || sum->inputs[0] != node.inputs[0]) return {};
    const auto axes = spelled_.reduced_axes(*sum);
    if (!axes || axes->size() != 1) return {};
    ValueId x = exp->inputs[0];
    const std::set<size_t> before = spelled_.inside();
    const Node* sub = spelled_.made_by(x, "Sub");
    const Node* most = sub ? spelled_.made_by(sub->inputs[1], "ReduceMax") : nullptr;
    if (most && most->inputs[0] == sub->inputs[0] && spelled_.reduced_axes(*most) == axes) x = sub->inputs[0];
    else spelled_.reset(before);
    Node fused;
    fused.op = "Softmax";
    fused.version = 13;
    fused.inputs = {x};
    fused.attributes["axis"] = static_cast<int64_t>((*axes)[0]);
    return fused;
  }

  // epsilon, and what it is added to under a root.
  std::optional<double> root_with_epsilon(const Node* root, ValueId& squared) {
    return root ? spelled_.sum_with_number(root->inputs[0], squared) : std::nullopt;
  }

  // sqrt(v + epsilon), given as divisor, or as the factor 1 / sqrt(v + epsilon).
  std::optional<double> deviation(ValueId divisor, ValueId& v) {
    return root_with_epsilon(spelled_.made_by(divisor, "Sqrt"), v);
  }
  std::optional<double> inverse_deviation(ValueId factor, ValueId& v) {
    const std::set<size_t> before = spelled_.inside();
    if (const Node* reciprocal = spelled_.made_by(factor, "Reciprocal")) return deviation(reciprocal->inputs[0], v);
    if (const Node* div = spelled_.made_by(factor, "Div");
        div && div->inputs.size() == 2 && spelled_.is_number(div->inputs[0], 1)) {
      return deviation(div->inputs[1], v);
    }
    spelled_.reset(before);
    const Node* pow = spelled_.made_by(factor, "Pow");
    if (pow && spelled_.is_number(pow->inputs[1], -0.5)) return root_with_epsilon(pow, v);
    return {};
  }

  // Numerator and v of `x / sqrt(v + epsilon)` in either spelling.
  std::optional<double> normalised(const Node& node, ValueId& x, ValueId& v) {
    if (node.inputs.size() != 2) return {};
    if (node.is("Div")) {
      x = node.inputs[0];
      return deviation(node.inputs[1], v);
    }
    if (!node.is("Mul")) return {};
    const std::set<size_t> before = spelled_.inside();
    for (size_t i = 0; i < 2; ++i) {
      spelled_.reset(before);
      x = node.inputs[i];
      if (const auto epsilon = inverse_deviation(node.inputs[1 - i], v)) return epsilon;
    }
    return {};
  }

  // The axes over which `v` is the mean of the squares of `d`.
  std::optional<std::vector<int>> mean_of_squares(ValueId v, ValueId d) {
    const Node* mean = spelled_.made_by(v, "ReduceMean");
    if (!mean) return {};
    if (!spelled_.is_power(mean->inputs[0], d, 2)) return {};
    return spelled_.reduced_axes(*mean);
  }

  // x, when `d` is x less its mean over the axes.
  std::optional<ValueId> centred(ValueId d, const std::optional<std::vector<int>>& axes) {
    const Node* sub = spelled_.made_by(d, "Sub");
    if (!sub || sub->inputs.size() != 2) return {};
    const Node* mean = spelled_.made_by(sub->inputs[1], "ReduceMean");
    if (!mean || mean->inputs[0] != sub->inputs[0] || spelled_.reduced_axes(*mean) != axes) return {};
    return sub->inputs[0];
  }

  std::optional<Node> layer_norm(const Node& node, ValueId& result) {
    ValueId d, v;
    const auto epsilon = normalised(node, d, v);
    if (!epsilon) return {};
    const std::set<size_t> before = spelled_.inside();
    std::optional<std::vector<int>> axes = mean_of_squares(v, d);
    std::optional<ValueId> x = axes ? centred(d, axes) : std::nullopt;
    if (!x) {
      // The difference may have been written twice.
      spelled_.reset(before);
      const Node* mean = spelled_.made_by(v, "ReduceMean");
      if (!mean) return {};
      axes = spelled_.reduced_axes(*mean);
      x = centred(d, axes);
      const auto twin = squared(mean->inputs[0]);
      if (!x || !twin || centred(*twin, axes) != x) return {};
    }
    const auto axis = trailing_axis(*axes, graph_.shape(*x).rank());
    if (!axis) return {};
    Node fused;
    fused.op = "LayerNormalization";
    fused.version = 17;
    fused.inputs = {*x, ValueId(), ValueId()};
    fused.attributes["axis"] = static_cast<int64_t>(*axis);
    fused.attributes["epsilon"] = static_cast<float>(*epsilon);
    take_in(result, "Mul", *axis, fused.inputs[1]);
    take_in(result, "Add", *axis, fused.inputs[2]);
    return fused;
  }

  // d of d^2.
  std::optional<ValueId> squared(ValueId id) {
    const std::set<size_t> before = spelled_.inside();
    const Node* node = spelled_.made_by(id, "Pow");
    if (!node) node = spelled_.made_by(id, "Mul");
    spelled_.reset(before);
    if (!node || !node->has_input(0) || !spelled_.is_power(id, node->inputs[0], 2)) return {};
    return node->inputs[0];
  }

  std::optional<Node> rms_norm(const Node& node, ValueId& result) {
    ValueId x, v;
    const auto epsilon = normalised(node, x, v);
    const auto axes = epsilon ? mean_of_squares(v, x) : std::nullopt;
    const auto axis = axes ? trailing_axis(*axes, graph_.shape(x).rank()) : std::nullopt;
    if (!axis) return {};
    Node fused;
    fused.op = "RMSNormalization";
    fused.version = 23;
    fused.inputs = {x, ValueId()};
    fused.attributes["axis"] = static_cast<int64_t>(*axis);
    fused.attributes["epsilon"] = static_cast<float>(*epsilon);
    take_in(result, "Mul", *axis, fused.inputs[1]);
    return fused;
  }

  // The multiplication or addition of a constant per element of the normalised axes that alone reads the result so far.
  void take_in(ValueId& result, std::string_view op, int axis, ValueId& operand) {
    const auto reader = spelled_.only_reader(result);
    if (!reader || !graph_.nodes[*reader].is(op) || graph_.nodes[*reader].inputs.size() != 2) return;
    const Node& node = graph_.nodes[*reader];
    const ValueId other = node.inputs[node.inputs[0] == result ? 1 : 0];
    const Constant* c = graph_.constant(other);
    if (!c || other == result || graph_[node.outputs[0]].type != graph_[result].type ||
        node.integer("broadcast", 0) != 0)
      return;
    const Shape& x = graph_.shape(result);
    Shape vector, trimmed = c->shape();
    for (int i = axis; i < x.rank(); ++i) vector.dims.push_back(x[i]);
    while (trimmed.rank() > vector.rank() && trimmed[0] == 1) trimmed.dims.erase(trimmed.dims.begin());
    if (trimmed != vector) return;
    spelled_.add(*reader);
    result = node.outputs[0];
    operand = other;
  }

  const Graph& graph_;
  Spelled spelled_;
};

}  // namespace

Graph fuse_norms(Graph graph) {
  bool changed = false;
  graph::Uses uses = graph::find_uses(graph);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    Norms norms(graph, uses);
    ValueId result;
    std::optional<Node> fused = norms.find(i, result);
    if (!fused) continue;
    replace_pattern(graph, norms.inside(), i, std::move(*fused), result);
    uses = graph::find_uses(graph);
    changed = true;
  }
  if (changed) {
    graph::sort_nodes(graph);
    graph::remove_dead(graph);
  }
  return graph;
}

}  // namespace tarn::passes
