#include "passes/passes.h"

#include "ops/matrix.h"
#include "support/check.h"
#include "support/text.h"

namespace tarn::passes {

namespace {

Graph in_bodies(Graph graph, const PassOptions& options, const Hook& hook) {
  for (graph::Node& node : graph.nodes) {
    for (Graph& body : node.bodies) {
      // A body's inputs and outputs meet the operator around it: their layout stays.
      PassOptions inner = options;
      inner.nhwc_inputs = inner.nhwc_outputs = inner.line_inputs = inner.line_outputs = inner.columns =
          inner.quantized_io = false;
      body = run_passes(std::move(body), inner, hook);
    }
  }
  return graph;
}

// Captures that have become constants are held by the bodies themselves, as those are that were constants before.
void hold_captured_constants(Graph& graph) {
  for (graph::Node& node : graph.nodes) {
    for (size_t i = node.captures.size(); i-- > 0;) {
      const graph::Value& outer = graph[node.captures[i]];
      if (!outer.constant) continue;
      for (Graph& body : node.bodies) {
        const size_t at = body.inputs.size() - node.captures.size() + i;
        graph::Value& inner = body[body.inputs[at]];
        inner.constant = outer.constant;
        inner.type = outer.type;
        body.inputs.erase(body.inputs.begin() + static_cast<std::ptrdiff_t>(at));
      }
      node.captures.erase(node.captures.begin() + static_cast<std::ptrdiff_t>(i));
    }
    for (Graph& body : node.bodies) hold_captured_constants(body);
  }
}

}  // namespace

Graph run_passes(Graph graph, const PassOptions& options, const Hook& hook) {
  auto step = [&](const char* name, Graph result) {
    const std::vector<std::string> faults = graph::verify(result);
    if (!faults.empty()) TARN_FAIL(cat("after pass ", name, ": ", join(faults, "; ")));
    if (hook) hook(name, result);
    return result;
  };
  graph = in_bodies(std::move(graph), options, hook);
  graph = step("remove_identities", remove_identities(std::move(graph)));
  // Before constants move into layers: quantised arithmetic depends on its roundings.
  graph = step("use_integers", use_integers(std::move(graph), options.quantized_io));
  // After whatever wants to see quantised weights.
  graph = step("fold_dequantize", fold_dequantize(std::move(graph)));
  graph = step("convert_attention", convert_attention(std::move(graph)));
  graph = step("fuse_attention", fuse_attention(std::move(graph)));
  graph = step("read_views", read_views(std::move(graph)));
  graph = step("fuse_rotary", fuse_rotary(std::move(graph)));
  // Before anything else takes their additions and multiplications in.
  graph = step("fuse_norms", fuse_norms(std::move(graph)));
  graph = step("fuse_activations", fuse_activations(std::move(graph)));
  // While images are still N, C, H, W the channel is always axis 1.
  graph = step("fold_pad", fold_pad(std::move(graph)));
  graph = step("fold_affine", fold_affine(std::move(graph)));
  graph = step("choose_layout", choose_layout(std::move(graph), options));
  graph = step("remove_identities", remove_identities(std::move(graph)));
  graph = step("nest_concats", nest_concats(std::move(graph)));
  // A kernel adds the residual before it clamps, so the addition is taken in first.
  graph = step("fuse_residual", fuse_residual(std::move(graph)));
  graph = step("fuse_clamp", fuse_clamp(std::move(graph)));
  // Last: everything before sees one operator where the model has one.
  graph = step("unpack_elements", unpack_elements(std::move(graph)));
  hold_captured_constants(graph);
  return graph;
}

bool is_layer(const Graph& graph, const graph::Node& node) {
  if (!node.domain.empty() || node.inputs.size() < 2 || !node.inputs[1]) return false;
  if (node.op != "Conv" && node.op != "ConvTranspose" && node.op != "Gemm" && node.op != "MatMul") return false;
  const DType type = graph.dtype(node.inputs[0]);
  if (type != DType::float32 && type != DType::float64 && type != DType::float16 && type != DType::bfloat16)
    return false;
  if (!graph.constant(node.inputs[1])) return false;
  if ((node.op == "Gemm" || node.op == "MatMul") && !ops::is_dense(graph, node)) return false;
  return node.inputs.size() < 3 || !node.inputs[2] || graph.constant(node.inputs[2]) != nullptr;
}

}  // namespace tarn::passes
