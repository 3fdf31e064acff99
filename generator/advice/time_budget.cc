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

int64_t nanoseconds_of(int64_t cycles, int64_t clock) {
  const double taken =
      std::ceil(static_cast<double>(cycles) * static_cast<double>(kSecond) / static_cast<double>(clock));
  return taken < 9e18 ? static_cast<int64_t>(taken) : kEndless;  // at a clock of some Hz
}

// Cores that begin one instruction a cycle at most: fewer cycles than instructions cannot be. The others pair some.
bool single_issue(const std::string& target) {
  return target == "cortex-m0" || target == "cortex-m3" || target == "cortex-m4";
}

// The slowest steps, as the message names them.
std::string slowest(const report::Report& r) {
  std::string text;
  for (const size_t s : r.time->slowest(3)) {
    const report::StepRow& row = r.steps[s];
    const report::StepTime& of = *r.time->steps[s];
    text += cat(text.empty() ? "; the slowest steps: " : ", ", row.step, " '",
                row.nodes.empty() ? row.kernel : row.nodes[0], "' (", row.kernel, ") ", report::in_short(of.ticks()),
                of.cycles ? " cycles" : "");
  }
  return text;
}

// What a run takes, by the estimate or counted, and what it takes at least.
struct Taken {
  int64_t instructions = 0, cycles = 0;
  bool known = false;    // all steps are in
  bool counted = false;  // the instructions are no estimate
  double least = 0;      // instructions, however far the estimate is off
  bool pairs = false;    // the core may begin several in a cycle
};

struct Verdict {
  bool over = false, proved = false;  // proved: that it is over
};

Verdict judge(const TimeLimits& limits, const Taken& taken, report::Report& report) {
  Verdict verdict;
  const auto budget = [&](int64_t limit, int64_t amount, int64_t shown, int64_t shown_limit, bool exact, bool beyond) {
    const bool over = amount > limit;
    verdict.over |= over;
    verdict.proved |= over && beyond;
    const bool fits = taken.known && !over;
    return report::Budget{shown_limit, shown, fits, fits ? exact : over && beyond};
  };
  if (limits.instructions) {
    const int64_t limit = *limits.instructions;
    report.instruction_budget = budget(limit, taken.instructions, taken.instructions, limit, taken.counted,
                                       taken.least > static_cast<double>(limit));
  }
  if (const std::optional<int64_t> limit = limits.cycles()) {
    // That it fits is never proved: cycles are an estimate.
    report.time_budget = budget(*limit, taken.cycles, nanoseconds_of(taken.cycles, *limits.clock), *limits.nanoseconds,
                                false, !taken.pairs && taken.least > static_cast<double>(*limit));
  }
  return verdict;
}

std::string what_is_allowed(const TimeLimits& limits) {
  std::string text;
  if (limits.instructions) text = cat("the budget is ", with_thousands(*limits.instructions), " instructions");
  if (const auto cycles = limits.cycles())
    text += cat(text.empty() ? "the budget" : ", that", " of time ", with_thousands(*cycles), " cycles");
  return text;
}

std::string what_is_taken(const Taken& taken, bool cycles_known) {
  return cat(with_thousands(taken.instructions), " instructions",
             cycles_known ? cat(", about ", with_thousands(taken.cycles), " cycles") : "");
}

}  // namespace

std::optional<int64_t> TimeLimits::cycles() const {
  if (!nanoseconds || !clock) return {};
  const Checked whole = checked_mul(*nanoseconds / kSecond, *clock);
  const Checked part = checked_mul(*nanoseconds % kSecond, *clock);
  if (!whole || !part) return kEndless;
  return checked_add(*whole, *part / kSecond).value_or(kEndless);
}

bool TimeLimits::keeps(const report::TimeFigures& time) const {
  if (!time.complete()) return false;
  return time.modelled <= instructions.value_or(kEndless) &&
         time.modelled_cycles.value_or(time.modelled) <= cycles().value_or(kEndless);
}

Diagnostics check_time(const TimeLimits& limits, const std::string& model_path, report::Report& report) {
  if (!limits.any()) return {};
  constexpr const char* kCount = "tarn verify --on with the target counts the instructions of a run";
  if (!report.time || !report.time->why.empty()) {
    judge(limits, {}, report);
    return {{"E314",
             {.file = model_path},
             cat("whether a run keeps to the budget of time cannot be told: ",
                 report.time ? report.time->why : "no kernel is modelled on this target"),
             kCount}};
  }
  const report::TimeFigures& time = *report.time;
  const bool cycles_known = time.modelled_cycles.has_value();
  const Taken taken{time.modelled,
                    time.modelled_cycles.value_or(time.modelled),
                    time.complete(),
                    false,
                    static_cast<double>(time.least()) * (1 - time.worst_error / 100),
                    !single_issue(time.target)};
  const Verdict verdict = judge(limits, taken, report);
  if (taken.known && !verdict.over) return {};
  if (!verdict.over)
    return {{"E314",
             {.file = model_path},
             cat("whether a run keeps to the budget of time cannot be told: ", time.missing_steps, " of ",
                 report.steps.size(), " steps are not modelled, the others take ", what_is_taken(taken, cycles_known),
                 ", and ", what_is_allowed(limits)),
             kCount}};
  return {{verdict.proved ? "E313" : "E314",
           {.file = model_path},
           cat("a run takes ", taken.known ? "" : "more than ", what_is_taken(taken, cycles_known), " (estimated) on ",
               time.target, ", ", what_is_allowed(limits), slowest(report)),
           {}}};
}

Diagnostics check_executed(const TimeLimits& limits, const std::string& model_path, int64_t executed,
                           report::Report& report) {
  if (!limits.any()) return {};
  const report::TimeFigures* time = report.time ? &*report.time : nullptr;
  const std::optional<int64_t> predicted = time ? time->instructions() : std::nullopt,
                               cycles = time ? time->cycles() : std::nullopt;
  Taken taken{executed, executed, true, true, static_cast<double>(executed), !time || !single_issue(time->target)};
  if (predicted && cycles && *predicted > 0)
    taken.cycles =
        std::llround(static_cast<double>(*cycles) * static_cast<double>(executed) / static_cast<double>(*predicted));
  const Verdict verdict = judge(limits, taken, report);
  if (!verdict.over) return {};
  return {{verdict.proved ? "E313" : "E314",
           {.file = model_path},
           cat("a run executed ", what_is_taken(taken, cycles.has_value()), ", ", what_is_allowed(limits),
               time ? slowest(report) : ""),
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

std::vector<report::Advice> advise_time(const Analysis& analysis, const report::Report& report,
                                        const TimeLimits& limits, std::optional<int64_t> ram) {
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
                       limits.keeps(*time) && (!ram || total <= *ram),
                       to_string(changed->stream ? changed->stream->proof : changed->plan.proof),
                       change.note};
    row.instructions = time->instructions();
    row.cycles = time->cycles();
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
