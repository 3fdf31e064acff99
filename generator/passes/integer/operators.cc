// Quantised operators as they are (QLinearConv and its kin): the same fused nodes, with the operators' own arithmetic.
#include <cmath>

#include "passes/integer/average.h"
#include "passes/integer/chain.h"
#include "passes/integer/layer.h"
#include "passes/integer/pairs.h"
#include "passes/integer/tables.h"

namespace tarn::passes::integer {

namespace {

std::optional<Codes> coded(const Work& work, const Node& node, size_t at) {
  if (!node.has_input(at) || !node.has_input(at + 1)) return {};
  auto codes =
      work.parameters(node.inputs[at], node.inputs[at + 1], node.has_input(at + 2) ? node.inputs[at + 2] : ValueId());
  if (!codes) return {};
  codes->dtype = work.graph.dtype(node.inputs[at]);
  if (codes->dtype != DType::int8 && codes->dtype != DType::uint8) return {};
  return codes;
}

std::optional<Codes> result(const Work& work, const Node& node, size_t at) {
  if (!node.has_input(at) || !node.has_output(0)) return {};
  auto codes =
      work.parameters(node.outputs[0], node.inputs[at], node.has_input(at + 1) ? node.inputs[at + 1] : ValueId());
  if (!codes) return {};
  codes->dtype = work.graph.dtype(node.outputs[0]);
  if (codes->dtype != DType::int8 && codes->dtype != DType::uint8) return {};
  return codes;
}

int32_t clamp_code(float v, const Codes& y, bool zero_inside) {
  const int32_t lo = y.dtype == DType::uint8 ? 0 : -128, hi = lo + 255, zero = zero_inside ? 0 : y.zero;
  const float least = static_cast<float>(lo - zero), most = static_cast<float>(hi - zero);
  const float clamped = v >= least ? std::fmin(v, most) : least;
  return static_cast<int32_t>(std::nearbyint(clamped)) + zero - y.shift();
}

// QLinearConv (x, w, y, bias), QLinearMatMul (a, b, y), QGemm (a, b, bias, y): where their operands stand.
bool fuse_quantized_product(Work& work, size_t at) {
  const Node old = work.graph.nodes[at];
  const bool conv = old.op == "QLinearConv", gemm = old.op == "QGemm";
  const std::optional<Codes> x = coded(work, old, 0), y = result(work, old, gemm ? 7 : 6);
  const Constant* codes = old.has_input(3) ? work.graph.constant(old.inputs[3]) : nullptr;
  const Constant* scale = old.has_input(4) ? work.graph.constant(old.inputs[4]) : nullptr;
  const Constant* zero = old.has_input(5) ? work.graph.constant(old.inputs[5]) : nullptr;
  if (!x || !y || !codes || !scale || (old.has_input(5) && !zero) || work.graph.constant(x->value)) return false;
  const int rank = codes->shape().rank();
  if (conv ? rank < 3 || rank > 4 : rank != 2) return false;
  if (gemm && old.integer("transA", 0) != 0) return false;
  const bool rows_first = conv || (gemm && old.integer("transB", 0) != 0);
  Constant flat_scale = scale->reshaped(Shape{scale->count()});
  std::optional<Constant> flat_zero;
  if (zero) flat_zero = zero->reshaped(Shape{zero->count()});
  std::optional<Weights> weights =
      work.weights(*codes, flat_scale, flat_zero ? &*flat_zero : nullptr, rows_first ? 0 : 1);
  if (!weights) return false;
  Layer layer{*x, std::move(*weights), {}, {}, y->zero & 1, {}, {}, {}, {}};
  const size_t bias_at = conv ? 8 : 6;
  if ((conv || gemm) && old.has_input(bias_at)) {
    const Constant* bias = work.graph.constant(old.inputs[bias_at]);
    if (!bias || bias->is_absent() || !along_channels(*bias, layer.weights.channels)) return false;
    for (int64_t c = 0; c < layer.weights.channels; ++c)
      layer.bias.push_back(bias->integer(bias->count() == 1 ? 0 : c));
  }
  std::vector<float> factor;
  const float alpha = gemm ? static_cast<float>(old.real("alpha", 1)) : 1.0f;
  for (float s : layer.weights.scale) {
    const float product = gemm ? (alpha * x->scale) * s : x->scale * s;
    factor.push_back(product / y->scale);
  }
  layer.value = [&](int64_t a, size_t c) { return clamp_code(static_cast<float>(a) * factor[c], *y, false); };
  layer.floats = requant::Floats{factor, 1, y->signed_zero()};
  layer.line = [&](size_t c) {
    return Layer::Line{static_cast<double>(factor[c]), static_cast<double>(y->signed_zero())};
  };
  layer.values = [&](std::span<const int32_t> accumulators, int32_t* codes, size_t c) {
    // Divided by one: the arithmetic of the layers between QDQ nodes.
    const Quantiser code({y->value, 1, y->zero, y->dtype});
    const float slope = factor[c];
    for (size_t i = 0; i < accumulators.size(); ++i) codes[i] = code(static_cast<float>(accumulators[i]) * slope);
  };
  Node node = fused(conv ? "IntConv" : "IntDense", {&old});
  if (!fit_layer(layer, node)) return false;
  Shape shape{layer.weights.channels, layer.weights.length};
  if (conv) {
    shape = codes->shape();
    for (const char* name : {"strides", "pads", "dilations", "group", "auto_pad"}) {
      if (old.has(name)) node.attributes[name] = old.attributes.at(name);
    }
  }
  node.inputs = {work.as_signed(*x),
                 work.graph.add_constant(work.graph[old.inputs[3]].name, stored_weights(layer.weights, shape))};
  work.produce(node, old.outputs[0]);
  work.graph.nodes[at] = std::move(node);
  return true;
}

// QLinearMatMul of two operands made at run time.
bool fuse_dot(Work& work, size_t at) {
  const Node old = work.graph.nodes[at];
  const std::optional<Codes> a = coded(work, old, 0), b = coded(work, old, 3), y = result(work, old, 6);
  if (!a || !b || !y || work.graph.constant(a->value) || work.graph.constant(b->value)) return false;
  const float factor = (a->scale * b->scale) / y->scale;
  const auto value = [&](int64_t sum) { return clamp_code(static_cast<float>(sum) * factor, *y, false); };
  Node node;
  const requant::Floats floats{{factor}, 1, y->signed_zero()};
  if (!fit_matrices(work, {&old}, *a, *b, *y, value, &floats, node)) return false;
  work.produce(node, old.outputs[0]);
  work.graph.nodes[at] = std::move(node);
  return true;
}

bool fuse_sum(Work& work, size_t at) {
  const Node old = work.graph.nodes[at];
  const std::optional<Codes> a = coded(work, old, 0), b = coded(work, old, 3), y = result(work, old, 6);
  if (!a || !b || !y) return false;
  Node node = fused(old.op == "QLinearMul" ? "IntMul" : "IntAdd", {&old});
  if (old.op == "QLinearMul") {
    const float scale = (a->scale * b->scale) / y->scale;
    const auto value = [&](int64_t p) {
      const float product = static_cast<float>(p) * scale;
      return clamp_code(product + static_cast<float>(y->zero), *y, true);
    };
    if (!fit_product(value, *a, *b, 0, node)) return false;
  } else {
    const float ra = a->scale / y->scale, rb = b->scale / y->scale;
    const float fix =
        static_cast<float>(y->zero) - std::fma(ra, static_cast<float>(a->zero), static_cast<float>(b->zero) * rb);
    const auto value = [&](int32_t u, int32_t v) {
      const auto fa = static_cast<float>(u + a->shift()), fb = static_cast<float>(v + b->shift());
      return clamp_code(std::fma(fa, ra, std::fma(fb, rb, fix)), *y, true);
    };
    const auto pair = fit_pair(value, static_cast<double>(ra), static_cast<double>(rb), 0);
    if (!pair) return false;
    set_pair(node, *pair);
  }
  node.inputs = {work.as_signed(*a), work.as_signed(*b)};
  work.produce(node, old.outputs[0]);
  work.graph.nodes[at] = std::move(node);
  return true;
}

// The operator's own kernel, but in the layout that its neighbours have: transposes around it meet theirs.
bool put_channels_last(Work& work, size_t at) {
  Node node = work.graph.nodes[at];
  const int rank = work.graph.shape(node.inputs[0]).rank();
  std::vector<int64_t> last{0}, first{0, rank - 1};
  for (int i = 2; i < rank; ++i) last.push_back(i);
  last.push_back(1);
  for (int i = 1; i + 1 < rank; ++i) first.push_back(i);
  auto moved = [&](ValueId id) {
    const graph::Value value = work.graph[id];
    Shape shape;
    for (int64_t axis : last) shape.dims.push_back(value.type.shape[static_cast<int>(axis)]);
    return work.graph.add_value(value.name, {value.type.dtype, shape});
  };
  Node before = fused("Transpose", {&node}), after = before;
  before.domain = after.domain = "";
  before.attributes["perm"] = last;
  after.attributes["perm"] = first;
  before.inputs = {node.inputs[0]};
  before.outputs = {moved(node.inputs[0])};
  after.inputs = {moved(node.outputs[0])};
  after.outputs = {node.outputs[0]};
  node.inputs[0] = before.outputs[0];
  node.outputs[0] = after.inputs[0];
  node.attributes["channels_last"] = int64_t{1};
  work.add(std::move(before));
  work.add(std::move(after));
  work.graph.nodes[at] = std::move(node);
  return true;
}

bool fuse_mean(Work& work, size_t at) {
  const Node old = work.graph.nodes[at];
  if (old.integer("channels_last", 0) != 0) return false;
  const std::optional<Codes> x = coded(work, old, 0), y = result(work, old, 3);
  if (!x || !y || work.graph.constant(x->value)) return false;
  const std::optional<Average> average = average_of(work, old, work.graph.shape(x->value), false);
  if (!average) return false;
  const bool global = old.op == "QLinearGlobalAveragePool";
  const auto value = [&](int64_t a, int64_t n) {
    if (global) return clamp_code(static_cast<float>(a) * (x->scale / (y->scale * static_cast<float>(n))), *y, false);
    const float mean = static_cast<float>(a) * x->scale / static_cast<float>(n);
    return clamp_code(mean / y->scale + static_cast<float>(y->zero), *y, true);
  };
  if (!global) {
    // The operator adds up floats: where a mean lies near a tie, their rounding decides, and only their sum tells.
    for (int64_t n = average->least; n <= average->most; ++n) {
      const double ratio = static_cast<double>(x->scale) / (static_cast<double>(n) * static_cast<double>(y->scale));
      for (int64_t a = n * (-128 - x->signed_zero()); a <= n * (127 - x->signed_zero()); ++a) {
        const double mean = static_cast<double>(a) * ratio, distance = std::fabs(mean - std::floor(mean) - 0.5);
        if (distance < static_cast<double>(n + 8) * 2e-5 && std::fabs(mean) < 260) return put_channels_last(work, at);
      }
    }
  }
  Node node = fused("IntAveragePool", {&old});
  if (!fit_average(*average, *x, value, global ? y->zero & 1 : 0, node)) return false;
  node.inputs = {work.as_signed(*x)};
  work.produce(node, old.outputs[0]);
  work.graph.nodes[at] = std::move(node);
  return true;
}

bool fuse_leaky(Work& work, size_t at) {
  const Node old = work.graph.nodes[at];
  const std::optional<Codes> x = coded(work, old, 0), y = result(work, old, 3);
  if (!x || !y || work.graph.constant(x->value)) return false;
  const auto alpha = static_cast<float>(old.real("alpha", 0.01));
  const bool sigmoid = old.op == "QLinearSigmoid";
  Node node = table_node(work, {&old}, *x, [&](float v) {
    if (sigmoid) return quantise(static_cast<float>(1 / (1 + std::exp(-static_cast<double>(v)))), *y);
    return quantise(v < 0 ? alpha * v : v, *y);
  });
  work.produce(node, old.outputs[0]);
  work.graph.nodes[at] = std::move(node);
  return true;
}

bool fuse_join(Work& work, size_t at) {
  const Node old = work.graph.nodes[at];
  if (old.inputs.size() < 5 || old.inputs.size() % 3 != 2) return false;
  const std::optional<Codes> y = result(work, old, 0);
  if (!y) return false;
  std::vector<Codes> parts;
  for (size_t i = 2; i < old.inputs.size(); i += 3) {
    const auto part = coded(work, old, i);
    if (!part) return false;
    parts.push_back(*part);
  }
  Node concat = fused("Concat", {&old});
  concat.domain.clear();
  concat.attributes["axis"] = old.integer("axis", 1);
  for (const Codes& part : parts) {
    if (part.scale == y->scale && part.signed_zero() == y->signed_zero()) {
      concat.inputs.push_back(work.as_signed(part));
      continue;
    }
    Node table = table_node(work, {&old}, part, [&](float v) { return quantise(v, *y); });
    const ValueId made = work.graph.add_value(work.graph[part.value].name, {DType::int8, work.graph.shape(part.value)});
    table.outputs = {made};
    concat.inputs.push_back(made);
    work.add(std::move(table));
  }
  work.produce(concat, old.outputs[0]);
  work.graph.nodes[at] = std::move(concat);
  return true;
}

}  // namespace

bool fuse_operator(Work& work, size_t at) {
  const Node& node = work.graph.nodes[at];
  const std::string& op = node.op;
  if (op == "QLinearMatMul" && node.domain.empty()) return fuse_quantized_product(work, at) || fuse_dot(work, at);
  if (node.domain.empty()) return op == "QLinearConv" && fuse_quantized_product(work, at);
  if (node.domain != "com.microsoft") return false;
  if (op == "QGemm" || op == "QLinearConv") return fuse_quantized_product(work, at);
  if (op == "QLinearAdd" || op == "QLinearMul") return fuse_sum(work, at);
  if (op == "QLinearAveragePool" || op == "QLinearGlobalAveragePool") return fuse_mean(work, at);
  if (op == "QLinearLeakyRelu" || op == "QLinearSigmoid") return fuse_leaky(work, at);
  if (op == "QLinearConcat") return fuse_join(work, at);
  return false;
}

}  // namespace tarn::passes::integer
