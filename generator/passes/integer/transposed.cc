// QuantizeLinear(chain(ConvTranspose(DequantizeLinear(x), DequantizeLinear(w)))).
#include <cmath>

#include "passes/integer/chain.h"
#include "passes/integer/layer.h"

namespace tarn::passes::integer {

namespace {

// Weights [C, O/group, kernel...] by output channel first: [O, C/group, kernel...].
Constant by_output(const Constant& w, int64_t groups) {
  const Shape& from = w.shape();
  const int64_t inputs = from[0] / groups, outputs = from[1], area = from.count(2, from.rank());
  Shape to = from;
  to[0] = groups * outputs;
  to[1] = inputs;
  const std::vector<int64_t> values = w.integers();
  std::vector<int64_t> moved(values.size());
  for (int64_t row = 0; row < from[0]; ++row) {
    for (int64_t o = 0; o < outputs; ++o) {
      const int64_t channel = row / inputs * outputs + o;
      std::copy_n(values.begin() + (row * outputs + o) * area, area,
                  moved.begin() + (channel * inputs + row % inputs) * area);
    }
  }
  return Constant::ints(w.dtype(), std::move(to), moved);
}

// One number for each output channel, or one for all; `axis`: of the weights as they are. Nothing: it differs within a
// sum.
std::optional<Constant> by_output(const Constant& c, const Shape& weights, int64_t groups, int axis) {
  if (c.count() == 1) return c.reshaped(Shape{1});
  const bool channels_alone = weights[0] == groups && weights[1] == 1;
  if (axis == 0 && channels_alone && c.count() == groups) return c;
  if (axis != 1 || c.count() != weights[1]) return {};
  std::vector<double> numbers;
  for (int64_t g = 0; g < groups; ++g) {
    for (int64_t o = 0; o < c.count(); ++o) numbers.push_back(c.real(o));
  }
  const Shape shape{static_cast<int64_t>(numbers.size())};
  if (is_integer(c.dtype()))
    return Constant::ints(c.dtype(), shape, std::vector<int64_t>(numbers.begin(), numbers.end()));
  return Constant::floats(c.dtype(), shape, numbers);
}

}  // namespace

bool fuse_transposed(Work& work, size_t at) {
  const Node q = work.graph.nodes[at];
  const std::optional<Codes> y = work.quantises(q);
  if (!y) return false;
  const Chain chain = trace(work, q.inputs[0], 1);
  const Node* core = work.producer(chain.from);
  if (!core || !core->is("ConvTranspose") || !work.only_link(chain.from) || !chain.stepwise()) return false;
  const Node* from = core->inputs.size() > 1 ? work.producer(core->inputs[1]) : nullptr;
  const std::optional<Codes> x = work.dequantised(core->inputs[0]);
  if (!x || !from || from->op != "DequantizeLinear" || from->integer("block_size", 0) != 0) return false;
  const Constant *codes = work.graph.constant(from->inputs[0]), *scale = work.graph.constant(from->inputs[1]);
  const Constant* zero = from->has_input(2) ? work.graph.constant(from->inputs[2]) : nullptr;
  if (!codes || !scale || (from->has_input(2) && !zero)) return false;
  const int rank = codes->shape().rank();
  const int64_t groups = core->integer("group", 1);
  const auto axis = normalise_axis(from->integer("axis", 1), rank);
  if (rank < 3 || rank > 4 || codes->is_absent() || scale->is_absent() || (zero && zero->is_absent())) return false;
  if (groups < 1 || codes->shape()[0] % groups != 0) return false;
  const Constant moved = by_output(*codes, groups);
  const auto scales = by_output(*scale, codes->shape(), groups, axis.value_or(-1));
  const auto zeros = zero ? by_output(*zero, codes->shape(), groups, axis.value_or(-1)) : std::nullopt;
  if (!scales || (zero && !zeros)) return false;
  std::optional<Weights> weights = work.weights(moved, *scales, zeros ? &*zeros : nullptr, 0);
  if (!weights || !weights->zero.empty()) return false;
  Layer layer{*x, std::move(*weights), {}, {}, y->zero & 1, {}, {}, {}, {}};
  std::vector<float> product, added;
  for (float s : layer.weights.scale) product.push_back(x->scale * s);
  if (core->has_input(2)) {
    const auto bias = bias_of(work, core->inputs[2], layer.weights.channels, product);
    if (!bias) return false;
    if (bias->fits) layer.bias = bias->codes;
    else added = bias->values;
  }
  layer.value = [&](int64_t a, size_t c) {
    float v = static_cast<float>(a) * product[c];
    if (!added.empty()) v = v + added[c];
    return quantise(chain.apply(v, c), *y);
  };
  if (added.empty() && chain.bounds()) layer.floats = requant::Floats{product, y->scale, y->signed_zero()};
  std::vector<const Node*> origins{core};
  origins.insert(origins.end(), chain.nodes.begin(), chain.nodes.end());
  Node node = fused("IntConvTranspose", origins);
  if (!fit_layer(layer, node)) return false;
  // Not every tap reaches every pixel: zero points are taken away one by one, and sums begin with the bias alone.
  std::vector<int64_t> constants = node.tensor("constants")->integers();
  for (int64_t c = 0; c < layer.weights.channels; ++c)
    constants[static_cast<size_t>(3 * c)] = layer.bias.empty() ? 0 : layer.bias[static_cast<size_t>(c)];
  node.attributes["constants"] = Constant::ints(DType::int32, Shape{layer.weights.channels, 3}, constants);
  for (const char* name : {"strides", "pads", "dilations", "output_padding", "output_shape", "auto_pad", "group"}) {
    if (core->has(name)) node.attributes[name] = core->attributes.at(name);
  }
  node.inputs = {work.as_signed(*x), work.graph.add_constant(work.graph[from->inputs[0]].name,
                                                             stored_weights(layer.weights, moved.shape()))};
  work.produce(node, q.outputs[0]);
  work.graph.nodes[at] = std::move(node);
  return true;
}

}  // namespace tarn::passes::integer
