#include "model/onnx_schema.h"

#include <set>

#include "model/load_onnx.h"
#include "model/schema_lookup.h"
#include "model/translate.h"

namespace tarn::model {

const onnx::OpSchema* find_schema(const std::string& domain, const std::string& op,
                                  const std::map<std::string, int>& opsets) {
  const auto import = opsets.find(domain);
  if (import == opsets.end()) return nullptr;
  const onnx::OpSchema* schema = onnx::OpSchemaRegistry::Schema(op, import->second, domain);
  // Some exporters write LayerNormalization or Gelu into models of an opset that does not have them yet, and ONNX
  // Runtime accepts it: such an operator has its first definition.
  for (int version = import->second + 1; schema == nullptr && domain.empty() && version <= kNewestOpset; ++version) {
    schema = onnx::OpSchemaRegistry::Schema(op, version, domain);
  }
  return schema;
}

std::string first_line(const std::string& message) { return message.substr(0, message.find('\n')); }

std::optional<int> since_version(const std::string& domain, const std::string& op,
                                 const std::map<std::string, int>& opsets) {
  const onnx::OpSchema* schema = find_schema(domain, op, opsets);
  if (schema == nullptr) return {};
  return schema->SinceVersion();
}

Attributes attribute_defaults(const NodeQuery& query) {
  Attributes out;
  const onnx::OpSchema* schema = find_schema(query.node->domain, query.node->op, *query.opsets);
  if (schema == nullptr) return out;
  for (const auto& [name, attribute] : schema->attributes()) {
    if (attribute.default_value.type() == onnx::AttributeProto::UNDEFINED || query.node->attributes.contains(name))
      continue;
    out.emplace(name, read_attribute(attribute.default_value, {}));
  }
  return out;
}

bool has_function(const std::string& domain, const std::string& op) {
  const onnx::OpSchema* schema = onnx::OpSchemaRegistry::Schema(op, domain);
  return schema && (schema->HasFunction() || schema->HasContextDependentFunction());
}

std::vector<std::string> operators_of(const std::string& domain) {
  std::set<std::string> names;
  for (const onnx::OpSchema& schema : onnx::OpSchemaRegistry::get_all_schemas()) {
    if (schema.domain() == domain && !schema.Deprecated()) names.insert(schema.Name());
  }
  return {names.begin(), names.end()};
}

std::vector<int> definitions_of(const std::string& domain, const std::string& op) {
  std::set<int> versions;
  for (const onnx::OpSchema& schema : onnx::OpSchemaRegistry::get_all_schemas_with_history()) {
    const bool known = !domain.empty() || schema.SinceVersion() <= kNewestOpset;
    if (schema.domain() == domain && schema.Name() == op && !schema.Deprecated() && known)
      versions.insert(schema.SinceVersion());
  }
  return {versions.begin(), versions.end()};
}

}  // namespace tarn::model
