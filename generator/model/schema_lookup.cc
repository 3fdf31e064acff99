// The library's registry makes the definitions of all operators when it is first asked; here each is made when it is
// first used. A test holds the two against each other.
#include "model/schema_lookup.h"

#include <onnx/defs/operator_sets.h>
#include <onnx/defs/operator_sets_ml.h>

#include <memory>
#include <string_view>
#include <tuple>

#include "model/load_onnx.h"

namespace tarn::model {

namespace {

struct Definition {
  std::string_view domain, op;
  int since;
  onnx::OpSchema (*make)();
};

constexpr std::string_view kOnnxDomain = onnx::ONNX_DOMAIN;
constexpr std::string_view kOnnxMLDomain = onnx::AI_ONNX_ML_DOMAIN;

constexpr Definition kDefinitions[] = {
#define TARN_DEFINITION(family, version, op) \
  {k##family##Domain, #op, version, onnx::GetOpSchema<onnx::ONNX_OPERATOR_SET_SCHEMA_CLASS_NAME(family, version, op)>},
#include <onnx_definitions.inc>
#undef TARN_DEFINITION
};

const Definition* newest(std::string_view domain, std::string_view op, int version) {
  const Definition* found = nullptr;
  for (const Definition& d : kDefinitions) {
    if (d.op != op || d.domain != domain || d.since > version) continue;
    if (found == nullptr || d.since > found->since) found = &d;
  }
  return found;
}

struct Made {
  std::map<std::tuple<std::string, std::string, int>, const onnx::OpSchema*> answers;
  std::map<const Definition*, std::unique_ptr<const onnx::OpSchema>> schemas;
};

Made& made() {
  static Made all;
  return all;
}

}  // namespace

const onnx::OpSchema* newest_definition(const std::string& domain, const std::string& op, int version) {
  if (domain != kOnnxDomain && domain != kOnnxMLDomain) {
    // The few of the preview domains are not worth a table.
    return domain.starts_with(onnx::AI_ONNX_PREVIEW_DOMAIN) ? onnx::OpSchemaRegistry::Schema(op, version, domain)
                                                            : nullptr;
  }
  Made& all = made();
  const auto [answer, is_new] = all.answers.try_emplace({domain, op, version}, nullptr);
  if (!is_new) return answer->second;
  const Definition* definition = newest(domain, op, version);
  if (definition == nullptr) return nullptr;
  auto& schema = all.schemas[definition];
  if (schema == nullptr) {
    auto fresh = std::make_unique<onnx::OpSchema>(definition->make());
    fresh->Finalize();
    schema = std::move(fresh);
  }
  return answer->second = schema.get();
}

const onnx::OpSchema* find_schema(const std::string& domain, const std::string& op,
                                  const std::map<std::string, int>& opsets) {
  const auto import = opsets.find(domain);
  if (import == opsets.end()) return nullptr;
  const onnx::OpSchema* schema = newest_definition(domain, op, import->second);
  // Some exporters write LayerNormalization or Gelu into models of an opset that does not have them yet, and ONNX
  // Runtime accepts it: such an operator has its first definition.
  const bool standard = domain.empty() || domain == kOnnxMLDomain;
  for (int version = import->second; schema == nullptr && standard && version < kNewestOpset;) {
    schema = newest_definition(domain, op, ++version);
  }
  return schema;
}

}  // namespace tarn::model
