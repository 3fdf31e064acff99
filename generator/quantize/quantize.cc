#include "quantize/quantize.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "graph/graph.h"
#include "model/save_onnx.h"
#include "quantize/choose_ranges.h"
#include "quantize/choose_weights.h"
#include "quantize/correct_outputs.h"
#include "quantize/dynamic.h"
#include "quantize/observe.h"
#include "quantize/outcome.h"
#include "quantize/rewrite.h"
#include "quantize/tell.h"
#include "quantize/tuning.h"
#include "support/progress.h"
#include "support/text.h"

namespace tarn::quantize {

namespace {

using graph::ValueId;

// The first is that of `--ranges`, or of the extremes.
std::vector<Codes> codes_by_method(const Observed& seen, const CodeOptions& form, const Options& options) {
  if (options.range != RangeMethod::automatic) return {codes_of(find_range(seen, options.range, form), form)};
  CodeOptions usual = form, narrow = form;
  usual.expected = narrow.expected = true;
  narrow.percentile = kNarrow;
  std::vector<Codes> codes;
  for (const RangeMethod method : {RangeMethod::minmax, RangeMethod::mse, RangeMethod::percentile})
    codes.push_back(codes_of(find_range(seen, method, usual), form));
  codes.push_back(codes_of(find_range(seen, RangeMethod::percentile, narrow), form));
  codes.push_back(codes_of(find_range(seen, RangeMethod::entropy, usual), form));
  return codes;
}

// Scales of tensors that have the same bounds are set apart by less than codes show: sums times the short scales of
// weights would lie on ties of rounding between two tensors of one scale, where engines differ.
void set_apart(std::vector<Codes>& some, size_t group) {
  constexpr size_t kApart = 61;  // in the last of 16 bits: at most a five hundredth
  for (Codes& codes : some) {
    int exponent = 0;
    const auto place = std::ldexp(std::frexp(codes.scale, &exponent), 16) + static_cast<float>(group % kApart);
    if (codes.scale != 1) codes.scale = scale_above(std::ldexp(static_cast<double>(place), exponent - 16));
  }
}

std::vector<Candidates> code_candidates(const graph::Graph& graph, const Scheme& scheme, const Seen& seen,
                                        const Options& options) {
  std::vector<Candidates> codes(seen.all.size());
  const CodeOptions form{options.activation_bits, options.symmetric || options.activation_bits > 8, options.percentile};
  for (size_t g = 0; g < codes.size(); ++g) {
    note_progress("choosing ranges", g);
    codes[g].codes = codes_by_method(seen.all[g], form, options);
    for (const std::vector<Observed>& others : seen.without)
      codes[g].without.push_back(codes_by_method(others[g], form, options));
    set_apart(codes[g].codes, g);
    for (std::vector<Codes>& some : codes[g].without) set_apart(some, g);
  }
  for (const auto& [group, known] : codes_of_file(graph, scheme)) {
    if (form.bits == 8) codes[group] = {{known}, {}};
  }
  // Probabilities have a scale of their own, which kernels know.
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    if (scheme.kinds[i] != Kind::softmax || !scheme.has_codes(graph.nodes[i].outputs[0])) continue;
    const auto group = static_cast<size_t>(scheme.group[graph.nodes[i].outputs[0].pos()]);
    const Range range = seen.all[group].extremes();
    if (graph[graph.nodes[i].outputs[0]].codes) continue;
    if (range.lo >= 0 && range.hi <= 1 && !form.symmetric) codes[group] = {{{0x1p-8f, -128, 8}}, {}};
  }
  return codes;
}

// Of the other width: the range of 16 bits is what was seen, however far numbers stick out.
std::vector<Codes> codes_of_other_width(const std::vector<Observed>& seen, const Options& options) {
  std::vector<Codes> codes;
  const int bits = options.activation_bits == 8 ? 16 : 8;
  const CodeOptions form{bits, options.symmetric || bits > 8, options.percentile,
                         options.range == RangeMethod::automatic};
  const bool extremes = bits > 8 || options.range == RangeMethod::automatic;
  for (const Observed& one : seen)
    codes.push_back(codes_of(find_range(one, extremes ? RangeMethod::minmax : options.range, form), form));
  return codes;
}

Result<std::vector<Codes>> choose_codes(const Trial& trial, const Seen& seen, const Quantisation& start,
                                        const Options& options) {
  const std::vector<Candidates> candidates = code_candidates(trial.graph, trial.scheme, seen, options);
  Quantisation from = start;
  for (const Candidates& some : candidates) from.codes.push_back(some.codes[0]);
  if (options.range != RangeMethod::automatic) return from.codes;
  return choose_by_outputs(trial, candidates, from);
}

// The network in codes, with its channels as they are or made alike.
struct Made {
  graph::Graph graph;
  Network network;
  Seen seen;
  Quantisation quantisation;
};

Result<Made> make(graph::Graph graph, Network network, const Prepared& prepared, const Scheme& scheme,
                  const Options& options) {
  Made made{std::move(graph), std::move(network), {}, {}};
  Quantisation& q = made.quantisation;
  q.bits = weight_bits(made.graph, scheme, options);
  q.halves = half_layers(made.graph, options);
  q.recurrent = recurrent_layers(made.graph, scheme, options);
  Result<Seen> seen = observe(made.graph, scheme, made.network, prepared.samples, options.model_path, q);
  if (!seen) return seen.faults();
  made.seen = std::move(*seen);
  q.others = codes_of_other_width(made.seen.all, options);
  const Trial trial{made.graph, prepared.model.facts, scheme, made.network, prepared.samples, &prepared.model.kept};
  Result<std::vector<Codes>> codes = choose_codes(trial, made.seen, q, options);
  if (!codes) return codes.faults();
  q.codes = std::move(*codes);
  Result<std::map<size_t, LayerCodes>> layers = choose_weights(trial, q, options.round_by_sums, options.correct_bias);
  if (!layers) return layers.faults();
  q.layers = std::move(*layers);
  if (!options.correct_bias) return made;
  if (const Result<Done> corrected = correct_outputs(trial, q); !corrected) return corrected.faults();
  return made;
}

// What the outputs lose, before a Softmax or Sigmoid at their end.
Result<double> noise_of(const Made& made, const Prepared& prepared, const Scheme& scheme) {
  return noise_of(Trial{made.graph, prepared.model.facts, scheme, made.network, prepared.samples, nullptr},
                  made.quantisation, judged_values(made.graph));
}

// Channels that are made alike fill the ranges of their tensors and take steps from the weights behind them: a network
// that is small enough for it is made in both ways.
Result<Made> make_best(const Prepared& prepared, const Network& network, const Scheme& scheme,
                       const Scheme& codes_alone, const Options& options) {
  const graph::Graph& plain = prepared.model.graph;
  bool changed = false;
  graph::Graph even = plain;
  Network of_even = network;
  if (options.equalise && prepared.model.kept.empty()) {
    const Result<bool> equalised = equalise(even, codes_alone, of_even, prepared.samples);
    if (!equalised) return equalised.faults();
    changed = *equalised;
  }
  Result<Made> first = make(std::move(even), std::move(of_even), prepared, scheme, options);
  const Trial trial{plain, prepared.model.facts, scheme, network, prepared.samples, nullptr};
  if (!first || !changed || !is_small(trial) || judged_values(plain).empty()) return first;
  Result<Made> second = make(plain, network, prepared, scheme, options);
  if (!second) return second;
  const Result<double> noise = noise_of(*first, prepared, scheme), other = noise_of(*second, prepared, scheme);
  if (!noise) return noise.faults();
  if (!other) return other.faults();
  return *other < *noise ? second : first;
}

// Outputs first, then the tensors that layers end in.
Result<Done> measure(const Prepared& prepared, const Scheme& scheme, const Network& before, const graph::Graph& after,
                     const std::vector<ValueId>& floats, const Quantisation& quantisation,
                     const std::vector<Observed>& seen, Quantised& result) {
  const graph::Graph& graph = prepared.model.graph;
  std::vector<Watched> watched;
  std::vector<ValueId> taps;
  const auto watch = [&](ValueId id, int64_t scores = 0) {
    watched.push_back({id, floats[id.pos()], scores});
    if (std::find(taps.begin(), taps.end(), watched.back().after) == taps.end()) taps.push_back(watched.back().after);
  };
  for (const ValueId id : graph.outputs) {
    if (is_activation(graph, id)) watch(id);
  }
  const size_t outputs = watched.size();
  struct Row {
    size_t node = 0;
    ValueId value;
    LayerForm form;
  };
  std::vector<Row> rows;
  std::set<ValueId> told;  // steps that layers' kernels take in
  for (const LayerEnd& end : layer_ends(graph, scheme)) {
    rows.push_back({end.node, end.value,
                    end.codes ? LayerForm{bits_of(quantisation, end.node), scheme.width[end.node]}
                    : quantisation.halves.contains(end.node) ? kFloat16
                                                             : kFloat32});
    told.insert(end.value);
  }
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Kind kind = scheme.kinds[i];
    const ValueId out = graph.nodes[i].outputs.empty() ? ValueId() : graph.nodes[i].outputs[0];
    if (kind == Kind::other || kind == Kind::move || !scheme.has_codes(out) || told.contains(out)) continue;
    rows.push_back({i, out, scheme.width[i] == 16 ? kInt16 : kInt8});
  }
  for (const Row& row : rows) watch(row.value);
  const std::vector<Judged> judged = judged_values(graph);
  for (const Judged& one : judged) watch(one.value, one.scores);
  const Result<Network> network = Network::make(after, prepared.model.facts, taps);
  if (!network) return network.faults();
  const std::vector<Sample> some = draw(prepared.samples, kMostMeasured, 1);
  const Result<std::vector<Noise>> noise = measure_noise(before, *network, watched, some);
  if (!noise) return noise.faults();
  if (!prepared.labels.empty()) {
    const Result<Accuracy> accuracy = accuracy_of(prepared, before, *network, watched, outputs);
    if (!accuracy) return accuracy.faults();
    result.accuracy = *accuracy;
  }
  result.outputs = output_rows(prepared, *noise);
  for (size_t r = 0; r < rows.size(); ++r) {
    const graph::Node& node = graph.nodes[rows[r].node];
    LayerRow row{name_of(graph, node), node.op, rows[r].form, (*noise)[outputs + r].db(), {}, {}, {}};
    if (const ValueId value = rows[r].value; scheme.has_codes(value)) {
      const auto group = static_cast<size_t>(scheme.group[value.pos()]);
      const Codes& codes = quantisation.of(scheme.group[value.pos()], scheme.made[value.pos()]);
      row.seen = seen[group].extremes();
      row.codes = {codes.number(codes.least()), codes.number(codes.most())};
      row.histogram = seen[group].histogram(kBars);
    }
    result.layers.push_back(std::move(row));
  }
  for (size_t j = 0; j < judged.size(); ++j) {
    const Noise& n = (*noise)[outputs + rows.size() + j];
    result.noise += n.signal > 0 ? n.noise / n.signal : 0;
  }
  std::stable_sort(result.layers.begin(), result.layers.end(),
                   [](const LayerRow& a, const LayerRow& b) { return a.snr_db < b.snr_db; });
  return Done{};
}

}  // namespace

