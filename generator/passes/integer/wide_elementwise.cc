// Sums, products, bounds and changes of scale of 16-bit codes.
#include <cmath>

#include "ops/elementwise.h"
#include "passes/integer/pairs.h"
#include "passes/integer/wide.h"

namespace tarn::passes::integer {

namespace {

// An operand that is a line of codes.
struct WideOperand {
  Codes codes;
  Line line;
  std::vector<const Node*> nodes;
  double slope() const { return line.slope * static_cast<double>(codes.scale); }
  bool bounded() const { return std::isfinite(line.lo) || std::isfinite(line.hi); }
};

// `bits`: of the codes; 0: 8 or 16.
std::optional<WideOperand> wide_operand_of(const Work& work, ValueId id, int bits = 16) {
  Chain chain;
  chain.from = id;
  std::optional<Codes> codes = work.dequantised(id, bits);
  if (!codes) {
    chain = trace(work, id, -1);
    codes = work.dequantised(chain.from, bits);
  }
  const std::optional<Line> line = codes ? line_of(chain, 0) : std::nullopt;
  if (!line || work.graph.shape(codes->value) != work.graph.shape(id)) return {};
  return WideOperand{*codes, *line, chain.nodes};
}

// slope * a + slope * b + offset in codes of y: one form for b, a factor for a.
bool fit_sum(const WideOperand& a, const WideOperand& b, const Line& line, bool sub, const Codes& y, Node& node) {
  const double unit = line.slope / static_cast<double>(y.scale), other = sub ? -unit : unit;
  const double a_slope = a.slope() * unit, b_slope = b.slope() * other;
  const double offset = line.offset / static_cast<double>(y.scale) + a.line.offset * unit + b.line.offset * other -
                        a_slope * a.codes.signed_zero() - b_slope * b.codes.signed_zero();
  // The steeper line decides how far both may be shifted.
  const int64_t most = 4 * a.codes.half();
  const bool first = std::fabs(a_slope) > std::fabs(b_slope);
  const auto steep = wide_form(first ? a_slope : b_slope, offset, 0, most, y.signed_zero());
  if (!steep) return false;
  WideForm form = *steep;
  const auto factor = static_cast<int64_t>(std::nearbyint(std::ldexp(first ? b_slope : a_slope, form.shift)));
  const int64_t a_factor = first ? form.m : factor;
  if (first) form.m = factor;
  set_wide(node, bounds_of(line, y), y.signed_zero(), {form});
  node.attributes["a_factor"] = a_factor;
  return true;
}

bool fit_product(const WideOperand& a, const WideOperand& b, const Line& line, const Codes& y, Node& node) {
  if (a.line.offset != 0 || b.line.offset != 0) return false;
  const double unit = line.slope / static_cast<double>(y.scale);
  const int64_t most = int64_t{4} * a.codes.half() * b.codes.half();
  const auto form =
      wide_form(a.slope() * b.slope() * unit, line.offset / static_cast<double>(y.scale), 0, most, y.signed_zero());
  if (!form) return false;
  set_wide(node, bounds_of(line, y), y.signed_zero(), {*form});
  node.attributes["zeros"] = std::vector<int64_t>{a.codes.signed_zero(), b.codes.signed_zero()};
  return true;
}

std::optional<Node> scale_node(Work& work, const WideOperand& x, const Codes& y, const std::vector<const Node*>& from) {
  const double unit = x.slope() / static_cast<double>(y.scale);
  const auto form = wide_form(unit, x.line.offset / static_cast<double>(y.scale), -x.codes.signed_zero(),
                              x.codes.half(), y.signed_zero());
  if (!form) return {};
  Node node = fused("WideScale", from);
  set_wide(node, bounds_of(x.line, y), y.signed_zero(), {*form});
  node.inputs = {work.as_signed(x.codes)};
  return node;
}

bool same_codes(const Codes& x, const Codes& y) { return x.scale == y.scale && x.signed_zero() == y.signed_zero(); }

}  // namespace

bool fuse_wide_pair(Work& work, size_t at) {
  const Node q = work.graph.nodes[at];
  const std::optional<Joined> joined = joined_before(work, q, 16);
  if (!joined) return false;
  const Codes& y = joined->y;
  const Chain& chain = joined->chain;
  const Node* core = joined->core;
  const bool add = core->op == "Add", sub = core->op == "Sub", mul = core->op == "Mul";
  if (!add && !sub && !mul) return false;
  const std::optional<Line> line = line_of(chain, 0);
  const std::optional<WideOperand> a = wide_operand_of(work, core->inputs[0]),
                                   b = wide_operand_of(work, core->inputs[1]);
  if (!line || !a || !b || a->bounded() || b->bounded()) return false;
  std::vector<const Node*> origins{core};
  for (const auto* more : {&chain.nodes, &a->nodes, &b->nodes})
    origins.insert(origins.end(), more->begin(), more->end());
  Node node = fused(mul ? "WideMul" : "WideAdd", origins);
  if (!(mul ? fit_product(*a, *b, *line, y, node) : fit_sum(*a, *b, *line, sub, y, node))) return false;
  node.inputs = {work.as_signed(a->codes), work.as_signed(b->codes)};
  work.produce(node, q.outputs[0]);
  work.graph.nodes[at] = std::move(node);
  return true;
}

bool fuse_wide_scale(Work& work, size_t at) {
  const Node q = work.graph.nodes[at];
  const std::optional<Codes> y = work.quantises(q, 0);
  const std::optional<WideOperand> x = y ? wide_operand_of(work, q.inputs[0], 0) : std::nullopt;
  // Codes of 8 bits to such of 8 bits are a table.
  if (!x || (bits_of(x->codes.dtype) == 8 && bits_of(y->dtype) == 8)) return false;
  if (x->nodes.empty() && same_codes(x->codes, *y) && x->codes.dtype == y->dtype && !work.is_output(q.outputs[0])) {
    graph::replace_uses(work.graph, q.outputs[0], x->codes.value);
    work.refresh();
    return true;
  }
  std::vector<const Node*> origins = x->nodes;
  if (origins.empty()) origins.push_back(&q);
  std::optional<Node> node = scale_node(work, *x, *y, origins);
  if (!node) return false;
  work.produce(*node, q.outputs[0]);
  work.graph.nodes[at] = std::move(*node);
  return true;
}

bool fuse_wide_function(Work& work, size_t at) {
  const Node q = work.graph.nodes[at];
  const std::optional<Codes> y = work.quantises(q, 16);
  const Node* core = y ? work.producer(q.inputs[0]) : nullptr;
  if (!core || core->inputs.size() != 1 || core->outputs.size() != 1 || !work.only_link(q.inputs[0]) ||
      !ops::unary_function(*core))
    return false;
  const std::optional<Codes> x = work.dequantised(core->inputs[0], 16);
  if (!x) return false;
  Node node = *core;
  node.domain = "tarn";
  node.op = "Function";
  node.attributes["function"] = core->op;
  node.attributes["function_domain"] = core->domain;
  node.attributes["x_scale"] = x->scale;
  node.attributes["x_zero"] = static_cast<int64_t>(x->signed_zero());
  node.attributes["scale"] = y->scale;
  node.attributes["zero"] = static_cast<int64_t>(y->signed_zero());
  node.inputs = {work.as_signed(*x)};
  work.produce(node, q.outputs[0]);
  work.graph.nodes[at] = std::move(node);
  return true;
}

bool fuse_wide_concat(Work& work, size_t at) {
  const Node q = work.graph.nodes[at];
  const std::optional<Codes> y = work.quantises(q, 16);
  const Node* core = y ? work.producer(q.inputs[0]) : nullptr;
  if (!core || !core->is("Concat") || !work.only_link(q.inputs[0])) return false;
  std::vector<WideOperand> parts;
  for (ValueId id : core->inputs) {
    auto part = wide_operand_of(work, id);
    if (!part) return false;
    parts.push_back(std::move(*part));
  }
  Node concat = *core;
  std::vector<Node> scaled;
  for (size_t i = 0; i < parts.size(); ++i) {
    const WideOperand& part = parts[i];
    if (part.nodes.empty() && same_codes(part.codes, *y)) {
      concat.inputs[i] = work.as_signed(part.codes);
      continue;
    }
    std::vector<const Node*> origins = part.nodes;
    if (origins.empty()) origins.push_back(core);
    std::optional<Node> node = scale_node(work, part, *y, origins);
    if (!node) return false;
    const ValueId made =
        work.graph.add_value(work.graph[part.codes.value].name, {y->signed_type(), work.graph.shape(part.codes.value)});
    node->outputs = {made};
    concat.inputs[i] = made;
    scaled.push_back(std::move(*node));
  }
  for (Node& node : scaled) work.add(std::move(node));
  work.produce(concat, q.outputs[0]);
  work.graph.nodes[at] = std::move(concat);
  return true;
}

}  // namespace tarn::passes::integer
