#include "quantize/outcome.h"

#include <algorithm>

#include "model/save_onnx.h"
#include "quantize/tuning.h"
#include "support/text.h"

namespace tarn::quantize {

namespace {

using graph::ValueId;

// One vector for a run, and none that an input's elements come back in.
bool is_vector(const graph::Graph& graph, ValueId output) {
  const Shape& shape = graph.shape(output);
  return shape.rank() > 0 && shape[shape.rank() - 1] == shape.count() &&
         std::none_of(graph.inputs.begin(), graph.inputs.end(),
                      [&](ValueId input) { return graph.shape(input).count() == shape.count(); });
}

// The float network with the inputs that the options fix; nothing where its file is as good.
Result<std::shared_ptr<const std::string>> with_constants(const Options& options, const Prepared& prepared) {
  if (options.constants.empty()) return std::shared_ptr<const std::string>();
  const Result<model::Model> model = to_model(prepared.model.graph, prepared.model.facts);
  if (!model) return model.faults();
  Result<std::string> bytes = model::save_onnx(*model);
  if (!bytes) return bytes.faults();
  return std::make_shared<const std::string>(std::move(*bytes));
}

}  // namespace

std::vector<OutputRow> output_rows(const Prepared& prepared, const std::vector<Noise>& noise) {
  const graph::Graph& graph = prepared.model.graph;
  std::vector<OutputRow> rows;
  for (size_t i = 0; i < graph.outputs.size(); ++i) {
    if (!is_activation(graph, graph.outputs[i])) continue;
    const Noise& n = noise[rows.size()];
    const Shape& shape = graph.shape(graph.outputs[i]);
    rows.push_back({prepared.model.facts.outputs[i], n.noise / std::max(n.signal, 1e-300), n.db(),
                    static_cast<double>(n.agreeing) / static_cast<double>(std::max<size_t>(1, n.samples)), n.worst_db,
                    n.worst_sample, shape.count(), is_vector(graph, graph.outputs[i])});
  }
  return rows;
}

Result<Accuracy> accuracy_of(const Prepared& prepared, const Network& before, const Network& after,
                             const std::vector<Watched>& watched, size_t outputs) {
  const graph::Graph& graph = prepared.model.graph;
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
  return measure_accuracy(before, after, watched[0], prepared.labelled, prepared.labels);
}

std::vector<Sample> first_samples(const Prepared& prepared) {
  const size_t count = std::min(kHandedOver, prepared.samples.size());
  return {prepared.samples.begin(), prepared.samples.begin() + static_cast<std::ptrdiff_t>(count)};
}

Result<Done> measure_cost(const Options& options, const Prepared& prepared, Quantised& result) {
  const Result<std::shared_ptr<const std::string>> floats_as = with_constants(options, prepared);
  if (!floats_as) return floats_as.faults();
  const auto held = std::make_shared<const std::string>(result.bytes);
  const Result<Footprint> was = measure_plan({options.model_path, *floats_as, prepared.dims, {}, options.target});
  if (!was) return was.faults();
  const Result<Footprint> is =
      measure_plan({options.model_path, held, {}, result.recurrent, options.target}, &result.cost.floats);
  if (!is) return is.faults();
  result.cost.before = *was;
  result.cost.after = *is;
  return Done{};
}

}  // namespace tarn::quantize
