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

template <Graph (*pass)(Graph)>
Graph plain(Graph graph, const PassOptions&) {
  return pass(std::move(graph));
}

Graph in_integers(Graph graph, const PassOptions& options) {
  return use_integers(std::move(graph), options.quantized_io, options.left_out, options.fits);
}

struct Pass {
  const char* name;
  Graph (*run)(Graph, const PassOptions&);
  bool optional;  // else it makes what kernels are found for
};

// In this order.
constexpr Pass kPasses[] = {
    {"remove_identities", plain<remove_identities>, true},
    // Before constants move into layers: quantised arithmetic depends on its roundings.
    {"use_integers", in_integers, true},
    // After whatever wants to see quantised weights.
    {"fold_dequantize", plain<fold_dequantize>, true},
    {"convert_attention", plain<convert_attention>, false},
    {"fuse_attention", plain<fuse_attention>, true},
    {"read_views", plain<read_views>, true},
    {"fuse_rotary", plain<fuse_rotary>, true},
    // Before anything else takes their additions and multiplications in.
    {"fuse_norms", plain<fuse_norms>, true},
    {"fuse_activations", plain<fuse_activations>, true},
    // While images are still N, C, H, W the channel is always axis 1.
    {"fold_pad", plain<fold_pad>, true},
    {"fold_affine", plain<fold_affine>, true},
    {"choose_layout", choose_layout, false},
    {"remove_identities", plain<remove_identities>, true},
    {"read_products", plain<read_products>, true},
    {"nest_concats", plain<nest_concats>, true},
    // A kernel adds the residual before it clamps, so the addition is taken in first.
    {"fuse_residual", plain<fuse_residual>, true},
    {"fuse_clamp", plain<fuse_clamp>, true},
    // Last: everything before sees one operator where the model has one.
    {"unpack_elements", plain<unpack_elements>, false},
};

}  // namespace

std::vector<std::string> optional_passes() {
  std::set<std::string> names;
  for (const Pass& pass : kPasses) {
    if (pass.optional) names.insert(pass.name);
  }
  for (std::string& rule : integer_rules()) names.insert(std::move(rule));
  for (std::string& part : layout_parts()) names.insert(std::move(part));
  return {names.begin(), names.end()};
}

Graph run_passes(Graph graph, const PassOptions& options, const Hook& hook) {
  graph = in_bodies(std::move(graph), options, hook);
  for (const Pass& pass : kPasses) {
    if (pass.optional && !options.runs(pass.name)) continue;
    graph = pass.run(std::move(graph), options);
    const std::vector<std::string> faults = graph::verify(graph);
    if (!faults.empty()) TARN_FAIL(cat("after pass ", pass.name, ": ", join(faults, "; ")));
    if (hook) hook(pass.name, graph);
  }
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
