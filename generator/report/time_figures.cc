#include "report/time_figures.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "emit/fields.h"
#include "program/spread_forms.h"
#include "report/control_time.h"
#include "report/line_time.h"
#include "report/stream_figures.h"
#include "support/text.h"
#include "time/reason.h"

namespace tarn::report {

namespace {

constexpr double kMostOff = 5;  // percent

std::string not_modelled(const Analysis& analysis, const std::string& target) {
  if (analysis.stream && !timing::find_model(target, timing::kLineDriver))
    return "networks that run by lines are not modelled on this target";
  // Of a run-time dimension the largest size is told, as everywhere.
  if (!analysis.program.symbols.empty()) return "sizes known only at run time are not modelled";
  return unbounded_loop(analysis);
}

// Rounded for each step, so that the sum is that of the steps.
void add_step(const timing::Prediction& predicted, TimeFigures& figures) {
  StepTime step{std::llround(predicted.cost->instructions), {}, {}};
  figures.less += step.instructions - std::min<int64_t>(step.instructions, std::llround(predicted.least));
  figures.more += std::max<int64_t>(step.instructions, std::llround(predicted.most)) - step.instructions;
  if (const std::optional<double> cycles = timing::cycles_of(*predicted.cost, figures.memories))
    step.cycles = std::llround(*cycles);
  figures.modelled += step.instructions;
  if (figures.modelled_cycles && step.cycles) *figures.modelled_cycles += *step.cycles;
  else figures.modelled_cycles.reset();
  figures.steps.back() = step;
}

// What spreads constants out in the arena before the call.
void add_spreading(const program::Program& program, const program::Operation& operation, const std::string& target,
                   timing::Prediction& predicted) {
  if (!operation.staging || !operation.staging->made) return;
  for (const program::Staging::Part& part : operation.staging->parts) {
    const std::optional<program::Weight::Spread>& spread = program[part.weight].spread;
    if (spread)
      predicted.add(timing::predict(target, program::spreading_kernel(*spread), program::spread_parameters(*spread)));
  }
}

// Of each step when it runs once; nothing where its kernel is not modelled.
std::vector<timing::Prediction> predictions(const Analysis& analysis, const std::string& target,
                                            const std::vector<program::OperationId>& order) {
  std::map<program::OperationId, timing::Prediction> by_lines;
  if (analysis.stream) by_lines = line_times(analysis, target);
  std::vector<timing::Prediction> all;
  for (const program::OperationId id : order) {
    const program::Operation& operation = analysis.program[id];
    timing::Prediction& predicted = all.emplace_back(timing::Prediction{timing::Cost{}, 0, 0, "", {}});
    if (analysis.stream) {
      const auto found = by_lines.find(id);
      if (found != by_lines.end()) predicted = found->second;
    } else if (operation.control != program::Control::none) {
      predicted = control_prediction(analysis, target, operation);
    } else if (!operation.kernel.empty()) {
      predicted = timing::predict(target, operation.kernel, emit::call_parameters(analysis, operation));
      if (analysis.schedule.steps[all.size() - 1].parent >= 0) predicted.add(saved_inside(target));
      add_spreading(analysis.program, operation, target, predicted);
    }
  }
  return all;
}

// What decoding weights before a call takes; without any nothing. Where it is not known the cost is none.
std::optional<timing::Prediction> unpacking(const program::Program& program, const program::Operation& operation,
                                            const std::string& target) {
  if (!operation.staging || !program.codes.valid()) return {};
  std::optional<timing::Prediction> all;
  for (const program::Staging::Part& part : operation.staging->parts) {
    const program::Weight& weight = program[part.weight];
    if (weight.spread) continue;
    if (!all) all = timing::Prediction{timing::Cost{}, 0, 0, "", {}};
    all->add(weight.plain ? timing::predict(target, "tarn_unpack", weight.plain->work)
                          : timing::Prediction{{}, 0, 0, "kernel", {}});
  }
  return all;
}

std::string name_of_kernel(const program::Operation& operation) {
  if (operation.control == program::Control::loop) return timing::kLoop;
  if (operation.control == program::Control::branch) return timing::kBranch;
  return operation.kernel.substr(operation.kernel.starts_with("tarn_") ? 5 : 0);
}

}  // namespace

std::optional<TimeFigures> time_figures(const Analysis& analysis, const std::string& target) {
  const std::vector<timing::Model>& models = timing::models();
  if (std::none_of(models.begin(), models.end(), [&](const timing::Model& m) { return m.target == target; })) return {};
  TimeFigures figures;
  figures.target = target;
  figures.memories = analysis.options.memories;
  figures.why = not_modelled(analysis, target);
  if (!figures.why.empty()) return figures;
  figures.modelled_cycles = 0;
  const std::vector<program::OperationId> order = operations_in_order(analysis);
  std::vector<timing::Prediction> all = predictions(analysis, target, order);
  const bool controlled = std::any_of(order.begin(), order.end(), [&](program::OperationId id) {
    return analysis.program[id].control != program::Control::none;
  });
  std::set<size_t> without_decoder;
  for (size_t s = 0; s < order.size(); ++s) {
    const auto decoding = unpacking(analysis.program, analysis.program[order[s]], target);
    if (decoding && !decoding->cost) without_decoder.insert(s);
    if (decoding) all[s].add(*decoding);
  }
  std::optional<ControlTime> control;
  if (controlled) control = control_time(analysis, all);
  for (size_t s = 0; s < order.size(); ++s) {
    const program::Operation& operation = analysis.program[order[s]];
    figures.steps.emplace_back();
    if (!all[s].cost) {
      ++figures.missing_steps;
      figures.missing_macs += operation.macs;
      ++figures.missing[without_decoder.contains(s) ? "unpack" : name_of_kernel(operation)];
      continue;
    }
    const double times = control ? control->times[s] : 1;
    timing::Prediction predicted{timing::Cost{}, 0, 0, "", {}};
    predicted.add(all[s], times);
    add_step(predicted, figures);
    figures.steps.back()->why =
        times > 0 ? timing::reason_of(target, operation.kernel, predicted) : "the other branch takes more";
    const timing::Model* model = timing::find_model(target, operation.kernel);
    if (model && !timing::software_floats(target, operation.kernel))
      figures.worst_error = std::max(figures.worst_error, model->worst_error);
  }
  if (control) {
    figures.less = figures.modelled - std::min<int64_t>(figures.modelled, std::llround(control->least));
    figures.more = std::max<int64_t>(figures.modelled, std::llround(control->most)) - figures.modelled;
  }
  return figures;
}

std::vector<size_t> TimeFigures::slowest(size_t most) const {
  std::vector<size_t> order;
  for (size_t s = 0; s < steps.size(); ++s) {
    if (steps[s] && steps[s]->ticks() > 0) order.push_back(s);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return steps[a]->ticks() > steps[b]->ticks(); });
  if (order.size() > most) order.resize(most);
  return order;
}

std::optional<Diagnostic> check_prediction(const std::string& on, const PredictedRun& predicted, int64_t executed) {
  const double off = 100 * std::abs(static_cast<double>(predicted.instructions) / static_cast<double>(executed) - 1);
  if (executed <= 0 || off <= kMostOff || (executed >= predicted.least && executed <= predicted.most)) return {};
  char percent[32];
  std::snprintf(percent, sizeof percent, "%.1f %%", off);
  return Diagnostic{"W406",
                    {},
                    cat("on ", on, ": ", with_thousands(executed), " instructions were executed, ",
                        with_thousands(predicted.instructions), " predicted: ", percent, " off"),
                    "take the executed ones; the estimate holds for the compiler that it was fitted with"};
}

std::string in_short(int64_t instructions) {
  char text[32];
  const auto n = static_cast<double>(instructions);
  if (instructions < 1'000) return cat(instructions);
  if (instructions < 999'950) std::snprintf(text, sizeof text, "%.1f k", n / 1e3);
  else if (instructions < 999'950'000) std::snprintf(text, sizeof text, "%.1f M", n / 1e6);
  else std::snprintf(text, sizeof text, "%.1f G", n / 1e9);
  return text;
}

}  // namespace tarn::report
