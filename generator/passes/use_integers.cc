// Quantised networks, however they are spelled, become integer layers: see passes/integer. What has no integer form
// stays as it is, in floats between its own DequantizeLinear and QuantizeLinear.
#include <algorithm>
#include <set>
#include <utility>

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

// The first that fits is applied. What none fits stays as it is.
constexpr std::pair<const char*, bool (*)(integer::Work&, size_t)> kRules[] = {
    {"integer.fuse_table", integer::fuse_table},
    {"integer.fuse_layer", integer::fuse_layer},
    {"integer.fuse_channels", integer::fuse_channels},
    {"integer.fuse_pool", integer::fuse_pool},
    {"integer.fuse_pair", integer::fuse_pair},
    {"integer.fuse_own_pair", integer::fuse_own_pair},
    {"integer.fuse_softmax", integer::fuse_softmax},
    {"integer.fuse_recurrent", integer::fuse_recurrent},
    {"integer.fuse_layer_norm", integer::fuse_layer_norm},
    {"integer.fuse_group_norm", integer::fuse_group_norm},
    {"integer.fuse_prelu", integer::fuse_prelu},
    {"integer.fuse_matrices", integer::fuse_matrices},
    {"integer.fuse_transposed", integer::fuse_transposed},
    {"integer.fuse_concat", integer::fuse_concat},
    {"integer.fuse_resize", integer::fuse_resize},
    {"integer.fuse_operator", integer::fuse_operator},
    {"integer.fuse_wide_layer", integer::fuse_wide_layer},
    {"integer.fuse_wide_pair", integer::fuse_wide_pair},
    {"integer.fuse_wide_scale", integer::fuse_wide_scale},
    {"integer.fuse_wide_function", integer::fuse_wide_function},
    {"integer.fuse_wide_concat", integer::fuse_wide_concat},
    {"integer.fuse_dynamic", integer::fuse_dynamic},
};

}  // namespace

std::vector<std::string> integer_rules() {
  std::vector<std::string> names{"integer.fuse_open_layer", "integer.fuse_open_pool", "integer.move_qdq_nodes",
                                 "integer.mark_whole_numbers", "integer.bound_before_codes"};
  for (const auto& [name, rule] : kRules) names.push_back(name);
  return names;
}

Graph use_integers(Graph graph, bool quantized_io, const std::set<std::string>& left_out, requant::Memo* fits) {
  const auto runs = [&](const char* rule) { return !left_out.contains(rule); };
  const auto move_qdq_nodes = [&](integer::Work& work) {
    return runs("integer.move_qdq_nodes") && integer::move_qdq_nodes(work);
  };
  integer::Work work(std::move(graph));
  work.fits = fits;
  const bool spelled = runs("integer.mark_whole_numbers") && integer::mark_whole_numbers(work);
  if (!spelled && !is_quantised(work.graph)) return std::move(work.graph);
  integer::fold_constants(work);
  integer::spell_reductions(work);
  if (runs("integer.bound_before_codes")) integer::bound_before_codes(work);
  while (move_qdq_nodes(work)) {
  }
  for (size_t i = 0; i < work.graph.nodes.size(); ++i) {
    for (const auto& [name, rule] : kRules) {
      if (runs(name) && rule(work, i)) break;
    }
  }
  work.graph = work.finish();
  work.refresh();
  for (size_t i = 0; i < work.graph.nodes.size(); ++i) {
    if (runs("integer.fuse_open_layer") && integer::fuse_open_layer(work, i)) continue;
    if (runs("integer.fuse_open_pool")) integer::fuse_open_pool(work, i);
  }
  work.graph = work.finish();
  work.refresh();
  while (move_qdq_nodes(work)) {
  }
  integer::tidy_flips(work);
  integer::make_signed_codes(work);
  integer::own_qdq_nodes(work);
  if (quantized_io) integer::open_qdq_nodes(work);
  return work.finish();
}

}  // namespace tarn::passes
