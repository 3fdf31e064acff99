// BatchNormalization at inference is y = x * scale[c] + shift[c]; so are additions and multiplications by per-channel
// constants. They join the layer before them (its weights are scaled, its bias shifted), or each other.
//
// note [integer networks]: a network whose weights are whole numbers carries its quantised arithmetic in float
// operators, where products are exact and roundings are counted on. Scaling its weights would move those roundings, so
// such layers only take additions in.
#include <cmath>

#include "passes/passes.h"

namespace tarn::passes {

namespace {

using graph::Node;
using graph::ValueId;

// Per-channel numbers, or absent ones when their external data is missing.
struct Numbers {
  std::vector<double> values;
  std::string missing;
  bool absent() const { return !missing.empty(); }
};

struct Affine {
  ValueId x;
  Numbers scale, shift;
};

Numbers numbers_of(const Constant& c, int64_t channels) {
  Numbers n;
  if (c.is_absent()) n.missing = c.source();
  else if (c.count() == 1) n.values.assign(static_cast<size_t>(channels), c.real(0));
  else n.values = c.reals();
  return n;
}

template <class F>
Numbers combine(const Numbers& a, const Numbers& b, F f) {
  Numbers n;
  n.missing = a.absent() ? a.missing : b.missing;
  if (n.absent()) return n;
  for (size_t i = 0; i < a.values.size(); ++i) n.values.push_back(f(a.values[i], b.values[i]));
  return n;
}

Numbers all(double value, int64_t channels) { return {std::vector<double>(static_cast<size_t>(channels), value), {}}; }

Constant constant_from(const Numbers& n, DType dtype, int64_t channels) {
  const TensorType type{dtype, Shape{channels}};
  return n.absent() ? Constant::absent(type, n.missing) : Constant::floats(dtype, Shape{channels}, n.values);
}

// A constant that broadcasts over everything but axis `axis` of a tensor of `shape`.
bool per_channel(const Shape& constant, const Shape& shape, int axis) {
  if (constant.count() == 1) return constant.rank() <= shape.rank();
  const int from_end = shape.rank() - axis;
  if (constant.rank() < from_end || constant.rank() > shape.rank()) return false;
  for (int i = 0; i < constant.rank(); ++i) {
    const int64_t wanted = i == constant.rank() - from_end ? shape[axis] : 1;
    if (constant[i] != wanted) return false;
  }
  return true;
}

// The axis along which a layer's outputs have their own weights.
int channel_axis(const Node& node, const Shape& output) {
  return node.op == "MatMul" || node.op == "Gemm" ? output.rank() - 1 : 1;
}

std::optional<Affine> batch_norm(const Graph& graph, const Node& node) {
  if (!node.is("BatchNormalization") || node.inputs.size() != 5 || node.integer("training_mode", 0) != 0) return {};
  for (size_t i = 1; i < node.outputs.size(); ++i) {
    if (node.outputs[i]) return {};
  }
  if (graph.shape(node.inputs[0]).rank() < 2) return {};
  const int64_t channels = graph.shape(node.inputs[0])[1];
  Numbers p[4];
  for (size_t i = 0; i < 4; ++i) {
    const Constant* c = graph.constant(node.inputs[i + 1]);
    if (!c || c->count() != channels) return {};
    p[i] = numbers_of(*c, channels);
  }
  const double epsilon = node.real("epsilon", 1e-5);
  Affine a{node.inputs[0], {}, {}};
  a.scale = combine(p[0], p[3], [&](double gamma, double variance) { return gamma / std::sqrt(variance + epsilon); });
  const Numbers moved = combine(p[2], a.scale, [](double mean, double scale) { return mean * scale; });
  a.shift = combine(p[1], moved, [](double beta, double m) { return beta - m; });
  return a;
}

// Add, Sub, Mul, Div with a constant per channel.
std::optional<Affine> arithmetic(const Graph& graph, const Node& node, int axis) {
  if (!node.domain.empty() || node.inputs.size() != 2 || node.integer("broadcast", 0) != 0) return {};
  const bool add = node.op == "Add", sub = node.op == "Sub", mul = node.op == "Mul", div = node.op == "Div";
  if (!add && !sub && !mul && !div) return {};
  const Shape& y = graph.shape(node.outputs[0]);
  for (int side = 0; side < 2; ++side) {
    const ValueId x = node.inputs[static_cast<size_t>(side)], other = node.inputs[static_cast<size_t>(1 - side)];
    const Constant* c = graph.constant(other);
    if (!c || graph.constant(x) || graph.shape(x) != y || axis >= y.rank() || !per_channel(c->shape(), y, axis))
      continue;
    if (side == 1 && div) return {};
    const int64_t channels = y[axis];
    const Numbers n = numbers_of(*c, channels), one = all(1, channels), zero = all(0, channels);
    if (add) return Affine{x, one, n};
    if (sub && side == 0) return Affine{x, one, combine(zero, n, [](double a, double b) { return a - b; })};
    if (sub) return Affine{x, all(-1, channels), n};
    if (mul) return Affine{x, n, zero};
    return Affine{x, combine(one, n, [](double a, double b) { return a / b; }), zero};
  }
  return {};
}

bool is_one(const Numbers& n) {
  if (n.absent()) return false;
  for (double v : n.values) {
    if (v != 1) return false;
  }
  return true;
}

// See note [integer networks].
bool whole_numbers(const Constant& weights) {
  if (weights.is_absent() || weights.is_splat()) return false;
  for (int64_t i = 0; i < weights.count(); ++i) {
    const double w = weights.real(i);
    if (w != std::nearbyint(w)) return false;
  }
  return true;
}

// Takes the affine map into the layer that makes its input. False: the layer cannot.
bool into_layer(Graph& graph, Node& layer, const Affine& affine) {
  const Constant& weights = *graph.constant(layer.inputs[1]);
  const Shape& y = graph.shape(layer.outputs[0]);
  const int64_t channels = y[channel_axis(layer, y)];
  if (layer.op == "Gemm") {
    // A bias that differs from row to row cannot be told as one number per column.
    if (layer.has_input(2) && !per_channel(graph.shape(layer.inputs[2]), y, 1)) return false;
  }
  const bool scaling = !is_one(affine.scale);
  if (scaling && whole_numbers(weights)) return false;
  const DType dtype = weights.dtype();
  Numbers bias = all(0, channels);
  if (layer.has_input(2)) {
    bias = numbers_of(*graph.constant(layer.inputs[2]), channels);
    if (layer.op == "Gemm") {
      const double beta = layer.real("beta", 1);
      bias = combine(bias, bias, [&](double b, double) { return b * beta; });
    }
  }
  bias = combine(bias, affine.scale, [](double b, double s) { return b * s; });
  bias = combine(bias, affine.shift, [](double b, double s) { return b + s; });
  layer.inputs.resize(3);
  const ValueId name = layer.inputs[1];
  layer.inputs[2] = graph.add_constant(graph[name].name + "_bias", constant_from(bias, dtype, channels));
  if (layer.op == "Gemm") layer.attributes["beta"] = 1.0f;
  if (scaling) {
    Numbers scale = affine.scale;
    if (const Constant* before = layer.tensor("weight_scale")) {
      scale = combine(scale, numbers_of(*before, channels), [](double a, double b) { return a * b; });
    }
    layer.attributes["weight_scale"] = constant_from(scale, DType::float64, channels);
  }
  return true;
}

void take_origins(Node& into, const Node& from) {
  into.origins.insert(into.origins.end(), from.origins.begin(), from.origins.end());
  into.origin_names.insert(into.origin_names.end(), from.origin_names.begin(), from.origin_names.end());
}

void become_affine(Graph& graph, Node& node, const Affine& affine, int axis) {
  const DType dtype = graph.dtype(affine.x);
  const int64_t channels = graph.shape(affine.x)[axis];
  const std::string name = graph[node.outputs[0]].name;
  node.op = "Affine";
  node.domain = "tarn";
  node.inputs = {affine.x, graph.add_constant(name + "_scale", constant_from(affine.scale, dtype, channels)),
                 graph.add_constant(name + "_shift", constant_from(affine.shift, dtype, channels))};
  node.outputs.resize(1);
  node.attributes.clear();
}

Affine affine_of(const Graph& graph, const Node& node) {
  const int64_t channels = graph.shape(node.inputs[1]).count();
  return {node.inputs[0], numbers_of(*graph.constant(node.inputs[1]), channels),
          numbers_of(*graph.constant(node.inputs[2]), channels)};
}

// What a node does to each channel, and the node before it that may do it as well.
struct Step {
  Affine affine;
  Node* before = nullptr;
  bool normalises = false;  // a BatchNormalization: what was trained
};

std::optional<Step> step_of(Graph& graph, const graph::Uses& uses, const Node& node) {
  auto producer_of = [&](ValueId id) -> Node* {
    if (!id || !uses.producer[id.pos()] || uses.readers[id.pos()].size() != 1 || uses.is_output[id.pos()])
      return nullptr;
    return &graph.nodes[*uses.producer[id.pos()]];
  };
  std::optional<Step> step;
  if (std::optional<Affine> affine = batch_norm(graph, node)) {
    step = Step{std::move(*affine), nullptr, true};
    Node* before = producer_of(step->affine.x);
    // The columns of a product of more than two axes are not the channels that are normalised.
    const bool columns = before && is_layer(graph, *before) && channel_axis(*before, graph.shape(step->affine.x)) != 1;
    if (!columns) step->before = before;
  } else if (node.inputs.size() == 2 && node.domain.empty()) {
    for (ValueId id : node.inputs) {
      Node* candidate = producer_of(id);
      if (!candidate || !(is_layer(graph, *candidate) || candidate->is("Affine", "tarn"))) continue;
      std::optional<Affine> affine = arithmetic(graph, node, channel_axis(*candidate, graph.shape(node.outputs[0])));
      if (affine && affine->x == id) step = Step{std::move(*affine), candidate};
      else step.reset();
    }
  }
  if (step && !is_float(graph.dtype(step->affine.x))) step.reset();
  return step;
}

// The layer before makes the node's output; the value between them disappears. False where its numbers do not allow it.
bool join_layer(Graph& graph, const Step& step, Node& node) {
  Node& before = *step.before;
  const bool biased = before.has_input(2);
  if (before.has("clamp_lo") || !into_layer(graph, before, step.affine)) return false;
  if (step.normalises) {
    // What was trained: a scale and a shift for each channel, beside the layer's own numbers.
    const int64_t channels = graph.shape(before.inputs[2]).count();
    before.attributes["folded_parameters"] = before.integer("folded_parameters", 0) + (biased ? 2 : 1) * channels;
  }
  take_origins(before, node);
  std::swap(before.outputs[0], node.outputs[0]);
  node.inputs = {};
  node.op = "Gone";
  return true;
}

}  // namespace

Graph fold_affine(Graph graph) {
  std::optional<graph::Uses> found;  // nothing: the graph has changed
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    Node& node = graph.nodes[i];
    if (node.inputs.empty() || !node.inputs[0]) continue;
    if (!found) found = graph::find_uses(graph);
    const std::optional<Step> step = step_of(graph, *found, node);
    if (!step) continue;
    found.reset();
    const Affine& affine = step->affine;
    Node* before = step->before;
    if (before && is_layer(graph, *before) && join_layer(graph, *step, node)) continue;
    if (before && before->is("Affine", "tarn")) {
      const Affine first = affine_of(graph, *before);
      Affine joined{first.x, combine(first.scale, affine.scale, [](double a, double b) { return a * b; }), {}};
      joined.shift = combine(first.shift, affine.scale, [](double a, double b) { return a * b; });
      joined.shift = combine(joined.shift, affine.shift, [](double a, double b) { return a + b; });
      take_origins(node, *before);
      become_affine(graph, node, joined, 1);
    } else if (step->normalises) {
      become_affine(graph, node, affine, 1);
    }
  }
  graph::sort_nodes(graph);
  graph::remove_dead(graph);
  return graph;
}

}  // namespace tarn::passes
