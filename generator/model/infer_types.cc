// infer_types: the onnx library's inference functions, one node at a time, fenced in by our own checks.
#include <onnx/defs/shape_inference.h>

#include <cstdint>

#include "model/infer_rules.h"
#include "model/node_facts.h"
#include "model/schema_lookup.h"
#include "model/translate.h"
#include "support/text.h"

namespace tarn::model {

namespace {

constexpr int64_t kMaxValueBytes = 8 * kLongestShapeValue;

// Gives an inference function one node: types, attributes and short values are translated when it asks for them.
class QueryContext : public onnx::InferenceContext {
 public:
  explicit QueryContext(const NodeFacts& facts) : facts_(facts) {
    const size_t inputs = facts.node().inputs.size();
    types_.resize(inputs);
    values_.resize(inputs);
    outputs_.resize(facts.node().outputs.size());
    for (size_t i = 0; i < inputs; ++i) {
      const Type& type = facts.type(static_cast<int>(i));
      if (type.kind != Type::Kind::unknown) types_[i] = std::make_unique<onnx::TypeProto>(write_type(type));
    }
  }

  const onnx::AttributeProto* getAttribute(const std::string& name) const override {
    const auto done = attributes_.find(name);
    if (done != attributes_.end()) return &done->second;
    const auto given = facts_.node().attributes.find(name);
    if (given == facts_.node().attributes.end()) return nullptr;
    return &attributes_.emplace(name, write_attribute(name, given->second, &detached_)).first->second;
  }
  size_t getNumInputs() const override { return types_.size(); }
  const onnx::TypeProto* getInputType(size_t index) const override { return types_.at(index).get(); }
  const onnx::TensorProto* getInputData(size_t index) const override {
    const Constant* value = index < facts_.query().input_values.size() ? facts_.query().input_values[index] : nullptr;
    if (value == nullptr || value->is_absent() || value->type().bytes() > kMaxValueBytes) return nullptr;
    auto& slot = values_.at(index);
    if (!slot) {
      onnx::TensorProto tensor = write_constant(widened(*value, index), &detached_);
      if (tensor.data_location() == onnx::TensorProto::EXTERNAL) return nullptr;
      slot = std::make_unique<onnx::TensorProto>(std::move(tensor));
    }
    return slot.get();
  }
  size_t getNumOutputs() const override { return outputs_.size(); }
  onnx::TypeProto* getOutputType(size_t index) override { return &outputs_.at(index); }
  onnx::GraphInferencer* getGraphAttributeInferencer(const std::string& name) override {
    throw onnx::InferenceError("the graph '" + name + "' is missing");
  }
  const onnx::SparseTensorProto* getInputSparseData(size_t) const override { return nullptr; }
  const onnx::TensorShapeProto* getSymbolicInput(size_t) const override { return nullptr; }

  std::vector<Type> take() const {
    std::vector<Type> out;
    for (const onnx::TypeProto& type : outputs_) out.push_back(read_type(type, NegativeDims::kept));
    return out;
  }

 private:
  // Pad reads its axes as int64 although it also allows int32.
  Constant widened(const Constant& value, size_t index) const {
    if (facts_.node().op != "Pad" || index != 3 || value.dtype() != DType::int32) return value;
    return Constant::ints(DType::int64, value.shape(), value.integers());
  }

