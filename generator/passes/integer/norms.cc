// QuantizeLinear after LayerNormalization of quantised values: the floats in between are no tensors.
#include "ops/norm_form.h"
#include "ops/quantize.h"
#include "passes/integer/work.h"

namespace tarn::passes::integer {

namespace {

// Known numbers, quantised or not: one, or one per element of a vector.
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
  const auto reals = [&](ValueId id) { return id ? work.graph.constant(id)->reals() : std::vector<double>(); };
  const double epsilon = static_cast<float>(norm.real("epsilon", 1e-5));
  if (!ops::norm_form({count, epsilon, x->scale, y->scale, y->signed_zero(), reals(scale), reals(shift)})) return false;
  Node node = fused("IntLayerNorm", {&norm});
  node.attributes["axis"] = static_cast<int64_t>(*axis);
  node.attributes["epsilon"] = static_cast<float>(epsilon);
  node.attributes["x_scale"] = x->scale;
  node.attributes["y_scale"] = y->scale;
  node.attributes["y_zero"] = static_cast<int64_t>(y->signed_zero());
  node.inputs = {work.as_signed(*x), scale};
  if (bias) node.inputs.push_back(shift);
  work.produce(node, q.outputs[0]);
  work.graph.nodes[at] = std::move(node);
  return true;
}

}  // namespace tarn::passes::integer
