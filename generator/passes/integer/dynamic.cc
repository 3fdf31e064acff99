// Layers of codes that give floats. Those whose input is quantised while the network runs: products of codes in
// integers (ConvInteger, MatMulInteger), then Cast, scales and a bias in floats, become one layer that never keeps the
// sums. And layers between DequantizeLinear and no QuantizeLinear, whose scale is known: the same kernels.
#include <algorithm>
#include <cmath>

#include "passes/integer/layer.h"

namespace tarn::passes::integer {

namespace {

struct Operands {
  ValueId x, x_scale, x_zero;
  ValueId weights;
  const Constant *codes = nullptr, *scale = nullptr, *zero = nullptr;
};

// One scale, or one per output channel in the place that broadcasting gives it; nothing when it is neither.
std::optional<Constant> by_channel(const Constant& c, int64_t channels, int behind) {
  if (c.is_absent() || c.dtype() != DType::float32) return {};
  const Shape& shape = c.shape();
  const int axis = shape.rank() - 1 - behind;
  if (c.count() != 1 && (c.count() != channels || axis < 0 || shape[axis] != channels)) return {};
  return c.reshaped(Shape{c.count()});
}

// No partial sum leaves 32 bits, in whatever order it is made.
bool keeps_32_bits(const Weights& w) {
  WeightRows rows(w);
  for (int64_t c = 0; c < w.channels; ++c) {
    const int64_t zero = w.zero.empty() ? 0 : w.zero[static_cast<size_t>(c)];
    int64_t all = 0;
    for (const int32_t weight : rows.row(c)) all += std::abs(weight) + std::abs(weight + zero) + std::abs(zero);
    if (all * 128 >= int64_t{1} << 31) return false;
  }
  return true;
}

// Sets what the layer has of its weights: two of its inputs, and attributes. `from`: the weights of `core`, the
// operator.
void set_weights(Work& work, const Weights& weights, Constant scale, ValueId from, const Node& core, Node& node) {
  const bool conv = node.op == "DynamicConv";
  for (const char* key : {"strides", "pads", "dilations", "group", "auto_pad"}) {
    if (conv && core.has(key)) node.attributes[key] = core.attributes.at(key);
  }
  if (!weights.zero.empty()) {
    node.attributes["w_zero"] = Constant::ints(DType::int32, Shape{weights.channels},
                                               std::vector<int64_t>(weights.zero.begin(), weights.zero.end()));
  }
  const Shape shape = conv ? work.graph.shape(from) : Shape{weights.channels, weights.length};
  node.inputs.resize(5);
  node.inputs[1] = work.graph.add_constant(work.graph[from].name, stored_weights(weights, shape));
  node.inputs[4] = work.graph.add_constant(work.graph[from].name, std::move(scale));
}

void set_input(Work& work, ValueId x, ValueId scale, ValueId zero, Node& node) {
  const DType type = work.graph.dtype(x);
  node.inputs[0] = work.as_signed(Codes{x, 1, 0, type});
  node.inputs[2] = scale;
  node.inputs[3] = zero;
  if (type == DType::int8) node.attributes["x_signed"] = int64_t{1};
}

// Makes `node` the layer; its output is still to be set.
bool make_layer(Work& work, const Operands& o, const Node& core, Node& node) {
  const bool conv = node.op == "DynamicConv";
  const DType type = work.graph.dtype(o.x);
  if (!o.codes || work.graph.constant(o.x) || (type != DType::int8 && type != DType::uint8)) return false;
  const int rank = o.codes->shape().rank();
  if (conv ? rank < 3 || rank > 4 : rank != 2 || work.graph.shape(o.x).rank() < 2) return false;
  for (ValueId id : {o.x_scale, o.x_zero}) {
    if (id && work.graph.shape(id).count() != 1) return false;
  }
  std::optional<Constant> zero;
  if (o.zero) zero = o.zero->reshaped(Shape{o.zero->count()});
  const Constant one = Constant::floats(DType::float32, Shape{1}, {1.0});
  const std::optional<Weights> weights = work.weights(*o.codes, one, zero ? &*zero : nullptr, conv ? 0 : 1);
  if (!weights || !keeps_32_bits(*weights)) return false;
  const Constant& scale = o.scale ? *o.scale : one;
  std::optional<Constant> spread = by_channel(scale, weights->channels, conv && scale.count() > 1 ? rank - 2 : 0);
  if (!spread) return false;
  set_weights(work, *weights, std::move(*spread), o.weights, core, node);
  set_input(work, o.x, o.x_scale, o.x_zero, node);
  return true;
}

// Mul(Cast(products), x_scale * w_scale), where the scales may be one constant.
bool fuse_product(Work& work, size_t at) {
  const Node mul = work.graph.nodes[at];
  if (mul.inputs.size() != 2 || work.graph.dtype(mul.outputs[0]) != DType::float32) return false;
  for (size_t i : {size_t{0}, size_t{1}}) {
    const Node* cast = work.producer(mul.inputs[i]);
    if (!cast || !cast->is("Cast") || !work.only_link(mul.inputs[i])) continue;
    const Node* core = work.producer(cast->inputs[0]);
    if (!core || !(core->is("ConvInteger") || core->is("MatMulInteger")) || !work.only_link(cast->inputs[0])) continue;
    Operands o{core->inputs[0], {}, core->has_input(2) ? core->inputs[2] : ValueId(), core->inputs[1]};
    o.codes = work.graph.constant(core->inputs[1]);
    o.zero = core->has_input(3) ? work.graph.constant(core->inputs[3]) : nullptr;
    if (core->has_input(3) && !o.zero) return false;
    const ValueId scales = mul.inputs[1 - i];
    o.scale = work.graph.constant(scales);
    if (!o.scale) {
      const Node* product = work.producer(scales);
      if (!product || !product->is("Mul")) return false;
      const bool second = work.graph.constant(product->inputs[1]) != nullptr;
      o.scale = work.graph.constant(product->inputs[second ? 1 : 0]);
      o.x_scale = product->inputs[second ? 0 : 1];
      if (!o.scale) return false;
    }
    if (work.graph.shape(mul.outputs[0]) != work.graph.shape(cast->inputs[0])) return false;
    const bool conv = core->is("ConvInteger");
    Node node = fused(conv ? "DynamicConv" : "DynamicDense", {core, cast, &mul});
    if (!make_layer(work, o, *core, node)) return false;
    node.outputs = mul.outputs;
    work.graph.nodes[at] = std::move(node);
    return true;
  }
  return false;
}

// A known bias behind such a layer.
bool fuse_bias(Work& work, size_t at) {
  const Node add = work.graph.nodes[at];
  for (size_t i : {size_t{0}, size_t{1}}) {
    const Node* layer = add.inputs.size() == 2 ? work.producer(add.inputs[i]) : nullptr;
    const Constant* bias = layer ? work.graph.constant(add.inputs[1 - i]) : nullptr;
    const bool conv = layer && layer->is("DynamicConv", "tarn");
    if (!bias || !(conv || layer->is("DynamicDense", "tarn")) || layer->inputs.size() != 5 ||
        !work.only_link(add.inputs[i]))
      continue;
    const int rank = work.graph.shape(add.inputs[i]).rank();
    const int64_t channels = work.graph.shape(layer->inputs[1])[0];
    if (work.graph.shape(add.outputs[0]) != work.graph.shape(add.inputs[i])) return false;
    const std::optional<Constant> known = by_channel(*bias, channels, conv ? rank - 2 : 0);
    if (!known || known->count() != channels) return false;
    Node node = fused(layer->op, {layer, &add});
    node.attributes = layer->attributes;
    node.inputs = layer->inputs;
    node.inputs.push_back(work.graph.add_constant(work.graph[add.inputs[1 - i]].name, *known));
    node.outputs = add.outputs;
    work.graph.nodes[at] = std::move(node);
    return true;
  }
  return false;
}

// com.microsoft: MatMulIntegerToFloat(a, b, a_scale, b_scale, a_zero, b_zero, bias), DynamicQuantizeMatMul(a, b,
// b_scale, b_zero, bias).
bool fuse_scaled(Work& work, size_t at, bool quantises) {
  const Node old = work.graph.nodes[at];
  auto input = [&](size_t i) { return old.has_input(i) ? old.inputs[i] : ValueId(); };
  auto constant = [&](ValueId id) { return id ? work.graph.constant(id) : nullptr; };
  const ValueId zero = input(quantises ? 3 : 5), scale = input(quantises ? 2 : 3), bias = input(quantises ? 4 : 6);
  Operands o{input(0), quantises ? ValueId() : input(2), quantises ? ValueId() : input(4), input(1)};
  o.codes = constant(o.weights);
  o.scale = constant(scale);
  o.zero = constant(zero);
  if (!o.scale || (zero && !o.zero) || (bias && !constant(bias)) || work.graph.dtype(old.outputs[0]) != DType::float32)
    return false;
  Node range = fused("DynamicQuantizeLinear", {&old});
  if (quantises) {
    if (work.graph.constant(o.x) || work.graph.dtype(o.x) != DType::float32) return false;
    const graph::Value value = work.graph[o.x];
    range.domain.clear();
    range.inputs = {o.x};
    o.x = work.graph.add_value(value.name, {DType::uint8, value.type.shape});
    work.graph[o.x].runtime_dims = value.runtime_dims;
    o.x_scale = work.graph.add_value(value.name, {DType::float32, {}});
    o.x_zero = work.graph.add_value(value.name, {DType::uint8, {}});
    range.outputs = {o.x, o.x_scale, o.x_zero};
  }
  Node node = fused("DynamicDense", {&old});
  if (!make_layer(work, o, old, node)) return false;
  if (bias) {
    const std::optional<Constant> known = by_channel(*constant(bias), work.graph.shape(node.inputs[1])[0], 0);
    if (!known || known->count() != work.graph.shape(node.inputs[1])[0]) return false;
    node.inputs.push_back(work.graph.add_constant(work.graph[bias].name, *known));
  }
  node.outputs = old.outputs;
  work.graph.nodes[at] = std::move(node);
  if (quantises) work.add(std::move(range));
  return true;
}

}  // namespace

bool fuse_dynamic(Work& work, size_t at) {
  const Node& node = work.graph.nodes[at];
  if (node.is("Mul")) return fuse_product(work, at);
  if (node.is("Add")) return fuse_bias(work, at);
  if (node.is("MatMulIntegerToFloat", "com.microsoft")) return fuse_scaled(work, at, false);
  if (node.is("DynamicQuantizeMatMul", "com.microsoft")) return fuse_scaled(work, at, true);
  return false;
}

bool fuse_open_layer(Work& work, size_t at) {
  const Node core = work.graph.nodes[at];
  std::optional<Product> product = product_of(work, core);
  const std::optional<Codes> x = product ? work.dequantised(product->x) : std::nullopt;
  if (!x || work.graph.dtype(core.outputs[0]) != DType::float32 || !keeps_32_bits(product->weights)) return false;
  if (core.real("alpha", 1) != 1 || core.real("beta", 1) != 1 || work.graph.shape(product->x).rank() < 2) return false;
  const Weights& weights = product->weights;
  std::vector<float> scale;
  for (float s : weights.scale) scale.push_back(x->scale * s);
  std::optional<Bias> bias;
  if (core.has_input(2) && !(bias = bias_of(work, core.inputs[2], weights.channels, scale))) return false;
  const Node* qdq = work.producer(product->x);
  Node node = fused(core.op == "Conv" ? "DynamicConv" : "DynamicDense", {&core});
  const Constant by_channel = Constant::floats(DType::float32, Shape{weights.channels},
                                               std::vector<double>(weights.scale.begin(), weights.scale.end()));
  set_weights(work, weights, by_channel, core.inputs[1], core, node);
  set_input(work, x->value, qdq->inputs[1], qdq->has_input(2) ? qdq->inputs[2] : ValueId(), node);
  if (bias) {
    const std::vector<double> values(bias->values.begin(), bias->values.end());
    node.inputs.push_back(work.graph.add_constant(work.graph[core.inputs[2]].name,
                                                  Constant::floats(DType::float32, Shape{weights.channels}, values)));
  }
  node.outputs = core.outputs;
  work.graph.nodes[at] = std::move(node);
  return true;
}

void make_signed_codes(Work& work) {
  for (Node& node : work.graph.nodes) {
    if (!node.is("DynamicQuantizeLinear") || !node.has_output(0) || !work.only_link(node.outputs[0])) continue;
    Node& flip = work.graph.nodes[work.readers(node.outputs[0])[0]];
    if (!flip.is("IntFlip", "tarn")) continue;
    node.op = "DynamicQuantize";
    node.domain = "tarn";
    node.outputs[0] = flip.outputs[0];
    flip.op = "Gone";
    flip.inputs.clear();
    flip.outputs.clear();
  }
  std::erase_if(work.graph.nodes, [](const Node& node) { return node.op == "Gone"; });
  work.refresh();
}

}  // namespace tarn::passes::integer
