#include "model/proto_nodes.h"

#include <charconv>
#include <unordered_map>
#include <unordered_set>

namespace tarn::model {

namespace {

// All names of values, those of graphs inside included.
void add_names(const onnx::GraphProto& graph, std::unordered_set<std::string>* names) {
  for (const auto& input : graph.input()) names->insert(input.name());
  for (const auto& output : graph.output()) names->insert(output.name());
  for (const auto& info : graph.value_info()) names->insert(info.name());
  for (const auto& tensor : graph.initializer()) names->insert(tensor.name());
  for (const auto& tensor : graph.sparse_initializer()) names->insert(tensor.values().name());
  for (const onnx::NodeProto& node : graph.node()) {
    names->insert(node.output().begin(), node.output().end());
    for_each_subgraph(node, [&](const onnx::GraphProto& inner) { add_names(inner, names); });
  }
}

}  // namespace

std::optional<int> node_index(const onnx::NodeProto& node) {
  const std::string& text = node.doc_string();
  int index = -1;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (error != std::errc() || index < 0) return {};
  return index;
}

void set_node_index(onnx::NodeProto* node, int index) {
  node->set_doc_string(std::to_string(index));
  for_each_subgraph(*node, [&](onnx::GraphProto& graph) {
    for (onnx::NodeProto& inner : *graph.mutable_node()) set_node_index(&inner, index);
  });
}

std::string op_name(const onnx::NodeProto& node) {
  const std::string domain = normal_domain(node.domain());
  return domain.empty() ? node.op_type() : domain + "." + node.op_type();
}

Where where_node(const std::string& file, const onnx::NodeProto& node) {
  return {file, node_index(node), node.name(), op_name(node), ""};
}

Where where_tensor(const std::string& file, const std::string& tensor) {
  Where where;
  where.file = file;
  where.tensor = tensor;
  return where;
}

const onnx::AttributeProto* find_attribute(const onnx::NodeProto& node, const std::string& name) {
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    if (attribute.name() == name) return &attribute;
  }
  return nullptr;
}

void copy_repeated_outputs(onnx::GraphProto* graph) {
  std::unordered_map<std::string, int> seen;  // the last number given
  std::unordered_set<std::string> names;
  for (onnx::ValueInfoProto& output : *graph->mutable_output()) {
    const std::string name = output.name();
    if (name.empty()) continue;
    const auto [number, fresh] = seen.emplace(name, 1);
    if (fresh) continue;
    if (names.empty()) add_names(*graph, &names);
    do ++number->second;
    while (!names.insert(name + "_" + std::to_string(number->second)).second);
    output.set_name(name + "_" + std::to_string(number->second));
    onnx::NodeProto* copy = graph->add_node();
    copy->set_op_type("Identity");
    copy->add_input(name);
    copy->add_output(output.name());
    set_node_index(copy, graph->node_size() - 1);
  }
}

}  // namespace tarn::model