Result<Quantised> quantize(const Options& options) {
  if (options.dynamic) return quantize_dynamically(options);
  Result<Prepared> prepared = prepare(options);
  if (!prepared) return prepared.faults();
  graph::Graph& graph = prepared->model.graph;
  if (const Result<Done> named = check_names(graph, options); !named) return named.faults();
  // Channels are made alike before forms are asked for: they are the same whatever those are.
  const Scheme codes_alone = make_scheme(graph, {.open_outputs = options.open_outputs});
  const Scheme scheme = make_scheme(graph, scheme_options(options));
  if (scheme.groups == 0)
    return Diagnostic{"E421",
                      {.file = options.model_path},
                      "there is nothing in it that integer kernels could take",
                      "float32 networks of layers, sums, pools and functions can be quantised"};
  Result<Network> network =
      Network::make(graph, prepared->model.facts, values_to_watch(graph, {&scheme, &codes_alone}));
  if (!network) return network.faults();
  Result<Made> made = make_best(*prepared, *network, scheme, codes_alone, options);
  if (!made) return made.faults();
  prepared->model.graph = std::move(made->graph);
  const std::vector<Observed>& seen = made->seen.all;
  const Quantisation& quantisation = made->quantisation;
  Quantised result;
  result.samples = prepared->samples.size();
  result.inputs = first_samples(*prepared);
  for (const size_t layer : scheme.layers) result.names.push_back(name_of(graph, graph.nodes[layer]));
  for (const size_t layer : scheme.layers)
    result.kept += prepared->model.kept.contains(graph.constant(graph.nodes[layer].inputs[1]));
  for (const size_t layer : quantisation.recurrent) result.recurrent.push_back(graph.nodes[layer].name);
  result.files = prepared->files;
  result.warnings = prepared->model.notices;
  const Diagnostics told =
      tell_of_scheme(graph, prepared->samples.size(), scheme, seen, quantisation.recurrent, options);
  result.warnings.insert(result.warnings.end(), told.begin(), told.end());

  std::vector<ValueId> floats;
  const graph::Graph rewritten = rewrite(graph, scheme, quantisation, &floats);
  const Result<model::Model> model = to_model(rewritten, prepared->model.facts);
  if (!model) return model.faults();
  Result<std::string> bytes = model::save_onnx(*model);
  if (!bytes) return bytes.faults();
  result.bytes = std::move(*bytes);

  const Result<Done> measured =
      measure(*prepared, scheme, made->network, rewritten, floats, quantisation, seen, result);
  if (!measured) return measured.faults();
  const Result<Done> cost = measure_cost(options, *prepared, result);
  if (!cost) return cost.faults();
  tell_of_floats(result.cost.floats, graph, scheme, options.model_path, result.warnings);
  return result;
}

}  // namespace tarn::quantize
