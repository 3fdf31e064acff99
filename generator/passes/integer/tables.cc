// Functions of one code: tables of 256, and what needs only them.
#include "passes/integer/tables.h"

#include <algorithm>
#include <cmath>

#include "passes/integer/chain.h"

namespace tarn::passes::integer {

Node table_node(Work& work, const std::vector<const Node*>& from, const Codes& x,
                const std::function<int32_t(float)>& function) {
  Node node = fused("IntTable", from);
  std::vector<int64_t> table;
  for (int32_t code = -128; code < 128; ++code)
    table.push_back(function(static_cast<float>(code - x.signed_zero()) * x.scale));
  node.attributes["table"] = Constant::ints(DType::int8, Shape{256}, table);
  node.inputs = {work.as_signed(x)};
  return node;
}

namespace {

// A value that one quantised value determines, element by element: x * sigmoid(x), say.
struct Expression {
  Codes x;
  std::function<float(float)> value;
  std::vector<const Node*> nodes;
};

constexpr int kDeepest = 6;  // joins above each other

std::optional<Expression> expression_of(const Work& work, ValueId id, int depth) {
  const Chain chain = trace(work, id, -1);
  if (const std::optional<Codes> x = work.dequantised(chain.from)) {
    return Expression{*x, [chain](float v) { return chain.apply(v, 0); }, chain.nodes};
  }
  const Node* join = work.producer(chain.from);
  if (depth == 0 || !join || !join->domain.empty() || join->inputs.size() != 2 ||
      work.graph.dtype(chain.from) != DType::float32)
    return {};
  const bool add = join->op == "Add", sub = join->op == "Sub", mul = join->op == "Mul", div = join->op == "Div";
  if (!add && !sub && !mul && !div) return {};
  const std::optional<Expression> left = expression_of(work, join->inputs[0], depth - 1);
  const std::optional<Expression> right = left ? expression_of(work, join->inputs[1], depth - 1) : std::nullopt;
  const Shape& shape = work.graph.shape(chain.from);
  if (!right || !(left->x == right->x) || work.graph.shape(join->inputs[0]) != shape ||
      work.graph.shape(join->inputs[1]) != shape)
    return {};
  Expression joined{left->x,
                    [=, f = left->value, g = right->value](float v) {
                      const float u = f(v), w = g(v);
                      return chain.apply(add ? u + w : sub ? u - w : mul ? u * w : u / w, 0);
                    },
                    chain.nodes};
  joined.nodes.push_back(join);
  for (const Expression* part : {&*left, &*right}) {
    for (const Node* node : part->nodes) {
      if (std::find(joined.nodes.begin(), joined.nodes.end(), node) == joined.nodes.end()) joined.nodes.push_back(node);
    }
  }
  return joined;
}

}  // namespace

bool fuse_table(Work& work, size_t at) {
  const Node q = work.graph.nodes[at];
  const std::optional<Codes> y = work.quantises(q);
  const std::optional<Expression> expression = y ? expression_of(work, q.inputs[0], kDeepest) : std::nullopt;
  if (!expression || work.graph.shape(expression->x.value) != work.graph.shape(q.inputs[0])) return false;
  const Codes& x = expression->x;
  std::vector<const Node*> origins = expression->nodes;
  if (origins.empty() && x.scale == y->scale && x.zero == y->zero && x.dtype == y->dtype) {
    if (work.is_output(q.outputs[0])) return false;
    graph::replace_uses(work.graph, q.outputs[0], x.value);
    work.refresh();
    return true;
  }
  if (origins.empty()) origins.push_back(&q);
  Node node = table_node(work, origins, x, [&](float v) { return quantise(expression->value(v), *y); });
  work.produce(node, q.outputs[0]);
  work.graph.nodes[at] = std::move(node);
  return true;
}

bool fuse_concat(Work& work, size_t at) {
  const Node q = work.graph.nodes[at];
  const std::optional<Codes> y = work.quantises(q);
  const Node* core = y ? work.producer(q.inputs[0]) : nullptr;
  if (!core || !core->is("Concat") || !work.only_link(q.inputs[0])) return false;
  std::vector<Expression> parts;
  for (ValueId id : core->inputs) {
    auto part = expression_of(work, id, kDeepest);
    if (!part || work.graph.shape(part->x.value) != work.graph.shape(id)) return false;
    parts.push_back(std::move(*part));
  }
  Node concat = *core;
  for (size_t i = 0; i < parts.size(); ++i) {
    const Codes& x = parts[i].x;
    if (parts[i].nodes.empty() && x.scale == y->scale && x.signed_zero() == y->signed_zero()) {
      concat.inputs[i] = work.as_signed(x);
      continue;
    }
    std::vector<const Node*> origins = parts[i].nodes;
    if (origins.empty()) origins.push_back(core);
    Node table = table_node(work, origins, x, [&](float v) { return quantise(parts[i].value(v), *y); });
    const ValueId made = work.graph.add_value(work.graph[x.value].name, {DType::int8, work.graph.shape(x.value)});
    table.outputs = {made};
    concat.inputs[i] = made;
    work.add(std::move(table));
  }
  work.produce(concat, q.outputs[0]);
  work.graph.nodes[at] = std::move(concat);
  return true;
}

// Weighted sums of neighbours, each in its own arithmetic.
bool fuse_resize(Work& work, size_t at) {
  const Node q = work.graph.nodes[at];
  const std::optional<Codes> y = work.quantises(q, 0);
  const Node* core = y ? work.producer(q.inputs[0]) : nullptr;
  if (!core || (!core->is("Resize") && !core->is("Upsample")) || !work.only_link(q.inputs[0])) return false;
  if (core->text("mode", "nearest") == "nearest") return false;
  const std::optional<Codes> x = work.dequantised(core->inputs[0], bits_of(y->dtype));
  if (!x) return false;
  const Shape &from = work.graph.shape(x->value), &to = work.graph.shape(q.inputs[0]);
  if (from.rank() < 3 || from.rank() > 5 || from == to || from[0] != to[0] || from[1] != to[1]) return false;
  for (size_t i = 1; i < core->inputs.size(); ++i) {
    if (core->has_input(i) && !work.graph.constant(core->inputs[i])) return false;
  }
  Node node = *core;
  node.domain = "tarn";
  node.op = "Resize";
  node.attributes["x_scale"] = x->scale;
  node.attributes["x_zero"] = static_cast<int64_t>(x->signed_zero());
  node.attributes["scale"] = y->scale;
  node.attributes["zero"] = static_cast<int64_t>(y->signed_zero());
  node.inputs[0] = work.as_signed(*x);
  work.produce(node, q.outputs[0]);
  work.graph.nodes[at] = std::move(node);
  return true;
}

}  // namespace tarn::passes::integer
