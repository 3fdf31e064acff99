#include "model/bind_function.h"

#include "model/proto_nodes.h"

namespace tarn::model {

AttributeBindings bindings_of(const onnx::FunctionProto& function, const onnx::NodeProto& call) {
  AttributeBindings bindings;
  for (const onnx::AttributeProto& with_default : function.attribute_proto())
    bindings[with_default.name()] = &with_default;
  for (const onnx::AttributeProto& given : call.attribute()) bindings[given.name()] = &given;
  return bindings;
}

void bind_attributes(google::protobuf::RepeatedPtrField<onnx::NodeProto>* nodes, const AttributeBindings& bindings) {
  for (onnx::NodeProto& node : *nodes) {
    auto* attributes = node.mutable_attribute();
    for (auto it = attributes->begin(); it != attributes->end();) {
      if (it->ref_attr_name().empty()) {
        ++it;
        continue;
      }
      const auto bound = bindings.find(it->ref_attr_name());
      if (bound == bindings.end()) {
        it = attributes->erase(it);
        continue;
      }
      const std::string name = it->name();
      *it = *bound->second;
      it->set_name(name);
      ++it;
    }
    for_each_subgraph(node, [&](onnx::GraphProto& graph) { bind_attributes(graph.mutable_node(), bindings); });
  }
}

void rename_values(onnx::NodeProto* node, const std::function<std::string(const std::string&)>& rename) {
  auto apply = [&](std::string* name) { *name = rename(*name); };
  for (std::string& input : *node->mutable_input()) apply(&input);
  for (std::string& output : *node->mutable_output()) apply(&output);
  for_each_subgraph(*node, [&](onnx::GraphProto& graph) {
    for (auto& value : *graph.mutable_input()) apply(value.mutable_name());
    for (auto& value : *graph.mutable_output()) apply(value.mutable_name());
    for (auto& value : *graph.mutable_value_info()) apply(value.mutable_name());
    for (auto& tensor : *graph.mutable_initializer()) apply(tensor.mutable_name());
    for (auto& sparse : *graph.mutable_sparse_initializer()) apply(sparse.mutable_values()->mutable_name());
    for (auto& inner : *graph.mutable_node()) rename_values(&inner, rename);
  });
}

}  // namespace tarn::model
