#include "model/proto_nodes.h"

#include <charconv>

namespace tarn::model {

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

}  // namespace tarn::model
