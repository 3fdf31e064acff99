// Between protobuf and the structs of model.h, both ways. What comes in from a file has been judged before.
#pragma once
#include <string>
#include <vector>

#include "model/model.h"
#include "model/onnx_proto.h"

namespace tarn::model {

// Tensors that protobuf does not carry itself: large, external or absent ones. In a TensorProto they look like external
// data at the location "#<position>".
using Detached = std::vector<Constant>;
void detach(const Constant& constant, Detached* detached, onnx::TensorProto* out);

// Some exporters write -1 for a dimension they do not know. In what inference computes, a negative dimension is a fault
// to be found later, and stays.
enum class NegativeDims { unknown, kept };
Type read_type(const onnx::TypeProto& type, NegativeDims negative = NegativeDims::unknown);
onnx::TypeProto write_type(const Type& type);

Constant read_constant(const onnx::TensorProto& tensor, const Detached& detached);
// Constants above kLargestWritten bytes are detached.
inline constexpr int64_t kLargestWritten = 4096;
onnx::TensorProto write_constant(const Constant& constant, Detached* detached);

Attribute read_attribute(const onnx::AttributeProto& attribute, const Detached& detached);
onnx::AttributeProto write_attribute(const std::string& name, const Attribute& attribute, Detached* detached);

NodeDef read_node(const onnx::NodeProto& node, const Detached& detached);
onnx::NodeProto write_node(const NodeDef& node, Detached* detached);

GraphDef read_graph(const onnx::GraphProto& graph, const Detached& detached);
onnx::GraphProto write_graph(const GraphDef& graph, Detached* detached);

}  // namespace tarn::model
