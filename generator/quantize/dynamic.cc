#include "quantize/dynamic.h"

#include <algorithm>

#include "model/save_onnx.h"
#include "ops/recurrent.h"
#include "quantize/outcome.h"
#include "quantize/rewrite.h"
#include "quantize/tuning.h"
#include "quantize/weights.h"
#include "support/text.h"

namespace tarn::quantize {

namespace {

using graph::Graph;
using graph::Node;
using graph::ValueId;

constexpr int64_t kMiddle = 128;  // the zero point of unsigned weights

// A table whose rows are looked up while the network runs.
bool looks_up(const Graph& graph, const Node& node) {
  if (!node.is("Gather") || node.integer("axis", 0) != 0 || graph.constant(node.inputs[1])) return false;
  const Constant* table = graph.constant(node.inputs[0]);
  return table && !table->is_absent() && table->dtype() == DType::float32 && table->shape().rank() == 2 &&
         table->count() > 0;
}

class DynamicRewriter {
 public:
  DynamicRewriter(const Graph& graph, const std::set<std::string>& floats) : g_(graph), floats_(floats) {}

  std::vector<size_t> layers, recurrent, left;  // by node of the given graph; left: layers that stay in floats

  // The values of the given graph stay what they were.
  Graph run() {
    std::vector<Node> nodes = std::move(g_.nodes);
    g_.nodes.clear();
    const Graph& graph = g_;
    for (size_t i = 0; i < nodes.size(); ++i) {
      Node& node = nodes[i];
      const bool layer = kind_of(graph, node) == Kind::layer;
      if (is_named(graph, node, floats_)) {
        g_.nodes.push_back(std::move(node));
      } else if (layer && node.op != "ConvTranspose") {
        layers.push_back(i);
        use_integers(node);
      } else if (ops::is_recurrent(node) && weight_inputs(graph, node).size() == 2) {
        recurrent.push_back(i);
        for (const size_t input : {size_t{1}, size_t{2}})
          node.inputs[input] = dequantised_rows(g_, node.inputs[input], 1, g_.nodes);
        g_.nodes.push_back(std::move(node));
      } else {
        if (layer || kind_of(graph, node) == Kind::product) left.push_back(i);
        if (looks_up(graph, node)) {
          tables.push_back(i);
          node.inputs[0] = dequantised_rows(g_, node.inputs[0], 0, g_.nodes);
        }
        g_.nodes.push_back(std::move(node));
      }
    }
    return std::move(g_);
  }

  std::vector<size_t> tables;

 private:
  struct RunCodes {
    ValueId codes, scale, zero;
  };

  ValueId add(const std::string& op, const std::string& name, std::vector<ValueId> inputs, ValueId output,
              graph::Attributes attributes = {}) {
    Node node;
    node.op = op;
    node.name = name;
    node.inputs = std::move(inputs);
    node.outputs = {output};
    node.attributes = std::move(attributes);
    g_.nodes.push_back(std::move(node));
    return output;
  }

  // The tensor as codes of the range that it takes in this run; once for all that read it.
  RunCodes codes_of(ValueId x) {
    const auto [found, added] = quantised_.try_emplace(x);
    if (!added) return found->second;
    const std::string name = g_[x].name;
    const Shape shape = g_.shape(x);
    RunCodes& codes = found->second;
    codes = {g_.add_value(name + "_codes", {DType::uint8, shape}),
             g_.add_value(name + "_scale", {DType::float32, Shape{}}),
             g_.add_value(name + "_zero", {DType::uint8, Shape{}})};
    add("DynamicQuantizeLinear", name + "_quantise", {x, codes.scale, codes.zero}, codes.codes);
    g_.nodes.back().inputs = {x};
    g_.nodes.back().outputs = {codes.codes, codes.scale, codes.zero};
    return codes;
  }

  void use_integers(const Node& node) {
    const bool conv = node.op == "Conv";
    const LayerShape shape = shape_of(g_, node);
    const Constant& weights = *g_.constant(node.inputs[1]);
    const std::string name = g_[node.inputs[1]].name, made = node.name.empty() ? g_[node.outputs[0]].name : node.name;
    const LayerCodes layer =
        quantise_layer(shape, rows_of(weights, node), {}, {}, shape.channels, 1, {8, false, false});
    const Shape y = g_.shape(node.outputs[0]);
    const RunCodes x = codes_of(node.inputs[0]);
    // Along the channels of the result.
    const auto spread = [&](const std::string& what, const std::vector<double>& numbers) {
      Shape along{shape.channels};
      for (int axis = 2; conv && axis < y.rank(); ++axis) along.dims.push_back(1);
      return g_.add_constant(what, Constant::floats(DType::float32, along, numbers));
    };
    const ValueId sums = g_.add_value(made + "_sums", {DType::int32, y}),
                  numbers = g_.add_value(made + "_number", {DType::float32, y}),
                  scale = g_.add_value(name + "_product", {DType::float32, y.rank() > 0 ? Shape{} : y});
    const ValueId scales = spread(name + "_scale", {layer.scale.begin(), layer.scale.end()});
    g_[scale].type.shape = g_.shape(scales);
    if (conv) {
      // onnxruntime adds up unsigned weights alone.
      std::vector<int64_t> codes = stored_order(layer.codes, weights.shape(), node);
      for (int64_t& code : codes) code += kMiddle;
      const ValueId w = g_.add_constant(name + "_codes", Constant::ints(DType::uint8, weights.shape(), codes)),
                    zero = g_.add_constant(name + "_zero", Constant::ints(DType::uint8, Shape{}, {kMiddle}));
      add("ConvInteger", made, {x.codes, w, x.zero, zero}, sums, node.attributes);
    } else {
      std::vector<int64_t> codes(layer.codes.size());
      for (int64_t n = 0; n < shape.channels; ++n) {
        for (int64_t k = 0; k < shape.length; ++k)
          codes[static_cast<size_t>(k * shape.channels + n)] = layer.codes[static_cast<size_t>(n * shape.length + k)];
      }
      const ValueId w =
          g_.add_constant(name + "_codes", Constant::ints(DType::int8, Shape{shape.length, shape.channels}, codes));
      add("MatMulInteger", made, {x.codes, w, x.zero}, sums);
    }
    add("Cast", made + "_cast", {sums}, numbers, {{"to", static_cast<int64_t>(to_onnx(DType::float32))}});
    add("Mul", made + "_scales", {x.scale, scales}, scale);
    const bool bias = node.has_input(2);
    const ValueId product = bias ? g_.add_value(made + "_product", {DType::float32, y}) : node.outputs[0];
    add("Mul", made + "_scaled", {numbers, scale}, product);
    if (!bias) return;
    const Constant& known = *g_.constant(node.inputs[2]);
    add("Add", made + "_bias", {product, spread(g_[node.inputs[2]].name, known.reals())}, node.outputs[0]);
  }

