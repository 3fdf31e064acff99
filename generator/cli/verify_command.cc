// tarn verify: emitted code against stored or computed references, on the host and on emulated boards.
#include <cmath>
#include <filesystem>
#include <iostream>

#include "cli/commands.h"
#include "cli/fix_inputs.h"
#include "cli/verification.h"
#include "emit/emit.h"
#include "model/load_onnx.h"
#include "report/report.h"
#include "support/text.h"
#include "tensor/numeric.h"
#include "verify/dataset.h"
#include "verify/files.h"
#include "verify/verify.h"

namespace tarn::cli {

namespace {

int fail(const Diagnostics& faults) {
  print(faults, false);
  return exit_code(faults);
}

std::vector<uint8_t> bytes_of(const Constant& c) { return c.bytes(); }

// Stored data for a port that takes or gives codes in the place of floats.
Constant as_port(const Constant& c, const report::Port& port) {
  if (!port.codes || c.dtype() != DType::float32) return c;
  const bool is_unsigned = port.type.dtype == DType::uint8;
  std::vector<int64_t> codes;
  for (double v : c.reals()) {
    const double code = std::nearbyint(static_cast<double>(static_cast<float>(v) / static_cast<float>(port.codes->scale))) +
                        static_cast<double>(port.codes->zero);
    codes.push_back(static_cast<int64_t>(std::fmax(is_unsigned ? 0 : -128, std::fmin(code, is_unsigned ? 255 : 127))));
  }
  return Constant::ints(port.type.dtype, c.shape(), codes);
}

}  // namespace

verify::Firmware describe(const Analysis& analysis, const report::Report& report, const std::vector<emit::OutputFile>& files,
                          const std::string& folder) {
  verify::Firmware firmware;
  firmware.name = report.name;
  firmware.folder = folder;
  for (const emit::OutputFile& file : files) {
    if (file.name.ends_with(".c") || file.name.ends_with(".S")) firmware.sources.push_back(file.name);
  }
  for (const report::Port& port : report.inputs) firmware.inputs.push_back({port.name, port.c_name, port.accessor, port.type, {}});
  for (size_t i = 0; i < report.outputs.size(); ++i) {
    const report::Port& port = report.outputs[i];
    verify::Port out{port.name, port.c_name, port.accessor, port.type, {}};
    for (const program::RuntimeAxis& axis : analysis.program[analysis.program.outputs[i]].runtime) out.runtime_axes.push_back(axis.axis);
    firmware.outputs.push_back(std::move(out));
  }
  firmware.caller_io = analysis.options.caller_io;
  firmware.macs = report.macs;
  firmware.arena_bytes = report.arena;
  firmware.static_bytes = report.static_bytes;
  return firmware;
}

namespace {

// Every value finite and small.
std::vector<uint8_t> made_up(const TensorType& type, uint64_t seed) {
  std::vector<uint8_t> bytes(static_cast<size_t>(type.bytes()));
  uint64_t state = seed * 2862933555777941757ull + 3037000493ull;
  for (int64_t i = 0; i < type.shape.count(); ++i) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    const double unit = static_cast<double>(state >> 40) / static_cast<double>(1 << 24);
    if (is_float(type.dtype)) write_double(type.dtype, bytes.data(), i, unit * 2 - 1);
    else write_int(type.dtype, bytes.data(), i, static_cast<int64_t>(unit * 4));
  }
  return bytes;
}

}  // namespace

verify::Sample made_up_sample(const report::Report& report) {
  verify::Sample sample;
  for (size_t i = 0; i < report.inputs.size(); ++i) sample.inputs.push_back(made_up(report.inputs[i].type, i + 1));
  return sample;
}

Result<std::vector<verify::Sample>> stored_samples(const Options& options, const report::Report& report,
                                                   const std::vector<verify::DataSet>& data, const model::Model& model) {
  std::vector<verify::Sample> samples;
  for (const verify::DataSet& set : data) {
    verify::Sample sample;
    auto mismatch = [&](const std::string& what) {
      return Diagnostic{"E405", {.file = options.compile.model_path}, "'" + set.folder + "' does not fit the model: " + what, {}};
    };
    // Inputs fixed by --const are in the files, but no inputs any more.
    size_t port = 0;
    for (size_t i = 0; i < set.inputs.size() && i < model.graph.inputs.size(); ++i) {
      if (options.compile.constants.contains(model.graph.inputs[i].name)) continue;
      const Constant given = port < report.inputs.size() ? as_port(set.inputs[i], report.inputs[port]) : set.inputs[i];
      if (port >= report.inputs.size() || given.type().bytes() != report.inputs[port].type.bytes()) {
        return mismatch(cat("input ", i, " is ", to_string(set.inputs[i].type())));
      }
      sample.inputs.push_back(bytes_of(given));
      ++port;
    }
    if (port != report.inputs.size()) return mismatch(cat("it has ", port, " inputs, the model ", report.inputs.size()));
    for (size_t i = 0; i < set.outputs.size(); ++i) {
      const Constant c = i < report.outputs.size() ? as_port(set.outputs[i], report.outputs[i]) : set.outputs[i];
      sample.outputs.push_back({bytes_of(c), c.shape()});
    }
    if (sample.outputs.size() > report.outputs.size()) sample.outputs.resize(report.outputs.size());
    samples.push_back(std::move(sample));
  }
  return samples;
}

