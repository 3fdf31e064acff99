// QuantizeLinear after LayerNormalization, InstanceNormalization and GroupNormalization of quantised values: the floats
// in between are no tensors.
#include "ops/norm_form.h"
#include "ops/quantize.h"
#include "passes/integer/work.h"

namespace tarn::passes::integer {

ValueId known_numbers(Work& work, ValueId id, int64_t count) {
  const Node* qdq = work.producer(id);
  if (qdq && qdq->is("DequantizeLinear")) {
    const auto constant = [&](size_t i) { return qdq->has_input(i) ? work.graph.constant(qdq->inputs[i]) : nullptr; };
    if (!constant(0) || !constant(1) || (qdq->has_input(2) && !constant(2))) return {};
    std::optional<Constant> numbers =
        ops::dequantized(*qdq, *constant(0), *constant(1), constant(2), work.graph[id].type);
    if (!numbers) return {};
    id = work.graph.add_constant(work.graph[id].name, std::move(*numbers));
  }
  const Constant* c = work.graph.constant(id);
  const bool fits = c && !c->is_absent() && c->dtype() == DType::float32 && (c->count() == 1 || c->count() == count);
  return fits ? id : ValueId();
}

namespace {

double epsilon_of(const Node& norm) { return static_cast<float>(norm.real("epsilon", 1e-5)); }

bool fits_integers(const Work& work, const Node& norm, int64_t count, const Codes& x, const Codes& y, ValueId scale,
                   ValueId bias) {
  const auto reals = [&](ValueId id) { return id ? work.graph.constant(id)->reals() : std::vector<double>(); };
  return ops::norm_form({count, epsilon_of(norm), x.scale, y.scale, y.signed_zero(), reals(scale), reals(bias)})
      .has_value();
}

void describe_codes(Node& node, const Node& norm, const Codes& x, const Codes& y) {
  node.attributes["epsilon"] = static_cast<float>(epsilon_of(norm));
  node.attributes["x_scale"] = x.scale;
  node.attributes["y_scale"] = y.scale;
  node.attributes["y_zero"] = static_cast<int64_t>(y.signed_zero());
}

// One number for each channel, where there is one for each run of `each` channels.
ValueId by_channel(Work& work, ValueId id, int64_t each) {
  if (each == 1) return id;
  std::vector<double> numbers;
  for (double v : work.graph.constant(id)->reals()) numbers.insert(numbers.end(), static_cast<size_t>(each), v);
  const Shape shape{static_cast<int64_t>(numbers.size())};
  return work.graph.add_constant(work.graph[id].name, Constant::floats(DType::float32, shape, numbers));
}

}  // namespace

bool fuse_layer_norm(Work& work, size_t at) {
  const Node q = work.graph.nodes[at];
  const std::optional<Codes> y = work.quantises(q);
  const Node* core = y ? work.producer(q.inputs[0]) : nullptr;
  if (!core || !core->is("LayerNormalization") || core->outputs.size() > 1 || !work.only_link(q.inputs[0]))
    return false;
  const std::optional<Codes> x = work.dequantised(core->inputs[0]);
  if (!x || core->integer("stash_type", 1) != 1) return false;
  const Shape& shape = work.graph.shape(x->value);
  const auto axis = normalise_axis(core->integer("axis", -1), shape.rank());
  const int64_t count = axis ? shape.count(*axis, shape.rank()) : 0;
  const bool bias = core->has_input(2);
  if (count < 1) return false;
  const Node norm = *core;
  const ValueId scale = known_numbers(work, norm.inputs[1], count),
                shift = bias ? known_numbers(work, norm.inputs[2], count) : ValueId();
  if (!scale || (bias && !shift)) return false;
  if (!fits_integers(work, norm, count, *x, *y, scale, shift)) return false;
  Node node = fused("IntLayerNorm", {&norm});
  node.attributes["axis"] = static_cast<int64_t>(*axis);
  describe_codes(node, norm, *x, *y);
  node.inputs = {work.as_signed(*x), scale};
  if (bias) node.inputs.push_back(shift);
  work.produce(node, q.outputs[0]);
  work.graph.nodes[at] = std::move(node);
  return true;
}

bool fuse_group_norm(Work& work, size_t at) {
  const Node q = work.graph.nodes[at];
  const std::optional<Codes> y = work.quantises(q);
  const Node* core = y ? work.producer(q.inputs[0]) : nullptr;
  if (!core || !(core->is("InstanceNormalization") || core->is("GroupNormalization")) || !work.only_link(q.inputs[0]))
    return false;
  const std::optional<Codes> x = work.dequantised(core->inputs[0]);
  if (!x || core->integer("stash_type", 1) != 1) return false;
  const Node norm = *core;
  const Shape& shape = work.graph.shape(x->value);
  const int64_t channels = shape[1];
  const int64_t groups = norm.is("GroupNormalization") ? norm.integer("num_groups", 0) : channels;
  if (groups < 1 || channels % groups != 0 || shape.count() == 0) return false;
  const int64_t group = channels / groups, count = group * shape.count(2, shape.rank());
  // Until opset 21 every group had one scale, since then every channel has.
  const int64_t each = norm.is("GroupNormalization") && norm.version < 21 ? group : 1;
  const ValueId scale = known_numbers(work, norm.inputs[1], channels / each),
                shift = known_numbers(work, norm.inputs[2], channels / each);
  if (!scale || !shift || work.graph.shape(scale).count() * each != channels ||
      work.graph.shape(shift).count() * each != channels || !fits_integers(work, norm, count, *x, *y, scale, shift))
    return false;
  Node node = fused("IntGroupNorm", {&norm});
  node.attributes["group"] = group;
  describe_codes(node, norm, *x, *y);
  node.inputs = {work.as_signed(*x), by_channel(work, scale, each), by_channel(work, shift, each)};
  work.produce(node, q.outputs[0]);
  work.graph.nodes[at] = std::move(node);
  return true;
}

}  // namespace tarn::passes::integer
