// Quantised networks, however they are spelled, become integer layers: see passes/integer. What has no integer form
// stays as it is, in floats between its own DequantizeLinear and QuantizeLinear.
#include <algorithm>
#include <set>

#include "passes/integer/work.h"
#include "passes/passes.h"

namespace tarn::passes {

namespace {

bool is_quantised(const Graph& graph) {
  static const std::set<std::string> ops = {"QuantizeLinear",       "DequantizeLinear", "QGemm",
                                            "ConvInteger",          "MatMulInteger",    "MatMulIntegerToFloat",
                                            "DynamicQuantizeMatMul"};
  return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                     [](const graph::Node& node) { return ops.contains(node.op) || node.op.starts_with("QLinear"); });
}

}  // namespace

Graph use_integers(Graph graph, bool quantized_io) {
  integer::Work work(std::move(graph));
  const bool spelled = integer::mark_whole_numbers(work);
  if (!spelled && !is_quantised(work.graph)) return std::move(work.graph);
  integer::fold_constants(work);
  integer::spell_reductions(work);
  while (integer::move_qdq_nodes(work)) {
  }
  for (size_t i = 0; i < work.graph.nodes.size(); ++i) {
    for (bool (*rule)(integer::Work&, size_t) :
         {integer::fuse_table, integer::fuse_layer, integer::fuse_channels, integer::fuse_pool, integer::fuse_pair,
          integer::fuse_own_pair, integer::fuse_softmax, integer::fuse_layer_norm, integer::fuse_matrices,
          integer::fuse_transposed, integer::fuse_concat, integer::fuse_resize, integer::fuse_operator,
          integer::fuse_wide_layer, integer::fuse_wide_pair, integer::fuse_wide_scale, integer::fuse_wide_function,
          integer::fuse_wide_concat, integer::fuse_dynamic}) {
      if (rule(work, i)) break;
    }
  }
  work.graph = work.finish();
  work.refresh();
  for (size_t i = 0; i < work.graph.nodes.size(); ++i) {
    if (!integer::fuse_open_layer(work, i)) integer::fuse_open_pool(work, i);
  }
  work.graph = work.finish();
  work.refresh();
  while (integer::move_qdq_nodes(work)) {
  }
  integer::tidy_flips(work);
  integer::make_signed_codes(work);
  integer::own_qdq_nodes(work);
  if (quantized_io) integer::open_qdq_nodes(work);
  return work.finish();
}

}  // namespace tarn::passes
