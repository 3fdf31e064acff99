#include "cli/commands.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "advice/budget.h"
#include "advice/flash_budget.h"
#include "advice/time_budget.h"
#include "cli/formulas.h"
#include "cli/model_limit.h"
#include "cli/progress_line.h"
#include "cli/quantize_first.h"
#include "cli/sweep.h"
#include "cli/verification.h"
#include "emit/depfile.h"
#include "emit/selftest.h"
#include "emit/stale.h"
#include "emit/trace.h"
#include "model/load_onnx.h"
#include "report/compare.h"
#include "report/compare_streams.h"
#include "report/pareto.h"
#include "report/report.h"
#include "report/sparsity.h"
#include "report/transfer_figures.h"
#include "report/zeros.h"
#include "stream/make_plan.h"
#include "support/memory_limit.h"
#include "support/nearest.h"
#include "support/printable.h"
#include "support/progress.h"
#include "support/standard_streams.h"
#include "support/text.h"
#include "verify/code_figures.h"
#include "verify/dataset.h"
#include "verify/files.h"

namespace tarn::cli {

namespace {

// A planned model with all that is told of it. `over` holds the budgets that it exceeds.
struct Prepared {
  Analysis analysis;
  report::Report report;
  Diagnostics over;
};

// Compiles the emitted code, in one file where it is emitted in one, weights apart, for its size and its stack's bound.
Result<Done> measure_code(const Options& options, const Analysis& analysis, report::Report& report) {
  const Result<verify::Scratch> folder = verify::Scratch::make();
  if (!folder && options.cc.empty()) return Done{};  // nobody asked for these figures
  if (!folder) return folder.faults();
  emit::EmitOptions code = options.emit;
  code.weights_apart = true;
  Result<std::vector<emit::OutputFile>> files = emit::emit(analysis, report, code);
  if (!files) return files.faults();
  std::erase_if(*files, [](const emit::OutputFile& file) { return file.name.ends_with(".json"); });
  if (const Result<Done> written = emit::write_files(folder->path(), *files, {.scratch = true}); !written)
    return written.faults();
  std::vector<std::string> sources;
  for (const emit::OutputFile& file : *files) {
    if (file.name.ends_with(".c")) sources.push_back(file.name);
  }
  verify::CompileWith with;
  with.target = verify::parse_target(options.compile.target).value_or(verify::Target::host);
  with.cc = options.cc;
  with.flags = options.cflags;
  if (analysis.stream) {
    for (const stream::Actor& actor : analysis.stream->actors) {
      if (actor.pass > 0) continue;
      if (actor.what == stream::Actor::What::feed)
        with.entries.push_back(report.name + "_push_" + report.inputs[actor.port].c_name);
      if (actor.what == stream::Actor::What::drain)
        with.entries.push_back(report.name + "_pull_" + report.outputs[actor.port].c_name);
    }
  }
  const Result<std::optional<verify::CodeFigures>> figures =
      verify::code_figures(folder->path(), sources, report.name, with);
  // A compiler that was not asked for may lack a C library: then there are no figures.
  const bool refused = !figures && figures.faults().front().code == "E403";
  if (refused && options.cc.empty()) return Done{};
  if (!figures) return figures.faults();
  if (!*figures) {
    if (options.cc.empty()) return Done{};
    return Diagnostic{"E402", {}, "the compiler '" + options.cc + "' does not work", "check --cc and --cflags"};
  }
  report.code = (*figures)->code;
  report.stack = (*figures)->stack;
  report.compiler = (*figures)->compiler;
  report.stack_path = (*figures)->path;
  return Done{};
}

// A C compiler takes more than the time promised for a run function of more calls; it is measured only where --cc asks
// for it.
constexpr size_t kMostMeasuredSteps = 4'000;

bool wants_code(const Options& options, const Analysis& analysis) {
  if (options.cc.empty() && analysis.program.operations.size() > kMostMeasuredSteps) return false;
  if (analysis.stream && !stream::not_emitted(analysis.program, *analysis.stream).empty()) return false;
  if (options.emit.arena_only || options.cc == "none") return false;
  for (const program::Weight& weight : analysis.program.weights) {
    if (!weight.missing.empty()) return false;
  }
  return true;
}

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
  if (report.ram_budget && !report.ram_budget->fits && options.compile.blocks) {
    // Every byte counts now.
    Options tight = options;
    tight.compile.blocks = false;
    return prepare(tight);
  }
  if (report.ram_budget && !report.ram_budget->fits && options.compile.stream.mode == stream::Mode::automatic &&
      report.ram_total() > report.arena && *options.ram > report.ram_total() - report.arena &&
      options.compile.arena_budget == options.ram) {
    // Stack and static data need their share: now it is known.
    Options less = options;
    less.compile.arena_budget = *options.ram - (report.ram_total() - report.arena);
    return prepare(less);
  }
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
  if (options.pareto) report.pareto = report::pareto(prepared.analysis);
  if (options.sparsity) report::profile_sparsity(prepared.analysis, report);
  if (options.compare) report.compare = report::compare_variants(prepared.analysis);
  if (!options.sweep.empty()) report.sweep = sweep(options);
  if (options.range && !options.compile.run_time) {
    Result<report::Symbolic> formulas = formulas_over(options);
    if (!formulas) return formulas.faults();
    report.symbolic = std::move(*formulas);
  }
  return prepared;
}

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

// A model that leaves one dimension open is analysed over sizes of it; with several, the fault names them all.
Result<Prepared> prepare_over_sizes(Options& options) {
  if (options.range) return options.ram ? prepare_largest(options) : prepare(options);
  Result<Prepared> prepared = prepare(options);
  if (prepared || !options.sweep.empty()) return prepared;
  if (prepared.faults().size() != 1 || prepared.faults()[0].code != "E202") return prepared;
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
  return prepare_largest(options);
}

std::string absolute(const std::string& path) { return std::filesystem::absolute(path).lexically_normal().string(); }

int fail(const Options& options, const Diagnostics& faults) {
  print(faults, options.json_diagnostics);
  return exit_code(faults);
}

// The folder of the output as the user named it, so that the depfile's targets are what the build system calls them.
std::vector<std::string> output_paths(const Options& options, const std::vector<emit::OutputFile>& files) {
  std::vector<std::string> paths;
  for (const emit::OutputFile& file : files)
    paths.push_back((std::filesystem::path(options.output) / file.name).string());
  return paths;
}

// The program that runs the model on the first stored data set. What it was made from is added to the dependencies.
Result<emit::OutputFile> selftest_file(const Options& options, Prepared& prepared) {
  const std::string& path = options.compile.model_path;
  Result<model::Model> model = model::load_onnx(path);
  if (!model) return model.faults();
  const std::vector<std::string> folders = options.data.empty() ? verify::data_folders(path) : options.data;
  if (folders.empty())
    return Diagnostic{
        "E405", {.file = path}, "there is no test_data_set_N folder beside the model", "name one with --data DIR"};
  Result<verify::DataSet> data = verify::load_data(folders[0], path);
  if (!data) return data.faults();
  for (const std::string& file : data->files) prepared.analysis.dependencies.push_back(file);
  Result<std::vector<verify::Sample>> samples = stored_samples(options, prepared.report, {*data}, *model);
  if (!samples) return samples.faults();
  return emit::text_file(prepared.report.name + "_selftest.c",
                         emit::selftest_source(prepared.analysis, prepared.report,
                                               selftest_data(prepared.analysis, prepared.report, samples->front())));
}

}  // namespace

