// model.h to protobuf, for what the onnx library is asked about.
#include "model/proto_nodes.h"
#include "model/translate.h"

namespace tarn::model {

namespace {

template <class TensorType>
void write_tensor_type(const Type& type, TensorType* out) {
  out->set_elem_type(to_onnx(type.dtype));
  if (!type.dims) return;
  auto* shape = out->mutable_shape();
  for (const Dim& d : *type.dims) {
    auto* dim = shape->add_dim();
    if (d.value) {
      dim->set_dim_value(*d.value);
    } else if (!d.symbol.empty()) {
      dim->set_dim_param(d.symbol);
    }
  }
}

onnx::ValueInfoProto write_value(const ValueInfo& value) {
  onnx::ValueInfoProto out;
  out.set_name(value.name);
  if (value.type.kind != Type::Kind::unknown) *out.mutable_type() = write_type(value.type);
  return out;
}

}  // namespace

void detach(const Constant& constant, Detached* detached, onnx::TensorProto* out) {
  const std::string name = out->name();
  out->Clear();
  if (!name.empty()) out->set_name(name);
  out->set_data_type(to_onnx(constant.dtype()));
  for (const int64_t d : constant.shape().dims) out->add_dims(d);
  out->set_data_location(onnx::TensorProto::EXTERNAL);
  auto* entry = out->add_external_data();
  entry->set_key("location");
  entry->set_value("#" + std::to_string(detached->size()));
  detached->push_back(constant);
}

onnx::TypeProto write_type(const Type& type) {
  onnx::TypeProto out;
  const auto element = [&] { return type.element ? write_type(*type.element) : onnx::TypeProto(); };
  switch (type.kind) {
    case Type::Kind::unknown: break;
    case Type::Kind::tensor: write_tensor_type(type, out.mutable_tensor_type()); break;
    case Type::Kind::sparse_tensor: write_tensor_type(type, out.mutable_sparse_tensor_type()); break;
    case Type::Kind::sequence: *out.mutable_sequence_type()->mutable_elem_type() = element(); break;
    case Type::Kind::optional: *out.mutable_optional_type()->mutable_elem_type() = element(); break;
    case Type::Kind::map:
      out.mutable_map_type()->set_key_type(to_onnx(type.dtype));
      *out.mutable_map_type()->mutable_value_type() = element();
      break;
  }
  return out;
}

onnx::TensorProto write_constant(const Constant& constant, Detached* detached) {
  onnx::TensorProto out;
  if (constant.is_absent() || constant.type().bytes() > kLargestWritten) {
    detach(constant, detached, &out);
    return out;
  }
  out.set_data_type(to_onnx(constant.dtype()));
  for (const int64_t d : constant.shape().dims) out.add_dims(d);
  if (constant.is_strings()) {
    for (const std::string& s : constant.strings()) out.add_string_data(s);
  } else if (constant.count() > 0) {
    const std::vector<uint8_t> bytes = constant.bytes();
    out.set_raw_data(bytes.data(), bytes.size());
  }
  return out;
}

onnx::AttributeProto write_attribute(const std::string& name, const Attribute& attribute, Detached* detached) {
  using onnx::AttributeProto;
  AttributeProto out;
  out.set_name(name);
  struct Write {
    AttributeProto& out;
    Detached* detached;
    void operator()(int64_t v) { out.set_type(AttributeProto::INT), out.set_i(v); }
    void operator()(float v) { out.set_type(AttributeProto::FLOAT), out.set_f(v); }
    void operator()(const std::string& v) { out.set_type(AttributeProto::STRING), out.set_s(v); }
    void operator()(const Constant& v) {
      out.set_type(AttributeProto::TENSOR), *out.mutable_t() = write_constant(v, detached);
    }
    void operator()(const GraphDefPtr& v) {
      out.set_type(AttributeProto::GRAPH), *out.mutable_g() = write_graph(*v, detached);
    }
    void operator()(const Type& v) { out.set_type(AttributeProto::TYPE_PROTO), *out.mutable_tp() = write_type(v); }
    void operator()(const std::vector<int64_t>& v) {
      out.set_type(AttributeProto::INTS);
      for (const int64_t x : v) out.add_ints(x);
    }
    void operator()(const std::vector<float>& v) {
      out.set_type(AttributeProto::FLOATS);
      for (const float x : v) out.add_floats(x);
    }
    void operator()(const std::vector<std::string>& v) {
      out.set_type(AttributeProto::STRINGS);
      for (const std::string& x : v) out.add_strings(x);
    }
    void operator()(const std::vector<Constant>& v) {
      out.set_type(AttributeProto::TENSORS);
      for (const Constant& x : v) *out.add_tensors() = write_constant(x, detached);
    }
    void operator()(const std::vector<GraphDefPtr>& v) {
      out.set_type(AttributeProto::GRAPHS);
      for (const GraphDefPtr& x : v) *out.add_graphs() = write_graph(*x, detached);
    }
  };
  std::visit(Write{out, detached}, attribute);
  return out;
}

onnx::NodeProto write_node(const NodeDef& node, Detached* detached) {
  onnx::NodeProto out;
  out.set_name(node.name);
  out.set_op_type(node.op);
  out.set_domain(node.domain);
  for (const std::string& input : node.inputs) out.add_input(input);
  for (const std::string& output : node.outputs) out.add_output(output);
  for (const auto& [name, attribute] : node.attributes)
    *out.add_attribute() = write_attribute(name, attribute, detached);
  if (node.index >= 0) set_node_index(&out, node.index);
  return out;
}

onnx::GraphProto write_graph(const GraphDef& graph, Detached* detached) {
  onnx::GraphProto out;
  out.set_name(graph.name);
  for (const NodeDef& node : graph.nodes) *out.add_node() = write_node(node, detached);
  for (const Initializer& initializer : graph.initializers) {
    onnx::TensorProto* tensor = out.add_initializer();
    *tensor = write_constant(initializer.value, detached);
    tensor->set_name(initializer.name);
  }
  for (const ValueInfo& value : graph.inputs) *out.add_input() = write_value(value);
  for (const ValueInfo& value : graph.outputs) *out.add_output() = write_value(value);
  for (const ValueInfo& value : graph.value_info) *out.add_value_info() = write_value(value);
  return out;
}

}  // namespace tarn::model
