// QuantizeLinear after Softmax of quantised values: the exponentials of differences of codes are a table.
#include <algorithm>

#include "passes/integer/chain.h"
#include "passes/integer/work.h"

namespace tarn::passes::integer {

namespace {

constexpr int64_t kLongestRow = 1 << 16;  // elements of a vector, so that a table entry keeps enough bits

// Codes whose numbers are the vector's, scaled on the way or not.
std::optional<Codes> scaled_codes(const Work& work, ValueId id, std::vector<const Node*>& origins) {
  const Chain chain = trace(work, id, -1);
  std::optional<Codes> x = work.dequantised(chain.from);
  const bool scales = std::all_of(chain.steps.begin(), chain.steps.end(), [](const Step& s) {
    return !s.whole && !s.per_channel() && (s.op == Step::Op::mul || s.op == Step::Op::divide) && s.operand[0] > 0;
  });
  if (!x || !scales || work.graph.shape(x->value) != work.graph.shape(id)) return {};
  origins.insert(origins.end(), chain.nodes.begin(), chain.nodes.end());
  x->scale = chain.apply(x->scale, 0);
  return x;
}

}  // namespace

bool fuse_softmax(Work& work, size_t at) {
  const Node q = work.graph.nodes[at];
  const std::optional<Codes> y = work.quantises(q);
  const Node* core = y ? work.producer(q.inputs[0]) : nullptr;
  if (!core || !core->is("Softmax") || !work.only_link(q.inputs[0])) return false;
  std::vector<const Node*> origins{core};
  const std::optional<Codes> x = scaled_codes(work, core->inputs[0], origins);
  // Half a step must be a small part of 1, and many units of the table.
  if (!x || !(y->scale <= 0.5f) || !(y->scale >= 0x1p-12f) || work.graph.shape(x->value).count() == 0) return false;
  for (int64_t length : work.graph.shape(x->value).dims) {
    if (length > kLongestRow) return false;
  }
  Node node = fused("IntSoftmax", origins);
  node.version = core->version;
  if (core->has("axis")) node.attributes["axis"] = core->integer("axis", -1);
  node.attributes["x_scale"] = x->scale;
  node.attributes["y_scale"] = y->scale;
  node.attributes["y_zero"] = static_cast<int64_t>(y->signed_zero());
  node.inputs = {work.as_signed(*x)};
  work.produce(node, q.outputs[0]);
  work.graph.nodes[at] = std::move(node);
  return true;
}

}  // namespace tarn::passes::integer