std::vector<emit::OutputFile> report_files(const std::vector<std::string>& paths, const report::Report& report) {
  std::vector<emit::OutputFile> files;
  for (const std::string& path : paths) {
    if (const auto text = report::render(report, std::filesystem::path(path).extension().string())) {
      files.push_back(emit::text_file(absolute(path), *text));
    }
  }
  return files;
}

bool wants_colour(int stream) {
  const char* refused = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  if (refused != nullptr && *refused != '\0') return false;
  return ::isatty(stream) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

std::string with_coloured_verdicts(std::string text) {
  for (const auto& [verdict, colour] :
       {std::pair{"  DOES NOT FIT", "\033[1;31m"}, {"  FITS", "\033[1;32m"}, {"\nFIX", "\033[1;36m"}}) {
    const std::string word = verdict;
    const size_t blank = word[0] == ' ' ? 2 : 1;
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + word.size())) {
      text.insert(at + word.size(), "\033[0m");
      text.insert(at + blank, colour);
    }
  }
  return text;
}

Result<Done> print_report(const report::Report& report) {
  const std::string text = report::to_text(report);
  return print_result(wants_colour(STDOUT_FILENO) ? with_coloured_verdicts(text) : text);
}

std::string coloured(const Diagnostic& d, bool colour) {
  std::string text = to_text(d);
  if (!colour) return text;
  const bool error = d.severity() == Severity::error;
  const std::string word = (error ? "error " : "warning ") + d.code + ":";
  const size_t message = text.find(word);
  const size_t hint = d.hint.empty() ? std::string::npos : text.rfind("\n  hint: ");
  if (hint != std::string::npos) text = text.substr(0, hint + 3) + "\033[36mhint:\033[0m" + text.substr(hint + 8);
  return text.substr(0, message) + (error ? "\033[1;31m" : "\033[1;33m") + word + "\033[0m" +
         text.substr(message + word.size());
}

void print(const Diagnostics& diagnostics, bool as_json) {
  ProgressLine::clear();
  const bool colour = !as_json && wants_colour(STDERR_FILENO);
  for (const Diagnostic& d : diagnostics) std::cerr << (as_json ? to_json(d) : coloured(d, colour)) << "\n";
}

