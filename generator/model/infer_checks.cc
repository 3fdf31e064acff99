#include <algorithm>

#include "model/infer_rules.h"
#include "model/schema_lookup.h"
#include "support/text.h"

namespace tarn::model {

namespace {

// With sizes below kMaxTensorBytes elements this keeps every product of a dimension and an attribute inside int64.
constexpr int64_t kMaxAttribute = int64_t{1} << 24;

// Attributes whose values are no sizes.
bool is_free(const NodeDef& node, const std::string& name) {
  return (node.op == "Slice" && (name == "starts" || name == "ends")) || node.op == "Constant" ||
         name == "pool_int64s" || name == "shape";
}

std::optional<Diagnostic> check_attributes(const NodeFacts& facts) {
  if (!facts.node().domain.empty()) return {};
  for (const auto& [name, attribute] : facts.node().attributes) {
    std::vector<int64_t> values;
    if (const auto* one = std::get_if<int64_t>(&attribute)) values = {*one};
    if (const auto* many = std::get_if<std::vector<int64_t>>(&attribute)) values = *many;
    if (is_free(facts.node(), name)) continue;
    for (const int64_t value : values) {
      if (value > kMaxAttribute || value < -kMaxAttribute)
        return facts.fault("E211", cat("attribute '", name, "' is ", value));
    }
  }
  return {};
}

// Shape and size of one type, that of `kind` number i; unknown dimensions count as 1.
std::optional<Diagnostic> check_type(const NodeFacts& facts, const Type& type, const char* kind, size_t i,
                                     const char* negative) {
  if (type.element) return check_type(facts, *type.element, kind, i, negative);
  if (!type.dims) return {};
  const auto what = [&] { return cat(kind, " ", i); };
  if (type.dims->size() > kMaxRank) {
    return facts.fault("E207",
                       cat(what(), " has ", type.dims->size(), " dimensions; at most ", kMaxRank, " are supported"));
  }
  Shape shape;
  for (const Dim& d : *type.dims) {
    if (d.value.value_or(0) < 0) return facts.fault(negative, cat(what(), " would have a dimension of ", *d.value));
    shape.dims.push_back(d.value.value_or(1));
  }
  if (!checked_bytes({type.dtype == DType::undefined ? DType::uint8 : type.dtype, shape})) {
    return facts.fault("E207", what() + " " + to_string(type) + " is absurdly large");
  }
  return {};
}

bool is_division(const std::string& op) { return op == "Div" || op == "Mod"; }

std::optional<Diagnostic> check_division(const NodeFacts& facts) {
  if (!facts.node().domain.empty() || !is_division(facts.node().op)) return {};
  const auto divisor = facts.integers(1);
  if (!divisor) return {};
  for (const int64_t d : *divisor) {
    if (d == 0) return facts.fault("E211", "it divides integers by a constant 0");
  }
  return {};
}

std::optional<Diagnostic> check_reshape(const NodeFacts& facts, const std::vector<Type>& outputs) {
  if (!facts.node().domain.empty() || facts.node().op != "Reshape" || outputs.empty() || !outputs[0].dims) return {};
  const std::optional<Shape> from = facts.shape(0);
  if (!from) return {};
  Shape to;
  for (const Dim& d : *outputs[0].dims) {
    if (!d.value) return {};
    to.dims.push_back(*d.value);
  }
  if (from->count() == to.count()) return {};
  return facts.fault(
      "E205", cat("it turns ", to_string(*from), " into ", to_string(to), ", which has another number of elements"));
}

}  // namespace

std::optional<Diagnostic> check_counts(const NodeFacts& facts, const onnx::OpSchema& schema) {
  if (facts.inputs() < schema.min_input() || facts.inputs() > schema.max_input()) {
    return facts.fault("E205", cat("it has ", facts.inputs(), " inputs; ", schema.min_input(), " to ",
                                   schema.max_input(), " are allowed"));
  }
  if (facts.outputs() < schema.min_output() || facts.outputs() > schema.max_output()) {
    return facts.fault("E205", cat("it has ", facts.outputs(), " outputs; ", schema.min_output(), " to ",
                                   schema.max_output(), " are allowed"));
  }
  for (int i = 0; i < facts.inputs(); ++i) {
    const auto& formal = schema.inputs()[std::min(static_cast<size_t>(i), schema.inputs().size() - 1)];
    if (!facts.has(i) && formal.GetOption() != onnx::OpSchema::Optional) {
      return facts.fault("E205", cat("input ", i, " is omitted, and is not optional"));
    }
  }
  return {};
}

std::optional<Diagnostic> check_inputs(const NodeFacts& facts) {
  for (int i = 0; i < facts.inputs(); ++i) {
    if (auto fault = check_type(facts, facts.type(i), "input", static_cast<size_t>(i), "E207")) return fault;
    const Constant* value = facts.value(i);
    if (value != nullptr &&
        (facts.dtype(i) != value->dtype() || (facts.shape(i) && *facts.shape(i) != value->shape()))) {
      return facts.fault("E205", cat("input ", i, " is declared as ", to_string(facts.type(i)), " and holds ",
                                     to_string(value->type())));
    }
  }
  if (auto fault = check_attributes(facts)) return fault;
  if (auto fault = check_division(facts)) return fault;
  if (auto fault = check_spatial(facts)) return fault;
  if (auto fault = check_movement(facts)) return fault;
  return check_sizes(facts);
}

std::optional<Diagnostic> check_outputs(const NodeFacts& facts, const std::vector<Type>& outputs) {
  if (auto fault = check_kernel_fits(facts, outputs)) return fault;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (auto fault = check_type(facts, outputs[i], "output", i, "E205")) return fault;
  }
  return check_reshape(facts, outputs);
}

}  // namespace tarn::model
