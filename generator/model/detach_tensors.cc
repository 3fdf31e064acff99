#include "model/detach_tensors.h"

#include "model/proto_nodes.h"

namespace tarn::model {

namespace {

class Detacher {
 public:
  Detacher(const std::string& file, DataSources* sources, Detached* detached)
      : file_(file), sources_(sources), detached_(detached) {}

  void graph(onnx::GraphProto* g) {
    for (onnx::TensorProto& tensor : *g->mutable_initializer())
      this->tensor(&tensor, where_tensor(file_, tensor.name()));
    for (const onnx::SparseTensorProto& sparse : g->sparse_initializer()) {
      const std::string& name = sparse.values().name();
      const auto constant = read_sparse(sparse, where_tensor(file_, name), sources_, &faults_);
      onnx::TensorProto* dense = g->add_initializer();  // even a faulty one: its users shall not be faults, too
      dense->set_name(name);
      if (constant) detach(*constant, detached_, dense);
    }
    g->clear_sparse_initializer();
    nodes(g->mutable_node());
  }

  void nodes(google::protobuf::RepeatedPtrField<onnx::NodeProto>* list) {
    for (onnx::NodeProto& node : *list) {
      for (onnx::AttributeProto& attribute : *node.mutable_attribute())
        this->attribute(&attribute, where_node(file_, node));
      for_each_subgraph(node, [&](onnx::GraphProto& inner) { graph(&inner); });
    }
  }

  void attribute(onnx::AttributeProto* a, Where where) {
    where.tensor = a->name();
    if (a->has_t()) tensor(a->mutable_t(), where);
    for (onnx::TensorProto& t : *a->mutable_tensors()) tensor(&t, where);
    if (a->has_sparse_tensor()) sparse(a->mutable_sparse_tensor(), where);
    for (onnx::SparseTensorProto& t : *a->mutable_sparse_tensors()) sparse(&t, where);
  }

  Diagnostics take() { return std::move(faults_); }

 private:
  void tensor(onnx::TensorProto* t, const Where& where) {
    const auto constant = read_tensor(*t, where, sources_, &faults_);
    if (!constant) return;
    const bool in_file =
        t->data_location() == onnx::TensorProto::EXTERNAL || find_blob(t->raw_data(), sources_->blobs) != nullptr;
    if (in_file) detach(*constant, detached_, t);
  }

  void sparse(onnx::SparseTensorProto* t, const Where& where) {
    const auto constant = read_sparse(*t, where, sources_, &faults_);
    if (!constant) return;
    detach(*constant, detached_, t->mutable_values());
    t->clear_indices();
  }

  const std::string& file_;
  DataSources* sources_;
  Detached* detached_;
  Diagnostics faults_;
};

}  // namespace

Diagnostics detach_tensors(onnx::ModelProto* model, const std::string& file, DataSources* sources, Detached* detached) {
  Detacher detacher(file, sources, detached);
  detacher.graph(model->mutable_graph());
  for (onnx::FunctionProto& function : *model->mutable_functions()) {
    detacher.nodes(function.mutable_node());
    for (onnx::AttributeProto& attribute : *function.mutable_attribute_proto()) {
      Where where;
      where.file = file;
      detacher.attribute(&attribute, where);
      if (attribute.has_g()) detacher.graph(attribute.mutable_g());
    }
  }
  return detacher.take();
}

}  // namespace tarn::model
