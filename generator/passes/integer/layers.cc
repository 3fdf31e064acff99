// QuantizeLinear(chain(layer(DequantizeLinear(x), DequantizeLinear(w)))) becomes one integer layer.
#include <algorithm>
#include <cmath>

#include "passes/integer/chain.h"
#include "passes/integer/layer.h"

namespace tarn::passes::integer {

namespace {

// What a channel's sums are made of.
struct Sums {
  int64_t above = 0, below = 0;  // of the positive weights, and of the negative ones
  int64_t magnitude = 0;         // of the weights as they are stored, and of their zero point once for each
};

Sums sums_of(const Weights& w, WeightRows& rows, int64_t channel) {
  Sums sums;
  const int32_t* row = rows.row(channel).data();
  // Short sums take no more than 32 bits, and less time.
  constexpr int64_t kShort = 4096;
  for (int64_t first = 0; first < w.length; first += kShort) {
    int32_t sum = 0, magnitude = 0;
    for (int64_t k = first; k < std::min(w.length, first + kShort); ++k) {
      sum += row[k];
      magnitude += std::abs(row[k]);
    }
    sums.above += (magnitude + sum) / 2;
    sums.below += (sum - magnitude) / 2;
  }
  sums.magnitude = sums.above - sums.below;
  const int64_t zero = w.zero.empty() ? 0 : w.zero[static_cast<size_t>(channel)];
  if (zero == 0) return sums;
  sums.magnitude = 0;
  for (int64_t k = 0; k < w.length; ++k) sums.magnitude += std::abs(row[k] + zero) + std::abs(zero);
  return sums;
}

constexpr int64_t kLimit = (int64_t{1} << 31) - 1;

std::optional<requant::Form> form_of(const Layer& layer, const std::vector<requant::Steps>& steps,
                                     requant::Memo* fits) {
  // A list of a hundredth of the weights is found in less time than floats are made of integers.
  const size_t most_listed = static_cast<size_t>(layer.weights.channels * layer.weights.length) / 100;
  const auto fit = [&] {
    return requant::fit(steps, layer.parity, layer.floats ? &*layer.floats : nullptr, most_listed);
  };
  if (!fits || !layer.given) return fit();
  requant::Given given = *layer.given;
  given << layer.parity << layer.floats.has_value() << most_listed;
  for (const requant::Steps& step : steps) given << step.first << step.last;
  const auto [found, added] = fits->forms.try_emplace(given.bytes());
  if (added) found->second = fit();
  return found->second;
}

}  // namespace

bool fit_layer(const Layer& layer, Node& node, requant::Memo* fits) {
  const Weights& w = layer.weights;
  const int64_t lo = -128 - layer.x.signed_zero(), hi = 127 - layer.x.signed_zero();
  std::vector<requant::Steps> steps;
  std::vector<int64_t> begin;
  WeightRows rows(w);
  for (int64_t c = 0; c < w.channels; ++c) {
    const int64_t bias = layer.bias.empty() ? 0 : layer.bias[static_cast<size_t>(c)];
    const Sums sums = sums_of(w, rows, c);
    begin.push_back(bias - layer.x.signed_zero() * (sums.above + sums.below));
    // No partial sum may leave 32 bits, in whatever order it is made.
    if (std::abs(begin.back()) + sums.magnitude * 128 > kLimit) return false;
    const auto channel = static_cast<size_t>(c);
    requant::Steps& step = steps.emplace_back();
    step.value = [&layer, channel](int64_t a) { return layer.value(a, channel); };
    step.first = bias + sums.above * lo + sums.below * hi;
    step.last = bias + sums.above * hi + sums.below * lo;
    if (!layer.line) continue;
    const Layer::Line line = layer.line(channel);
    step.rise = line.rise;
    step.code_at_0 = line.code_at_0;
    step.values = [&layer, channel](std::span<const int32_t> accumulators, int32_t* codes) {
      layer.values(accumulators, codes, channel);
    };
  }
  const std::optional<requant::Form> form = form_of(layer, steps, fits);
  if (!form) return false;
  ops::set_form(node, *form, begin, describe(*form));
  node.attributes["x_zero"] = static_cast<int64_t>(layer.x.signed_zero());
  if (!w.zero.empty()) {
    node.attributes["w_zero"] =
        Constant::ints(DType::int32, Shape{w.channels}, std::vector<int64_t>(w.zero.begin(), w.zero.end()));
  }
  return true;
}

Constant stored_weights(const Weights& w, Shape shape) { return w.codes.reshaped(std::move(shape)); }

bool along_channels(const Constant& c, int64_t channels) {
  return c.count() == 1 || (c.count() == channels && c.shape()[c.shape().rank() - 1] == channels);
}

std::optional<Bias> bias_of(const Work& work, ValueId id, int64_t channels, const std::vector<float>& product) {
  Bias bias;
  auto spread = [&](int64_t count, int64_t c) { return count == 1 ? 0 : c; };
  if (const Constant* c = work.graph.constant(id)) {
    if (c->is_absent() || c->dtype() != DType::float32 || !along_channels(*c, channels)) return {};
    for (int64_t i = 0; i < channels; ++i) bias.values.push_back(static_cast<float>(c->real(spread(c->count(), i))));
    return bias;
  }
  const Node* node = work.producer(id);
  if (!node || node->op != "DequantizeLinear") return {};
  const Constant *codes = work.graph.constant(node->inputs[0]), *scale = work.graph.constant(node->inputs[1]);
  const Constant* zero = node->has_input(2) ? work.graph.constant(node->inputs[2]) : nullptr;
  if (!codes || !scale || codes->is_absent() || scale->is_absent() || (node->has_input(2) && !zero)) return {};
  if (!along_channels(*codes, channels) || (scale->count() != 1 && scale->count() != channels)) return {};
  bias.fits = true;
  for (int64_t i = 0; i < channels; ++i) {
    const int64_t z = zero ? zero->integer(spread(zero->count(), i)) : 0,
                  code = codes->integer(spread(codes->count(), i)) - z;
    const auto s = static_cast<float>(scale->real(spread(scale->count(), i)));
    bias.codes.push_back(code);
    bias.values.push_back(static_cast<float>(code) * s);
    bias.fits = bias.fits && std::fabs(s - product[static_cast<size_t>(i)]) <= 1e-6f * s;
  }
  return bias;
}

namespace {

// Weights that are whole numbers though they are spelled as floats.
std::optional<Product> whole_numbers(const Work& work, const Node& node, const Constant& weights) {
  const bool conv = node.op == "Conv";
  const int rank = weights.shape().rank();
  if (weights.is_absent() || weights.dtype() != DType::float32 || (conv ? rank < 3 || rank > 4 : rank != 2)) return {};
  if (node.op == "Gemm" && node.integer("transA", 0) != 0) return {};
  // Most weights show with the first of them that they are none; what a large constant takes is asked for afterwards.
  const auto is_code = [](double v) { return v == std::nearbyint(v) && v >= -128 && v <= 127; };
  for (int64_t i = 0; i < weights.count(); ++i) {
    if (!is_code(weights.real(i))) return {};
  }
  std::vector<uint8_t> values;
  values.reserve(static_cast<size_t>(weights.count()));
  for (int64_t i = 0; i < weights.count(); ++i)
    values.push_back(static_cast<uint8_t>(static_cast<int8_t>(weights.real(i))));
  const int axis = conv || (node.op == "Gemm" && node.integer("transB", 0) != 0) ? 0 : 1;
  const Constant one = Constant::floats(DType::float32, Shape{1}, {1.0});
  std::optional<Weights> w =
      work.weights(Constant::of({DType::int8, weights.shape()}, std::move(values)), one, nullptr, axis);
  if (!w) return {};
  return Product{&node, std::move(*w), node.inputs[0]};
}

}  // namespace

std::optional<Product> product_of(const Work& work, const Node& node) {
  if (!node.domain.empty() || node.inputs.size() < 2 || node.outputs.size() != 1) return {};
  const bool conv = node.op == "Conv", gemm = node.op == "Gemm";
  if (!conv && !gemm && node.op != "MatMul") return {};
  const Node* from = work.producer(node.inputs[1]);
  if (const Constant* c = work.graph.constant(node.inputs[1])) return whole_numbers(work, node, *c);
  if (!from || from->op != "DequantizeLinear" || from->integer("block_size", 0) != 0) return {};
  const Constant *codes = work.graph.constant(from->inputs[0]), *scale = work.graph.constant(from->inputs[1]);
  const Constant* zero = from->has_input(2) ? work.graph.constant(from->inputs[2]) : nullptr;
  if (!codes || !scale || (from->has_input(2) && !zero)) return {};
  const int rank = codes->shape().rank();
  if (conv ? rank < 3 || rank > 4 : rank != 2) return {};
  const int axis = conv || (gemm && node.integer("transB", 0) != 0) ? 0 : 1;
  if (gemm && node.integer("transA", 0) != 0) return {};
  if (scale->count() != 1) {
    const auto along = normalise_axis(from->integer("axis", 1), rank);
    if (!along || *along != axis) return {};
  }
  std::optional<Weights> weights = work.weights(*codes, *scale, zero, axis);
  if (!weights) return {};
  return Product{&node, std::move(*weights), node.inputs[0]};
}

namespace {

// What the model calls the weights that a layer reads.
std::string name_of_codes(const Work& work, ValueId weights) {
  const Node* made = work.producer(weights);
  if (made && made->op == "DequantizeLinear" && work.graph.constant(made->inputs[0]))
    return work.graph[made->inputs[0]].name;
  return work.graph[weights].name;
}

}  // namespace

void place_layer(Work& work, size_t at, const Node& core, const Layer& layer, Node node) {
  Shape shape{layer.weights.channels, layer.weights.length};
  if (core.op == "Conv") {
    shape = work.graph.shape(core.inputs[1]);
    for (const char* name : {"strides", "pads", "dilations", "group", "auto_pad"}) {
      if (core.has(name)) node.attributes[name] = core.attributes.at(name);
    }
  }
  const ValueId weights =
      work.graph.add_constant(name_of_codes(work, core.inputs[1]), stored_weights(layer.weights, shape));
  node.inputs = {work.as_signed(layer.x), weights};
  work.produce(node, ValueId(work.graph.nodes[at].outputs[0]));
  work.graph.nodes[at] = std::move(node);
}

namespace {

// What becomes of the sums of a layer, channel by channel, before they are codes.
struct Dequantised {
  const Chain& chain;
  Codes y;
  float alpha = 1;
  std::vector<float> scale;  // of the product of codes
  std::vector<float> added;  // a bias that is no number of those; or empty
};

// The layer's codes by float arithmetic as the model has it; `sums` outlives what is set here.
void set_product_values(Layer& layer, const Dequantised& sums) {
  layer.value = [&sums](int64_t a, size_t c) {
    float v = static_cast<float>(a) * sums.scale[c];
    if (sums.alpha != 1) v = sums.alpha * v;
    if (!sums.added.empty()) v = v + sums.added[c];
    return quantise(sums.chain.apply(v, c), sums.y);
  };
  const std::optional<Bounds> bounds = sums.chain.bounds();
  if (!bounds || sums.alpha != 1) return;
  if (sums.added.empty()) layer.floats = requant::Floats{sums.scale, sums.y.scale, sums.y.signed_zero()};
  const auto add = [&sums](size_t c) { return sums.added.empty() ? 0.0f : sums.added[c]; };
  requant::Given& given = layer.given.emplace();
  given << sums.y.scale << sums.y.zero << sums.y.dtype << bounds->lo << bounds->hi << sums.added.empty();
  for (size_t c = 0; c < sums.scale.size(); ++c) given << sums.scale[c] << add(c);
  layer.line = [&sums, add](size_t c) {
    const auto unit = static_cast<double>(sums.y.scale);
    return Layer::Line{static_cast<double>(sums.scale[c]) / unit,
                       static_cast<double>(add(c)) / unit + sums.y.signed_zero()};
  };
  layer.values = [&sums, add, within = *bounds](std::span<const int32_t> accumulators, int32_t* codes, size_t c) {
    const float slope = sums.scale[c], offset = add(c);
    const Quantiser code(sums.y);
    for (size_t i = 0; i < accumulators.size(); ++i) {
      const float v = static_cast<float>(accumulators[i]) * slope + offset;
      codes[i] = code(std::min(std::max(v, within.lo), within.hi));
    }
  };
}

}  // namespace

bool fuse_layer(Work& work, size_t at) {
  const Node q = work.graph.nodes[at];
  const std::optional<Codes> y = work.quantises(q);
  if (!y) return false;
  // The channel axis depends on what the layer turns out to be.
  const int rank = work.graph.shape(q.inputs[0]).rank();
  for (int axis : {1, rank - 1}) {
    Chain chain = trace(work, q.inputs[0], axis);
    const Node* core = work.producer(chain.from);
    if (!core || !chain.stepwise() || !work.only_link(chain.from)) continue;
    const bool conv = core->is("Conv");
    if (conv != (axis == 1) && rank != 2) continue;
    std::optional<Product> product = product_of(work, *core);
    if (!product) return false;
    const std::optional<Codes> x = work.dequantised(product->x);
    if (!x) return false;
    Layer layer{*x, std::move(product->weights), {}, {}, y->zero & 1, {}, {}, {}, {}};
    Dequantised sum{chain, *y, static_cast<float>(core->real("alpha", 1)), {}, {}};
    for (float s : layer.weights.scale) sum.scale.push_back(x->scale * s);
    if (static_cast<float>(core->real("beta", 1)) != 1) return false;
    if (core->has_input(2)) {
      const auto bias = bias_of(work, core->inputs[2], layer.weights.channels, sum.scale);
      if (!bias) return false;
      if (bias->fits && sum.alpha == 1) layer.bias = bias->codes;
      else sum.added = bias->values;
    }
    set_product_values(layer, sum);
    std::vector<const Node*> origins{core};
    origins.insert(origins.end(), chain.nodes.begin(), chain.nodes.end());
    Node node = fused(conv ? "IntConv" : "IntDense", origins);
    if (!fit_layer(layer, node, work.fits)) return false;
    place_layer(work, at, Node(*core), layer, std::move(node));
    return true;
  }
  return false;
}

// As a layer of one weight for each channel: the sum is the code.
bool fuse_channels(Work& work, size_t at) {
  const Node q = work.graph.nodes[at];
  const std::optional<Codes> y = work.quantises(q);
  if (!y) return false;
  const Chain chain = trace(work, q.inputs[0], 1);
  const std::optional<Codes> x = work.dequantised(chain.from);
  const Shape& shape = work.graph.shape(chain.from);
  if (!x || !chain.per_channel() || !chain.stepwise() || shape.rank() < 3 || shape.rank() > 4 || shape.count() == 0)
    return false;
  const int64_t channels = shape[1];
  Shape kernel{channels, 1, 1};
  if (shape.rank() == 4) kernel.dims.push_back(1);
  Weights ones;
  ones.codes = Constant::of({DType::int8, Shape{channels, 1}}, std::vector<uint8_t>(static_cast<size_t>(channels), 1));
  ones.scale.assign(static_cast<size_t>(channels), 1);
  ones.channels = channels;
  ones.length = 1;
  Layer layer{*x, std::move(ones), {}, {}, y->zero & 1, {}, {}, {}, {}};
  layer.value = [&](int64_t a, size_t c) { return quantise(chain.apply(static_cast<float>(a) * x->scale, c), *y); };
  Node node = fused("IntConv", chain.nodes);
  if (!fit_layer(layer, node)) return false;
  node.attributes["group"] = channels;
  node.inputs = {work.as_signed(*x), work.graph.add_constant("ones", stored_weights(layer.weights, kernel))};
  work.produce(node, q.outputs[0]);
  work.graph.nodes[at] = std::move(node);
  return true;
}

}  // namespace tarn::passes::integer
