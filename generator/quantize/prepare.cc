#include "quantize/prepare.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "model/load_onnx.h"
#include "ops/recurrent.h"
#include "quantize/equalise.h"
#include "quantize/labels.h"
#include "quantize/network.h"
#include "quantize/observe.h"
#include "support/nearest.h"
#include "support/progress.h"
#include "support/text.h"

namespace tarn::quantize {

namespace {

using graph::ValueId;

// Dimensions that the options leave open follow from the data where a file has the input's rank.
std::map<std::string, int64_t> dims_of(const Options& options, const model::Model& model, const Data& data) {
  std::map<std::string, int64_t> dims = options.dims;
  for (size_t i = 0; i < model.graph.inputs.size(); ++i) {
    const model::ValueInfo& input = model.graph.inputs[i];
    const Shape& shape = data.sets[0][i].value.shape();
    if (!input.type.dims) continue;
    const int rank = static_cast<int>(input.type.dims->size()), more = shape.rank() - rank;
    for (int axis = 0; axis < rank; ++axis) {
      const model::Dim& dim = (*input.type.dims)[static_cast<size_t>(axis)];
      if (dim.value || (more != 0 && more != 1)) continue;
      // Many samples in one file are many runs, not one of a large batch.
      const bool batch = axis == 0 && !data.sets[0][i].file.ends_with(".pb");
      dims.emplace(dim.symbol.empty() ? cat(input.name, ":", axis) : dim.symbol, batch ? 1 : shape[axis + more]);
    }
  }
  return dims;
}

int least_opset(const Options& options) {
  const auto odd = [](const LayerForm& form) { return form.weights == 4 || form.numbers == 16; };
  const bool any =
      odd({options.weight_bits, options.activation_bits}) ||
      std::any_of(options.forms.begin(), options.forms.end(), [&](const auto& layer) { return odd(layer.second); });
  return any ? kNarrowOpset : kQdqOpset;
}

}  // namespace

Result<Prepared> prepare(const Options& options) {
  note_progress("reading the model", 0);
  const Result<model::Model> model = model::load_onnx(options.model_path);
  if (!model) return model.faults();
  Result<Data> data = options.data.empty() ? Data{} : read_data(options.data, *model);
  if (!data) return data.faults();
  const std::map<std::string, int64_t> dims = data->sets.empty() ? options.dims : dims_of(options, *model, *data);
  Result<FloatModel> floats = load_float_model(options.model_path, dims, options.constants, least_opset(options));
  if (!floats) return floats.faults();
  std::vector<TensorType> types;
  for (const ValueId id : floats->graph.inputs) types.push_back(floats->graph[id].type);
  Result<std::vector<Sample>> samples = fit_samples(*data, floats->facts.inputs, types, options.channels_last);
  if (!samples) return samples.faults();
  Prepared prepared{std::move(*floats), {}, {}, {}, {}, dims};
  if (!options.labels.empty()) {
    Result<std::vector<size_t>> labels = read_labels(options.labels, samples->size());
    if (!labels) return labels.faults();
    prepared.labels = std::move(*labels);
    prepared.labelled = *samples;
  }
  prepared.samples = draw(std::move(*samples), options.samples, options.seed);
  prepared.files = prepared.model.files;
  prepared.files.insert(prepared.files.end(), data->files.begin(), data->files.end());
  return prepared;
}

Result<bool> equalise(graph::Graph& graph, const Scheme& scheme, Network& network, const std::vector<Sample>& samples) {
  std::vector<Joint> joints = find_joints(graph, scheme.layers);
  // The numbers of a joint are those of the last of its values that is watched.
  for (Joint& joint : joints) {
    while (!joint.values.empty() && !scheme.has_codes(joint.values.back())) {
      joint.values.pop_back();
      joint.inner.pop_back();
    }
  }
  std::erase_if(joints, [](const Joint& joint) { return joint.values.empty(); });
  if (joints.empty()) return false;
  std::vector<ChannelStatistics> seen(joints.size());
  const Result<Done> run = network.run(samples, [&](size_t, const Values& values) {
    for (size_t j = 0; j < joints.size(); ++j) seen[j].add(joints[j], values.at(joints[j].values.back()));
  });
  if (!run) return run.faults();
  bool changed = false;
  for (size_t j = 0; j < joints.size(); ++j) {
    // The readers' rows have been divided by now where they make a joint themselves.
    const std::vector<float> factors = choose_factors(graph, joints[j], seen[j]);
    changed = changed || std::any_of(factors.begin(), factors.end(), [](float f) { return f != 1; });
    apply_factors(graph, joints[j], factors);
    for (size_t i = 0; i < joints[j].values.size(); ++i)
      network.divide(joints[j].values[i], factors, joints[j].inner[i]);
  }
  return changed;
}

std::vector<Judged> judged_values(const graph::Graph& graph) {
  static const std::set<std::string> passed = {"Softmax", "LogSoftmax", "Sigmoid",  "Reshape",
                                               "Flatten", "Squeeze",    "Unsqueeze"};
  const graph::Uses uses = graph::find_uses(graph);
  std::vector<Judged> judged;
  for (ValueId id : graph.outputs) {
    if (!is_activation(graph, id)) continue;
    int64_t scores = 0;
    for (;;) {
      const std::optional<size_t>& producer = uses.producer[id.pos()];
      if (!producer) break;
      const graph::Node& node = graph.nodes[*producer];
      if (!node.domain.empty() || !passed.contains(node.op) || !is_activation(graph, node.inputs[0])) break;
      const Shape& shape = graph.shape(id);
      if (node.op == "Softmax" || node.op == "LogSoftmax") {
        const int64_t axis = node.integer("axis", -1);
        if (shape.rank() == 0 || (axis != -1 && axis != shape.rank() - 1)) break;
        scores = shape[shape.rank() - 1];
      }
      id = node.inputs[0];
    }
    const bool known = std::any_of(judged.begin(), judged.end(), [&](const Judged& one) { return one.value == id; });
    if (!known) judged.push_back({id, scores});
  }
  return judged;
}

std::vector<ValueId> values_to_watch(const graph::Graph& graph, const std::vector<const Scheme*>& schemes) {
  std::set<ValueId> values;
  for (size_t v = 0; v < graph.values.size(); ++v) {
    const ValueId id(v);
    const bool codes =
        std::any_of(schemes.begin(), schemes.end(), [&](const Scheme* scheme) { return scheme->has_codes(id); });
    if (codes) values.insert(id);
  }
  for (const Scheme* scheme : schemes) {
    for (const LayerEnd& end : layer_ends(graph, *scheme)) values.insert(end.value);
  }
  for (const ValueId id : graph.outputs) {
    if (is_activation(graph, id)) values.insert(id);
  }
  for (const Judged& judged : judged_values(graph)) values.insert(judged.value);
  return {values.begin(), values.end()};
}

Result<Done> check_names(const graph::Graph& graph, const Options& options) {
  std::vector<std::string> known;
  for (const graph::Node& node : graph.nodes) {
    if (!node.name.empty()) known.push_back(node.name);
    if (node.has_input(1) && graph.constant(node.inputs[1])) known.push_back(graph[node.inputs[1]].name);
    for (const ValueId id : node.outputs) {
      if (id) known.push_back(graph[id].name);
    }
  }
  Diagnostics faults;
  for (const auto& [name, form] : options.forms) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    faults.push_back({"E420",
                      {.file = options.model_path, .node_name = name},
                      "no layer has this name, nor its weights or its output",
                      "layers go by the name of their node, weights or output" + did_you_mean(name, known)});
  }
  if (!faults.empty()) return faults;
  return Done{};
}

