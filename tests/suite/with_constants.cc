#include "suite/with_constants.h"

#include <onnx/onnx_pb.h>

#include <filesystem>

#include "cli/verification.h"
#include "model/load_onnx.h"
#include "support/text.h"
#include "verify/files.h"
#include "verify/verify.h"

namespace tarn::suite {
namespace {

namespace fs = std::filesystem;

std::string file_of(const std::string& folder, const char* kind, size_t i) {
  return cat(folder, "/", kind, "_", i, ".pb");
}

std::string tensor_file(DType type, const Shape& shape, const std::vector<uint8_t>& bytes) {
  onnx::TensorProto tensor;
  for (const int64_t dim : shape.dims) tensor.add_dims(dim);
  tensor.set_data_type(to_onnx(type));
  tensor.set_raw_data(bytes.data(), bytes.size());
  return tensor.SerializeAsString();
}

// Runs the network on its first stored inputs, or on made-up ones; `folder` then holds them and what it gave.
Diagnostics store_run(cli::Options options, const Settings& settings, const std::string& folder) {
  const Result<model::Model> model = model::load_onnx(options.compile.model_path);
  if (!model) return model.faults();
  Result<std::vector<verify::DataSet>> data = cli::load_data_sets(options);
  if (!data) return data.faults();
  if (data->size() > 1) data->resize(1);
  const Result<verify::Scratch> scratch = verify::Scratch::make();
  if (!scratch) return scratch.faults();
  options.reference = "naive";  // stored outputs are the business of other tests
  const Result<cli::Verification> prepared = cli::prepare_verification(options, *model, *data, scratch->path());
  if (!prepared) return prepared.faults();
  verify::VerifyOptions run;
  run.count_instructions = settings.count_instructions;
  const Result<verify::Measurement> m =
      verify::run_on(prepared->firmware, verify::Target::host, prepared->samples, run);
  if (!m) return m.faults();
  if (!m->faults.empty()) return m->faults;
  size_t port = 0;
  bool written = true;
  for (size_t i = 0; i < model->graph.inputs.size(); ++i) {
    const std::string file = file_of(folder, "input", i);
    const auto& fixed = prepared->analysis.options.constants;
    if (const auto at = fixed.find(model->graph.inputs[i].name); at != fixed.end()) {
      written = written && fs::copy_file(at->second, file);
    } else {
      const TensorType& type = prepared->report.inputs[port].type;
      written =
          written && verify::write_file(file, tensor_file(type.dtype, type.shape, prepared->samples[0].inputs[port]));
      ++port;
    }
  }
  for (size_t i = 0; i < m->results[0].size(); ++i) {
    const verify::Output& output = m->results[0][i];
    written =
        written && verify::write_file(file_of(folder, "output", i),
                                      tensor_file(prepared->report.outputs[i].type.dtype, output.shape, output.bytes));
  }
  if (!written) return {{"E401", {}, "'" + folder + "' cannot be written", {}}};
  return {};
}

}  // namespace

std::vector<Outcome> run_with_constants(const std::string& name, cli::Options options, const Settings& settings,
                                        const std::string& folder) {
  const Result<model::Model> model = model::load_onnx(options.compile.model_path);
  std::vector<std::pair<std::string, std::string>> inputs;  // name, file
  for (size_t i = 0; model && i < model->graph.inputs.size(); ++i) {
    const std::string file = file_of(folder, "input", i);
    const bool tensor = model->graph.inputs[i].type.kind == model::Type::Kind::tensor;
    if (tensor && fs::exists(file)) inputs.emplace_back(model->graph.inputs[i].name, file);
  }
  options.data = {folder};
  const std::map<std::string, std::string> always = options.compile.constants;
  std::vector<Outcome> outcomes;
  int64_t turns = 0;
  for (size_t turn = 0; turn <= inputs.size() && !inputs.empty(); ++turn) {
    if (turn == inputs.size() && turn == 1) break;  // all is that one
    options.compile.constants = always;
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (turn == inputs.size() || turn == i) options.compile.constants.insert(inputs[i]);
    }
    outcomes = verify_model(name, options, settings);
    ++turns;
    for (Outcome& o : outcomes) {
      o.variants = turns;
      const std::string fixed = turn == inputs.size() ? "all inputs" : "'" + inputs[turn].first + "'";
      if (o.verdict != Verdict::passed) o.message = cat("with ", fixed, " constant: ", o.message);
    }
    if (!outcomes.empty() && outcomes[0].verdict != Verdict::passed) break;
  }
  return outcomes;
}

std::vector<Outcome> network_with_constants(const std::string& name, const cli::Options& options, Settings settings) {
  Outcome failed;
  failed.name = name;
  failed.on = "host";
  settings.targets = {verify::Target::host};
  settings.count_instructions = false;
  try {
    const Result<verify::Scratch> folder = verify::Scratch::make();
    if (!folder) {
      judge(failed, folder.faults());
      return {failed};
    }
    if (const Diagnostics faults = store_run(options, settings, folder->path()); !faults.empty()) {
      judge(failed, faults);
      return {failed};
    }
    std::vector<Outcome> outcomes = run_with_constants(name, options, settings, folder->path());
    if (!outcomes.empty()) return outcomes;
    failed.verdict = Verdict::passed;  // nothing can be made constant
  } catch (const std::exception& error) {
    failed.code = "internal";
    failed.message = error.what();
  }
  return {failed};
}

}  // namespace tarn::suite
