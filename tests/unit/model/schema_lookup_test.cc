#include "model/schema_lookup.h"

#include <gtest/gtest.h>

#include "model/load_onnx.h"

namespace tarn::model {
namespace {

std::string text_of(const onnx::OpSchema* schema) {
  if (schema == nullptr) return "none";
  std::ostringstream text;
  text << schema->domain() << " " << schema->Name() << " " << schema->SinceVersion() << " " << schema->min_input()
       << " " << schema->max_input() << " " << schema->min_output() << " " << schema->max_output() << " "
       << schema->HasFunction() << schema->HasContextDependentFunction() << schema->Deprecated() << *schema;
  for (const auto* side : {&schema->inputs(), &schema->outputs()}) {
    for (const onnx::OpSchema::FormalParameter& parameter : *side) text << " " << parameter.GetTypes().size();
  }
  for (const int version : schema->function_opset_versions())
    text << schema->GetFunction(version, false)->ShortDebugString();
  return text.str();
}

TEST(SchemaLookup, KnowsWhatTheRegistryKnows) {
  const std::vector<onnx::OpSchema> all = onnx::OpSchemaRegistry::get_all_schemas_with_history();
  EXPECT_GT(all.size(), 600U);
  for (const onnx::OpSchema& schema : all) {
    const std::string& domain = schema.domain();
    const std::string& op = schema.Name();
    // In its own version, just before, and in the newest.
    for (const int version : {schema.SinceVersion() - 1, schema.SinceVersion(), kNewestOpset}) {
      EXPECT_EQ(text_of(newest_definition(domain, op, version)),
                text_of(onnx::OpSchemaRegistry::Schema(op, version, domain)))
          << domain << " " << op << " " << version;
    }
  }
}

TEST(SchemaLookup, MakesADefinitionOnce) {
  const onnx::OpSchema* conv = newest_definition("", "Conv", 12);
  ASSERT_NE(conv, nullptr);
  EXPECT_EQ(conv->SinceVersion(), 11);
  EXPECT_EQ(newest_definition("", "Conv", 12), conv);
  EXPECT_EQ(newest_definition("", "Conv", 13), conv);
}

TEST(SchemaLookup, UnknownOperatorsHaveNone) {
  EXPECT_EQ(newest_definition("", "NoSuchOperator", 20), nullptr);
  EXPECT_EQ(newest_definition("com.acme", "Conv", 20), nullptr);
  EXPECT_EQ(newest_definition("", "Conv", 0), nullptr);
}

TEST(SchemaLookup, AnOperatorOfALaterOpsetHasItsFirstDefinition) {
  const onnx::OpSchema* norm = find_schema("", "LayerNormalization", {{"", 11}});
  ASSERT_NE(norm, nullptr);
  EXPECT_EQ(norm->SinceVersion(), 17);
  EXPECT_EQ(find_schema("", "Conv", {{"ai.onnx.ml", 3}}), nullptr);
}

}  // namespace
}  // namespace tarn::model
