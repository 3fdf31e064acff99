#include "cli/naive_reference.h"

#include <algorithm>

#include "cli/write_firmware.h"
#include "report/report.h"
#include "verify/files.h"
#include "verify/verify.h"

namespace tarn::cli {

// What a plan must reproduce bit for bit.
Options naive_options(const Options& options) {
  Options naive = options;
  naive.compile.strategy = planner::Strategy::naive;
  naive.compile.order = schedule::OrderKind::given;
  naive.compile.share = {false, false, false};
  naive.compile.widen_weights = true;
  naive.compile.weights = WeightForm::automatic;  // linked, as they are
  // Codes of a whole tensor have a scale for each piece.
  naive.compile.weights_in_pieces =
      options.compile.weights == WeightForm::stream && !options.compile.weight_types.empty();
  naive.compile.stream = {};
  naive.compile.stream.mode = stream::Mode::off;
  const stream::Mode mode = options.compile.stream.mode;
  naive.compile.line_columns = options.compile.stream.scan == stream::Scan::columns && mode != stream::Mode::off;
  naive.compile.line_inputs = mode == stream::Mode::fed || mode == stream::Mode::time;
  naive.compile.line_outputs =
      mode == stream::Mode::time || (mode != stream::Mode::off && options.compile.stream.drain);
  return naive;
}

namespace {

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
  run.interleave = run.bound_stack = false;
  Result<verify::Measurement> m = verify::run_on(*firmware, verify::native_target(naive.compile.target), samples, run);
  if (!m) return m.faults();
  for (size_t i = 0; i < samples.size(); ++i) {
    for (const verify::Output& output : m->results[i]) samples[i].outputs.push_back({output.bytes, output.shape});
  }
  return samples;
}

// How many steps of a signal without end are compared: until all that repeats itself has done so, where that is not too
// long.
int64_t steps_compared(const stream::LinePlan& plan) {
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

// How many lines of each input a line of each output takes, where the network gives its outputs once for a window of
// the signal and goes on with the next window; 0: it does not.
int64_t lines_a_window(const stream::LinePlan& plan) {
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
        windows[windows.size() - kWindows + k].inputs[i].assign(from,
                                                                from + static_cast<std::ptrdiff_t>(once[i].size()));
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

}  // namespace

Result<std::vector<verify::Sample>> naive_reference(const Options& options, const Analysis& planned,
                                                    verify::Firmware& firmware, std::vector<verify::Sample> samples) {
  Options naive = naive_options(options);
  if (planned.stream && planned.stream->endless) {
    naive.compile.time_steps = steps_compared(*planned.stream);
    const Result<Analysis> longer = analyze(naive.compile);
    verify::Firmware lengthened = firmware;
    std::vector<verify::Sample> more = samples;
    const bool fits = longer && lengthen(report::make_report(*longer, {}), lengthened, more);
    const int64_t apart = lines_a_window(*planned.stream);
    if (apart > 0 && (!fits || lengthened.outputs[0].lines == 1)) {
      naive.compile.time_steps.reset();
      const Result<Analysis> window = analyze(naive.compile);
      if (!window) return window.faults();
      return compare_windows(*window, naive, apart, firmware, samples);
    }
    if (fits) {
      firmware = std::move(lengthened);
      return naive_samples(*longer, naive, std::move(more));
    }
    naive.compile.time_steps.reset();
  }
  const Result<Analysis> analysis = analyze(naive.compile);
  if (!analysis) return analysis.faults();
  return naive_samples(*analysis, naive, std::move(samples));
}

}  // namespace tarn::cli
