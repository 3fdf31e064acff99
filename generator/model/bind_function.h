// What turning a function's body into plain nodes takes, for model-local functions and for those of the standard alike.
#pragma once
#include <functional>
#include <map>
#include <string>

#include "model/onnx_proto.h"

namespace tarn::model {

using AttributeBindings = std::map<std::string, const onnx::AttributeProto*>;

// Replaces every attribute that refers to one of the function's own (ref_attr_name), in the nodes and the graphs inside
// them, by the value bound to that name. A reference to an attribute that was not given is removed, which makes the
// inner operator use its own default.
void bind_attributes(google::protobuf::RepeatedPtrField<onnx::NodeProto>* nodes, const AttributeBindings& bindings);

// The attributes a call gives, over the function's defaults.
AttributeBindings bindings_of(const onnx::FunctionProto& function, const onnx::NodeProto& call);

// Applies `rename` to every value name that the node mentions, also in the graphs inside it.
void rename_values(onnx::NodeProto* node, const std::function<std::string(const std::string&)>& rename);

}  // namespace tarn::model
