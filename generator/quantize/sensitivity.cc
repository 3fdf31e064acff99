#include "quantize/sensitivity.h"

#include <algorithm>
#include <memory>

#include "model/save_onnx.h"
#include "quantize/choose_weights.h"
#include "quantize/measure.h"
#include "quantize/observe.h"
#include "quantize/prepare.h"
#include "quantize/rewrite.h"
#include "quantize/tuning.h"
#include "support/progress.h"
#include "support/text.h"

namespace tarn::quantize {

using graph::ValueId;

struct Bench::State {
  Options options;
  Prepared prepared;
  Network network, outputs;  // what all schemes ask for, and the outputs alone
  // Layers that may have any form, and what was seen of each value in the schemes of 8 and of 16 bits.
  std::vector<size_t> layers;
  std::map<ValueId, Observed> seen;
  std::set<size_t> recurrent;

  const graph::Graph& graph() const { return prepared.model.graph; }

  // Codes of each group of the scheme: what is seen of one of its values is seen of all.
  void set_codes(const Scheme& scheme, Quantisation& q) const {
    const int bits = options.activation_bits, other = bits == 8 ? 16 : 8;
    const RangeMethod method = options.range == RangeMethod::automatic ? RangeMethod::mse : options.range;
    const auto codes = [&](const Observed& one, int width) {
      const CodeOptions form{width, options.symmetric || width > 8, options.percentile};
      return codes_of(find_range(one, width > 8 ? RangeMethod::minmax : method, form), form);
    };
    q.codes.assign(static_cast<size_t>(scheme.groups), Codes{1, 0, bits});
    q.others.assign(q.codes.size(), Codes{1, 0, other});
    for (const auto& [id, observed] : seen) {
      if (!scheme.has_codes(id)) continue;
      const auto group = static_cast<size_t>(scheme.group[id.pos()]);
      q.codes[group] = codes(observed, bits);
      q.others[group] = codes(observed, other);
    }
    for (const auto& [group, known] : codes_of_file(graph(), scheme)) (bits == 8 ? q.codes : q.others)[group] = known;
  }
};

Result<Bench> Bench::open(const Options& options) {
  Options all = options;
  all.forms.emplace("", kInt16);  // the opset of any form
  Result<Prepared> prepared = prepare(all);
  if (!prepared) return prepared.faults();
  graph::Graph& graph = prepared->model.graph;
  if (const Result<Done> named = check_names(graph, options); !named) return named.faults();
  const Scheme codes_alone = make_scheme(graph, {.open_outputs = options.open_outputs});
  SchemeOptions fixed = scheme_options(options);
  const Scheme base = make_scheme(graph, fixed);
  for (const size_t layer : base.layers) fixed.wide.insert(name_of(graph, graph.nodes[layer]));
  const Scheme wide = make_scheme(graph, fixed);
  Result<Network> network =
      Network::make(graph, prepared->model.facts, values_to_watch(graph, {&codes_alone, &base, &wide}));
  if (!network) return network.faults();
  if (options.equalise && prepared->model.kept.empty()) {
    const Result<bool> equalised = equalise(graph, codes_alone, *network, prepared->samples);
    if (!equalised) return equalised.faults();
  }
  std::vector<ValueId> judged;
  for (const Judged& one : judged_values(graph)) judged.push_back(one.value);
  Result<Network> outputs = Network::make(graph, prepared->model.facts, judged);
  if (!outputs) return outputs.faults();
  auto state = std::make_shared<State>(
      State{options, std::move(*prepared), std::move(*network), std::move(*outputs), {}, {}, {}});
  for (const Scheme* scheme : {&wide, &base}) {
    Quantisation unused;
    const Result<Seen> seen =
        observe(state->graph(), *scheme, state->network, state->prepared.samples, options.model_path, unused);
    if (!seen) return seen.faults();
    for (const ValueId id : values_with_codes(state->graph(), *scheme))
      state->seen.insert_or_assign(id, seen->all[static_cast<size_t>(scheme->group[id.pos()])]);
  }
  for (const size_t layer : base.layers) {
    const graph::Node& node = state->graph().nodes[layer];
    const bool named = std::any_of(options.forms.begin(), options.forms.end(),
                                   [&](const auto& form) { return is_named(state->graph(), node, {form.first}); });
    if (!named) state->layers.push_back(layer);
  }
  Bench bench;
  bench.state_ = std::move(state);
  return bench;
}

Result<std::vector<Sensitivity>> Bench::sensitivities() const {
  const State& s = *state_;
  const graph::Graph& graph = s.graph();
  const std::vector<Sample> samples = draw(s.prepared.samples, kMostJudging, s.options.seed);
  const std::vector<Judged> judged = judged_values(graph);
  std::vector<Sensitivity> rows;
  for (const size_t layer : s.layers) {
    const graph::Node& node = graph.nodes[layer];
    Sensitivity row{
        name_of(graph, node), node.op, graph.shape(node.inputs[1]).count(), graph.shape(node.outputs[0]).count(), {}};
    for (size_t f = 0; f < kForms.size(); ++f) {
      const LayerForm form = kForms[f];
      if (form == kFloat32) continue;
      note_progress("trying each layer alone", rows.size());
      SchemeOptions alone = scheme_options(s.options);
      alone.alone = layer;
      (form.floats() ? alone.floats : form.numbers == 16 ? alone.wide : alone.narrow).insert(row.name);
      const Scheme scheme = make_scheme(graph, alone);
      Quantisation q;
      s.set_codes(scheme, q);
      q.bits[layer] = form.weights;
      if (form.floats()) q.halves = {layer};
      const bool by_sums = form.weights < 8 && s.options.round_by_sums;
      Result<std::map<size_t, LayerCodes>> weights =
          weights_in_one_way({graph, s.prepared.model.facts, scheme, s.network, samples, &s.prepared.model.kept}, q,
                             by_sums, by_sums && s.options.correct_bias);
      if (!weights) return weights.faults();
      q.layers = std::move(*weights);
      const Result<double> noise = noise_of({graph, s.prepared.model.facts, scheme, s.outputs, samples}, q, judged);
      if (!noise) return noise.faults();
      row.noise[f] = *noise;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Options with_forms(Options options, const std::vector<Sensitivity>& layers, const Forms& forms) {
  for (size_t l = 0; l < layers.size(); ++l) {
    if (kForms[forms[l]] != LayerForm{options.weight_bits, options.activation_bits})
      options.forms[layers[l].name] = kForms[forms[l]];
  }
  return options;
}

std::string options_text(const Options& options) {
  std::string text, forms;
  if (options.weight_bits != 8) text += cat("--weight-bits ", options.weight_bits, " ");
  if (options.activation_bits != 8) text += cat("--activation-bits ", options.activation_bits, " ");
  for (const auto& [name, form] : options.forms) forms += cat(forms.empty() ? "" : ",", name, "=", word_of(form));
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:=,-+@%";
  if (forms.find_first_not_of(kPlain) != std::string::npos) {
    std::string quoted = "'";
    for (const char c : forms) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    forms = quoted + "'";
  }
  if (!forms.empty()) text += "--layer-bits " + forms;
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

Result<Footprint> Bench::plan(const std::vector<Sensitivity>& layers, const Forms& forms) const {
  const State& s = *state_;
  const graph::Graph& graph = s.graph();
  const Options options = with_forms(s.options, layers, forms);
  const Scheme scheme = make_scheme(graph, scheme_options(options));
  Quantisation q;
  s.set_codes(scheme, q);
  q.bits = weight_bits(graph, scheme, options);
  q.halves = half_layers(graph, options);
  q.recurrent = recurrent_layers(graph, scheme, options);
  Result<std::map<size_t, LayerCodes>> weights = weights_in_one_way(
      {graph, s.prepared.model.facts, scheme, s.network, s.prepared.samples, &s.prepared.model.kept}, q, false, false);
  if (!weights) return weights.faults();
  q.layers = std::move(*weights);
  std::vector<ValueId> floats;
  const Result<model::Model> model = to_model(rewrite(graph, scheme, q, &floats), s.prepared.model.facts);
  if (!model) return model.faults();
  Result<std::string> bytes = model::save_onnx(*model);
  if (!bytes) return bytes.faults();
  std::vector<std::string> recurrent;
  for (const size_t layer : q.recurrent) recurrent.push_back(graph.nodes[layer].name);
  return measure_plan(
      {options.model_path, std::make_shared<const std::string>(std::move(*bytes)), {}, recurrent, options.target});
}

}  // namespace tarn::quantize
