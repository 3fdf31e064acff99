// tarn verify: emitted code against stored or computed references, on the host and on emulated boards.
#include <cmath>
#include <filesystem>
#include <iostream>

#include "advice/budget.h"
#include "advice/time_budget.h"
#include "cli/commands.h"
#include "cli/compare_nodes.h"
#include "cli/formulas.h"
#include "cli/progress_line.h"
#include "cli/quantize_first.h"
#include "cli/terminal.h"
#include "cli/verification.h"
#include "emit/files.h"
#include "emit/selftest.h"
#include "model/load_onnx.h"
#include "support/printable.h"
#include "support/progress.h"
#include "support/standard_streams.h"
#include "support/text.h"
#include "verify/files.h"
#include "verify/on_board.h"
#include "verify/verify.h"

namespace tarn::cli {

namespace {

int fail_verify(const Options& options, const Diagnostics& faults) {
  print(faults, options.json_diagnostics);
  return exit_code(faults);
}

// 10 log10 of the float network's output over what differs from it, over all samples; absent where nothing does, or the
// output holds no floats.
std::optional<double> snr_db(const Verification& prepared, const verify::Measurement& m, size_t output) {
  double signal = 0, noise = 0;
  for (size_t s = 0; s < m.results.size() && s < prepared.floats.size(); ++s) {
    if (output >= m.results[s].size() || output >= prepared.floats[s].outputs.size()) return {};
    const verify::Output& got = m.results[s][output];
    const verify::Sample::Expected& want = prepared.floats[s].outputs[output];
    const DType type = prepared.firmware.outputs[output].type.dtype;
    if (!is_float(type) || bits_of(type) < 16 || got.bytes.size() != want.bytes.size() || got.shape != want.shape)
      return {};
    const std::vector<double> a = Constant::of({type, got.shape}, got.bytes).reals();
    const std::vector<double> b = Constant::of({type, want.shape}, want.bytes).reals();
    for (size_t i = 0; i < a.size(); ++i) {
      if (!std::isfinite(b[i])) continue;
      signal += b[i] * b[i];
      noise += (a[i] - b[i]) * (a[i] - b[i]);
    }
  }
  if (noise == 0 || !std::isfinite(noise)) return {};
  return 10 * std::log10(signal / noise);
}

report::VerifyRow row_of(const verify::Measurement& m, const Verification& prepared) {
  report::VerifyRow row;
  row.on = m.on;
  row.board = m.board;
  row.reference = prepared.reference;
  row.reference_detail = prepared.reference_detail;
  for (const verify::Comparison& c : m.outputs)
    row.outputs.push_back({c.name, c.max_abs, c.max_rel, c.mismatches, c.moved, c.code_bits, {}});
  for (size_t i = 0; i < row.outputs.size() && !prepared.floats.empty(); ++i)
    row.outputs[i].snr_db = snr_db(prepared, m, i);
  row.noise_reference = prepared.floats_detail;
  row.arena = m.arena;
  row.static_bytes = m.static_bytes;
  row.text = m.text;
  row.rodata = m.rodata;
  row.stack = m.stack;
  row.stack_bound = m.stack_bound;
  row.instructions = m.instructions;
  if (m.instructions) {
    if (const auto time = report::time_figures(prepared.analysis, m.on)) {
      row.predicted = time->instructions();
      row.predicted_least = time->least();
      row.predicted_most = time->most();
    }
  }
  return row;
}

// The files with a self-test on the first sample, handed to the user's own command.
Result<report::VerifyRow> verify_on_board(const Options& options, Verification& prepared, const std::string& folder,
                                          Diagnostics& faults) {
  report::Report told = prepared.report;
  told.plan_id = emit::plan_id(prepared.analysis, told, options.emit);
  Result<std::vector<emit::OutputFile>> files = emit::emit(prepared.analysis, told, options.emit);
  if (!files) return files.faults();
  const emit::SelfTestData data = selftest_data(prepared.analysis, told, prepared.samples.front());
  files->push_back(emit::text_file(told.name + "_selftest.c", emit::selftest_source(prepared.analysis, told, data)));
  if (const Result<Done> written = emit::write_files(folder, *files, {.scratch = true}); !written)
    return written.faults();
  const Result<verify::BoardRun> run = verify::run_on_board(options.run, folder, told.name, told.plan_id);
  if (!run) {
    Diagnostic fault = run.faults().front();
    fault.where.file = options.compile.model_path;
    return fault;
  }
  report::VerifyRow row;
  row.on = "board";
  row.reference = prepared.reference;
  row.reference_detail = prepared.reference_detail;
  for (const verify::Comparison& c : run->outputs) {
    row.outputs.push_back({c.name, c.max_abs, c.max_rel, c.mismatches, c.moved, c.code_bits, {}});
    if (c.mismatches == 0) continue;
    faults.push_back({"E404",
                      {.file = options.compile.model_path, .tensor = c.name},
                      cat("on board: ", c.mismatches, " elements differ"),
                      "`tarn generate --trace` and `tarn compare` tell at which step"});
  }
  if (!run->passed && faults.empty())
    faults.push_back({"E406", {.file = options.compile.model_path}, "on board: the self-test failed", ""});
  row.arena = run->arena_written;
  row.static_bytes = prepared.report.static_bytes;
  row.stack = run->stack;
  row.stack_bound = prepared.report.stack;
  row.rodata = prepared.report.weights;
  row.cycles = run->cycles;
  return row;
}

advice::TimeLimits limits_of(const Options& options) { return {options.instructions, options.time, options.clock}; }

// What the runs tell beside their rows.
struct Told {
  Diagnostics over, faults, warnings;  // `over`: of a limit of time
  Diagnostics too_large;               // over a budget of RAM or flash
};

// One run on a processor, and, with a reference of each node, one that is compared step by step.
Result<Done> run_on_target(const Options& options, const std::string& name, const std::optional<NodeReference>& nodes,
                           Verification& prepared, Told& told) {
  // Code for a kind of processor is built for that kind also where it runs on this machine.
  const verify::Target on =
      name == "host" ? verify::native_target(options.compile.target) : *verify::parse_target(name);
  Result<verify::Measurement> m = verify::run_on(prepared.firmware, on, prepared.samples);
  if (!m) {
    for (Diagnostic d : m.faults()) {
      if (d.where.file.empty()) d.where.file = options.compile.model_path;
      told.faults.push_back(std::move(d));
    }
    return Done{};
  }
  report::VerifyRow& row = prepared.report.verify.emplace_back(row_of(*m, prepared));
  if (row.instructions && verify::parse_target(name) == verify::parse_target(options.compile.target))
    told.over =
        advice::check_executed(limits_of(options), options.compile.model_path, *row.instructions, prepared.report);
  if (row.instructions && row.predicted) {
    if (auto off = report::check_prediction(row.on, {*row.predicted, row.predicted_least, row.predicted_most},
                                            *row.instructions)) {
      off->where.file = options.compile.model_path;
      told.warnings.push_back(std::move(*off));
    }
  }
  for (const Diagnostic& d : m->faults) told.faults.push_back(d);
  if (!nodes) return Done{};
  note_progress(("comparing steps on " + name).c_str(), 0);
  Result<NodeComparison> compared = nodes->compare(prepared, on);
  if (!compared) return compared.faults();
  row.nodes_reference = compared->reference;
  row.nodes = std::move(compared->rows);
  if (compared->diverges) told.faults.push_back(*compared->diverges);
  return Done{};
}

Result<Done> run_on_targets(const Options& options, const std::optional<NodeReference>& nodes,
                            const std::filesystem::path& folder, Verification& prepared, Told& told) {
  const ProgressLine line(!options.json_diagnostics);
  for (const std::string& name : options.targets) {
    note_progress(("compiling and running on " + name).c_str(), 0);
    if (name == "board") {
      Result<report::VerifyRow> row = verify_on_board(options, prepared, folder / "board", told.faults);
      if (!row) return row.faults();
      prepared.report.verify.push_back(std::move(*row));
    } else if (const Result<Done> ran = run_on_target(options, name, nodes, prepared, told); !ran) {
      return ran.faults();
    }
  }
  return Done{};
}

}  // namespace

int run_verify(const Options& given) {
  Options options = given;
  // States would carry one run's outputs into the next; verification looks at single runs, states being inputs.
  options.compile.states_as_ports = options.compile.state_type != program::StateType::none;
  // Histories are gone from both sides.
  if (!options.compile.states_as_ports && !options.compile.histories) {
    options.compile.states.clear();
    options.compile.states_by_name = false;
  }
  const Result<verify::Scratch> folder = verify::Scratch::make();
  if (!folder) return fail_verify(options, folder.faults());
  // What is stored beside a float model are not the outputs of its codes.
  const Result<std::vector<verify::DataSet>> data =
      options.quantize.empty() ? load_data_sets(options) : quantize_to_verify(options, folder->path());
  if (!data) return fail_verify(options, data.faults());
  if (data->empty()) bind_endless(options);
  const Result<model::Model> model = model::load_onnx(options.compile.model_path);
  if (!model) return fail_verify(options, model.faults());
  Result<Verification> prepared = prepare_verification(options, *model, *data, folder->path());
  if (!prepared) return fail_verify(options, prepared.faults());
  if (!prepared->fixed.empty()) {
    std::cerr << "verify: shapes follow from the values of " << printable(join(prepared->fixed))
              << "; fixed to the stored ones, as --const does\n";
  }
  print(prepared->analysis.warnings, options.json_diagnostics);
  print(prepared->warnings, options.json_diagnostics);
  if (!options.named_stream)
    print(advice::warn_of_lines(options.compile.model_path, prepared->report), options.json_diagnostics);

  // Told by the estimate, until a run on the target has been counted.
  Told told{advice::check_time(limits_of(options), options.compile.model_path, prepared->report), {}, {}, {}};
  // What is too large is still compared: analyze has the advice.
  told.too_large = advice::check_budgets({options.ram, options.flash}, options.compile.model_path, prepared->report);
  std::optional<NodeReference> nodes;
  if (options.nodes) {
    Result<NodeReference> made = NodeReference::make(options, *model, *data, *prepared);
    if (!made) return fail_verify(options, made.faults());
    nodes = std::move(*made);
  }
  const Result<Done> ran = run_on_targets(options, nodes, folder->path(), *prepared, told);
  if (!ran) return fail_verify(options, ran.faults());
  print(told.warnings, options.json_diagnostics);
  // A report of what differs is worth having; of what could not be run there is none.
  if (!told.faults.empty() && exit_code(told.faults) != 7) return fail_verify(options, told.faults);
  if (const Result<Done> done = print_report(prepared->report); !done) return fail_verify(options, done.faults());
  std::vector<std::string> inputs = prepared->analysis.dependencies;
  for (const verify::DataSet& set : *data) inputs.insert(inputs.end(), set.files.begin(), set.files.end());
  const Result<Done> written = emit::write_files(".", report_files(options.reports, prepared->report), {inputs});
  if (!written) return fail_verify(options, written.faults());
  if (!told.faults.empty()) return fail_verify(options, told.faults);
  told.over.insert(told.over.begin(), told.too_large.begin(), told.too_large.end());
  if (!told.over.empty()) return fail_verify(options, told.over);
  return 0;
}

}  // namespace tarn::cli