  const NodeFacts& facts_;
  std::vector<std::unique_ptr<onnx::TypeProto>> types_;
  mutable std::vector<std::unique_ptr<onnx::TensorProto>> values_;
  mutable std::map<std::string, onnx::AttributeProto> attributes_;
  mutable Detached detached_;  // large ones: the library asks for their types only
  std::vector<onnx::TypeProto> outputs_;
};

// "[ShapeInferenceError] (op_type:Conv): what is wrong" becomes what is wrong.
std::string plain(const std::string& message) {
  std::string text = first_line(message);
  if (text.starts_with("[")) text = text.substr(std::min(text.size(), text.find(']') + 2));
  return text;
}

bool holds_unknown(const Type& type) {
  if (type.kind == Type::Kind::unknown) return true;
  if (type.kind == Type::Kind::tensor || type.kind == Type::Kind::sparse_tensor) return type.dtype == DType::undefined;
  return !type.element || holds_unknown(*type.element);
}

// Inference functions take present inputs to be known.
bool inputs_known(const NodeFacts& facts) {
  for (int i = 0; i < facts.inputs(); ++i) {
    if (facts.has(i) && holds_unknown(facts.type(i))) return false;
  }
  return true;
}

// If, Loop, Scan and SequenceMap: whoever holds the graph infers what is in it.
bool runs_graphs(const NodeDef& node) {
  if (!node.domain.empty()) return false;
  for (const auto& [name, attribute] : node.attributes) {
    if (std::holds_alternative<GraphDefPtr>(attribute) || std::holds_alternative<std::vector<GraphDefPtr>>(attribute))
      return true;
  }
  return false;
}

// A formal input that takes so many types takes elements smaller than a byte too, as far as tarn is concerned: ONNX
// lists them for some operators that only move elements and not for others.
constexpr size_t kManyTypes = 12;

bool takes_type(const onnx::OpSchema* schema, int input, const Type& type) {
  if (schema == nullptr || schema->inputs().empty()) return false;
  const auto& formal = schema->inputs()[std::min(static_cast<size_t>(input), schema->inputs().size() - 1)];
  const auto& allowed = formal.GetTypes();
  if (is_packed(type.dtype) && allowed.size() >= kManyTypes) return true;
  return allowed.empty() || allowed.contains(onnx::Utils::DataTypeUtils::ToType(write_type(type)));
}

// The types that the operator takes, before a rule works with values of them. Exporters write what a later definition
// takes into models of an older opset.
std::optional<Diagnostic> check_input_types(const NodeFacts& facts, const onnx::OpSchema& schema) {
  const onnx::OpSchema* newest = newest_definition(facts.node().domain, facts.node().op, INT32_MAX);
  std::map<std::string_view, int> same;  // by constraint: the first input that has its type
  for (int i = 0; i < facts.inputs(); ++i) {
    if (!facts.has(i) || holds_unknown(facts.type(i))) continue;
    const onnx::OpSchema::FormalParameter& formal =
        schema.inputs()[std::min(static_cast<size_t>(i), schema.inputs().size() - 1)];
    if (!takes_type(&schema, i, facts.type(i)) && !takes_type(newest, i, facts.type(i))) {
      return facts.fault("E205", cat("input ", i, " (", formal.GetName(), ") is ", to_string(facts.type(i)),
                                     ", a type that the operator does not take"));
    }
    if (!formal.GetIsHomogeneous()) continue;
    const int first = same.emplace(formal.GetTypeStr(), i).first->second;
    if (facts.type(first).kind != facts.type(i).kind || facts.dtype(first) != facts.dtype(i)) {
      return facts.fault("E205", cat("input ", first, " is ", to_string(facts.type(first)), " and input ", i, " is ",
                                     to_string(facts.type(i)), "; they must be of one type"));
    }
  }
  return {};
}

// The types that the operator allows, and which of them must be the same.
std::optional<Diagnostic> check_types(const NodeFacts& facts, const onnx::OpSchema& schema, QueryContext* context) {
  try {
    schema.CheckInputOutputType(*context);
  } catch (const std::exception& error) {
    return facts.fault("E205", plain(error.what()));
  }
  return {};
}

Result<std::vector<Type>> ask_library(const NodeFacts& facts, const onnx::OpSchema& schema) {
  QueryContext context(facts);
  try {
    schema.GetTypeAndShapeInferenceFunction()(context);
  } catch (const std::exception& error) {
    return facts.fault("E205", plain(error.what()));
  }
  if (auto fault = check_types(facts, schema, &context)) return *fault;
  return context.take();
}

Result<std::vector<Type>> own_rule(const NodeFacts& facts, const onnx::OpSchema& schema,
                                   Result<std::vector<Type>> outputs) {
  // Constant was once defined for floats only, and never used that way.
  if (!outputs || facts.node().op == "Constant") return outputs;
  QueryContext context(facts);
  for (size_t i = 0; i < outputs->size(); ++i) *context.getOutputType(i) = write_type((*outputs)[i]);
  if (auto fault = check_types(facts, schema, &context)) return *fault;
  return outputs;
}

Result<std::vector<Type>> infer(const NodeFacts& facts) {
  const std::vector<Type> unknown(facts.node().outputs.size());
  const onnx::OpSchema* schema = find_schema(facts.node().domain, facts.node().op, *facts.query().opsets);
  if (schema == nullptr || schema->Deprecated() || !inputs_known(facts)) return unknown;
  if (auto fault = check_counts(facts, *schema)) return *fault;
  if (auto fault = check_input_types(facts, *schema)) return *fault;
  if (runs_graphs(facts.node())) return unknown;
  if (auto fault = check_inputs(facts)) return *fault;
  auto here = infer_here(facts);
  Result<std::vector<Type>> outputs = here ? own_rule(facts, *schema, *here) : ask_library(facts, *schema);
  if (!outputs) return outputs;
  if (auto fault = check_outputs(facts, *outputs)) return *fault;
  return outputs;
}

}  // namespace

Result<std::vector<Type>> infer_types(const NodeQuery& query) { return infer(NodeFacts(query)); }

std::optional<Diagnostic> check_node(const NodeQuery& query) {
  const NodeFacts facts(query);
  const onnx::OpSchema* schema = find_schema(query.node->domain, query.node->op, *query.opsets);
  if (schema == nullptr || schema->Deprecated() || !inputs_known(facts)) return {};
  if (auto fault = check_counts(facts, *schema)) return fault;
  if (auto fault = check_input_types(facts, *schema)) return fault;
  if (runs_graphs(*query.node)) return {};
  return check_inputs(facts);
}

}  // namespace tarn::model
