#include "report/line_time.h"

#include <algorithm>

#include "program/operands.h"
#include "report/stream_figures.h"

namespace tarn::report {

using program::Argument;
using stream::Actor;

timing::LineCallOf timed_call(const Analysis& analysis, const emit::LineKernelCall& call) {
  const program::Operation& operation = analysis.program[call.operation];
  timing::LineCallOf made{emit::function_of(analysis, call), emit::kernel_of(analysis, call),
                          emit::line_parameters(analysis, call)};
  // A kernel of constants alone has none.
  if (const program::TensorId first = source_operand(operation).tensor; first.valid()) {
    made.parameters["line_pixels"] = analysis.program[first].geometry.pixels;
  }
  return made;
}

timing::Terms driver_terms(const std::string& target, const emit::LineStep& step) {
  timing::Terms terms;
  for (const auto& [name, count] : step.terms) {
    if (name.starts_with("quotient_") && timing::core_of(target).divides) continue;
    terms.push_back({name, static_cast<double>(count)});
  }
  return terms;
}

namespace {

// Whose time a step's own work is.
program::OperationId layer_of(const Analysis& analysis, const Actor& actor) {
  if (actor.line_buffer) return actor.operations[actor.line_buffer->mid];
  if (!actor.operations.empty()) return actor.operations.front();
  const bool feed = actor.what == Actor::What::feed;
  const auto moves = [&](program::OperationId id) {
    const std::vector<Argument>& all = analysis.program[id].arguments;
    return std::any_of(all.begin(), all.end(), [&](const Argument& a) {
      return a.tensor == actor.tensor && (feed ? a.role == Argument::Role::read : a.role == Argument::Role::write);
    });
  };
  const std::vector<program::OperationId> layers = operations_of(*analysis.stream);
  const auto at = std::find_if(layers.begin(), layers.end(), moves);
  return at != layers.end() ? *at : feed ? layers.front() : layers.back();
}

}  // namespace

std::map<program::OperationId, timing::Prediction> line_times(const Analysis& analysis, const std::string& target) {
  std::map<program::OperationId, timing::Prediction> times;
  std::map<emit::LineKernelCall, int64_t> calls;
  std::map<program::OperationId, std::map<std::string, int64_t>> work;
  for (const emit::LineStep& step : emit::line_steps(analysis)) {
    for (const emit::LineKernelCall& call : step.calls) ++calls[call];
    std::map<std::string, int64_t>& own =
        work[layer_of(analysis, analysis.stream->actors[static_cast<size_t>(step.actor)])];
    for (const auto& [term, count] : step.terms) own[term] += count;
  }
  const auto add = [&](program::OperationId id, const timing::Prediction& found, int64_t count) {
    times.try_emplace(id, timing::Prediction{timing::Cost{}, 0, 0, "", {}})
        .first->second.add(found, static_cast<double>(count));
  };
  for (const auto& [call, count] : calls)
    add(call.operation, timing::predict_line(target, timed_call(analysis, call)), count);
  for (const auto& [id, terms] : work)
    add(id, timing::predict_terms(target, timing::kLineDriver, driver_terms(target, {0, {}, terms})), 1);
  return times;
}

}  // namespace tarn::report
