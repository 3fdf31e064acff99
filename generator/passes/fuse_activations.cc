// Gelu, Swish, HardSwish and Mish as exporters spell them out become one operator, which needs no tensors in between.
// All are products of x and a function of x, so a product is taken apart first, in whatever order it was written.
#include <cmath>

#include "passes/passes.h"
#include "passes/spelled.h"

namespace tarn::passes {

namespace {

using graph::Node;
using graph::ValueId;

bool near(double a, double b) { return std::fabs(a - b) <= 4e-3 * std::fabs(b); }

// One operator in place of several: its name, the version it follows, attributes.
struct Fused {
  std::string op;
  int version = 1;
  ValueId x;
  graph::Attributes attributes = {};
};

class Activations {
 public:
  Activations(const Graph& graph, const graph::Uses& uses) : graph_(graph), spelled_(graph, uses) {}

  std::optional<Fused> find(size_t root) {
    const Node& node = graph_.nodes[root];
    const bool product =
        (node.is("Mul") || node.is("Div")) && node.inputs.size() == 2 && node.inputs[0] && node.inputs[1];
    if (!product || !is_float(graph_.dtype(node.outputs[0]))) return {};
    spelled_.begin(root);
    const Spelled::Product p = spelled_.product(node.outputs[0]);
    if (p.factors.size() != 2) return {};
    const std::set<size_t> before = spelled_.inside();
    for (size_t i = 0; i < 2; ++i) {
      const ValueId x = p.factors[i], f = p.factors[1 - i];
      if (graph_[x].type != graph_[node.outputs[0]].type) continue;
      for (auto rule : {&Activations::gelu, &Activations::swish, &Activations::hard_swish, &Activations::mish}) {
        spelled_.reset(before);
        auto fused = (this->*rule)(p.coefficient, x, f);
        if (fused && spelled_.closed(node.outputs[0])) return fused;
      }
    }
    return {};
  }
  const std::set<size_t>& inside() const { return spelled_.inside(); }

 private:
  // 0.5 * x * (1 + erf(x / sqrt(2))), or (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))).
  std::optional<Fused> gelu(double coefficient, ValueId x, ValueId f) {
    ValueId inner;
    const auto one = spelled_.sum_with_number(f, inner);
    if (!one || *one != 1 || !near(coefficient, 0.5)) return {};
    const std::set<size_t> before = spelled_.inside();
    if (const Node* erf = spelled_.made_by(inner, "Erf")) {
      const Spelled::Product p = spelled_.product(erf->inputs[0]);
      if (p.factors == std::vector<ValueId>{x} && near(p.coefficient, std::sqrt(0.5))) {
        return Fused{"Gelu", 20, x, {{"approximate", std::string("none")}}};
      }
    }
    spelled_.reset(before);
    const Node* tanh = spelled_.made_by(inner, "Tanh");
    if (!tanh) return {};
    const Spelled::Product p = spelled_.product(tanh->inputs[0]);
    if (near(p.coefficient, std::sqrt(2 / 3.14159265358979)) && is_cubic(p.factors, x)) {
      return Fused{"Gelu", 20, x, {{"approximate", std::string("tanh")}}};
    }
    return {};
  }

  // x + 0.044715 * x^3, or x times (1 + 0.044715 * x^2).
  bool is_cubic(const std::vector<ValueId>& factors, ValueId x) {
    if (factors.size() == 1) {
      const Node* add = spelled_.made_by(factors[0], "Add");
      if (!add || add->inputs.size() != 2) return false;
      const size_t other = add->inputs[0] == x ? 1 : 0;
      return add->inputs[1 - other] == x && is_scaled_power(add->inputs[other], x, 3);
    }
    if (factors.size() != 2) return false;
    const size_t other = factors[0] == x ? 1 : 0;
    ValueId square;
    const auto one = factors[1 - other] == x ? spelled_.sum_with_number(factors[other], square) : std::nullopt;
    return one && *one == 1 && is_scaled_power(square, x, 2);
  }

