#include "quantize/quantize.h"

#include <algorithm>
#include <cmath>

#include "graph/graph.h"
#include "model/load_onnx.h"
#include "model/save_onnx.h"
#include "quantize/choose_ranges.h"
#include "quantize/choose_weights.h"
#include "quantize/equalise.h"
#include "quantize/float_model.h"
#include "quantize/labels.h"
#include "quantize/measure.h"
#include "quantize/observe.h"
#include "quantize/rewrite.h"
#include "quantize/samples.h"
#include "quantize/tell.h"
#include "support/nearest.h"
#include "support/progress.h"
#include "support/text.h"
#include "verify/files.h"

namespace tarn::quantize {

namespace {

using graph::ValueId;

constexpr double kNarrow = 99.8;      // percent, beside Options::percentile
constexpr size_t kBars = 48;          // of a histogram
constexpr size_t kHandedOver = 4;     // samples in Quantised::inputs
constexpr size_t kMostMeasured = 32;  // samples on which the result is compared

struct Prepared {
  FloatModel model;
  std::vector<Sample> samples;
  std::vector<Sample> labelled;  // all of the data, where there are labels
  std::vector<size_t> labels;
  std::vector<std::string> files;
};

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
  const bool four = options.weight_bits == 4 || std::any_of(options.layer_bits.begin(), options.layer_bits.end(),
                                                            [](const auto& layer) { return layer.second == 4; });
  return four || options.activation_bits > 8 ? kNarrowOpset : kQdqOpset;
}

Result<Prepared> prepare(const Options& options, std::map<std::string, int64_t>& dims) {
  note_progress("reading the model", 0);
  const Result<model::Model> model = model::load_onnx(options.model_path);
  if (!model) return model.faults();
  Result<Data> data = read_data(options.data, *model);
  if (!data) return data.faults();
  dims = dims_of(options, *model, *data);
  Result<FloatModel> floats = load_float_model(options.model_path, dims, options.constants, least_opset(options));
  if (!floats) return floats.faults();
  std::vector<TensorType> types;
  for (const ValueId id : floats->graph.inputs) types.push_back(floats->graph[id].type);
  Result<std::vector<Sample>> samples = fit_samples(*data, floats->facts.inputs, types, options.channels_last);
  if (!samples) return samples.faults();
  Prepared prepared{std::move(*floats), {}, {}, {}, {}};
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

// Makes channels fill the ranges of their tensors; the network's numbers are told as if its weights were those.
Result<Done> equalise(graph::Graph& graph, const Scheme& scheme, Network& network, const std::vector<Sample>& samples) {
  std::vector<Joint> joints = find_joints(graph, scheme.layers);
  // The numbers of a joint are those of the last of its values that is watched.
  for (Joint& joint : joints) {
    while (!joint.values.empty() && !scheme.has_codes(joint.values.back())) {
      joint.values.pop_back();
      joint.inner.pop_back();
    }
  }
  std::erase_if(joints, [](const Joint& joint) { return joint.values.empty(); });
  if (joints.empty()) return Done{};
  std::vector<ChannelStatistics> seen(joints.size());
  const Result<Done> run = network.run(samples, [&](size_t, const Values& values) {
    for (size_t j = 0; j < joints.size(); ++j) seen[j].add(joints[j], values.at(joints[j].values.back()));
  });
  if (!run) return run.faults();
  for (size_t j = 0; j < joints.size(); ++j) {
    // The readers' rows have been divided by now where they make a joint themselves.
    const std::vector<float> factors = choose_factors(graph, joints[j], seen[j]);
    apply_factors(graph, joints[j], factors);
    for (size_t i = 0; i < joints[j].values.size(); ++i)
      network.divide(joints[j].values[i], factors, joints[j].inner[i]);
  }
  return Done{};
}

// Of each group; the first is that of `--ranges`, or of the extremes.
std::vector<std::vector<Codes>> code_candidates(const graph::Graph& graph, const Scheme& scheme,
                                                const std::vector<Observed>& seen, const Options& options) {
  std::vector<std::vector<Codes>> codes;
  const CodeOptions form{options.activation_bits, options.symmetric || options.activation_bits > 8, options.percentile};
  for (const Observed& one : seen) {
    note_progress("choosing ranges", codes.size());
    std::vector<Codes>& some = codes.emplace_back();
    some.push_back(codes_of(find_range(one, options.range, form), form));
    if (options.range != RangeMethod::automatic) continue;
    CodeOptions narrow = form;
    narrow.percentile = kNarrow;
    some.push_back(codes_of(find_range(one, RangeMethod::mse, form), form));
    some.push_back(codes_of(find_range(one, RangeMethod::percentile, form), form));
    some.push_back(codes_of(find_range(one, RangeMethod::percentile, narrow), form));
    some.push_back(codes_of(find_range(one, RangeMethod::entropy, form), form));
  }
  // Probabilities have a scale of their own, which kernels know.
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    if (scheme.kinds[i] != Kind::softmax || !scheme.has_codes(graph.nodes[i].outputs[0])) continue;
    const auto group = static_cast<size_t>(scheme.group[graph.nodes[i].outputs[0].pos()]);
    const Range range = seen[group].extremes();
    if (range.lo >= 0 && range.hi <= 1 && !form.symmetric) codes[group] = {{0x1p-8f, -128, 8}};
  }
  return codes;
}

Result<std::vector<Codes>> choose_codes(const Prepared& prepared, const Scheme& scheme,
                                        const std::vector<Observed>& seen, const Network& network,
                                        const Quantisation& start, const Options& options) {
  const graph::Graph& graph = prepared.model.graph;
  const std::vector<std::vector<Codes>> candidates = code_candidates(graph, scheme, seen, options);
  Quantisation from = start;
  for (const std::vector<Codes>& some : candidates) from.codes.push_back(some[0]);
  if (options.range != RangeMethod::automatic) return from.codes;
  return choose_by_outputs({graph, prepared.model.facts, scheme, network, prepared.samples}, candidates, from);
}

// By node; E420 for names that no layer has.
Result<std::map<size_t, int>> choose_bits(const graph::Graph& graph, const Scheme& scheme, const Options& options) {
  std::map<size_t, int> bits;
  std::vector<std::string> known;
  for (const size_t layer : scheme.layers) {
    const graph::Node& node = graph.nodes[layer];
    int own = options.weight_bits;
    for (const std::string& name : {node.name, graph[node.inputs[1]].name}) {
      known.push_back(name);
      if (const auto found = options.layer_bits.find(name); found != options.layer_bits.end()) own = found->second;
    }
    if (own != 8) bits[layer] = own;
  }
  Diagnostics faults;
  for (const auto& [name, own] : options.layer_bits) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    faults.push_back({"E420",
                      {.file = options.model_path, .node_name = name},
                      "--weight-bits names no layer whose weights become codes",
                      did_you_mean(name, known)});
  }
  if (!faults.empty()) return faults;
  return bits;
}