// No kernel adds up 16-bit codes and gives floats.
SchemeOptions scheme_options(const Options& options) {
  SchemeOptions scheme{options.open_outputs && options.activation_bits == 8, options.activation_bits, {}, {}, {}};
  for (const auto& [name, form] : options.forms)
    (form.floats() ? scheme.floats : form.numbers == 16 ? scheme.wide : scheme.narrow).insert(name);
  return scheme;
}

LayerForm form_of(const graph::Graph& graph, const graph::Node& node, const Options& options) {
  for (const auto& [name, form] : options.forms) {
    if (is_named(graph, node, {name})) return form;
  }
  return {options.weight_bits, options.activation_bits};
}

std::map<size_t, Codes> codes_of_file(const graph::Graph& graph, const Scheme& scheme) {
  std::map<size_t, Codes> codes;
  for (size_t v = 0; v < graph.values.size(); ++v) {
    const std::optional<graph::Codes>& known = graph.values[v].codes;
    if (!known || !scheme.has_codes(ValueId(v))) continue;
    codes.emplace(static_cast<size_t>(scheme.group[v]),
                  Codes{static_cast<float>(known->scale), static_cast<int32_t>(known->zero), 8});
  }
  return codes;
}

std::map<size_t, int> weight_bits(const graph::Graph& graph, const Scheme& scheme, const Options& options) {
  std::map<size_t, int> bits;
  for (const size_t layer : scheme.layers) bits[layer] = form_of(graph, graph.nodes[layer], options).weights;
  return bits;
}

std::set<size_t> half_layers(const graph::Graph& graph, const Options& options) {
  constexpr double kLargest = 65504;
  std::set<size_t> layers;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const graph::Node& node = graph.nodes[i];
    if (form_of(graph, node, options) != kFloat16) continue;
    const std::vector<size_t> inputs = weight_inputs(graph, node);
    const bool fits = std::all_of(inputs.begin(), inputs.end(), [&](size_t input) {
      const std::vector<double> numbers = graph.constant(node.inputs[input])->reals();
      return std::all_of(numbers.begin(), numbers.end(), [](double v) { return std::fabs(v) <= kLargest; });
    });
    if (fits && !inputs.empty()) layers.insert(i);
  }
  return layers;
}

std::set<size_t> recurrent_layers(const graph::Graph& graph, const Scheme& scheme, const Options& options) {
  std::set<size_t> layers;
  for (const size_t at : scheme.in_floats) {
    const graph::Node& node = graph.nodes[at];
    if (!ops::is_recurrent(node)) continue;
    bool known = !is_named(graph, node, scheme_options(options).floats);
    for (const size_t input : {size_t{1}, size_t{2}}) {
      const Constant* c = graph.constant(node.inputs[input]);
      known = known && c && !c->is_absent() && c->dtype() == DType::float32 && c->shape().rank() == 3;
    }
    if (known) layers.insert(at);
  }
  return layers;
}

std::string name_of(const graph::Graph& graph, const graph::Node& node) {
  if (!node.name.empty()) return node.name;
  // The first output may be left out, as the sequence of a recurrent layer.
  const auto made = std::find_if(node.outputs.begin(), node.outputs.end(), [](ValueId id) { return id.valid(); });
  return made == node.outputs.end() ? node.op : graph[*made].name;
}

}  // namespace tarn::quantize
