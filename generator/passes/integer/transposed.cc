// QuantizeLinear(chain(ConvTranspose(DequantizeLinear(x), DequantizeLinear(w)))), one group.
#include <cmath>

#include "passes/integer/chain.h"
#include "passes/integer/layer.h"

namespace tarn::passes::integer {

bool fuse_transposed(Work& work, size_t at) {
  const Node q = work.graph.nodes[at];
  const std::optional<Codes> y = work.quantises(q);
  if (!y) return false;
  const Chain chain = trace(work, q.inputs[0], 1);
  const Node* core = work.producer(chain.from);
  if (!core || !core->is("ConvTranspose") || !work.only_link(chain.from) || !chain.stepwise()) return false;
  const Node* from = core->inputs.size() > 1 ? work.producer(core->inputs[1]) : nullptr;
  const std::optional<Codes> x = work.dequantised(core->inputs[0]);
  if (!x || !from || from->op != "DequantizeLinear" || from->integer("block_size", 0) != 0 || core->integer("group", 1) != 1) return false;
  const Constant *codes = work.graph.constant(from->inputs[0]), *scale = work.graph.constant(from->inputs[1]);
  const Constant* zero = from->has_input(2) ? work.graph.constant(from->inputs[2]) : nullptr;
  if (!codes || !scale || (from->has_input(2) && !zero)) return false;
  const int rank = codes->shape().rank();
  if (rank < 3 || rank > 4 || (scale->count() != 1 && normalise_axis(from->integer("axis", 1), rank) != 1)) return false;
  std::optional<Weights> weights = work.weights(*codes, *scale, zero, 1);
  if (!weights || !weights->zero.empty()) return false;
  Layer layer{*x, std::move(*weights), {}, {}, y->zero & 1};
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
  std::vector<const Node*> origins{core};
  origins.insert(origins.end(), chain.nodes.begin(), chain.nodes.end());
  Node node = fused("IntConvTranspose", origins);
  if (!fit_layer(layer, node)) return false;
  // Not every tap reaches every pixel: zero points are taken away one by one, and sums begin with the bias alone.
  std::vector<int64_t> constants = node.tensor("constants")->integers();
  for (int64_t c = 0; c < layer.weights.channels; ++c) constants[static_cast<size_t>(3 * c)] = layer.bias.empty() ? 0 : layer.bias[static_cast<size_t>(c)];
  node.attributes["constants"] = Constant::ints(DType::int32, Shape{layer.weights.channels, 3}, constants);
  for (const char* name : {"strides", "pads", "dilations", "output_padding", "output_shape", "auto_pad"}) {
    if (core->has(name)) node.attributes[name] = core->attributes.at(name);
  }
  // By output channel first: [outputs][inputs][kernel...].
  Shape shape{layer.weights.channels, codes->shape()[0]};
  for (int i = 2; i < rank; ++i) shape.dims.push_back(codes->shape()[i]);
  node.inputs = {work.as_signed(*x), work.graph.add_constant(work.graph[from->inputs[0]].name, stored_weights(layer.weights, shape))};
  work.produce(node, q.outputs[0]);
  work.graph.nodes[at] = std::move(node);
  return true;
}

}  // namespace tarn::passes::integer