  bool is_scaled_power(ValueId id, ValueId x, int power) {
    const Spelled::Product p = spelled_.product(id);
    if (!near(p.coefficient, 0.044715)) return false;
    if (p.factors == std::vector<ValueId>(static_cast<size_t>(power), x)) return true;
    if (p.factors.size() == 1) return spelled_.is_power(p.factors[0], x, power);
    if (p.factors.size() != 2 || power != 3) return false;
    const size_t other = p.factors[0] == x ? 1 : 0;
    return p.factors[1 - other] == x && spelled_.is_power(p.factors[other], x, 2);
  }

  // x * sigmoid(alpha * x).
  std::optional<Fused> swish(double coefficient, ValueId x, ValueId f) {
    const Node* sigmoid = spelled_.made_by(f, "Sigmoid");
    if (!sigmoid || coefficient != 1) return {};
    double alpha = 1;
    if (sigmoid->inputs[0] != x) {
      const Spelled::Product p = spelled_.product(sigmoid->inputs[0]);
      if (p.factors != std::vector<ValueId>{x}) return {};
      alpha = p.coefficient;
    }
    return Fused{"Swish", 24, x, {{"alpha", static_cast<float>(alpha)}}};
  }

  // x * HardSigmoid(x) with alpha 1/6 and beta 1/2, or x * clip(x + 3, 0, 6) / 6.
  std::optional<Fused> hard_swish(double coefficient, ValueId x, ValueId f) {
    const std::set<size_t> before = spelled_.inside();
    if (const Node* hard = spelled_.made_by(f, "HardSigmoid")) {
      const bool fits = hard->inputs[0] == x && coefficient == 1 &&
                        std::fabs(hard->real("alpha", 0.2) - 1.0 / 6) < 1e-6 && hard->real("beta", 0.5) == 0.5;
      if (fits) return Fused{"HardSwish", 14, x};
      return {};
    }
    spelled_.reset(before);
    if (std::fabs(coefficient - 1.0 / 6) > 1e-6 || !is_clip(f, 0, 6)) return {};
    const Node* clip = spelled_.made_by(f, "Clip");
    ValueId inner;
    const auto three = spelled_.sum_with_number(clip->inputs[0], inner);
    if (three && *three == 3 && inner == x) return Fused{"HardSwish", 14, x};
    return {};
  }

  bool is_clip(ValueId id, double lo, double hi) {
    const Node* clip = spelled_.made_by(id, "Clip");
    if (!clip) return false;
    auto bound = [&](size_t input, const char* attribute) -> std::optional<double> {
      if (clip->has(attribute)) return clip->real(attribute, 0);
      return clip->has_input(input) ? spelled_.number(clip->inputs[input]) : std::nullopt;
    };
    const auto least = bound(1, "min"), most = bound(2, "max");
    return least && most && *least == lo && *most == hi;
  }

  // x * tanh(log(1 + exp(x))).
  std::optional<Fused> mish(double coefficient, ValueId x, ValueId f) {
    const Node* tanh = spelled_.made_by(f, "Tanh");
    if (!tanh || coefficient != 1) return {};
    const std::set<size_t> before = spelled_.inside();
    if (const Node* softplus = spelled_.made_by(tanh->inputs[0], "Softplus")) {
      if (softplus->inputs[0] == x) return Fused{"Mish", 18, x};
    }
    spelled_.reset(before);
    const Node* log = spelled_.made_by(tanh->inputs[0], "Log");
    ValueId inner;
    const auto one = log ? spelled_.sum_with_number(log->inputs[0], inner) : std::nullopt;
    if (!one || *one != 1) return {};
    const Node* exp = spelled_.made_by(inner, "Exp");
    if (exp && exp->inputs[0] == x) return Fused{"Mish", 18, x};
    return {};
  }

  const Graph& graph_;
  Spelled spelled_;
};

}  // namespace

Graph fuse_activations(Graph graph) {
  bool changed = false;
  graph::Uses uses = graph::find_uses(graph);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    Activations activations(graph, uses);
    const std::optional<Fused> fused = activations.find(i);
    if (!fused) continue;
    Node node;
    node.op = fused->op;
    node.version = fused->version;
    node.inputs = {fused->x};
    node.attributes = fused->attributes;
    replace_pattern(graph, activations.inside(), i, std::move(node), graph.nodes[i].outputs[0]);
    uses = graph::find_uses(graph);
    changed = true;
  }
  if (changed) graph::remove_dead(graph);
  return graph;
}

}  // namespace tarn::passes
