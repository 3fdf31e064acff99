#include "cli/prepare.h"

#include <algorithm>

#include "advice/budget.h"
#include "advice/flash_budget.h"
#include "advice/time_budget.h"
#include "cli/formulas.h"
#include "cli/grid.h"
#include "cli/hide_reading.h"
#include "cli/measure_code.h"
#include "cli/progress_line.h"
#include "cli/sweep.h"
#include "cli/terminal.h"
#include "report/compare.h"
#include "report/compare_streams.h"
#include "report/pareto.h"
#include "report/sparsity.h"
#include "report/transfer_figures.h"
#include "report/zeros.h"
#include "stream/make_plan.h"
#include "support/progress.h"
#include "support/text.h"
#include "verify/boards.h"

namespace tarn::cli {

namespace {

Result<Done> check_emitted(const Options& options, const Analysis& analysis) {
  if (options.command != Command::generate || !analysis.stream) return Done{};
  const std::string what = stream::not_emitted(analysis.program, *analysis.stream);
  if (what.empty()) return Done{};
  return Diagnostic{"E409",
                    {.file = options.compile.model_path},
                    "the plan by lines cannot be written: " + what,
                    "choose another --stream mode"};
}

// The changes that fit are told with the stack of their own code.
void add_advice(const Options& options, Prepared& prepared) {
  const auto measure = [&](const Analysis& changed) -> std::optional<int64_t> {
    if (!wants_code(options, changed)) return {};
    report::Report report = report::make_report(changed, options.command_line);
    Options with = options;
    with.compile = changed.options;
    if (!measure_code(with, changed, report)) return {};
    return report.ram_total() - report.arena;
  };
  prepared.report.advice = advice::advise(prepared.analysis, prepared.report, options.ram, measure);
  for (Diagnostic& fault : prepared.over) {
    if (fault.hint.empty()) fault.hint = advice::hint_of(prepared.report.advice);
  }
}

// What would save instructions, behind what would save RAM.
void add_time_advice(const Options& options, const advice::TimeLimits& limits, Prepared& prepared) {
  const std::vector<report::Advice> rows = advice::advise_time(prepared.analysis, prepared.report, limits, options.ram);
  prepared.report.advice.insert(prepared.report.advice.end(), rows.begin(), rows.end());
  for (Diagnostic& fault : prepared.over) {
    if (fault.hint.empty()) fault.hint = advice::hint_of_time(rows);
  }
}

// What would save flash.
void add_flash_advice(const Options& options, Prepared& prepared) {
  std::vector<std::string> small = options.cflags;
  if (small.empty())
    small = verify::cpu_flags(verify::parse_target(options.compile.target).value_or(verify::Target::host));
  small.push_back("-Os");
  const auto measure = [&](const Analysis& changed, const std::vector<std::string>& flags) -> std::optional<int64_t> {
    if (!wants_code(options, changed)) return {};
    report::Report report = report::make_report(changed, options.command_line);
    Options with = options;
    with.compile = changed.options;
    if (!flags.empty()) with.cflags = flags;
    if (!measure_code(with, changed, report)) return {};
    return report.code;
  };
  const std::vector<report::Advice> rows =
      advice::advise_flash(prepared.analysis, prepared.report, *options.flash, options.ram, small, measure);
  prepared.report.advice.insert(prepared.report.advice.end(), rows.begin(), rows.end());
  for (Diagnostic& fault : prepared.over) {
    if (fault.code == "E303" && fault.hint.empty()) fault.hint = advice::hint_of_flash(rows);
  }
}

// Over the budget of RAM: what is asked of the planner next, where that may help.
std::optional<Options> tighter_than(const Options& options, const report::Report& report) {
  if (!report.ram_budget || report.ram_budget->fits) return {};
  Options tighter = options;
  if (options.compile.blocks) {
    // Every byte counts now.
    tighter.compile.blocks = false;
    return tighter;
  }
  const int64_t beside = report.ram_total() - report.arena;
  if (options.compile.stream.mode != stream::Mode::automatic || beside <= 0 || *options.ram <= beside ||
      options.compile.arena_budget != options.ram)
    return {};
  // Stack and static data need their share: now it is known.
  tighter.compile.arena_budget = *options.ram - beside;
  return tighter;
}

// What was asked for by options of its own.
Result<Done> add_tables(const Options& options, Prepared& prepared) {
  report::Report& report = prepared.report;
  if (options.pareto) report.pareto = report::pareto(prepared.analysis);
  if (options.sparsity) report::profile_sparsity(prepared.analysis, report);
  if (options.compare) report.compare = report::compare_variants(prepared.analysis);
  if (!options.sweep.empty()) report.sweep = sweep(options);
  if (options.range && options.compile.run_time.empty()) {
    Result<report::Symbolic> formulas = formulas_over(options);
    if (!formulas) return formulas.faults();
    report.symbolic = std::move(*formulas);
  }
  if (!options.grid.empty()) {
    Result<report::Grid> formulas = grid_formulas(options);
    if (!formulas) return formulas.faults();
    report.grid = std::move(*formulas);
  }
  return Done{};
}

}  // namespace

Work reporting(const Analysis& analysis) {
  return {
      .what = "writing of", .count = static_cast<int64_t>(analysis.program.operations.size()), .unit = "kernel calls"};
}

Result<Prepared> prepare(const Options& options) {
  const ProgressLine line(!options.json_diagnostics);
  note_progress("reading the model", 0);
  Result<Analysis> analysis = analyze(options.compile);
  if (!analysis) return analysis.faults();
  if (const Result<Done> emitted = check_emitted(options, *analysis); !emitted) return emitted.faults();
  Prepared prepared{std::move(*analysis), {}, {}};
  const AtWork at(reporting(prepared.analysis));
  prepared.report = report::make_report(prepared.analysis, options.command_line);
  prepared.report.clock = options.clock;
  prepared.report.transfers = report::transfer_figures(prepared.analysis, prepared.report);
  if (const std::optional<Options> hidden = with_hidden_reading(options, prepared)) return prepare(*hidden);
  report::Report& report = prepared.report;
  // A trial whose arena alone is over needs no compiler to be so.
  const bool over_already = options.trial && options.ram && report.arena > *options.ram;
  if (!over_already && wants_code(options, prepared.analysis)) {
    if (const Result<Done> measured = measure_code(options, prepared.analysis, report); !measured)
      return measured.faults();
  }
  if (!options.trial && (options.command == Command::generate || !options.reports.empty()))
    report::count_zeros(prepared.analysis, report);
  prepared.over = advice::check_budgets({options.ram, options.flash}, options.compile.model_path, report);
  const advice::TimeLimits limits{options.instructions, options.time, options.clock};
  const Diagnostics slow = advice::check_time(limits, options.compile.model_path, report);
  prepared.over.insert(prepared.over.end(), slow.begin(), slow.end());
  if (const std::optional<Options> tighter = tighter_than(options, report)) return prepare(*tighter);
  if (options.trial) return prepared;
  Diagnostics warnings = prepared.analysis.warnings;
  if (!options.named_stream) {
    const Diagnostics more = advice::warn_of_lines(options.compile.model_path, report);
    warnings.insert(warnings.end(), more.begin(), more.end());
  }
  print(warnings, options.json_diagnostics);
  const bool over = (report.ram_budget && !report.ram_budget->fits) || (report.split && !report.split->fits);
  // Asked for by name, or too large, the other ways of running are of interest too.
  const bool compares = options.command == Command::analyze && (options.named_stream || prepared.analysis.stream);
  if (compares || !prepared.analysis.tried_lines.empty()) report.streams = report::compare_streams(prepared.analysis);
  // No change of the plan helps a model whose weights have no place.
  const bool hopeless = options.flash && report.weights > *options.flash;
  if (report.flash_budget && !report.flash_budget->fits) add_flash_advice(options, prepared);
  if (over && !hopeless) add_advice(options, prepared);
  if (report.over_time()) add_time_advice(options, limits, prepared);
  if (const Result<Done> added = add_tables(options, prepared); !added) return added.faults();
  return prepared;
}

namespace {

// A range under a RAM budget: sizes from the largest down to the first that fits. The report is that size's, or where
// none fits the least size's, which is over. Nothing is taken to grow with the size.
Result<Prepared> prepare_largest(const Options& options) {
  const Options::Range& range = *options.range;
  report::Symbolic::Fits fits{.limit = *options.ram, .largest = {}, .proved = true};
  Options one = options;
  one.trial = true;
  int64_t n = range.high;
  for (; n >= range.low; --n) {
    one.compile.dims[range.name] = n;
    const Result<Prepared> tried = prepare(one);
    if (!tried) return tried.faults();
    const bool within = tried->report.ram_budget && tried->report.ram_budget->fits;
    if (within) {
      fits.largest = n;
      break;
    }
    fits.proved = fits.proved && tried->report.ram_budget && tried->report.ram_budget->proved;
  }
  one.trial = false;
  one.compile.dims[range.name] = std::max(n, range.low);
  Result<Prepared> prepared = prepare(one);
  if (prepared) prepared->report.symbolic->fits = fits;
  return prepared;
}

// Several dimensions that nothing binds: formulas over a grid of them, and the report of its least point.
Result<Prepared> prepare_over_grid(const Options& over) {
  std::vector<std::string> names, sizes, given;
  for (const auto& [name, size] : over.compile.dims) {
    const bool axis =
        std::any_of(over.grid.begin(), over.grid.end(), [&wanted = name](const auto& a) { return a.name == wanted; });
    if (axis) given.push_back(cat("--dim ", name, "=", size));
  }
  for (const symbolic::Axis& axis : over.grid) {
    names.push_back(cat("'", axis.name, "'"));
    sizes.push_back(cat(axis.name, "=", axis.low));
  }
  for (const std::vector<std::string>& group : over.tied) {
    for (size_t i = 1; i < group.size(); ++i) {
      names.push_back(cat("'", group[i], "', which equals '", group.front(), "'"));
      given.push_back(cat("--dim ", group[i], "=", over.compile.dims.at(group[i])));
    }
  }
  print({{"W206",
          {.file = over.compile.model_path},
          cat("dimensions not bound: ", join(names), "; the report is of ", join(sizes)),
          cat("`generate` needs sizes (E202): ", join(given, " "))}},
        over.json_diagnostics);
  return prepare(over);
}

}  // namespace

Result<Prepared> prepare_over_sizes(Options& options) {
  if (options.range) return options.ram ? prepare_largest(options) : prepare(options);
  Result<Prepared> prepared = prepare(options);
  if (prepared || !options.sweep.empty()) return prepared;
  if (prepared.faults().size() != 1 || prepared.faults()[0].code != "E202") return prepared;
  const std::optional<Options> several = options.ram ? std::nullopt : over_open_dimensions(options);
  if (several) {
    options = *several;
    return prepare_over_grid(options);
  }
  const std::optional<Options> over = over_open_dimension(options);
  if (!over) return prepared;
  options = *over;
  const std::string& name = options.range->name;
  print({{"W206",
          {.file = options.compile.model_path},
          cat("dimension not bound: '", name, "'; ",
              options.ram ? cat("sizes around the largest that fits are looked at")
                          : cat("the report is of ", name, "=", options.compile.dims[name])),
          cat("`generate` needs a size (E202): --dim ", name, "=", options.range->low)}},
        options.json_diagnostics);
  if (!options.ram) return prepare(options);
  Options one = options;
  one.trial = true;
  one.range.reset();
  options.range = range_near_largest(*options.range, [&](int64_t n) {
    one.compile.dims[options.range->name] = n;
    const Result<Prepared> tried = prepare(one);
    return tried && tried->report.ram_budget && tried->report.ram_budget->fits;
  });
  // The model may take no larger ones.
  for (int64_t& high = options.range->high; high > options.range->low; --high) {
    one.compile.dims[options.range->name] = high;
    if (prepare(one)) break;
  }
  return prepare_largest(options);
}

}  // namespace tarn::cli
