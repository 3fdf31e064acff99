#include "passes/spelled.h"

#include <algorithm>
#include <cmath>

namespace tarn::passes {

using graph::Graph;
using graph::Node;
using graph::ValueId;

const Node* Spelled::made_by(ValueId id, std::string_view op) {
  if (!id || !uses_.producer[id.pos()]) return nullptr;
  const size_t at = *uses_.producer[id.pos()];
  const Node& node = graph_.nodes[at];
  if (!node.is(op)) return nullptr;
  inside_.insert(at);
  return &node;
}

std::optional<double> Spelled::number(ValueId id) const {
  const Constant* c = graph_.constant(id);
  if (!c || c->is_absent() || c->is_strings() || c->count() != 1 || !is_float(c->dtype())) return {};
  return c->real(0);
}

double Spelled::tolerance(ValueId id) const { return bits_of(graph_.dtype(id)) <= 16 ? 4e-3 : 2e-6; }

bool Spelled::is_number(ValueId id, double wanted) const {
  const auto value = number(id);
  return value && std::fabs(*value - wanted) <= tolerance(id) * std::fabs(wanted);
}

std::optional<double> Spelled::sum_with_number(ValueId id, ValueId& x) {
  const Node* add = made_by(id, "Add");
  if (!add || add->inputs.size() != 2) return {};
  for (size_t i = 0; i < 2; ++i) {
    if (const auto value = number(add->inputs[i])) {
      x = add->inputs[1 - i];
      return value;
    }
  }
  return {};
}

bool Spelled::is_power(ValueId id, ValueId x, int power) {
  const std::set<size_t> before = inside_;
  if (const Node* pow = made_by(id, "Pow")) {
    const Constant* exponent = graph_.constant(pow->inputs[1]);
    if (pow->inputs[0] == x && exponent && !exponent->is_absent() && exponent->count() == 1 &&
        exponent->real(0) == power)
      return true;
    inside_ = before;
    return false;
  }
  const Product p = product(id);
  if (p.coefficient == 1 && p.factors == std::vector<ValueId>(static_cast<size_t>(power), x)) return true;
  // x * (x * x) where the square is a Pow.
  if (power == 3 && p.coefficient == 1 && p.factors.size() == 2) {
    for (size_t i = 0; i < 2; ++i) {
      if (p.factors[i] == x && is_power(p.factors[1 - i], x, 2)) return true;
    }
  }
  inside_ = before;
  return false;
}

void Spelled::collect(ValueId id, bool first, Product& product) {
  if (const auto value = number(id)) {
    product.coefficient *= *value;
    return;
  }
  const bool single = first || only_reader(id).has_value();
  const auto producer = id ? uses_.producer[id.pos()] : std::nullopt;
  if (single && producer) {
    const Node& node = graph_.nodes[*producer];
    if (node.is("Mul") && node.inputs.size() == 2) {
      inside_.insert(*producer);
      for (ValueId input : node.inputs) collect(input, false, product);
      return;
    }
    if (node.is("Div") && number(node.inputs[1])) {
      inside_.insert(*producer);
      product.coefficient /= *number(node.inputs[1]);
      collect(node.inputs[0], false, product);
      return;
    }
  }
  product.factors.push_back(id);
}

Spelled::Product Spelled::product(ValueId id) {
  Product product;
  collect(id, true, product);
  return product;
}

std::optional<std::vector<int>> Spelled::reduced_axes(const Node& node) const {
  if (node.integer("keepdims", 1) == 0 || node.inputs.empty()) return {};
  std::vector<int64_t> axes = node.integers("axes");
  if (node.has_input(1)) {
    const Constant* c = graph_.constant(node.inputs[1]);
    if (!c || c->is_absent()) return {};
    axes = c->integers();
  }
  const int rank = graph_.shape(node.inputs[0]).rank();
  std::vector<int> result;
  for (int64_t axis : axes) {
    const auto at = normalise_axis(axis, rank);
    if (!at) return {};
    result.push_back(*at);
  }
  std::sort(result.begin(), result.end());
  if (result.empty()) return {};
  return result;
}

bool Spelled::closed(ValueId result) const {
  for (size_t at : inside_) {
    for (ValueId id : graph_.nodes[at].outputs) {
      if (!id || id == result) continue;
      if (uses_.is_output[id.pos()]) return false;
      for (size_t reader : uses_.readers[id.pos()]) {
        if (!inside_.contains(reader)) return false;
      }
    }
  }
  return true;
}

std::optional<size_t> Spelled::only_reader(ValueId id) const {
  if (!id || uses_.is_output[id.pos()] || uses_.readers[id.pos()].size() != 1) return {};
  return uses_.readers[id.pos()][0];
}

void replace_pattern(Graph& graph, const std::set<size_t>& inside, size_t at, Node fused, ValueId result) {
  fused.domain = "";
  fused.name = graph.nodes[at].name;
  fused.outputs = {result};
  for (size_t i : inside) {
    Node& node = graph.nodes[i];
    fused.origins.insert(fused.origins.end(), node.origins.begin(), node.origins.end());
    fused.origin_names.insert(fused.origin_names.end(), node.origin_names.begin(), node.origin_names.end());
    if (i == at) continue;
    node.op = "Gone";
    node.inputs.clear();
    for (ValueId& id : node.outputs) {
      if (id == result) id = ValueId();
    }
  }
  graph.nodes[at] = std::move(fused);
}

}  // namespace tarn::passes
