#include "passes/layout/dense_rows.h"

#include "ops/op.h"
#include "passes/layout/transposes.h"
#include "support/check.h"

namespace tarn::passes {

namespace {

// Row k of the weights belongs to feature k of the transposed order; puts it where the untransposed order has it.
void permute_rows(Graph& graph, Node& dense, const Constant& weights, const Shape& source, const Perm& perm) {
  const bool transposed = dense.is("Gemm") && dense.integer("transB", 0) != 0;
  const Shape target = permuted(source, perm);
  // View the feature axis of the weights as the transposed axes, permute them back, and flatten again.
  Shape view;
  for (int i = 1; i < target.rank(); ++i) view.dims.push_back(target[i]);
  const Perm back = inverse(perm);
  Perm feature_perm;
  for (size_t i = 1; i < back.size(); ++i) feature_perm.push_back(back[i] - 1);
  Perm full;
  const int shift = transposed ? 1 : 0;
  if (transposed) {
    full.push_back(0);
    view.dims.insert(view.dims.begin(), weights.shape()[0]);
  } else {
    view.dims.push_back(weights.shape()[1]);
  }
  for (int axis : feature_perm) full.push_back(axis + shift);
  if (!transposed) full.push_back(view.rank() - 1);
  const auto moved = permuted(weights, view, full);
  TARN_CHECK(moved.has_value());
  const Shape& shape = weights.shape();
  dense.inputs[1] = graph.add_constant(graph[dense.inputs[1]].name, moved->reshaped(shape));
}

}  // namespace

void fold_into_dense(Graph& graph) {
  const graph::Uses uses = graph::find_uses(graph);
  for (Node& dense : graph.nodes) {
    if (!dense.is("Gemm") && !dense.is("MatMul")) continue;
    if (dense.is("Gemm") && dense.integer("transA", 0) != 0) continue;
    const Constant* weights = dense.has_input(1) ? graph.constant(dense.inputs[1]) : nullptr;
    if (!weights || weights->shape().rank() != 2) continue;
    // Backwards over elementwise operators of one operand to the reshape.
    ValueId at = dense.inputs[0];
    Node* reshape = nullptr;
    while (at && uses.producer[at.pos()] && uses.readers[at.pos()].size() == 1 && !uses.is_output[at.pos()]) {
      Node& producer = graph.nodes[*uses.producer[at.pos()]];
      if (producer.is("Reshape") || producer.is("Flatten") || producer.is("Squeeze")) {
        reshape = &producer;
        break;
      }
      const ops::OperatorEntry* entry = ops::find_entry(producer.domain, producer.op);
      if (!entry || entry->layout != ops::Layout::elementwise) break;
      size_t tensors = 0;
      for (ValueId id : producer.inputs) tensors += id && graph.shape(id).count() != 1;
      if (tensors != 1 || !producer.inputs[0]) break;
      at = producer.inputs[0];
    }
    if (!reshape || !uses.producer[reshape->inputs[0].pos()]) continue;
    Node& moved = graph.nodes[*uses.producer[reshape->inputs[0].pos()]];
    const auto perm = transpose_of(moved);
    const Shape& rows = graph.shape(reshape->outputs[0]);
    if (!perm || (*perm)[0] != 0 || rows.rank() < 2) continue;
    const Shape source = graph.shape(moved.inputs[0]);
    const int64_t features = rows[rows.rank() - 1];
    if (features != source.count(1, source.rank()) || moves_nothing(source, *perm)) continue;
    permute_rows(graph, dense, *weights, source, *perm);
    make_reshape(graph, *reshape, moved.inputs[0]);
  }
}

}  // namespace tarn::passes