// Recurrent layers have no integer kernels; their weights can be codes all the same.
std::set<size_t> recurrent_layers(const graph::Graph& graph, const Scheme& scheme, const Options& options) {
  std::set<size_t> layers;
  for (const size_t at : scheme.in_floats) {
    const graph::Node& node = graph.nodes[at];
    if (!node.is("GRU") && !node.is("LSTM") && !node.is("RNN")) continue;
    bool known = !options.floats.contains(node.name);
    for (const size_t input : {size_t{1}, size_t{2}}) {
      const Constant* c = graph.constant(node.inputs[input]);
      known = known && c && !c->is_absent() && c->dtype() == DType::float32 && c->shape().rank() == 3;
    }
    if (known) layers.insert(at);
  }
  return layers;
}

std::string name_of(const graph::Graph& graph, const graph::Node& node) {
  return node.name.empty() ? graph[node.outputs[0]].name : node.name;
}

// Outputs first, then the tensors that layers end in.
Result<Done> measure(const Prepared& prepared, const Scheme& scheme, const Network& before, const graph::Graph& after,
                     const std::vector<ValueId>& floats, const Quantisation& quantisation,
                     const std::vector<Observed>& seen, Quantised& result) {
  const graph::Graph& graph = prepared.model.graph;
  std::vector<Watched> watched;
  std::vector<ValueId> taps;
  const auto watch = [&](ValueId id) {
    watched.push_back({id, floats[id.pos()]});
    if (std::find(taps.begin(), taps.end(), watched.back().after) == taps.end()) taps.push_back(watched.back().after);
  };
  for (const ValueId id : graph.outputs) {
    if (is_activation(graph, id)) watch(id);
  }
  const size_t outputs = watched.size();
  std::vector<size_t> rows;  // nodes
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Kind kind = scheme.kinds[i];
    const ValueId out = graph.nodes[i].outputs.empty() ? ValueId() : graph.nodes[i].outputs[0];
    if (kind == Kind::other || kind == Kind::move || !scheme.has_codes(out)) continue;
    rows.push_back(i);
    watch(out);
  }
  const Result<Network> network = Network::make(after, prepared.model.facts, taps);
  if (!network) return network.faults();
  const std::vector<Sample> some = draw(prepared.samples, kMostMeasured, 1);
  const Result<std::vector<Noise>> noise = measure_noise(before, *network, watched, some);
  if (!noise) return noise.faults();
  if (!prepared.labels.empty()) {
    if (outputs == 0)
      return Diagnostic{"E420", {.file = prepared.model.facts.path}, "no output has a number for each class", {}};
    const auto classes = static_cast<size_t>(graph.shape(watched[0].before).count());
    for (const size_t label : prepared.labels) {
      if (label >= classes)
        return Diagnostic{"E420",
                          {.file = prepared.model.facts.path},
                          cat("label ", label, " lies outside of the first output, which has ", classes, " elements"),
                          "labels count from 0"};
    }
    const Result<Accuracy> accuracy =
        measure_accuracy(before, *network, watched[0], prepared.labelled, prepared.labels);
    if (!accuracy) return accuracy.faults();
    result.accuracy = *accuracy;
  }
  size_t next = 0;
  for (size_t i = 0; i < graph.outputs.size(); ++i) {
    if (!is_activation(graph, graph.outputs[i])) continue;
    const Noise& n = (*noise)[next++];
    result.outputs.push_back({prepared.model.facts.outputs[i], n.db(),
                              static_cast<double>(n.agreeing) / static_cast<double>(std::max<size_t>(1, n.samples)),
                              n.worst_db, n.worst_sample, graph.shape(graph.outputs[i]).count()});
  }
  for (size_t r = 0; r < rows.size(); ++r) {
    const graph::Node& node = graph.nodes[rows[r]];
    const auto group = static_cast<size_t>(scheme.group[node.outputs[0].pos()]);
    const Codes& codes = quantisation.codes[group];
    result.layers.push_back({name_of(graph, node),
                             node.op,
                             bits_of(quantisation, rows[r]),
                             (*noise)[outputs + r].db(),
                             seen[group].extremes(),
                             {codes.number(codes.least()), codes.number(codes.most())},
                             seen[group].histogram(kBars)});
  }
  std::stable_sort(result.layers.begin(), result.layers.end(),
                   [](const LayerRow& a, const LayerRow& b) { return a.snr_db < b.snr_db; });
  return Done{};
}

}  // namespace

