#include "advice/time_budget.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "support/checked.h"
#include "support/text.h"
#include "time/predict.h"

namespace tarn::advice {

namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kEndless = std::numeric_limits<int64_t>::max();

// In how many nanoseconds `instructions` run, each in one cycle.
int64_t nanoseconds_of(int64_t instructions, int64_t clock) {
  const double taken =
      std::ceil(static_cast<double>(instructions) * static_cast<double>(kSecond) / static_cast<double>(clock));
  return taken < 9e18 ? static_cast<int64_t>(taken) : kEndless;  // at a clock of some Hz
}

// Cores that begin one instruction a cycle at most: fewer cycles than instructions cannot be. The others pair some.
bool single_issue(const std::string& target) {
  return target == "cortex-m0" || target == "cortex-m3" || target == "cortex-m4";
}

// The slowest steps, as the message names them.
std::string slowest(const report::Report& r) {
  std::vector<const report::StepRow*> rows;
  for (const report::StepRow& row : r.steps) {
    if (row.instructions) rows.push_back(&row);
  }
  std::stable_sort(rows.begin(), rows.end(), [](const report::StepRow* a, const report::StepRow* b) {
    return *a->instructions > *b->instructions;
  });
  std::string text;
  for (size_t i = 0; i < rows.size() && i < 3; ++i) {
    text += cat(i == 0 ? "; the slowest steps: " : ", ", rows[i]->step, " '",
                rows[i]->nodes.empty() ? rows[i]->kernel : rows[i]->nodes[0], "' (", rows[i]->kernel, ") ",
                report::in_short(*rows[i]->instructions));
  }
  return text;
}

void set_budgets(const TimeLimits& limits, int64_t used, bool known, bool proved_over, bool executed,
                 report::Report& report) {
  const auto budget = [&](int64_t limit, int64_t amount, bool proved_fit, bool beyond) {
    const bool fits = known && amount <= limit;
    return report::Budget{limit, amount, fits, fits ? proved_fit : proved_over && beyond};
  };
  if (limits.instructions)
    report.instruction_budget = budget(*limits.instructions, used, executed,
                                       static_cast<double>(used) > static_cast<double>(*limits.instructions));
  if (limits.nanoseconds) {
    // Cycles are not modelled: that it fits is never proved.
    const int64_t taken = nanoseconds_of(used, *limits.clock);
    report.time_budget = budget(*limits.nanoseconds, taken, false, taken > *limits.nanoseconds);
  }
}

std::string what_is_allowed(const TimeLimits& limits) {
  const bool by_time = limits.nanoseconds && limits.most() != limits.instructions.value_or(kEndless);
  return cat("the budget is ", with_thousands(limits.most()),
             by_time ? ", what --time leaves at --clock if each took one cycle" : "");
}

}  // namespace

int64_t TimeLimits::most() const {
  int64_t least = instructions.value_or(kEndless);
  if (nanoseconds && clock) {
    const Checked whole = checked_mul(*nanoseconds / kSecond, *clock);
    const Checked part = checked_mul(*nanoseconds % kSecond, *clock);
    if (whole && part) least = std::min(least, checked_add(*whole, *part / kSecond).value_or(kEndless));
  }
  return least;
}

Diagnostics check_time(const TimeLimits& limits, const std::string& model_path, report::Report& report) {
  if (!limits.any()) return {};
  const int64_t most = limits.most();
  if (!report.time || !report.time->why.empty()) {
    set_budgets(limits, 0, false, false, false, report);
    return {{"E314",
             {.file = model_path},
             cat("whether a run keeps to the budget of time cannot be told: ",
                 report.time ? report.time->why : "no kernel is modelled on this target"),
             "tarn verify --on with the target counts the instructions of a run"}};
  }
  const report::TimeFigures& time = *report.time;
  const bool known = time.instructions().has_value();
  const bool beyond = static_cast<double>(time.modelled) * (1 - time.worst_error / 100) > static_cast<double>(most);
  // What pairs instructions may take less time than that.
  const bool by_time = most != limits.instructions.value_or(kEndless);
  const bool proved = beyond && (!by_time || single_issue(time.target));
  set_budgets(limits, time.modelled, known, proved, false, report);
  if (known && time.modelled <= most) return {};
  if (!known && time.modelled <= most)
    return {{"E314",
             {.file = model_path},
             cat("whether a run keeps to the budget of time cannot be told: ", time.missing_steps, " of ",
                 report.steps.size(), " steps are not modelled, the others take ", with_thousands(time.modelled),
                 " instructions, and ", what_is_allowed(limits)),
             "tarn verify --on with the target counts the instructions of a run"}};
  return {{proved ? "E313" : "E314",
           {.file = model_path},
           cat("a run takes ", known ? "" : "more than ", with_thousands(time.modelled),
               " instructions (estimated) on ", time.target, ", ", what_is_allowed(limits), slowest(report)),
           {}}};
}

