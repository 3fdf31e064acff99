// Converters that quantise every tensor leave codes in front of a Relu that have the scale of those behind it: there
// the numbers may as well be bounded first. Codes rise with numbers, and the bounds of codes are the codes of bounds.
#include <algorithm>

#include "passes/integer/chain.h"

namespace tarn::passes::integer {

namespace {

bool alike(const std::optional<Codes>& a, const Codes& b) {
  return a && a->scale == b.scale && a->zero == b.zero && a->dtype == b.dtype;
}

// Relu or Clip between codes that nothing else reads, all of one kind.
bool bounds_codes(const Work& work, const Node& node) {
  if (!node.is("Relu") && !node.is("Clip")) return false;
  const std::optional<Codes> x = work.dequantised(node.inputs[0], 0);
  const Node* made = x ? work.producer(x->value) : nullptr;
  if (!made || !alike(work.quantises(*made, 0), *x)) return false;
  if (!work.only_link(node.inputs[0]) || !work.only_link(x->value) || work.is_output(node.outputs[0])) return false;
  const Chain chain = last_step(work, node.outputs[0]);
  if (chain.from != node.inputs[0] || chain.steps.empty()) return false;
  const std::span<const size_t> readers = work.readers(node.outputs[0]);
  return !readers.empty() && std::all_of(readers.begin(), readers.end(), [&](size_t reader) {
    return alike(work.quantises(work.graph.nodes[reader], 0), *x);
  });
}

}  // namespace

void bound_before_codes(Work& work) {
  for (Node& node : work.graph.nodes) {
    if (bounds_codes(work, node)) {
      const std::optional<Codes> x = work.dequantised(node.inputs[0], 0);
      node.inputs[0] = work.producer(x->value)->inputs[0];
    }
  }
  work.graph = work.finish();
  work.refresh();
}

}  // namespace tarn::passes::integer
