#include "quantize/float_model.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>

#include "graph/build.h"
#include "model/load_onnx.h"
#include "model/onnx_schema.h"
#include "model/save_onnx.h"
#include "passes/passes.h"
#include "quantize/kinds.h"
#include "quantize/masks.h"
#include "quantize/spell_out.h"
#include "support/text.h"

namespace tarn::quantize {

namespace {

using graph::Graph;
using graph::Node;
using graph::ValueId;

constexpr size_t kMostNamed = 10;

bool is_qdq(const Node& node) { return node.is("QuantizeLinear") || node.is("DequantizeLinear"); }

bool is_integer_operator(const Node& node) {
  static const std::set<std::string> ops = {
      "DynamicQuantizeLinear", "ConvInteger", "MatMulInteger",      "MatMulIntegerToFloat", "QGemm",
      "DynamicQuantizeMatMul", "MatMulNBits", "DynamicQuantizeLSTM"};
  return ops.contains(node.op) || node.op.starts_with("QLinear");
}

// Names the first nodes that `wanted` finds.
Diagnostics refuse(const Graph& graph, const std::string& path, const std::function<bool(const Node&)>& wanted,
                   const std::string& message, const std::string& hint) {
  Diagnostics faults;
  for (const Node& node : graph.nodes) {
    if (!wanted(node)) continue;
    Where where{.file = path, .node_name = node.name, .op = node.op};
    if (!node.origins.empty()) where.node = node.origins.front();
    faults.push_back({"E421", where, message, hint});
    if (faults.size() >= kMostNamed) break;
  }
  return faults;
}

// Takes out the codes of a model that has some. Every layer that has them, and nothing else to quantise: E421.
Result<Kept> take_codes(Graph& graph, const std::string& path) {
  Diagnostics faults =
      refuse(graph, path, is_integer_operator, "the model is quantised already, at least in part, by integer operators",
             "give the float model, or one with QuantizeLinear and DequantizeLinear; `tarn generate` takes this one");
  if (!faults.empty()) return faults;
  if (std::none_of(graph.nodes.begin(), graph.nodes.end(), is_qdq)) return Kept{};
  const Graph whole = graph;
  Kept kept = take_codes_out(graph);
  faults = refuse(graph, path, is_qdq,
                  "the model is quantised already, at least in part, and not by pairs of 8 bits with one scale",
                  "give the float model; `tarn generate` takes this one");
  if (!faults.empty()) return faults;
  const bool left = std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const Node& node) {
    return kind_of(graph, node) == Kind::layer && !kept.contains(graph.constant(node.inputs[1]));
  });
  if (!left)
    return refuse(whole, path, is_qdq, "the model is quantised already",
                  "give the float model; a quantised one needs no more than `tarn generate`");
  return kept;
}

// Every number times the one of its channel; channels are the axis `axis`.
Constant scaled(const Constant& c, const Constant& scale, int axis) {
  std::vector<double> values = c.reals();
  const int64_t inner = c.shape().count(axis + 1, c.shape().rank()), channels = c.shape()[axis];
  for (size_t i = 0; i < values.size(); ++i) values[i] *= scale.real(static_cast<int64_t>(i) / inner % channels);
  return Constant::floats(c.dtype(), c.shape(), values);
}

// [Cin, Cout/g, ...] of a transposed convolution: the channel is the group's and the axis' together.
Constant scaled_transposed(const Constant& c, const Constant& scale, int64_t groups) {
  std::vector<double> values = c.reals();
  const int64_t inner = c.shape().count(2, c.shape().rank()), outputs = c.shape()[1], inputs = c.shape()[0] / groups;
  for (size_t i = 0; i < values.size(); ++i) {
    const int64_t row = static_cast<int64_t>(i) / (inner * outputs), o = static_cast<int64_t>(i) / inner % outputs;
    values[i] *= scale.real(row / inputs * outputs + o);
  }
  return Constant::floats(c.dtype(), c.shape(), values);
}

// What folding noted beside the weights goes into them.
void apply_weight_scale(Graph& graph, Node& node) {
  const Constant* scale = node.tensor("weight_scale");
  const Constant* weights = graph.constant(node.inputs[1]);
  node.attributes.erase("folded_parameters");
  if (!scale || !weights || weights->is_absent()) return;
  const bool transposed = node.op == "Gemm" && node.integer("transB", 0) != 0;
  const int axis = node.op == "Conv" || transposed ? 0 : weights->shape().rank() - 1;
  Constant made = node.op == "ConvTranspose" ? scaled_transposed(*weights, *scale, node.integer("group", 1))
                                             : scaled(*weights, *scale, axis);
  node.inputs[1] = graph.add_constant(graph[node.inputs[1]].name, std::move(made));
  node.attributes.erase("weight_scale");
}

// A product of matrices becomes one that can have a bias.
void make_gemm(Graph& graph, Node& node) {
  if (!node.is("MatMul") || graph.shape(node.inputs[0]).rank() != 2) return;
  const Constant* weights = graph.constant(node.inputs[1]);
  if (!weights || weights->is_absent() || weights->shape().rank() != 2) return;
  if (node.has_input(2)) {
    const Constant* bias = graph.constant(node.inputs[2]);
    if (!bias || bias->is_absent() || bias->count() != weights->shape()[1]) return;
    node.inputs[2] = graph.add_constant(graph[node.inputs[2]].name, bias->reshaped(Shape{bias->count()}));
  }
  node.op = "Gemm";
  node.version = 0;
}