Diagnostics check_executed(const TimeLimits& limits, const std::string& model_path, int64_t executed,
                           report::Report& report) {
  if (!limits.any()) return {};
  const int64_t most = limits.most();
  const std::string target = report.time ? report.time->target : "";
  const bool by_time = most != limits.instructions.value_or(kEndless);
  const bool proved = !by_time || single_issue(target);
  set_budgets(limits, executed, true, proved, true, report);
  if (executed <= most) return {};
  return {
      {proved ? "E313" : "E314",
       {.file = model_path},
       cat("a run executed ", with_thousands(executed), " instructions, ", what_is_allowed(limits), slowest(report)),
       "tarn analyze with the same options tells which changes save instructions"}};
}

namespace {

struct TimeChange {
  std::string text, options, note;
  std::function<void(CompileOptions&)> apply;
};

bool any_image(const std::vector<report::Port>& ports) {
  return std::any_of(ports.begin(), ports.end(), [](const report::Port& p) { return p.type.shape.rank() >= 3; });
}

std::vector<TimeChange> time_changes(const CompileOptions& given, const report::Report& report) {
  std::vector<TimeChange> changes;
  if (given.stream.mode != stream::Mode::off)
    changes.push_back(
        {"whole layers", "--stream off", "", [](CompileOptions& o) { o.stream.mode = stream::Mode::off; }});
  if (!given.nhwc_inputs && any_image(report.inputs))
    changes.push_back({"channels-last input", "--input-layout nhwc", "the caller fills it in that order",
                       [](CompileOptions& o) { o.nhwc_inputs = true; }});
  if (!given.nhwc_outputs && any_image(report.outputs))
    changes.push_back(
        {"channels-last output", "--output-layout nhwc", "", [](CompileOptions& o) { o.nhwc_outputs = true; }});
  for (const auto& [name, value] : given.dims) {
    if (value <= 1) continue;
    changes.push_back({"'" + name + "' of 1", "--dim " + name + "=1", cat("instead of ", value),
                       [name = name](CompileOptions& o) { o.dims[name] = 1; }});
  }
  std::vector<std::string> targets;
  for (const timing::Model& model : timing::models()) {
    if (model.target == given.target || std::find(targets.begin(), targets.end(), model.target) != targets.end())
      continue;
    targets.push_back(model.target);
    changes.push_back({"on " + model.target, "--target " + model.target, "another core, at the same clock",
                       [target = model.target](CompileOptions& o) { o.target = target; }});
  }
  return changes;
}

}  // namespace

std::vector<report::Advice> advise_time(const Analysis& analysis, const report::Report& report, int64_t most,
                                        std::optional<int64_t> ram) {
  std::vector<report::Advice> rows;
  for (const TimeChange& change : time_changes(analysis.options, report)) {
    CompileOptions options = analysis.options;
    change.apply(options);
    const Result<Analysis> changed = analyze(options);
    if (!changed) continue;  // a dimension that cannot be 1, for instance
    const auto time = report::time_figures(*changed, options.target);
    if (!time || !time->instructions()) continue;
    const int64_t arena = changed->stream ? changed->stream->arena : changed->plan.arena;
    const int64_t total = arena + report.ram_total() - report.arena;
    report::Advice row{change.text,
                       change.options,
                       arena,
                       total,
                       *time->instructions() <= most && (!ram || total <= *ram),
                       to_string(changed->stream ? changed->stream->proof : changed->plan.proof),
                       change.note};
    row.instructions = time->instructions();
    rows.push_back(std::move(row));
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const report::Advice& a, const report::Advice& b) { return a.fits > b.fits; });
  return rows;
}

std::string hint_of_time(const std::vector<report::Advice>& advice) {
  if (std::any_of(advice.begin(), advice.end(), [](const report::Advice& row) { return row.fits; }))
    return "the report's FIX lines tell which changes fit; each of them has been planned and its time estimated";
  return cat(advice.empty() ? "no option" : "none of the changes tried", " saves enough",
             advice.empty() ? "" : ", see the report", "; a smaller model or input takes less");
}

}  // namespace tarn::advice