Result<Quantised> quantize(const Options& options) {
  std::map<std::string, int64_t> dims;
  Result<Prepared> prepared = prepare(options, dims);
  if (!prepared) return prepared.faults();
  graph::Graph& graph = prepared->model.graph;
  // No kernel adds up 16-bit codes and gives floats.
  const Scheme scheme = make_scheme(graph, options.open_outputs && options.activation_bits == 8, options.floats);
  if (scheme.groups == 0)
    return Diagnostic{"E421",
                      {.file = options.model_path},
                      "there is nothing in it that integer kernels could take",
                      "float32 networks of layers, sums, pools and functions can be quantised"};
  std::vector<ValueId> taps = values_with_codes(graph, scheme);
  for (const ValueId id : graph.outputs) {
    if (is_activation(graph, id) && !scheme.has_codes(id)) taps.push_back(id);
  }
  Result<Network> network = Network::make(graph, prepared->model.facts, taps);
  if (!network) return network.faults();
  if (options.equalise) {
    const Result<Done> equalised = equalise(graph, scheme, *network, prepared->samples);
    if (!equalised) return equalised.faults();
  }
  Quantisation quantisation;
  quantisation.known_bits = options.activation_bits;
  quantisation.recurrent = recurrent_layers(graph, scheme, options);
  const Result<std::vector<Observed>> seen =
      observe(graph, scheme, *network, prepared->samples, options.model_path, quantisation);
  if (!seen) return seen.faults();
  Quantised result;
  result.samples = prepared->samples.size();
  result.inputs.assign(prepared->samples.begin(),
                       prepared->samples.begin() + static_cast<std::ptrdiff_t>(std::min(kHandedOver, result.samples)));
  for (const size_t layer : scheme.layers) result.names.push_back(name_of(graph, graph.nodes[layer]));
  for (const size_t layer : quantisation.recurrent) result.recurrent.push_back(graph.nodes[layer].name);
  result.files = prepared->files;
  result.warnings = prepared->model.notices;
  const Diagnostics told =
      tell_of_scheme(graph, prepared->samples.size(), scheme, *seen, quantisation.recurrent, options);
  result.warnings.insert(result.warnings.end(), told.begin(), told.end());

  Result<std::vector<Codes>> codes = choose_codes(*prepared, scheme, *seen, *network, quantisation, options);
  if (!codes) return codes.faults();
  quantisation.codes = std::move(*codes);
  Result<std::map<size_t, int>> bits = choose_bits(graph, scheme, options);
  if (!bits) return bits.faults();
  quantisation.bits = std::move(*bits);
  const Trial trial{graph, prepared->model.facts, scheme, *network, prepared->samples};
  Result<std::map<size_t, LayerCodes>> layers =
      choose_weights(trial, quantisation, options.round_by_sums, options.correct_bias);
  if (!layers) return layers.faults();
  quantisation.layers = std::move(*layers);
  std::vector<ValueId> floats;
  const graph::Graph rewritten = rewrite(graph, scheme, quantisation, &floats);
  const Result<model::Model> model = to_model(rewritten, prepared->model.facts);
  if (!model) return model.faults();
  Result<std::string> bytes = model::save_onnx(*model);
  if (!bytes) return bytes.faults();
  result.bytes = std::move(*bytes);

  const Result<Done> measured = measure(*prepared, scheme, *network, rewritten, floats, quantisation, *seen, result);
  if (!measured) return measured.faults();
  const Result<verify::Scratch> scratch = verify::Scratch::make();
  if (!scratch) return scratch.faults();
  const std::string file = *scratch / "quantised.onnx";
  if (!verify::write_file(file, result.bytes))
    return Diagnostic{"E401", {}, "the scratch folder cannot be written", {}};
  const Result<Cost> cost = measure_cost(options.model_path, file, dims, result.recurrent);
  if (!cost) return cost.faults();
  result.cost = *cost;
  tell_of_floats(cost->floats, graph, scheme, options.model_path, result.warnings);
  return result;
}

}  // namespace tarn::quantize
