#include "quantize/correct_outputs.h"

#include <algorithm>
#include <set>

#include "quantize/common_error.h"
#include "quantize/measure.h"
#include "quantize/prepare.h"
#include "quantize/tuning.h"

namespace tarn::quantize {

namespace {

using graph::Graph;
using graph::Node;
using graph::ValueId;

// A layer, and where its sums are seen in both networks.
struct Last {
  size_t layer = 0;
  ValueId value;
  int axis = 1;                             // of its channels
  std::vector<std::vector<double>> errors;  // by sample and channel: the mean over all places
};

// Does the node hand on the numbers that come to it as they are, but for others that it adds?
bool hands_on(const Graph& graph, const Node& node) {
  static const std::set<std::string> moves = {"Reshape", "Flatten", "Squeeze", "Unsqueeze", "Transpose", "Slice"};
  if (!node.domain.empty() || node.outputs.size() != 1) return false;
  return moves.contains(node.op) || node.op == "Add" || (node.op == "Sub" && is_activation(graph, node.inputs[0]));
}

// Is `end` the layer's own tensor, but for known numbers that were added?
bool is_sum_of(const Graph& graph, const graph::Uses& uses, ValueId end, ValueId sum) {
  while (end != sum) {
    const std::optional<size_t>& producer = uses.producer[end.pos()];
    if (!producer) return false;
    const Node& node = graph.nodes[*producer];
    if (!node.domain.empty() || (node.op != "Add" && node.op != "Sub") || graph.shape(end) != graph.shape(sum))
      return false;
    if (graph.constant(node.inputs[1])) end = node.inputs[0];
    else if (graph.constant(node.inputs[0]) && node.op == "Add") end = node.inputs[1];
    else return false;
  }
  return true;
}

std::vector<Last> last_layers(const Trial& trial, const Quantisation& quantisation) {
  const Graph& graph = trial.graph;
  const graph::Uses uses = graph::find_uses(graph);
  std::set<ValueId> reached;
  std::vector<ValueId> open;
  for (const Judged& one : judged_values(graph)) open.push_back(one.value);
  while (!open.empty()) {
    const ValueId id = open.back();
    open.pop_back();
    if (!id || !reached.insert(id).second || !uses.producer[id.pos()]) continue;
    const Node& node = graph.nodes[*uses.producer[id.pos()]];
    if (!hands_on(graph, node)) continue;
    for (const ValueId input : node.inputs) {
      if (input && is_activation(graph, input)) open.push_back(input);
    }
  }
  std::vector<Last> last;
  for (const LayerEnd& end : layer_ends(graph, trial.scheme)) {
    const Node& node = graph.nodes[end.node];
    if (!end.codes || !reached.contains(end.value) || !quantisation.layers.contains(end.node)) continue;
    if (!is_sum_of(graph, uses, end.value, node.outputs[0]) || !takes_bias(graph, uses, end.node)) continue;
    if (trial.kept && trial.kept->contains(graph.constant(node.inputs[1]))) continue;
    const int axis = node.op == "MatMul" ? graph.shape(node.outputs[0]).rank() - 1 : 1;
    last.push_back({end.node, end.value, axis, {}});
  }
  return last;
}

void add_errors(const Shape& shape, const std::vector<float>& was, const std::vector<float>& is, Last& last) {
  const auto channels = static_cast<size_t>(shape[last.axis]),
             inner = static_cast<size_t>(shape.count(last.axis + 1, shape.rank()));
  std::vector<double>& sums = last.errors.emplace_back(channels, 0);
  for (size_t i = 0; i < was.size(); ++i)
    sums[i / inner % channels] += static_cast<double>(is[i]) - static_cast<double>(was[i]);
  const size_t each = was.size() / channels;
  for (double& sum : sums) sum /= static_cast<double>(each);
}

}  // namespace

Result<Done> correct_outputs(const Trial& trial, Quantisation& quantisation) {
  std::vector<Last> last = last_layers(trial, quantisation);
  if (last.empty() || trial.samples.size() < 2) return Done{};
  std::vector<ValueId> floats;
  const Graph graph = rewrite(trial.graph, trial.scheme, quantisation, &floats);
  std::vector<ValueId> taps;
  for (const Last& one : last) {
    const ValueId after = floats[one.value.pos()];
    if (std::find(taps.begin(), taps.end(), after) == taps.end()) taps.push_back(after);
  }
  const Result<Network> network = Network::make(graph, trial.facts, taps);
  if (!network) return network.faults();
  const size_t affordable = static_cast<size_t>(kMostCorrectingMacs / std::max<int64_t>(1, trial.network.macs()));
  const std::vector<Sample> samples(
      trial.samples.begin(),
      trial.samples.begin() + static_cast<std::ptrdiff_t>(
                                  std::min({trial.samples.size(), kMostCorrecting, std::max(affordable, 2 * kParts)})));
  std::vector<std::vector<std::vector<float>>> was(last.size());
  const Result<Done> run = trial.network.run(samples, [&](size_t, const Values& values) {
    for (size_t l = 0; l < last.size(); ++l) was[l].push_back(values.at(last[l].value));
  });
  if (!run) return run.faults();
  const Result<Done> again = network->run(samples, [&](size_t s, const Values& values) {
    for (size_t l = 0; l < last.size(); ++l)
      add_errors(trial.graph.shape(last[l].value), was[l][s], values.at(floats[last[l].value.pos()]), last[l]);
  });
  if (!again) return again.faults();
  for (const Last& one : last) {
    const std::vector<double> by = common_error(one.errors);
    std::vector<double>& bias = quantisation.layers.at(one.layer).bias;
    for (size_t c = 0; c < by.size(); ++c) bias[c] -= by[c];
  }
  return Done{};
}

}  // namespace tarn::quantize
