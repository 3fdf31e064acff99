#include "cli/verification.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "cli/fix_inputs.h"
#include "cli/made_up.h"
#include "cli/naive_reference.h"
#include "cli/ort_reference.h"
#include "cli/sizes_to_run.h"
#include "cli/write_firmware.h"
#include "passes/layout/permutation.h"
#include "program/windows.h"
#include "report/transfer_figures.h"
#include "stream/make_plan.h"
#include "support/text.h"
#include "verify/compare.h"

namespace tarn::cli {

namespace {

// Stored data for a port that takes or gives codes in the place of floats.
Constant as_port(const Constant& c, const report::Port& port) {
  if (!port.codes || c.dtype() != DType::float32) return c;
  const int bits = bits_of(port.type.dtype);
  const double least = is_signed(port.type.dtype) ? -std::ldexp(1, bits - 1) : 0,
               most = least + std::ldexp(1, bits) - 1;
  std::vector<int64_t> codes;
  for (double v : c.reals()) {
    const double code =
        std::nearbyint(static_cast<double>(static_cast<float>(v) / static_cast<float>(port.codes->scale))) +
        static_cast<double>(port.codes->zero);
    codes.push_back(static_cast<int64_t>(std::fmax(least, std::fmin(code, most))));
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

// A state that takes in more steps than a run reads holds what is stored as its last ones; zeroes stand before them.
Constant as_state(const Constant& stored, const TensorType& state) {
  const std::optional<int> axis = program::grown_axis(state, stored.type());
  if (!axis || stored.is_absent() || bits_of(state.dtype) < 8) return stored;
  const int64_t outer = state.shape.count(0, *axis),
                step = bytes_for(state.dtype, state.shape.count(*axis + 1, state.shape.rank()));
  const int64_t had = stored.shape()[*axis] * step, has = state.shape[*axis] * step;
  std::vector<uint8_t> bytes(static_cast<size_t>(state.bytes()));
  for (int64_t o = 0; o < outer; ++o)
    stored.copy_bytes(o * had,
                      std::span(bytes).subspan(static_cast<size_t>((o + 1) * has - had), static_cast<size_t>(had)));
  return Constant::of(state, std::move(bytes));
}

// Seeded numbers for a model without stored data.
verify::Sample made_up_sample(const report::Report& report) {
  verify::Sample sample;
  for (size_t i = 0; i < report.inputs.size(); ++i)
    sample.inputs.push_back(made_up(report.inputs[i].type, i + 1).bytes());
  return sample;
}

}  // namespace

Diagnostic misfit(const Options& options, const verify::DataSet& set, const std::string& what) {
  return {"E405",
          {.file = options.compile.model_path},
          cat("'", set.folder, "' does not fit the model: ", what),
          "name data of this model with --data DIR, or move the folder away"};
}

Result<std::vector<verify::Sample>> stored_samples(const Options& options, const report::Report& report,
                                                   const std::vector<verify::DataSet>& data,
                                                   const model::Model& model) {
  std::vector<verify::Sample> samples;
  for (const verify::DataSet& set : data) {
    verify::Sample sample;
    // Inputs fixed by --const are in the files, but no inputs any more. Of a part of the model the files are those of
    // its own inputs.
    const bool part = !options.compile.cut.empty();
    size_t port = 0;
    for (size_t i = 0; i < set.inputs.size() && i < (part ? report.inputs.size() : model.graph.inputs.size()); ++i) {
      if (!part && options.compile.constants.contains(model.graph.inputs[i].name)) continue;
      const Constant stored = in_layout(set.inputs[i], report.inputs, port);
      Constant given = port < report.inputs.size() ? as_port(stored, report.inputs[port]) : stored;
      if (port < report.inputs.size() && options.compile.states_as_ports)
        given = as_state(given, report.inputs[port].type);
      if (port >= report.inputs.size() || given.type().bytes() != report.inputs[port].type.bytes()) {
        const std::string type = to_string(set.inputs[i].type());
        return misfit(options, set,
                      port < report.inputs.size() ? cat("its input ", i, " is ", type, ", '", report.inputs[port].name,
                                                        "' is ", to_string(report.inputs[port].type))
                                                  : cat("input ", i, " is ", type));
      }
      sample.inputs.push_back(given.bytes());
      ++port;
    }
    if (port != report.inputs.size())
      return misfit(options, set, cat("it has ", port, " inputs, the model ", report.inputs.size()));
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
  if (folders.empty() && options.compile.cut.empty()) {
    Result<std::vector<std::string>> beside = verify::data_folders(options.compile.model_path);
    if (!beside) return beside.faults();
    folders = std::move(*beside);
  }
  std::vector<verify::DataSet> sets;
  for (const std::string& folder : folders) {
    Result<verify::DataSet> set = verify::load_data(folder, options.compile.model_path);
    if (!set) return set.faults();
    sets.push_back(std::move(*set));
  }
  return sets;
}

namespace {

emit::SelfTestData::Output with_tolerance(std::vector<uint8_t> bytes, DType type, const Accuracy& accuracy) {
  const verify::Tolerance may = verify::tolerance_of(type, accuracy);
  return {std::move(bytes), may.relative, may.scaled, verify::part_moved(type, accuracy)};
}

// The position of the port of this name among those of the model; those of the data set have the same order.
size_t position_of(const std::vector<model::ValueInfo>& ports, const std::string& name) {
  const auto at =
      std::find_if(ports.begin(), ports.end(), [&](const model::ValueInfo& port) { return port.name == name; });
  return static_cast<size_t>(at - ports.begin());
}

template <class T>
void take_out(std::vector<T>& values, size_t at) {
  values.erase(values.begin() + static_cast<std::ptrdiff_t>(at));
}

}  // namespace

emit::SelfTestData selftest_data(const Analysis& analysis, const report::Report& report, const verify::Sample& sample) {
  emit::SelfTestData data{sample.inputs, {}, {}};
  for (size_t i = 0; i < sample.outputs.size(); ++i) {
    const Accuracy accuracy = i < analysis.output_accuracy.size() ? analysis.output_accuracy[i] : Accuracy{};
    data.outputs.push_back(with_tolerance(sample.outputs[i].bytes, report.outputs[i].type.dtype, accuracy));
  }
  return data;
}

Result<emit::SelfTestData> selftest_data(const Options& options, const Analysis& analysis, const report::Report& report,
                                         verify::DataSet data, model::Model model) {
  std::vector<emit::SelfTestData::State> states;
  for (size_t k = 0; k < analysis.program.kept.size(); ++k) {
    const program::KeptState& kept = analysis.program.kept[k];
    const TensorType& type = analysis.program[analysis.program.states[k]].type;
    const size_t in = position_of(model.graph.inputs, kept.in), out = position_of(model.graph.outputs, kept.out);
    const Constant before = in < data.inputs.size() ? as_state(data.inputs[in], type) : Constant();
    if (in >= data.inputs.size() || out >= data.outputs.size() || before.type() != type ||
        data.outputs[out].type() != type)
      return misfit(
          options, data,
          cat("of the state '", kept.in, "' it does not hold ", to_string(type), " before and behind the run"));
    states.push_back({before.bytes(), with_tolerance(data.outputs[out].bytes(), type.dtype, {})});
    take_out(data.inputs, in);
    take_out(model.graph.inputs, in);
  }
  const Result<std::vector<verify::Sample>> samples = stored_samples(options, report, {data}, model);
  if (!samples) return samples.faults();
  emit::SelfTestData result = selftest_data(analysis, report, samples->front());
  result.states = std::move(states);
  return result;
}

namespace {

// Compared with itself a firmware matches whatever its kernels compute: that is said.
void note_naive(const Options& options, bool stored, Verification& result) {
  result.reference = "naive";
  result.reference_detail = stored ? "tarn's own plan without sharing, on stored inputs"
                                   : "tarn's own plan without sharing, on made-up inputs";
  if (options.reference == "naive") return;
  result.warnings.push_back(
      {"W401",
       {.file = options.compile.model_path},
       cat("no outputs are stored for this model: it is compared with tarn's own plan without sharing, which tells "
           "faults of planning but none of kernels"),
       "store some as test_data_set_0/output_N.pb or name a folder with --data; --reference ort compares with "
       "onnxruntime"});
}

bool has_outputs(const std::vector<verify::DataSet>& data) {
  return std::any_of(data.begin(), data.end(), [](const verify::DataSet& set) { return !set.outputs.empty(); });
}

// Its outputs come in files of ONNX, a tensor each, and protobuf ends at 2 GB. Told before hours and the memory are
// spent.
Result<Done> check_files_hold(const Options& options, const report::Report& report) {
  constexpr int64_t kMostInAFile = (int64_t{1} << 31) - (1 << 10);
  for (const report::Port& output : report.outputs) {
    if (output.type.bytes() <= kMostInAFile) continue;
    return Diagnostic{"E410",
                      {.file = options.compile.model_path, .tensor = output.name},
                      cat("--reference ort cannot be had: the tensor has ", output.type.bytes(),
                          " bytes, a file of ONNX that it would be handed over in holds less than 2 GB"),
                      "choose --reference naive"};
  }
  return Done{};
}

// What to run the firmware on, with the outputs that it must give.
Result<std::vector<verify::Sample>> reference_samples(const Options& options, const model::Model& model,
                                                      const std::vector<verify::DataSet>& data, Verification& result) {
  if (options.reference == "ort") {
    if (const Result<Done> held = check_files_hold(options, result.report); !held) return held.faults();
    Result<OrtReference> ort = ort_reference(options, model, data);
    if (!ort) return ort.faults();
    result.reference = "ort";
    result.reference_detail = cat("onnxruntime ", ort->version, data.empty() ? ", on made-up inputs" : "");
    return stored_samples(options, result.report, ort->data, model);
  }
  const bool stored = has_outputs(data);
  if (options.reference == "data" && !stored)
    return Diagnostic{"E405",
                      {.file = options.compile.model_path},
                      data.empty() ? "--reference data: there is no test_data_set_N folder beside the model"
                                   : "--reference data: '" + data[0].folder + "' holds no outputs",
                      "give one with --data DIR, or use --reference ort or naive"};
  Result<std::vector<verify::Sample>> samples = stored_samples(options, result.report, data, model);
  if (!samples) return samples;
  if (options.reference != "naive" && stored) {
    for (size_t s = 0; s < samples->size(); ++s) {
      if ((*samples)[s].outputs.size() == result.report.outputs.size()) continue;
      return Diagnostic{"E405",
                        {.file = options.compile.model_path},
                        cat("'", data[s].folder, "' does not fit the model: it has ", (*samples)[s].outputs.size(),
                            " outputs, the model ", result.report.outputs.size()),
                        "store them all, or use --reference ort or naive"};
    }
    result.reference = "data";
    result.reference_detail = data.size() == 1 ? "stored outputs" : cat("stored outputs, ", data.size(), " sets");
    return samples;
  }
  note_naive(options, !data.empty(), result);
  if (samples->empty()) samples->push_back(made_up_sample(result.report));
  return naive_reference(options, result.analysis, result.firmware, std::move(*samples));
}

// One firmware on samples of several sizes, each with the outputs that are expected of a build for that very size.
Result<Verification> prepare_sizes(const Options& options, const model::Model& model,
                                   const std::vector<verify::DataSet>& data, const std::string& folder) {
  const SizeBox box = options.compile.run_time;
  Verification result;
  Result<Analysis> analysis = analyze(options.compile);
  if (!analysis) return analysis.faults();
  result.analysis = std::move(*analysis);
  result.report = report::make_report(result.analysis, options.command_line);
  result.report.clock = options.clock;
  Result<verify::Firmware> firmware = write_firmware(result.analysis, result.report, options, folder);
  if (!firmware) return firmware.faults();
  result.firmware = std::move(*firmware);

  std::map<SizePoint, std::vector<verify::DataSet>> sets;
  std::vector<SizePoint> stored;
  for (const verify::DataSet& set : data) {
    if (const std::optional<SizePoint> point =
            stored_point(box, verify::dims_from_data(model, set, options.compile.constants))) {
      sets[*point].push_back(set);
      stored.push_back(*point);
    }
  }
  std::vector<std::string> told;
  for (const size_t position : sizes_to_run(box, stored)) {
    const SizePoint point = point_at(box, position);
    if (options.reference == "data" && !sets.contains(point)) continue;
    Options at = options;
    at.range.reset();
    at.compile.run_time.clear();
    for (size_t axis = 0; axis < box.size(); ++axis) at.compile.dims[box[axis].name] = point[axis];
    Result<Verification> one = prepare_verification(at, model, sets[point], cat(folder, "/size_", position));
    if (!one) return one.faults();
    for (verify::Sample& sample : one->samples) {
      sample.size = static_cast<int32_t>(position);
      result.samples.push_back(std::move(sample));
    }
    std::move(one->floats.begin(), one->floats.end(), std::back_inserter(result.floats));
    result.floats_detail = one->floats_detail;
    if (told.empty()) result.warnings = one->warnings;
    if (result.reference.empty() || result.reference == "naive") {
      result.reference = one->reference;
      result.reference_detail = one->reference_detail;
    }
    told.push_back(box.size() == 1 ? cat(point[0]) : point_text(box, point));
  }
  if (told.empty())
    return Diagnostic{"E405",
                      {.file = options.compile.model_path},
                      cat("--reference data: no stored data are of ", range_text(box)),
                      "give some with --data DIR, or use --reference ort or naive"};
  std::reverse(told.begin(), told.end());
  result.reference_detail +=
      box.size() == 1 ? cat(", at ", box[0].name, " = ", join(told)) : cat(", at ", join(told, "; "));
  return result;
}

}  // namespace

Result<Verification> prepare_verification(Options options, const model::Model& model,
                                          const std::vector<verify::DataSet>& data, const std::string& folder) {
  if (!options.compile.run_time.empty()) return prepare_sizes(options, model, data, folder);
  if (!data.empty() && options.compile.cut.empty()) {
    for (const auto& [name, value] : verify::dims_from_data(model, data[0], options.compile.constants)) {
      options.compile.dims.emplace(name, value);
    }
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
  result.report.clock = options.clock;
  result.report.transfers = report::transfer_figures(result.analysis, result.report);
  Result<verify::Firmware> firmware = write_firmware(result.analysis, result.report, options, folder);
  if (!firmware) return firmware.faults();
  result.firmware = std::move(*firmware);
  Options floats = options;
  floats.compile.weight_types.clear();
  floats.compile.state_type = program::StateType::none;
  if (!floats.compile.histories) {
    floats.compile.states.clear();
    floats.compile.states_by_name = false;
  }
  Result<std::vector<verify::Sample>> samples = reference_samples(floats, model, data, result);
  if (!samples) return samples.faults();
  const bool stored = options.compile.states_as_ports;
  if (!options.compile.weight_types.empty() || stored) {
    result.floats = *samples;
    result.floats_detail = result.reference_detail;
    result.warnings.clear();
    result.reference = "naive";
    result.reference_detail = cat("the same ", options.compile.weight_types.empty() ? "" : "weights in floats",
                                  !options.compile.weight_types.empty() && stored ? " and " : "",
                                  stored ? "states as they are kept" : "", ", planned without sharing");
    samples = naive_reference(options, result.analysis, result.firmware, std::move(*samples));
    if (!samples) return samples.faults();
  }
  result.samples = std::move(*samples);
  return result;
}

}  // namespace tarn::cli
