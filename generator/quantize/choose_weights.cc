#include "quantize/choose_weights.h"

#include <algorithm>
#include <cmath>

#include "quantize/measure.h"
#include "quantize/samples.h"
#include "quantize/tuning.h"
#include "support/progress.h"

namespace tarn::quantize {

using graph::Graph;
using graph::ValueId;

namespace {

struct Way {
  bool round_by_sums = true, correct_bias = true;
};
using Layers = std::map<size_t, LayerCodes>;

int64_t windows_of(const LayerShape& shape, size_t samples) {
  const int64_t all = std::clamp<int64_t>(kWindowsOfANumber * shape.length, kFewestWindows, kMostWindows);
  return std::max<int64_t>(4, (all + static_cast<int64_t>(samples) - 1) / static_cast<int64_t>(samples));
}

// As they are in the file.
LayerCodes kept_codes(const KeptWeights& kept, const graph::Node& node, const LayerShape& shape,
                      const std::vector<float>& bias) {
  LayerCodes codes;
  const std::vector<float> rows = rows_of(kept.codes, node);
  codes.codes.assign(rows.begin(), rows.end());
  for (int64_t c = 0; c < shape.channels; ++c)
    codes.scale.push_back(static_cast<float>(kept.scale.real(kept.scale.count() == 1 ? 0 : c % kept.scale.count())));
  codes.bias.assign(bias.begin(), bias.end());
  codes.bias.resize(static_cast<size_t>(shape.channels), 0);
  return codes;
}

LayerCodes weights_of(const Graph& graph, const graph::Uses& uses, size_t layer, const LayerMoments& moments,
                      float step, WeightOptions options, const Kept* kept) {
  const graph::Node& node = graph.nodes[layer];
  const LayerShape shape = shape_of(graph, node);
  const Constant& weights = *graph.constant(node.inputs[1]);
  std::vector<float> bias;
  if (node.has_input(2)) {
    bias.resize(static_cast<size_t>(shape.channels));
    graph.constant(node.inputs[2])->read(0, bias);
  }
  const auto found = kept ? kept->find(&weights) : Kept::const_iterator();
  if (kept && found != kept->end() && options.bits == 8) return kept_codes(found->second, node, shape, bias);
  const int64_t scales = shape.transposed ? weights.shape()[1] : shape.channels;
  options.correct_bias = options.correct_bias && takes_bias(graph, uses, layer);
  return quantise_layer(shape, rows_of(weights, node), bias, moments, scales, step, options);
}

// The weights of all layers in each of the ways.
Result<std::vector<Layers>> weights_by(const std::vector<Way>& ways, const Trial& trial,
                                       const Quantisation& quantisation) {
  const Graph& graph = trial.graph;
  const Scheme& scheme = trial.scheme;
  const graph::Uses uses = graph::find_uses(graph);
  const auto codes_of_input = [&](size_t layer) -> const Codes& {
    return quantisation.of(scheme.group[graph.nodes[layer].inputs[0].pos()], scheme.width[layer]);
  };
  const bool seen =
      std::any_of(ways.begin(), ways.end(), [](const Way& way) { return way.round_by_sums || way.correct_bias; });
  const bool single = trial.samples.size() == 1;
  std::vector<Layers> made(ways.size());
  for (size_t first = 0; first < scheme.layers.size();) {
    std::map<size_t, MomentGatherer> gatherers;
    size_t end = first;
    for (int64_t bytes = 0; end < scheme.layers.size(); ++end) {
      const size_t layer = scheme.layers[end];
      const LayerShape shape = shape_of(graph, graph.nodes[layer]);
      if (shape.transposed || !seen) continue;
      bytes += MomentGatherer::bytes(shape);
      if (bytes > kMostMoments && !gatherers.empty()) break;
      gatherers.emplace(layer, MomentGatherer(shape, codes_of_input(layer), windows_of(shape, trial.samples.size())));
    }
    if (!gatherers.empty()) {
      const Result<Done> run = trial.network.run(trial.samples, [&](size_t, const Values& values) {
        for (auto& [layer, gatherer] : gatherers) gatherer.add(values.at(graph.nodes[layer].inputs[0]), single);
      });
      if (!run) return run.faults();
    }
    for (; first < end; ++first) {
      const size_t layer = scheme.layers[first];
      note_progress("rounding weights", layer);
      const auto found = gatherers.find(layer);
      LayerMoments moments;
      if (found != gatherers.end()) moments = found->second.finish();
      gatherers.erase(layer);
      for (size_t w = 0; w < ways.size(); ++w)
        made[w][layer] =
            weights_of(graph, uses, layer, moments, codes_of_input(layer).scale,
                       {bits_of(quantisation, layer), ways[w].round_by_sums, ways[w].correct_bias}, trial.kept);
    }
  }
  return made;
}

}  // namespace

bool is_small(const Trial& trial) {
  int64_t weights = 0;
  for (const size_t layer : trial.scheme.layers)
    weights += trial.graph.shape(trial.graph.nodes[layer].inputs[1]).count();
  return trial.network.macs() <= kMostMacs && weights <= kMostWeights;
}

Result<double> noise_of(const Trial& trial, const Quantisation& quantisation, const std::vector<Judged>& values) {
  std::vector<ValueId> floats;
  const Graph graph = rewrite(trial.graph, trial.scheme, quantisation, &floats);
  std::vector<Watched> watched;
  std::vector<ValueId> taps;
  for (const Judged& one : values) {
    watched.push_back({one.value, floats[one.value.pos()], one.scores});
    if (std::find(taps.begin(), taps.end(), watched.back().after) == taps.end()) taps.push_back(watched.back().after);
  }
  const Result<Network> network = Network::make(graph, trial.facts, taps);
  if (!network) return network.faults();
  const auto affordable = static_cast<size_t>(kMostJudgedMacs / std::max<int64_t>(1, trial.network.macs()));
  const size_t few = std::min(kFewJudged, trial.samples.size());
  const std::vector<Sample> some = judging(trial.samples, std::max(few, std::min(kMostJudged, affordable)));
  const Result<std::vector<Noise>> noise = measure_noise(trial.network, *network, watched, some);
  if (!noise) return noise.faults();
  double sum = 0;
  for (const Noise& one : *noise) sum += one.signal > 0 ? one.noise / one.signal : 0;
  return sum;
}

Result<Layers> weights_in_one_way(const Trial& trial, const Quantisation& quantisation, bool round_by_sums,
                                  bool correct_bias) {
  Result<std::vector<Layers>> made = weights_by({{round_by_sums, correct_bias}}, trial, quantisation);
  if (!made) return made.faults();
  return std::move(made->front());
}

Result<Layers> choose_weights(const Trial& trial, const Quantisation& quantisation, bool round_by_sums,
                              bool correct_bias) {
  std::vector<Way> ways{{round_by_sums, correct_bias}};
  const std::vector<Judged> outputs = judged_values(trial.graph);
  if (!outputs.empty() && is_small(trial)) {
    if (round_by_sums) ways.push_back({false, correct_bias});
    if (correct_bias) ways.push_back({false, false});
  }
  Result<std::vector<Layers>> made = weights_by(ways, trial, quantisation);
  if (!made || made->size() == 1) return made ? Result<Layers>(std::move(made->front())) : made.faults();
  size_t best = 0;
  double least = -1;
  for (size_t w = 0; w < made->size(); ++w) {
    Quantisation with = quantisation;
    with.layers = (*made)[w];
    const Result<double> noise = noise_of(trial, with, outputs);
    if (!noise) return noise.faults();
    if (least >= 0 && !(*noise < least)) continue;
    least = *noise;
    best = w;
  }
  return std::move((*made)[best]);
}

}  // namespace tarn::quantize