  Graph g_;
  const std::set<std::string>& floats_;
  std::map<ValueId, RunCodes> quantised_;
};

// Outputs, and the tensors that layers make; the most harmful layer first.
Result<Done> measure_dynamic(const Prepared& prepared, const Graph& after, const std::vector<size_t>& layers,
                             Quantised& result) {
  const Graph& graph = prepared.model.graph;
  std::vector<Watched> watched;
  std::vector<ValueId> taps;
  const auto watch = [&](ValueId id, int64_t scores = 0) {
    watched.push_back({id, id, scores});
    if (std::find(taps.begin(), taps.end(), id) == taps.end()) taps.push_back(id);
  };
  for (const ValueId id : graph.outputs) {
    if (is_activation(graph, id)) watch(id);
  }
  const size_t outputs = watched.size();
  for (const size_t layer : layers) watch(graph.nodes[layer].outputs[0]);
  for (const Judged& one : judged_values(graph)) watch(one.value, one.scores);
  const Result<Network> floats = Network::make(graph, prepared.model.facts, taps);
  if (!floats) return floats.faults();
  const Result<Network> codes = Network::make(after, prepared.model.facts, taps);
  if (!codes) return codes.faults();
  const Result<std::vector<Noise>> noise =
      measure_noise(*floats, *codes, watched, draw(prepared.samples, kMostMeasured, 1));
  if (!noise) return noise.faults();
  if (!prepared.labels.empty()) {
    const Result<Accuracy> accuracy = accuracy_of(prepared, *floats, *codes, watched, outputs);
    if (!accuracy) return accuracy.faults();
    result.accuracy = *accuracy;
  }
  result.outputs = output_rows(prepared, *noise);
  for (size_t l = 0; l < layers.size(); ++l) {
    const Node& node = graph.nodes[layers[l]];
    result.layers.push_back({name_of(graph, node), node.op, kInt8, (*noise)[outputs + l].db(), {}, {}, {}});
  }
  for (size_t j = outputs + layers.size(); j < noise->size(); ++j)
    result.noise += (*noise)[j].signal > 0 ? (*noise)[j].noise / (*noise)[j].signal : 0;
  std::stable_sort(result.layers.begin(), result.layers.end(),
                   [](const LayerRow& a, const LayerRow& b) { return a.snr_db < b.snr_db; });
  return Done{};
}

}  // namespace

Result<Quantised> quantize_dynamically(const Options& options) {
  const Result<Prepared> prepared = prepare(options);
  if (!prepared) return prepared.faults();
  const Graph& graph = prepared->model.graph;
  if (const Result<Done> named = check_names(graph, options); !named) return named.faults();
  const std::set<std::string> floats = scheme_options(options).floats;
  DynamicRewriter rewriter(graph, floats);
  const Graph rewritten = rewriter.run();
  if (rewriter.layers.empty() && rewriter.recurrent.empty() && rewriter.tables.empty())
    return Diagnostic{"E421",
                      {.file = options.model_path},
                      "there is nothing in it whose weights could become codes",
                      "Conv, Gemm, MatMul, GRU, LSTM, RNN and Gather with known float32 weights can"};
  const Result<model::Model> model = to_model(rewritten, prepared->model.facts);
  if (!model) return model.faults();
  Result<std::string> bytes = model::save_onnx(*model);
  if (!bytes) return bytes.faults();
  Quantised result;
  result.bytes = std::move(*bytes);
  result.samples = prepared->samples.size();
  result.inputs = first_samples(*prepared);
  result.files = prepared->files;
  result.warnings = prepared->model.notices;
  for (const size_t layer : rewriter.layers) result.names.push_back(name_of(graph, graph.nodes[layer]));
  for (const size_t layer : rewriter.recurrent) result.recurrent.push_back(graph.nodes[layer].name);
  for (const auto& [nodes, text] :
       {std::pair{&rewriter.left, "it stays in floats"},
        std::pair{&rewriter.recurrent, "it computes in floats; its weights become codes of 8 bits"}}) {
    for (const size_t at : *nodes) {
      const Node& node = graph.nodes[at];
      Where where{.file = options.model_path, .node_name = node.name, .op = node.op};
      if (!node.origins.empty()) where.node = node.origins.front();
      result.warnings.push_back({"W403", where, text, {}});
    }
  }
  if (!prepared->samples.empty()) {
    const Result<Done> measured = measure_dynamic(*prepared, rewritten, rewriter.layers, result);
    if (!measured) return measured.faults();
  }
  const Result<Done> cost = measure_cost(options, *prepared, result);
  if (!cost) return cost.faults();
  return result;
}

}  // namespace tarn::quantize
