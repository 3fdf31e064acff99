#include "unit/model/onnx_text.h"

#include <gtest/gtest.h>
#include <onnx/defs/parser.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "model/node_facts.h"

namespace tarn::model {

onnx::ModelProto parse_model(const std::string& text) {
  onnx::ModelProto model;
  onnx::OnnxParser parser(text.c_str());
  const auto status = parser.Parse(model);
  EXPECT_TRUE(status.IsOK()) << status.ErrorMessage() << "\n" << text;
  return model;
}

onnx::ModelProto parse_graph(const std::string& graph) {
  return parse_model("<ir_version: 8, opset_import: [\"\" : 17]>\n" + graph);
}

ScratchFolder::ScratchFolder() {
  folder_ = (std::filesystem::temp_directory_path() / "tarn_test_XXXXXX").string();
  EXPECT_NE(mkdtemp(folder_.data()), nullptr);
}
ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string ScratchFolder::write(const std::string& name, const std::string& bytes) const {
  std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
  std::ofstream(path(name), std::ios::binary) << bytes;
  return path(name);
}
std::string ScratchFolder::write(const std::string& name, const onnx::ModelProto& model) const {
  return write(name, model.SerializeAsString());
}

Result<Model> load(const onnx::ModelProto& model) {
  const ScratchFolder scratch;
  return load_onnx(scratch.write("model.onnx", model));
}

Model load_ok(const onnx::ModelProto& model) {
  Result<Model> result = load(model);
  if (result) return *std::move(result);
  ADD_FAILURE() << texts(result.faults());
  return {};
}

std::string codes(const Result<Model>& result) {
  std::string out;
  if (result) return out;
  for (const Diagnostic& d : result.faults()) out += (out.empty() ? "" : " ") + d.code;
  return out;
}

std::string texts(const Diagnostics& faults) {
  std::string out;
  for (const Diagnostic& d : faults) out += to_text(d) + "\n";
  return out;
}

Inferred infer_graph(const GraphDef& graph, const std::map<std::string, int>& opsets,
                     std::map<std::string, Constant> known) {
  Inferred out;
  for (const ValueInfo& value : graph.inputs) out.types[value.name] = value.type;
  for (const Initializer& i : graph.initializers) known.emplace(i.name, i.value);
  for (const auto& [name, value] : known) out.types[name] = tensor_type(value.dtype(), value.shape());
  for (const NodeDef& node : graph.nodes) {
    NodeQuery query{&node, &opsets, {}, {}};
    for (const std::string& input : node.inputs) {
      query.input_types.push_back(out.types[input]);
      const auto value = known.find(input);
      query.input_values.push_back(value == known.end() ? nullptr : &value->second);
    }
    const auto types = infer_types(query);
    if (!types) {
      out.faults.insert(out.faults.end(), types.faults().begin(), types.faults().end());
      return out;
    }
    for (size_t i = 0; i < node.outputs.size(); ++i) out.types[node.outputs[i]] = (*types)[i];
    if (node.op == "Constant" && node.attributes.contains("value")) {
      known.emplace(node.outputs[0], std::get<Constant>(node.attributes.at("value")));
    }
  }
  return out;
}

std::string first_output(const onnx::ModelProto& proto, std::map<std::string, Constant> known) {
  const Model model = load_ok(proto);
  if (model.graph.outputs.empty()) return "no model";
  const Inferred inferred = infer_graph(model.graph, model.opsets, std::move(known));
  return inferred.faults.empty() ? to_string(inferred.types.at(model.graph.outputs[0].name)) : inferred.faults[0].code;
}

}  // namespace tarn::model
