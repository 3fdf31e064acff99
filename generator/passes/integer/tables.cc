// Functions of one code: tables of 256, and what needs only them.
#include <cmath>

#include "passes/integer/chain.h"
#include "passes/integer/tables.h"

namespace tarn::passes::integer {

Node table_node(Work& work, const std::vector<const Node*>& from, const Codes& x, const std::function<int32_t(float)>& function) {
  Node node = fused("IntTable", from);
  std::vector<int64_t> table;
  for (int32_t code = -128; code < 128; ++code) table.push_back(function(static_cast<float>(code - x.signed_zero()) * x.scale));
  node.attributes["table"] = Constant::ints(DType::int8, Shape{256}, table);
  node.inputs = {work.as_signed(x)};
  return node;
}

bool fuse_table(Work& work, size_t at) {
  const Node q = work.graph.nodes[at];
  const std::optional<Codes> y = work.quantises(q);
  if (!y) return false;
  const Chain chain = trace(work, q.inputs[0], -1);
  const std::optional<Codes> x = work.dequantised(chain.from);
  if (!x) return false;
  if (chain.steps.empty() && x->scale == y->scale && x->zero == y->zero && x->dtype == y->dtype) {
    if (work.is_output(q.outputs[0])) return false;
    graph::replace_uses(work.graph, q.outputs[0], x->value);
    work.refresh();
    return true;
  }
  std::vector<const Node*> origins = chain.nodes;
  if (origins.empty()) origins.push_back(&q);
  Node node = table_node(work, origins, *x, [&](float v) { return quantise(chain.apply(v, 0), *y); });
  work.produce(node, q.outputs[0]);
  work.graph.nodes[at] = std::move(node);
  return true;
}

bool fuse_concat(Work& work, size_t at) {
  const Node q = work.graph.nodes[at];
  const std::optional<Codes> y = work.quantises(q);
  const Node* core = y ? work.producer(q.inputs[0]) : nullptr;
  if (!core || !core->is("Concat") || !work.only_link(q.inputs[0])) return false;
  std::vector<Codes> parts;
  for (ValueId id : core->inputs) {
    const auto part = work.dequantised(id);
    if (!part) return false;
    parts.push_back(*part);
  }
  Node concat = *core;
  for (size_t i = 0; i < parts.size(); ++i) {
    const Codes& part = parts[i];
    if (part.scale == y->scale && part.signed_zero() == y->signed_zero()) {
      concat.inputs[i] = work.as_signed(part);
      continue;
    }
    Node table = table_node(work, {core}, part, [&](float v) { return quantise(v, *y); });
    const ValueId made = work.graph.add_value(work.graph[part.value].name, {DType::int8, work.graph.shape(part.value)});
    table.outputs = {made};
    concat.inputs[i] = made;
    work.add(std::move(table));
  }
  work.produce(concat, q.outputs[0]);
  work.graph.nodes[at] = std::move(concat);
  return true;
}

}  // namespace tarn::passes::integer