// Operators of ours become those of the standard again.
Graph to_standard(Graph graph) {
  std::vector<Node> nodes;
  for (Node& node : graph.nodes) {
    if (node.domain.empty() && node.inputs.size() > 1 && node.has_input(1)) apply_weight_scale(graph, node);
    make_gemm(graph, node);
    const bool affine = node.is("Affine", "tarn"), biased = node.is("MatMul") && node.inputs.size() == 3;
    if (!affine && !biased) {
      nodes.push_back(std::move(node));
      continue;
    }
    const Shape shape = graph.shape(node.outputs[0]);
    const auto along = [&](ValueId id) {  // broadcasts over the channels
      const Constant c = *graph.constant(id);
      if (biased) return id;
      Shape wide{c.count()};
      for (int i = 2; i < shape.rank(); ++i) wide.dims.push_back(1);
      return graph.add_constant(graph[id].name, c.reshaped(wide));
    };
    const ValueId between = graph.add_value(graph[node.outputs[0]].name, {graph.dtype(node.outputs[0]), shape});
    Node first = node, second = node;
    first.outputs = {between};
    second.op = "Add";
    second.domain.clear();
    second.attributes.clear();
    second.version = 0;
    second.inputs = {between, along(node.inputs[2])};
    if (affine) {
      first.op = "Mul";
      first.domain.clear();
      first.version = 0;
      first.inputs = {node.inputs[0], along(node.inputs[1])};
    } else {
      first.inputs.resize(2);
    }
    nodes.push_back(std::move(first));
    nodes.push_back(std::move(second));
  }
  graph.nodes = std::move(nodes);
  return graph;
}

// The first opset that has every operator: some files use one before it was defined, and operators of other domains
// become newer ones. LayerNormalization is taken in any opset, and Gelu has another domain there.
int opset_of_operators(const Graph& graph, const std::map<std::string, int>& opsets) {
  int least = 0;
  for (const Node& node : graph.nodes) {
    if (node.domain.empty() && node.op != "LayerNormalization" && node.op != "Gelu")
      least = std::max(least, model::since_version("", node.op, opsets).value_or(0));
    for (const Graph& body : node.bodies) least = std::max(least, opset_of_operators(body, opsets));
  }
  return least;
}

struct Loaded {
  graph::Built built;
  FileFacts facts;
  std::vector<std::string> files;
};

Result<Loaded> build_model(const Result<model::Model>& model, const graph::BuildOptions& options,
                           const std::string& path) {
  if (!model) return model.faults();
  Result<graph::Built> built = graph::build(*model, options);
  if (!built) return built.faults();
  Loaded loaded{std::move(*built), {}, {path}};
  loaded.facts.path = path;
  loaded.facts.graph_name = model->graph.name.empty() ? "network" : model->graph.name;
  loaded.facts.ir_version = std::max(8, model->ir_version);
  loaded.facts.opsets = loaded.built.opsets;
  for (const model::ValueInfo& input : model->graph.inputs) {
    if (!options.constants.contains(input.name)) loaded.facts.inputs.push_back(input.name);
  }
  for (const model::ValueInfo& output : model->graph.outputs) loaded.facts.outputs.push_back(output.name);
  for (const std::string& file : model->external_files)
    loaded.files.push_back((std::filesystem::path(path).parent_path() / file).string());
  return loaded;
}

}  // namespace

Result<FloatModel> load_float_model(const std::string& path, const std::map<std::string, int64_t>& dims,
                                    const std::map<std::string, Constant>& constants, int least_opset) {
  Result<model::Model> model = model::load_onnx(path);
  Result<Loaded> loaded = build_model(model, {dims, constants, false}, path);
  if (!loaded) return loaded.faults();
  Graph first = loaded->built.graph;
  if (const Result<Kept> taken = take_codes(first, path); !taken) return taken.faults();
  FloatModel result;
  result.files = loaded->files;
  const int opset = loaded->facts.opsets[""];
  const int newest = opset_of_operators(loaded->built.graph, loaded->facts.opsets);
  const bool too_new = newest > std::max(opset, least_opset);
  if (too_new) least_opset = newest;
  if (opset < least_opset) {
    const Result<model::Model> plain = to_model(passes::remove_identities(loaded->built.graph), loaded->facts);
    if (!plain) return plain.faults();
    const Result<std::string> bytes = model::save_onnx(*plain);
    if (!bytes) return bytes.faults();
    Result<std::string> newer = model::raise_opset(*bytes, least_opset, path);
    if (!newer) return newer.faults();
    result.bytes.push_back(std::make_shared<const std::string>(std::move(*newer)));
    const std::string& raised = *result.bytes.back();
    loaded = build_model(model::load_onnx_bytes(path, {reinterpret_cast<const uint8_t*>(raised.data()), raised.size()}),
                         {}, path);
    if (!loaded) return loaded.faults();
    result.notices.push_back({"W402",
                              {.file = path},
                              cat("opset ", opset,
                                  too_new                   ? " lacks an operator of the network"
                                  : least_opset > kQdqOpset ? " has no codes of 4 or 16 bits"
                                                            : " cannot quantise per channel",
                                  ": the result has opset ", least_opset),
                              {}});
  }
  Graph graph = passes::remove_identities(std::move(loaded->built.graph));
  Result<Kept> kept = take_codes(graph, path);
  if (!kept) return kept.faults();
  result.kept = std::move(*kept);
  graph = to_standard(passes::fold_affine(std::move(graph)));
  if (result.kept.empty()) graph = spell_out(std::move(graph));
  graph::sort_nodes(graph);
  bound_masks(graph);
  graph::remove_dead(graph);
  result.graph = std::move(graph);
  result.facts = std::move(loaded->facts);
  return result;
}

}  // namespace tarn::quantize
