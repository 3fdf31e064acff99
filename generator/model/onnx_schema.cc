#include "model/onnx_schema.h"

#include <cstdint>
#include <set>

#include "model/load_onnx.h"
#include "model/schema_lookup.h"
#include "model/translate.h"

namespace tarn::model {

std::optional<int> since_version(const std::string& domain, const std::string& op,
                                 const std::map<std::string, int>& opsets) {
  const onnx::OpSchema* schema = find_schema(domain, op, opsets);
  if (schema == nullptr) return {};
  return schema->SinceVersion();
}

bool may_omit_first_output(const std::string& domain, const std::string& op, const std::map<std::string, int>& opsets) {
  const onnx::OpSchema* schema = find_schema(domain, op, opsets);
  return schema == nullptr ||
         (!schema->outputs().empty() && schema->outputs()[0].GetOption() == onnx::OpSchema::Optional);
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
  const onnx::OpSchema* schema = newest_definition(domain, op, INT32_MAX);
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
