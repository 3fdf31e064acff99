// The standard's own definition of an operator by others, for one particular node.
#include <algorithm>
#include <set>

#include "model/bind_function.h"
#include "model/infer_rules.h"
#include "model/load_onnx.h"
#include "model/proto_nodes.h"
#include "model/schema_lookup.h"
#include "model/translate.h"

namespace tarn::model {

namespace {

// The node with all defaults filled in: bodies refer to attributes whether they were given or not.
onnx::NodeProto complete_node(const NodeQuery& query, Detached* detached) {
  NodeDef node = *query.node;
  node.attributes.merge(attribute_defaults(query));
  return write_node(node, detached);
}

std::vector<onnx::TypeProto> input_types(const NodeFacts& facts) {
  std::vector<onnx::TypeProto> types;
  for (int i = 0; i < facts.inputs(); ++i) types.push_back(write_type(facts.type(i)));
  return types;
}

// The body for this opset, or the oldest there is: it means the same, and says which opset it is written in.
// Context-dependent bodies are preferred: where both exist they fit the node more closely.
bool build(const onnx::OpSchema& schema, const onnx::NodeProto& node, const NodeFacts& facts, int version,
           onnx::FunctionProto* out) {
  if (schema.HasContextDependentFunction()) {
    const std::vector<int> versions = schema.context_dependent_function_opset_versions();
    const int oldest = *std::min_element(versions.begin(), versions.end());
    const onnx::FunctionBodyBuildContextImpl context(node, input_types(facts));
    if (schema.BuildContextDependentFunction(context, *out, std::max(version, oldest))) return true;
    out->Clear();
  }
  if (!schema.HasFunction()) return false;
  const std::vector<int> versions = schema.function_opset_versions();
  const onnx::FunctionProto* fixed =
      schema.GetFunction(std::max(version, *std::min_element(versions.begin(), versions.end())));
  if (fixed != nullptr) *out = *fixed;
  return fixed != nullptr;
}

// A body that uses a domain without importing it means the model's version of it.
std::map<std::string, int> imports_of(const onnx::FunctionProto& function, const NodeQuery& query) {
  std::map<std::string, int> out;
  for (const auto& import : function.opset_import())
    out[normal_domain(import.domain())] = static_cast<int>(import.version());
  const auto standard = query.opsets->find("");
  out.emplace("", standard == query.opsets->end() ? kNewestOpset : standard->second);
  return out;
}

// Formal names stay; those of omitted inputs become "", everywhere.
GraphDef to_graph(onnx::FunctionProto function, const onnx::NodeProto& node, const NodeFacts& facts,
                  const Detached& detached) {
  bind_attributes(function.mutable_node(), bindings_of(function, node));
  std::set<std::string> omitted, formals;
  GraphDef graph;
  graph.name = node.op_type();
  for (int i = 0; i < function.input_size(); ++i) {
    formals.insert(function.input(i));
    if (!facts.has(i)) omitted.insert(function.input(i));
    if (i < facts.inputs()) graph.inputs.push_back({facts.has(i) ? function.input(i) : "", facts.type(i)});
  }
  const auto rename = [&](const std::string& name) { return omitted.contains(name) ? "" : name; };
  for (onnx::NodeProto& inner : *function.mutable_node()) {
    rename_values(&inner, rename);
    inner.clear_doc_string();
    NodeDef& read = graph.nodes.emplace_back(read_node(inner, detached));
    read.index = facts.node().index;
  }
  for (int i = 0; i < facts.outputs(); ++i) {
    const bool wanted = !facts.node().outputs[static_cast<size_t>(i)].empty();
    std::string name = wanted ? function.output(i) : "";  // a body leaves out what nobody wants
    if (formals.contains(name)) {                         // handed through: an output needs a value of its own
      NodeDef identity;
      identity.index = facts.node().index;
      identity.op = "Identity";
      identity.inputs = {rename(name)};
      identity.outputs = {name += "_out"};
      graph.nodes.push_back(identity);
    }
    graph.outputs.push_back({name, {}});
  }
  return graph;
}

}  // namespace

GraphDefPtr function_body(const NodeQuery& query, std::map<std::string, int>* opsets) {
  const NodeDef& node = *query.node;
  const onnx::OpSchema* schema = find_schema(node.domain, node.op, *query.opsets);
  if (schema == nullptr || !(schema->HasFunction() || schema->HasContextDependentFunction())) return nullptr;
  const NodeFacts facts(query);
  // What could not be inferred safely cannot be built safely either.
  if (check_counts(facts, *schema) || check_inputs(facts)) return nullptr;
  const int version = std::max(query.opsets->at(node.domain), schema->SinceVersion());
  Detached detached;
  const onnx::NodeProto written = complete_node(query, &detached);
  onnx::FunctionProto function;
  try {
    if (!build(*schema, written, facts, version, &function)) return nullptr;
  } catch (const std::exception&) {
    return nullptr;  // this combination of types and attributes has no body
  }
  if (function.input_size() < facts.inputs() || function.output_size() < facts.outputs()) return nullptr;
  if (opsets != nullptr) *opsets = imports_of(function, query);
  return std::make_shared<const GraphDef>(to_graph(std::move(function), written, facts, detached));
}

}  // namespace tarn::model
