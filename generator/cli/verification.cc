#include "cli/verification.h"

#include <algorithm>
#include <cmath>

#include "cli/fix_inputs.h"
#include "cli/naive_reference.h"
#include "cli/write_firmware.h"
#include "passes/layout/permutation.h"
#include "stream/make_plan.h"
#include "support/text.h"
#include "tensor/numeric.h"

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
  if (result.reference == "naive")
    samples = naive_reference(options, result.analysis, result.firmware, std::move(*samples));
  if (!samples) return samples.faults();
  result.samples = std::move(*samples);
  return result;
}

}  // namespace tarn::cli
