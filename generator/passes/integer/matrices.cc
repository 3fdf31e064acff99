// QuantizeLinear(chain(MatMul(DequantizeLinear(a), DequantizeLinear(b)))): both operands are made at run time, as in
// attention.
#include <algorithm>

#include "ops/integer.h"
#include "passes/integer/chain.h"
#include "passes/integer/pairs.h"

namespace tarn::passes::integer {

namespace {

// Batches are the same on both sides, or one side is a single matrix.
bool fits(const Shape& a, const Shape& b) {
  if (a.rank() < 2 || b.rank() < 2 || a.count() == 0 || b.count() == 0) return false;
  if (a.rank() > 2 && b.rank() > 2) {
    if (a.rank() != b.rank()) return false;
    for (int i = 0; i + 2 < a.rank(); ++i) {
      if (a[i] != b[i]) return false;
    }
  }
  return true;
}

}  // namespace

bool fit_matrices(Work& work, const std::vector<const Node*>& from, const Codes& a, const Codes& b, const Codes& y,
                  const std::function<int32_t(int64_t)>& value, const requant::Floats* floats, Node& node) {
  const Shape &left = work.graph.shape(a.value), &right = work.graph.shape(b.value);
  const int64_t k = left.rank() > 0 ? left[left.rank() - 1] : 0;
  // No partial sum may leave 32 bits: codes of b come with their zero point, which is taken away as a whole.
  if (!fits(left, right) || k * 2 * 255 * 255 >= int64_t{1} << 31) return false;
  int64_t first = 0, last = 0;
  for (int64_t u : {-128 - a.signed_zero(), 127 - a.signed_zero()}) {
    for (int64_t v : {-128 - b.signed_zero(), 127 - b.signed_zero()}) {
      first = std::min(first, k * u * v);
      last = std::max(last, k * u * v);
    }
  }
  const std::optional<requant::Form> form = requant::fit({{value, first, last}}, y.zero & 1, floats);
  if (!form) return false;
  node = fused("IntMatMul", from);
  ops::set_form(node, *form, {0}, describe(*form));
  node.attributes["a_zero"] = static_cast<int64_t>(a.signed_zero());
  node.attributes["b_zero"] = static_cast<int64_t>(b.signed_zero());
  node.inputs = {work.as_signed(a), work.as_signed(b)};
  return true;
}

bool fuse_matrices(Work& work, size_t at) {
  const Node q = work.graph.nodes[at];
  const std::optional<Codes> y = work.quantises(q);
  if (!y) return false;
  const Chain chain = trace(work, q.inputs[0], -1);
  const Node* core = work.producer(chain.from);
  if (!core || !core->is("MatMul") || !work.only_link(chain.from) || !chain.stepwise()) return false;
  const std::optional<Codes> a = work.dequantised(core->inputs[0]), b = work.dequantised(core->inputs[1]);
  if (!a || !b) return false;
  const float scale = a->scale * b->scale;
  const auto value = [&](int64_t sum) { return quantise(chain.apply(static_cast<float>(sum) * scale, 0), *y); };
  std::vector<const Node*> origins{core};
  origins.insert(origins.end(), chain.nodes.begin(), chain.nodes.end());
  Node node;
  const requant::Floats floats{{scale}, y->scale, y->signed_zero()};
  if (!fit_matrices(work, origins, *a, *b, *y, value, chain.bounds() ? &floats : nullptr, node)) return false;
  work.produce(node, q.outputs[0]);
  work.graph.nodes[at] = std::move(node);
  return true;
}

}  // namespace tarn::passes::integer