namespace {

report::VerifyRow row_of(const verify::Measurement& m, const std::string& reference) {
  report::VerifyRow row;
  row.on = m.on;
  row.board = m.board;
  row.reference = reference;
  for (const verify::Comparison& c : m.outputs) row.outputs.push_back({c.name, c.max_abs, c.max_rel, c.mismatches});
  row.arena = m.arena;
  row.static_bytes = m.static_bytes;
  row.text = m.text;
  row.rodata = m.rodata;
  row.stack = m.stack;
  row.stack_bound = m.stack_bound;
  row.instructions = m.instructions;
  return row;
}

}  // namespace

Result<std::vector<verify::Sample>> naive_samples(const Options& options, std::vector<verify::Sample> samples) {
  Options naive = options;
  naive.compile.strategy = planner::Strategy::naive;
  naive.compile.order = schedule::OrderKind::given;
  naive.compile.share = {false, false, false};
  Result<Analysis> analysis = analyze(naive.compile);
  if (!analysis) return analysis.faults();
  const report::Report report = report::make_report(*analysis, {});
  Result<std::vector<emit::OutputFile>> files = emit::emit(*analysis, report, naive.emit);
  if (!files) return files.faults();
  const Result<verify::Scratch> folder = verify::Scratch::make();
  if (!folder) return folder.faults();
  if (const Result<Done> written = emit::write_files(folder->path(), *files); !written) return written.faults();
  for (verify::Sample& sample : samples) sample.outputs.clear();
  verify::VerifyOptions run;
  run.interleave = false;
  Result<verify::Measurement> m = verify::run_on(describe(*analysis, report, *files, folder->path()), verify::Target::host, samples, run);
  if (!m) return m.faults();
  for (size_t i = 0; i < samples.size(); ++i) {
    for (const verify::Output& output : m->results[i]) samples[i].outputs.push_back({output.bytes, output.shape});
  }
  return samples;
}

int run_verify(const Options& given) {
  Options options = given;
  // States would carry one run's outputs into the next; verification looks at single runs, states being inputs.
  options.compile.states.clear();
  Result<model::Model> model = model::load_onnx(options.compile.model_path);
  if (!model) return fail(model.faults());
  const std::vector<std::string> folders = options.data.empty() ? verify::data_folders(options.compile.model_path) : options.data;
  std::vector<verify::DataSet> data;
  for (const std::string& folder : folders) {
    Result<verify::DataSet> set = verify::load_data(folder, options.compile.model_path);
    if (!set) return fail(set.faults());
    data.push_back(std::move(*set));
  }
  // Dimensions that the user leaves open follow from the data.
  if (!data.empty()) {
    for (const auto& [name, value] : verify::dims_from_data(*model, data[0])) options.compile.dims.emplace(name, value);
  }
  std::vector<std::string> fixed;
  Result<Analysis> analysis = analyze_with_data(options, *model, data, fixed);
  if (!analysis) return fail(analysis.faults());
  if (!fixed.empty()) std::cerr << "verify: shapes follow from the values of " << join(fixed) << "; fixed to the stored ones, as --const does\n";
  print(analysis->warnings, false);
  report::Report report = report::make_report(*analysis, options.command_line);
  Result<std::vector<emit::OutputFile>> files = emit::emit(*analysis, report, options.emit);
  if (!files) return fail(files.faults());
  const Result<verify::Scratch> folder = verify::Scratch::make();
  if (!folder) return fail(folder.faults());
  if (const Result<Done> written = emit::write_files(folder->path(), *files); !written) return fail(written.faults());

  Result<std::vector<verify::Sample>> samples = stored_samples(options, report, data, *model);
  if (!samples) return fail(samples.faults());
  std::string reference = options.reference;
  if (samples->empty()) {
    samples->push_back(made_up_sample(report));
    reference = "naive";
  }
  if (reference == "naive") {
    samples = naive_samples(options, std::move(*samples));
    if (!samples) return fail(samples.faults());
  }

  const verify::Firmware firmware = describe(*analysis, report, *files, folder->path());
  Diagnostics faults;
  for (const std::string& name : options.targets) {
    Result<verify::Measurement> m = verify::run_on(firmware, *verify::parse_target(name), *samples);
    if (!m) {
      for (Diagnostic d : m.faults()) {
        if (d.where.file.empty()) d.where.file = options.compile.model_path;
        faults.push_back(std::move(d));
      }
      continue;
    }
    report.verify.push_back(row_of(*m, reference));
    for (const Diagnostic& d : m->faults) faults.push_back(d);
  }
  std::cout << report::to_text(report);
  if (const Result<Done> written_reports = emit::write_files(".", report_files(options.reports, report)); !written_reports) {
    return fail(written_reports.faults());
  }
  if (!faults.empty()) return fail(faults);
  return 0;
}

}  // namespace tarn::cli
