// QuantizeLinear after PRelu of quantised values whose slopes are known, one for each channel.
#include <algorithm>

#include "ops/integer.h"
#include "passes/integer/chain.h"
#include "passes/integer/work.h"

namespace tarn::passes::integer {

namespace {

// As many numbers as channels, along axis 1 of `x`.
bool one_a_channel(const Shape& slope, const Shape& x) {
  const int at = slope.rank() - (x.rank() - 1);
  return at >= 0 && slope[at] == x[1] && slope.count() == x[1];
}

}  // namespace

bool fuse_prelu(Work& work, size_t at) {
  const Node q = work.graph.nodes[at];
  const std::optional<Codes> y = work.quantises(q);
  const Node* core = y ? work.producer(q.inputs[0]) : nullptr;
  if (!core || !core->is("PRelu") || !work.only_link(q.inputs[0])) return false;
  const Node prelu = *core;
  const std::optional<Codes> x = work.dequantised(prelu.inputs[0]);
  const Shape& shape = work.graph.shape(prelu.inputs[0]);
  if (!x || shape.rank() < 3 || shape.rank() > 4 || shape.count() == 0) return false;
  if (!one_a_channel(work.graph.shape(prelu.inputs[1]), shape)) return false;
  const ValueId slopes = known_numbers(work, prelu.inputs[1], shape[1]);
  if (!slopes) return false;
  const std::vector<double> numbers = work.graph.constant(slopes)->reals();
  std::vector<requant::Steps> steps;
  const int64_t zero = x->signed_zero();
  for (double number : numbers) {
    const auto slope = static_cast<float>(number);
    steps.push_back({[slope, &x, &y](int64_t a) { return quantise(slope * (static_cast<float>(a) * x->scale), *y); },
                     std::min<int64_t>(-128 - zero, -1), -1});
  }
  steps.push_back({[&x, &y](int64_t a) { return quantise(static_cast<float>(a) * x->scale, *y); }, 0, 127 - zero});
  const std::optional<requant::Form> form = requant::fit(steps, y->zero & 1);
  if (!form) return false;
  Node node = fused("IntPrelu", {&prelu});
  ops::set_form(node, *form, std::vector<int64_t>(steps.size(), 0), describe(*form));
  node.attributes["x_zero"] = zero;
  node.inputs = {work.as_signed(*x)};
  work.produce(node, q.outputs[0]);
  work.graph.nodes[at] = std::move(node);
  return true;
}

}  // namespace tarn::passes::integer
