#include "cli/verification.h"

#include <algorithm>
#include <cmath>

#include "cli/fix_inputs.h"
#include "emit/emit.h"
#include "passes/layout/permutation.h"
#include "stream/make_plan.h"
#include "support/text.h"
#include "tensor/numeric.h"
#include "verify/files.h"
#include "verify/verify.h"

namespace tarn::cli {

namespace {

// Stored data for a port that takes or gives codes in the place of floats.
Constant as_port(const Constant& c, const report::Port& port) {
  if (!port.codes || c.dtype() != DType::float32) return c;
  const bool is_unsigned = port.type.dtype == DType::uint8;
  std::vector<int64_t> codes;
  for (double v : c.reals()) {
    const double code =
        std::nearbyint(static_cast<double>(static_cast<float>(v) / static_cast<float>(port.codes->scale))) +
        static_cast<double>(port.codes->zero);
    codes.push_back(static_cast<int64_t>(std::fmax(is_unsigned ? 0 : -128, std::fmin(code, is_unsigned ? 255 : 127))));
  }
  return Constant::ints(port.type.dtype, c.shape(), codes);
}

// Stored data as the firmware hands it over: images with their channels last, by --input-layout and --output-layout, or
// where lines go in and out.
template <class Port>
Constant in_layout(const Constant& c, const std::vector<Port>& ports, size_t port) {
  const int rank = c.shape().rank();
  const auto element = static_cast<size_t>(bits_of(c.dtype()) / 8);
  if (port >= ports.size() || !ports[port].channels_last || rank < 3 || c.is_strings() || element == 0) return c;
  if (ports[port].columns) return *passes::permuted(c, c.shape(), {0, 3, 2, 1});
  const int64_t images = c.shape()[0], channels = c.shape()[1], inner = c.shape().count(2, rank);
  Shape shape{images};
  for (int i = 2; i < rank; ++i) shape.dims.push_back(c.shape()[i]);
  shape.dims.push_back(channels);
  const std::vector<uint8_t> from = c.bytes();
  std::vector<uint8_t> to(from.size());
  for (int64_t i = 0; i < images * channels * inner; ++i) {
    const int64_t image = i / (channels * inner), channel = i / inner % channels,
                  at = (image * inner + i % inner) * channels + channel;
    std::copy_n(from.begin() + static_cast<int64_t>(element) * i, element,
                to.begin() + static_cast<int64_t>(element) * at);
  }
  return Constant::of({c.dtype(), std::move(shape)}, std::move(to));
}

// The emitted files, written to `folder`, as verification wants them told.
verify::Firmware describe(const Analysis& analysis, const report::Report& report,
                          const std::vector<emit::OutputFile>& files, const std::string& folder) {
  verify::Firmware firmware;
  firmware.name = report.name;
  firmware.folder = folder;
  for (const emit::OutputFile& file : files) {
    if (file.name.ends_with(".c") || file.name.ends_with(".S")) firmware.sources.push_back(file.name);
  }
  for (const report::Port& port : report.inputs)
    firmware.inputs.push_back({port.name, port.c_name, port.accessor, port.type, {}});
  for (size_t i = 0; i < report.outputs.size(); ++i) {
    const report::Port& port = report.outputs[i];
    verify::Port out{port.name, port.c_name, port.accessor, port.type, {}};
    for (const program::RuntimeAxis& axis : analysis.program[analysis.program.outputs[i]].runtime)
      out.runtime_axes.push_back(axis.axis);
    if (i < analysis.output_accuracy.size()) out.accuracy = analysis.output_accuracy[i];
    firmware.outputs.push_back(std::move(out));
  }
  for (const report::BankRow& bank : report.banks) {
    if (analysis.several_arenas()) firmware.banks.push_back({bank.name, bank.symbol, bank.section, bank.arena});
  }
  if (analysis.stream) {
    for (const stream::Actor& actor : analysis.stream->actors) {
      if (actor.what == stream::Actor::What::operation) continue;
      const bool feed = actor.what == stream::Actor::What::feed;
      verify::Port& port = (feed ? firmware.inputs : firmware.outputs)[actor.port];
      port.lines = actor.lines;
      if (feed) port.passes = stream::passes_of(*analysis.stream, actor.port);
      firmware.by_lines = true;
    }
  }
  firmware.caller_io = analysis.options.caller_io;
  firmware.macs = report.macs;
  firmware.arena_bytes = report.arena;
  firmware.static_bytes = report.static_bytes;
  return firmware;
}

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

// Seeded numbers for a model without stored data.
verify::Sample made_up_sample(const report::Report& report) {
  verify::Sample sample;
  for (size_t i = 0; i < report.inputs.size(); ++i) sample.inputs.push_back(made_up(report.inputs[i].type, i + 1));
  return sample;
}

Result<verify::Firmware> write_firmware(const Analysis& analysis, const report::Report& report, const Options& options,
                                        const std::string& folder) {
  Result<std::vector<emit::OutputFile>> files = emit::emit(analysis, report, options.emit);
  if (!files) return files.faults();
  if (const Result<Done> written = emit::write_files(folder, *files); !written) return written.faults();
  return describe(analysis, report, *files, folder);
}

// The same model without any sharing: what a plan must reproduce bit for bit.
Options naive_options(const Options& options) {
  Options naive = options;
  naive.compile.strategy = planner::Strategy::naive;
  naive.compile.order = schedule::OrderKind::given;
  naive.compile.share = {false, false, false};
  naive.compile.stream = {};
  naive.compile.stream.mode = stream::Mode::off;
  const stream::Mode mode = options.compile.stream.mode;
  naive.compile.line_columns = options.compile.stream.scan == stream::Scan::columns && mode != stream::Mode::off;
  naive.compile.line_inputs = mode == stream::Mode::fed || mode == stream::Mode::time;
  naive.compile.line_outputs =
      mode == stream::Mode::time || (mode != stream::Mode::off && options.compile.stream.drain);
  return naive;
}

// What it gives on the host.
Result<std::vector<verify::Sample>> naive_samples(const Analysis& analysis, const Options& naive,
                                                  std::vector<verify::Sample> samples) {
  const report::Report report = report::make_report(analysis, {});
  const Result<verify::Scratch> folder = verify::Scratch::make();
  if (!folder) return folder.faults();
  const Result<verify::Firmware> firmware = write_firmware(analysis, report, naive, folder->path());
  if (!firmware) return firmware.faults();
  for (verify::Sample& sample : samples) sample.outputs.clear();
  verify::VerifyOptions run;
  run.interleave = false;
  Result<verify::Measurement> m = verify::run_on(*firmware, verify::Target::host, samples, run);
  if (!m) return m.faults();
  for (size_t i = 0; i < samples.size(); ++i) {
    for (const verify::Output& output : m->results[i]) samples[i].outputs.push_back({output.bytes, output.shape});
  }
  return samples;
}

// How many steps of a signal without end are compared: until all that repeats itself has done so, where that is not too
// long.
int64_t steps_compared(const stream::Plan& plan) {
  constexpr int64_t kMost = 4096;
  int64_t model = 0, steps = 0;
  for (size_t n = 0; n < plan.actors.size(); ++n) {
    if (plan.actors[n].what != stream::Actor::What::feed) continue;
    model = std::max(model, plan.actors[n].lines);
    const auto done = std::count_if(plan.steps.begin(), plan.steps.end(),
                                    [&](const stream::Step& s) { return s.actor == static_cast<int>(n); });
    steps = std::max(steps, done + 2 * plan.endless->passes * plan.endless->lines[n]);
  }
  return std::max(2 * model, std::min(steps, std::max(kMost, 2 * model)));
}

// Ports of another length than the model's, and inputs that fill them again and again. False: the ports are not lines
// of the same size.
bool lengthen(const report::Report& longer, verify::Firmware& firmware, std::vector<verify::Sample>& samples) {
  const auto fit = [](std::vector<verify::Port>& ports, const std::vector<report::Port>& to) {
    for (size_t i = 0; i < ports.size() && ports.size() == to.size(); ++i) {
      const int64_t line = ports[i].lines == 0 ? 0 : ports[i].type.bytes() / ports[i].lines, bytes = to[i].type.bytes();
      if (line == 0 || bytes % line != 0) return false;
      ports[i].type = to[i].type;
      ports[i].lines = bytes / line;
    }
    return ports.size() == to.size();
  };
  if (!fit(firmware.inputs, longer.inputs) || !fit(firmware.outputs, longer.outputs)) return false;
  for (verify::Sample& sample : samples) {
    for (size_t i = 0; i < sample.inputs.size(); ++i) {
      const std::vector<uint8_t> once = sample.inputs[i];
      std::vector<uint8_t>& all = sample.inputs[i];
      while (!once.empty() && static_cast<int64_t>(all.size()) < firmware.inputs[i].type.bytes())
        all.insert(all.end(), once.begin(), once.end());
      all.resize(static_cast<size_t>(firmware.inputs[i].type.bytes()));
    }
  }
  return true;
}

// How many lines of each input a line of each output takes, where the network gives its outputs once for a window of the
// signal and goes on with the next window; 0: it does not.
int64_t lines_a_window(const stream::Plan& plan) {
  int64_t fed = 0, apart = 0;
  for (size_t n = 0; n < plan.actors.size(); ++n) {
    if (plan.actors[n].what == stream::Actor::What::feed) fed = plan.endless->lines[n];
  }
  for (size_t n = 0; n < plan.actors.size(); ++n) {
    if (plan.actors[n].what != stream::Actor::What::drain) continue;
    const int64_t drained = plan.endless->lines[n];
    if (plan.actors[n].lines != 1 || drained == 0 || fed % drained != 0) return 0;
    if (apart != 0 && fed / drained != apart) return 0;
    apart = fed / drained;
  }
  return apart;
}

// Each window is compared with the network itself.
Result<std::vector<verify::Sample>> compare_windows(const Analysis& analysis, const Options& naive, int64_t apart,
                                                    verify::Firmware& firmware,
                                                    const std::vector<verify::Sample>& samples) {
  constexpr int64_t kWindows = 12;
  const auto lengthen_to = [](verify::Port& port, int64_t lines) {
    const int64_t elements = port.type.shape.count() / std::max<int64_t>(1, port.lines);
    port.type.shape = Shape{lines, elements};
    port.lines = lines;
  };
  std::vector<verify::Sample> windows, longer = samples;
  for (verify::Sample& sample : longer) {
    const std::vector<std::vector<uint8_t>> once = sample.inputs;
    for (int64_t k = 0; k < kWindows; ++k) windows.push_back(sample);
    for (size_t i = 0; i < once.size(); ++i) {
      const size_t line = once[i].size() / static_cast<size_t>(firmware.inputs[i].lines);
      const size_t step = line * static_cast<size_t>(apart);
      std::vector<uint8_t>& all = sample.inputs[i];
      while (all.size() < once[i].size() + (kWindows - 1) * step) all.insert(all.end(), once[i].begin(), once[i].end());
      all.resize(once[i].size() + (kWindows - 1) * step);
      for (size_t k = 0; k < kWindows; ++k) {
        const auto from = all.begin() + static_cast<std::ptrdiff_t>(k * step);
        windows[windows.size() - kWindows + k].inputs[i].assign(from, from + static_cast<std::ptrdiff_t>(once[i].size()));
      }
    }
  }
  Result<std::vector<verify::Sample>> given = naive_samples(analysis, naive, std::move(windows));
  if (!given) return given;
  for (verify::Port& port : firmware.inputs) lengthen_to(port, port.lines + (kWindows - 1) * apart);
  for (verify::Port& port : firmware.outputs) lengthen_to(port, kWindows);
  for (size_t s = 0; s < longer.size(); ++s) {
    longer[s].outputs.clear();
    for (size_t o = 0; o < firmware.outputs.size(); ++o) {
      verify::Sample::Expected expected{{}, firmware.outputs[o].type.shape};
      for (size_t k = 0; k < kWindows; ++k) {
        const std::vector<uint8_t>& bytes = (*given)[s * kWindows + k].outputs[o].bytes;
        expected.bytes.insert(expected.bytes.end(), bytes.begin(), bytes.end());
      }
      longer[s].outputs.push_back(std::move(expected));
    }
  }
  return longer;
}

Result<std::vector<verify::Sample>> compare_with_naive(const Options& options, Verification& result,
                                                       std::vector<verify::Sample> samples) {
  Options naive = naive_options(options);
  if (result.analysis.stream && result.analysis.stream->endless) {
    naive.compile.time_steps = steps_compared(*result.analysis.stream);
    const Result<Analysis> longer = analyze(naive.compile);
    verify::Firmware firmware = result.firmware;
    std::vector<verify::Sample> more = samples;
    const bool fits = longer && lengthen(report::make_report(*longer, {}), firmware, more);
    const int64_t apart = lines_a_window(*result.analysis.stream);
    if (apart > 0 && (!fits || firmware.outputs[0].lines == 1)) {
      naive.compile.time_steps.reset();
      const Result<Analysis> window = analyze(naive.compile);
      if (!window) return window.faults();
      return compare_windows(*window, naive, apart, result.firmware, samples);
    }
    if (fits) {
      result.firmware = std::move(firmware);
      return naive_samples(*longer, naive, std::move(more));
    }
    naive.compile.time_steps.reset();
  }
  const Result<Analysis> analysis = analyze(naive.compile);
  if (!analysis) return analysis.faults();
  return naive_samples(*analysis, naive, std::move(samples));
}

}  // namespace

Result<std::vector<verify::Sample>> stored_samples(const Options& options, const report::Report& report,
                                                   const std::vector<verify::DataSet>& data,
                                                   const model::Model& model) {
  std::vector<verify::Sample> samples;
  for (const verify::DataSet& set : data) {
    verify::Sample sample;
    auto mismatch = [&](const std::string& what) {
      return Diagnostic{
          "E405", {.file = options.compile.model_path}, "'" + set.folder + "' does not fit the model: " + what, {}};
    };
    // Inputs fixed by --const are in the files, but no inputs any more. Of a part of the model the files are those of
    // its own inputs.
    const bool part = !options.compile.cut.empty();
    size_t port = 0;
    for (size_t i = 0; i < set.inputs.size() && i < (part ? report.inputs.size() : model.graph.inputs.size()); ++i) {
      if (!part && options.compile.constants.contains(model.graph.inputs[i].name)) continue;
      const Constant stored = in_layout(set.inputs[i], report.inputs, port);
      const Constant given = port < report.inputs.size() ? as_port(stored, report.inputs[port]) : stored;
      if (port >= report.inputs.size() || given.type().bytes() != report.inputs[port].type.bytes()) {
        return mismatch(cat("input ", i, " is ", to_string(set.inputs[i].type())));
      }
      sample.inputs.push_back(given.bytes());
      ++port;
    }
    if (port != report.inputs.size())
      return mismatch(cat("it has ", port, " inputs, the model ", report.inputs.size()));
    for (size_t i = 0; i < set.outputs.size(); ++i) {
      const Constant stored = in_layout(set.outputs[i], report.outputs, i);
      const Constant c = i < report.outputs.size() ? as_port(stored, report.outputs[i]) : stored;
      sample.outputs.push_back({c.bytes(), c.shape()});
    }
    if (sample.outputs.size() > report.outputs.size()) sample.outputs.resize(report.outputs.size());
    samples.push_back(std::move(sample));
  }
  return samples;
}

Result<std::vector<verify::DataSet>> load_data_sets(const Options& options) {
  // What is stored beside the model is not that of a part of it.
  std::vector<std::string> folders = options.data;
  if (folders.empty() && options.compile.cut.empty()) folders = verify::data_folders(options.compile.model_path);
  std::vector<verify::DataSet> sets;
  for (const std::string& folder : folders) {
    Result<verify::DataSet> set = verify::load_data(folder, options.compile.model_path);
    if (!set) return set.faults();
    sets.push_back(std::move(*set));
  }
  return sets;
}

Result<Verification> prepare_verification(Options options, const model::Model& model,
                                          const std::vector<verify::DataSet>& data, const std::string& folder) {
  if (!data.empty() && options.compile.cut.empty()) {
    for (const auto& [name, value] : verify::dims_from_data(model, data[0])) options.compile.dims.emplace(name, value);
  }
  Verification result;
  Result<Analysis> analysis = analyze_with_data(options, model, data, result.fixed);
  if (!analysis) return analysis.faults();
  result.analysis = std::move(*analysis);
  options.compile.stream = result.analysis.options.stream;
  if (result.analysis.stream) {
    const std::string what = stream::not_emitted(result.analysis.program, *result.analysis.stream);
    if (!what.empty())
      return Diagnostic{"E409",
                        {.file = options.compile.model_path},
                        "the plan by lines cannot be written: " + what,
                        "choose another --stream mode"};
  }
  result.report = report::make_report(result.analysis, options.command_line);
  Result<verify::Firmware> firmware = write_firmware(result.analysis, result.report, options, folder);
  if (!firmware) return firmware.faults();
  result.firmware = std::move(*firmware);
  Result<std::vector<verify::Sample>> samples = stored_samples(options, result.report, data, model);
  if (!samples) return samples.faults();
  result.reference = samples->empty() ? "naive" : options.reference;
  if (samples->empty()) samples->push_back(made_up_sample(result.report));
  if (result.reference == "naive") samples = compare_with_naive(options, result, std::move(*samples));
  if (!samples) return samples.faults();
  result.samples = std::move(*samples);
  return result;
}

}  // namespace tarn::cli
