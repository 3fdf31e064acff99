// Small questions to nodes and graphs in protobuf form, and walking over nested graphs.
#pragma once
#include <optional>
#include <string>

#include "model/onnx_proto.h"
#include "support/diagnostic.h"

namespace tarn::model {

// "ai.onnx" is written "" everywhere past this.
inline std::string normal_domain(const std::string& domain) { return domain == "ai.onnx" ? "" : domain; }

// A node's position in the file's own node list. Loading drops documentation texts and keeps the position in their
// place, because that field survives inlining and version conversion.
std::optional<int> node_index(const onnx::NodeProto& node);
void set_node_index(onnx::NodeProto* node, int index);

// "Conv", or "com.microsoft.FusedConv".
std::string op_name(const onnx::NodeProto& node);
Where where_node(const std::string& file, const onnx::NodeProto& node);
Where where_tensor(const std::string& file, const std::string& tensor);

const onnx::AttributeProto* find_attribute(const onnx::NodeProto& node, const std::string& name);

// Exporters name a tensor twice among the outputs when it is returned twice. Each further place gets a copy of its own,
// y_2, made by an Identity at the end.
void copy_repeated_outputs(onnx::GraphProto* graph);

// Calls visit(graph) for every graph that an attribute of the node holds. Not those further inside.
template <class Node, class Visit>
void for_each_subgraph(Node& node, Visit visit) {
  if constexpr (std::is_const_v<Node>) {
    for (const auto& attribute : node.attribute()) {
      if (attribute.has_g()) visit(attribute.g());
      for (const auto& graph : attribute.graphs()) visit(graph);
    }
  } else {
    for (auto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) visit(*attribute.mutable_g());
      for (auto& graph : *attribute.mutable_graphs()) visit(graph);
    }
  }
}

}  // namespace tarn::model