int run_analyze(const Options& asked) {
  Options options = asked;
  if (const Result<Done> codes = quantize_first(options); !codes) return fail(options, codes.faults());
  const ModelLimit limit(options);
  const Result<Prepared> prepared = prepare_over_sizes(options);
  if (!prepared) return fail(options, prepared.faults());
  const AtWork at(reporting(prepared->analysis));
  if (const Result<Done> told = print_report(prepared->report); !told) return fail(options, told.faults());
  // A report of a model that does not fit is what one looks at to make it fit, so it is written all the same.
  std::vector<emit::OutputFile> files = report_files(options.reports, prepared->report);
  if (!options.depfile.empty()) {
    files.push_back(
        emit::text_file(absolute(options.depfile), emit::depfile(options.reports, prepared->analysis.dependencies)));
  }
  const Result<Done> written = emit::write_files(".", files, {prepared->analysis.dependencies});
  if (!written) return fail(options, written.faults());
  return fail(options, prepared->over);
}

// `cc *.c` is how many builds take a folder.
void warn_of_others(const Options& options, const std::vector<emit::OutputFile>& files) {
  const std::optional<std::string> within = emit::compiled_whole(options.layout);
  if (!within) return;
  const std::vector<std::string> others = emit::foreign_sources(options.output, *within, files);
  if (others.empty()) return;
  const std::vector<std::string> first(others.begin(), others.begin() + std::min<ptrdiff_t>(3, std::ssize(others)));
  print({{"W405",
          {.file = options.output},
          cat("the folder also holds ", join(first),
              others.size() > 3 ? cat(" and ", others.size() - 3, " more sources") : "",
              ", which tarn did not write: a build that takes all of its sources compiles them too"),
          "give the network a folder of its own"}},
        options.json_diagnostics);
}

int run_generate(const Options& asked) {
  Options options = asked;
  if (const Result<Done> codes = quantize_first(options); !codes) return fail(options, codes.faults());
  const ModelLimit limit(options);
  Result<Prepared> prepared = prepare(options);
  if (!prepared) return fail(options, prepared.faults());
  const AtWork at(reporting(prepared->analysis));
  if (const Result<Done> told = print_report(prepared->report); !told) return fail(options, told.faults());
  if (!prepared->over.empty()) {
    // The page of this failure, not of the last success, is what its reader needs.
    const Result<Done> written =
        emit::write_files(".", report_files(options.reports, prepared->report), {prepared->analysis.dependencies});
    if (!written) return fail(options, written.faults());
    return fail(options, prepared->over);
  }
  prepared->report.plan_id = emit::plan_id(prepared->analysis, prepared->report, options.emit);
  Result<std::vector<emit::OutputFile>> files = emit::emit(prepared->analysis, prepared->report, options.emit);
  if (!files) return fail(options, files.faults());
  if (options.selftest) {
    Result<emit::OutputFile> selftest = selftest_file(options, *prepared);
    if (!selftest) return fail(options, selftest.faults());
    files->push_back(std::move(*selftest));
  }
  if (options.trace) {
    for (emit::OutputFile& file : emit::trace_files(prepared->analysis, prepared->report))
      files->push_back(std::move(file));
  }
  *files = emit::arrange(options.layout, prepared->analysis, prepared->report, std::move(*files));
  const std::vector<std::string> targets =
      options.depfile_target.empty() ? output_paths(options, *files) : std::vector<std::string>{options.depfile_target};
  for (emit::OutputFile& file : report_files(options.reports, prepared->report)) files->push_back(std::move(file));
  if (!options.depfile.empty()) {
    files->push_back(
        emit::text_file(absolute(options.depfile), emit::depfile(targets, prepared->analysis.dependencies)));
  }
  const emit::FolderLock alone(options.output);
  const Diagnostics taken = emit::others_in_place(options.output, prepared->report.name, *files);
  if (!taken.empty()) return fail(options, taken);
  warn_of_others(options, *files);  // before: once files are in place nothing may fail any more
  const Result<std::vector<std::string>> stale = emit::stale_files(options.output, prepared->report.name, *files);
  if (!stale) return fail(options, stale.faults());
  const Result<Done> written = emit::write_files(options.output, *files, {prepared->analysis.dependencies, *stale});
  if (!written) return fail(options, written.faults());
  emit::remove_emptied(options.output, *stale);
  return 0;
}

int run_explain(int argc, char** argv) {
  const bool asked = argc > 1 && (std::string_view(argv[1]) == "--help" || std::string_view(argv[1]) == "-h");
  const std::string code = argc > 1 && !asked ? upper(argv[1]) : "";
  const DiagnosticKind* kind = find_diagnostic(code);
  if (!kind) {
    std::vector<std::string> codes;
    for (const DiagnosticKind& k : diagnostic_catalog()) codes.emplace_back(k.code);
    if (!code.empty())
      std::cerr << "tarn: there is no diagnostic '" << printable(argv[1]) << "'" << did_you_mean(code, codes) << "\n";
    std::ostream& out = asked ? std::cout : std::cerr;
    out << "usage: tarn explain CODE, with one of:\n";
    for (const DiagnosticKind& k : diagnostic_catalog()) out << "  " << k.code << "  " << k.title << "\n";
    return asked ? 0 : 2;
  }
  std::cout << kind->code << ": " << kind->title << " (exit code " << kind->exit_code << ")\n"
            << kind->meaning << "\n"
            << kind->remedy << "\n";
  return 0;
}

}  // namespace tarn::cli
