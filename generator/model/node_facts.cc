#include "model/node_facts.h"

#include "support/text.h"

namespace tarn::model {

namespace {

// Inputs that are lists by definition. The library takes a list of unknown rank for an omitted one.
bool is_list(const NodeDef& node, size_t input) {
  if (!node.domain.empty()) return false;
  return (node.op == "Slice" && input > 0) || (node.op == "Pad" && (input == 1 || input == 3));
}

}  // namespace

NodeFacts::NodeFacts(const NodeQuery& query) : query_(query), types_(query.input_types) {
  types_.resize(node().inputs.size());
  for (size_t i = 0; i < types_.size(); ++i) {
    const Constant* value = i < query.input_values.size() ? query.input_values[i] : nullptr;
    const bool untyped = types_[i].kind == Type::Kind::unknown;
    const bool vague = types_[i].kind == Type::Kind::tensor &&
                       types_[i].dtype == (value ? value->dtype() : DType::undefined) && !shape(static_cast<int>(i));
    if (!untyped && !types_[i].dims && is_list(node(), i)) types_[i].dims = std::vector<Dim>(1);
    if (value != nullptr && (untyped || vague)) types_[i] = tensor_type(value->dtype(), value->shape());
  }
}

const Type& NodeFacts::type(int input) const {
  static const Type unknown;
  return has(input) ? types_[static_cast<size_t>(input)] : unknown;
}

int NodeFacts::rank(int input) const {
  const Type& t = type(input);
  return t.kind == Type::Kind::tensor && t.dims ? static_cast<int>(t.dims->size()) : -1;
}

std::optional<int64_t> NodeFacts::dim(int input, int axis) const {
  if (axis < 0 || axis >= rank(input)) return {};
  return (*type(input).dims)[static_cast<size_t>(axis)].value;
}

std::optional<Shape> NodeFacts::shape(int input) const {
  if (rank(input) < 0) return {};
  Shape out;
  for (const Dim& d : *type(input).dims) {
    if (!d.value) return {};
    out.dims.push_back(*d.value);
  }
  return out;
}

const Constant* NodeFacts::value(int input) const {
  const auto at = static_cast<size_t>(input);
  if (!has(input) || at >= query_.input_values.size()) return nullptr;
  const Constant* c = query_.input_values[at];
  if (c == nullptr || c->is_absent() || c->is_strings() || c->count() > kLongestShapeValue) return nullptr;
  const bool numeric = is_integer(c->dtype()) || is_float(c->dtype()) || c->dtype() == DType::boolean;
  return numeric ? c : nullptr;
}

std::optional<std::vector<int64_t>> NodeFacts::integers(int input) const {
  const Constant* c = value(input);
  if (c == nullptr || !is_integer(c->dtype())) return {};
  return c->integers();
}

std::optional<std::vector<double>> NodeFacts::reals(int input) const {
  const Constant* c = value(input);
  if (c == nullptr) return {};
  return c->reals();
}

int64_t NodeFacts::attribute(const std::string& name, int64_t fallback) const {
  const auto it = node().attributes.find(name);
  const auto* v = it == node().attributes.end() ? nullptr : std::get_if<int64_t>(&it->second);
  return v ? *v : fallback;
}

std::string NodeFacts::attribute(const std::string& name, const char* fallback) const {
  const auto it = node().attributes.find(name);
  const auto* v = it == node().attributes.end() ? nullptr : std::get_if<std::string>(&it->second);
  return v ? *v : fallback;
}

std::optional<std::vector<int64_t>> NodeFacts::attribute_list(const std::string& name) const {
  const auto it = node().attributes.find(name);
  const auto* v = it == node().attributes.end() ? nullptr : std::get_if<std::vector<int64_t>>(&it->second);
  if (v == nullptr) return {};
  return *v;
}

Diagnostic NodeFacts::fault(const char* code, std::string message) const {
  Where where;
  if (node().index >= 0) where.node = node().index;
  where.node_name = node().name;
  where.op = node().domain.empty() ? node().op : node().domain + "." + node().op;
  return {code, where, std::move(message), ""};
}

Type tensor_type(DType dtype, std::optional<std::vector<Dim>> dims) {
  Type type;
  type.kind = Type::Kind::tensor;
  type.dtype = dtype;
  type.dims = std::move(dims);
  return type;
}

Type tensor_type(DType dtype, const Shape& shape) {
  std::vector<Dim> dims;
  for (const int64_t d : shape.dims) dims.push_back({d, ""});
  return tensor_type(dtype, std::move(dims));
}

std::string to_string(const Type& type) {
  switch (type.kind) {
    case Type::Kind::unknown: return "unknown";
    case Type::Kind::sequence: return "sequence(" + (type.element ? to_string(*type.element) : "unknown") + ")";
    case Type::Kind::optional: return "optional(" + (type.element ? to_string(*type.element) : "unknown") + ")";
    case Type::Kind::map:
      return "map(" + to_string(type.dtype) + "," + (type.element ? to_string(*type.element) : "unknown") + ")";
    case Type::Kind::tensor:
    case Type::Kind::sparse_tensor: break;
  }
  std::string out = (type.kind == Type::Kind::sparse_tensor ? "sparse " : "") + to_string(type.dtype);
  if (!type.dims) return out + "[...]";
  std::vector<std::string> dims;
  for (const Dim& d : *type.dims)
    dims.push_back(d.value ? std::to_string(*d.value) : d.symbol.empty() ? "?" : d.symbol);
  return out + "[" + join(dims, ",") + "]";
}

}  // namespace tarn::model
