// Protobuf to model.h.
#include <charconv>
#include <unordered_map>

#include "model/proto_nodes.h"
#include "model/tensor_data.h"
#include "model/translate.h"
#include "support/check.h"

namespace tarn::model {

namespace {

std::vector<Dim> read_dims(const onnx::TensorShapeProto& shape, NegativeDims negative) {
  std::vector<Dim> dims;
  for (const auto& dim : shape.dim()) {
    Dim d;
    if (dim.has_dim_value() && (dim.dim_value() >= 0 || negative == NegativeDims::kept)) d.value = dim.dim_value();
    if (dim.has_dim_param()) d.symbol = dim.dim_param();
    dims.push_back(std::move(d));
  }
  return dims;
}

template <class TensorType>
Type read_tensor_type(Type::Kind kind, const TensorType& tensor, NegativeDims negative) {
  Type type;
  type.kind = kind;
  type.dtype = dtype_from_onnx(tensor.elem_type()).value_or(DType::undefined);
  if (tensor.has_shape()) type.dims = read_dims(tensor.shape(), negative);
  return type;
}

Type read_holder(Type::Kind kind, const onnx::TypeProto& element, NegativeDims negative) {
  Type type;
  type.kind = kind;
  type.element = std::make_shared<const Type>(read_type(element, negative));
  return type;
}

template <class Out, class Values>
std::vector<Out> to_vector(const Values& values) {
  return {values.begin(), values.end()};
}

// Sparse tensors are dense by now; loading keeps the dense form among the detached ones, in place of the values.
Constant read_sparse_attribute(const onnx::SparseTensorProto& sparse, const Detached& detached) {
  return read_constant(sparse.values(), detached);
}

ValueInfo read_value(const onnx::ValueInfoProto& value) { return {value.name(), read_type(value.type())}; }

}  // namespace

Type read_type(const onnx::TypeProto& type, NegativeDims negative) {
  switch (type.value_case()) {
    case onnx::TypeProto::kTensorType: return read_tensor_type(Type::Kind::tensor, type.tensor_type(), negative);
    case onnx::TypeProto::kSparseTensorType:
      return read_tensor_type(Type::Kind::sparse_tensor, type.sparse_tensor_type(), negative);
    case onnx::TypeProto::kSequenceType:
      return read_holder(Type::Kind::sequence, type.sequence_type().elem_type(), negative);
    case onnx::TypeProto::kOptionalType:
      return read_holder(Type::Kind::optional, type.optional_type().elem_type(), negative);
    case onnx::TypeProto::kMapType: {
      Type map = read_holder(Type::Kind::map, type.map_type().value_type(), negative);
      map.dtype = dtype_from_onnx(type.map_type().key_type()).value_or(DType::undefined);
      return map;
    }
    default: return {};
  }
}

Constant read_constant(const onnx::TensorProto& tensor, const Detached& detached) {
  if (tensor.data_location() == onnx::TensorProto::EXTERNAL) {
    const std::string& location = tensor.external_data(0).value();
    size_t position = 0;
    std::from_chars(location.data() + 1, location.data() + location.size(), position);
    TARN_CHECK(location.starts_with('#') && position < detached.size());
    return detached[position];
  }
  DataSources none{{}, nullptr, ExternalFiles("")};
  Diagnostics faults;
  std::optional<Constant> constant = read_tensor(tensor, {}, &none, &faults);
  if (!constant) TARN_FAIL("a tensor made by the onnx library is malformed: " + faults.front().message);
  return *std::move(constant);
}

Attribute read_attribute(const onnx::AttributeProto& a, const Detached& detached) {
  using onnx::AttributeProto;
  auto graph = [&](const onnx::GraphProto& g) { return std::make_shared<const GraphDef>(read_graph(g, detached)); };
  switch (a.type()) {
    case AttributeProto::FLOAT: return a.f();
    case AttributeProto::INT: return int64_t{a.i()};
    case AttributeProto::STRING: return a.s();
    case AttributeProto::TENSOR: return read_constant(a.t(), detached);
    case AttributeProto::SPARSE_TENSOR: return read_sparse_attribute(a.sparse_tensor(), detached);
    case AttributeProto::GRAPH: return GraphDefPtr(graph(a.g()));
    case AttributeProto::TYPE_PROTO: return read_type(a.tp());
    case AttributeProto::FLOATS: return to_vector<float>(a.floats());
    case AttributeProto::INTS: return to_vector<int64_t>(a.ints());
    case AttributeProto::STRINGS: return to_vector<std::string>(a.strings());
    case AttributeProto::TENSORS: {
      std::vector<Constant> tensors;
      for (const auto& t : a.tensors()) tensors.push_back(read_constant(t, detached));
      return tensors;
    }
    case AttributeProto::SPARSE_TENSORS: {
      std::vector<Constant> tensors;
      for (const auto& t : a.sparse_tensors()) tensors.push_back(read_sparse_attribute(t, detached));
      return tensors;
    }
    case AttributeProto::GRAPHS: {
      std::vector<GraphDefPtr> graphs;
      for (const auto& g : a.graphs()) graphs.push_back(graph(g));
      return graphs;
    }
    default: return std::vector<std::string>{};  // lists of types: no operator has them
  }
}

NodeDef read_node(const onnx::NodeProto& n, const Detached& detached) {
  NodeDef node;
  node.index = node_index(n).value_or(-1);
  node.name = n.name();
  node.op = n.op_type();
  node.domain = normal_domain(n.domain());
  node.inputs = to_vector<std::string>(n.input());
  node.outputs = to_vector<std::string>(n.output());
  for (const auto& a : n.attribute()) node.attributes.emplace(a.name(), read_attribute(a, detached));
  return node;
}

GraphDef read_graph(const onnx::GraphProto& g, const Detached& detached) {
  GraphDef graph;
  graph.name = g.name();
  std::unordered_map<std::string, size_t> initialized;
  for (const auto& tensor : g.initializer()) {
    initialized.emplace(tensor.name(), graph.initializers.size());
    graph.initializers.push_back({tensor.name(), read_constant(tensor, detached)});
  }
  for (const auto& n : g.node()) graph.nodes.push_back(read_node(n, detached));
  for (const auto& value : g.input()) {
    const auto found = initialized.find(value.name());
    if (found == initialized.end()) graph.inputs.push_back(read_value(value));
    else graph.initializers[found->second].is_input = true;
  }
  for (const auto& value : g.output()) graph.outputs.push_back(read_value(value));
  for (const auto& value : g.value_info()) graph.value_info.push_back(read_value(value));
  return graph;
}

}  // namespace tarn::model
