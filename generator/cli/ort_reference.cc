#include "cli/ort_reference.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "cli/made_up.h"
#include "cli/verification.h"
#include "graph/bind.h"
#include "model/load_onnx.h"
#include "report/json_writer.h"
#include "support/printable.h"
#include "support/template.h"
#include "support/text.h"
#include "verify/files.h"
#include "verify/process.h"

namespace tarn::cli {

namespace {

namespace fs = std::filesystem;

constexpr int64_t kCpuSeconds = 1800;  // of all runs; the largest networks take minutes

std::string python() {
  const char* named = std::getenv("TARN_PYTHON");
  return named != nullptr && *named != 0 ? named : "python3";
}

Diagnostic no_reference(const Options& options, const std::string& what, const std::string& hint) {
  return {"E410", {.file = options.compile.model_path}, "--reference ort cannot be had: " + what, hint};
}

bool fits(const model::Type& type, const Constant& value) {
  if (value.is_strings() || value.is_absent()) return true;  // told by write_run()
  if (value.dtype() != type.dtype) return false;
  if (!type.dims) return true;
  const std::vector<int64_t>& dims = value.shape().dims;
  return std::equal(dims.begin(), dims.end(), type.dims->begin(), type.dims->end(),
                    [](int64_t size, const model::Dim& dim) { return dim.value.value_or(size) == size; });
}

// What is not said by the data is made up, in the shapes that --dim gives.
Result<Constant> input_of(const Options& options, const model::ValueInfo& input, size_t index,
                          const verify::DataSet* set) {
  const auto fixed = options.compile.constants.find(input.name);
  if (fixed != options.compile.constants.end()) return model::load_tensor(fixed->second);
  if (set != nullptr) {
    const bool there = index < set->inputs.size();
    if (there && fits(input.type, set->inputs[index])) return set->inputs[index];
    return misfit(options, *set,
                  there ? cat("its input ", index, " is ", to_string(set->inputs[index].type()), ", which '",
                              input.name, "' cannot be")
                        : cat("it has ", set->inputs.size(), " inputs"));
  }
  graph::Binding binding(options.compile.dims);
  TensorType type{input.type.dtype, {}};
  for (size_t axis = 0; input.type.dims && axis < input.type.dims->size(); ++axis)
    type.shape.dims.push_back(
        binding.input_dim((*input.type.dims)[axis], input.name, static_cast<int>(axis)).value_or(1));
  return made_up(type, index + 1);
}

// The inputs of one run as files in a folder, and in `json` where they are.
Result<Done> write_run(const Options& options, const model::Model& model, const verify::DataSet& set,
                       const std::string& folder, report::JsonWriter& json) {
  std::error_code fault;
  fs::create_directory(folder, fault);
  json.begin_object();
  json.key("folder").value(fs::path(folder).filename().string());
  json.key("inputs").begin_array();
  for (size_t i = 0; i < model.graph.inputs.size(); ++i) {
    const Constant& value = set.inputs[i];
    if (value.is_strings() || value.is_absent())
      return no_reference(options, "input '" + model.graph.inputs[i].name + "' holds no numbers", {});
    const std::string file = cat("input_", i);
    const std::vector<uint8_t> bytes = value.bytes();
    if (!verify::write_file(cat(folder, "/", file), {reinterpret_cast<const char*>(bytes.data()), bytes.size()}))
      return Diagnostic{
          "E401", {}, "'" + folder + "' cannot be written", "check the free space of the temporary folder"};
    json.begin_object(true);
    json.key("name").value(model.graph.inputs[i].name);
    json.key("type").value(static_cast<int64_t>(to_onnx(value.dtype())));
    json.key("shape").list(value.shape().dims);
    json.key("file").value(file);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return Done{};
}

// The last line that says anything.
std::string last_line(const std::string& text) {
  std::string last;
  for (const std::string& line : split(text, '\n')) {
    if (!line.empty()) last = line;
  }
  return last;
}

// Runs the script. Its version of onnxruntime, else why there is none.
Result<std::string> run_script(const Options& options, const std::string& folder) {
  const std::string program = verify::find_program(python());
  const std::string hint =
      cat("install onnxruntime for it, or set TARN_PYTHON to a Python that has it; --reference "
          "naive compares with tarn's own plan without sharing");
  if (program.empty()) return no_reference(options, "there is no program '" + python() + "'", hint);
  const verify::Command command{.arguments = {program, folder + "/run_onnxruntime.py", folder},
                                .cpu_seconds = kCpuSeconds};
  const verify::Ended ended = verify::run(command);
  if (ended.ok() && !ended.out.empty()) return first_line(ended.out);
  const std::string why = printable(last_line(ended.err));
  const bool imported = ended.how != verify::Ended::How::exited || ended.code != 3;
  if (!ended.out.empty() && imported)
    return no_reference(options,
                        cat("onnxruntime ", first_line(ended.out),
                            " does not run this model: ", ended.code == 4 ? why : describe(ended, command)),
                        "choose --reference data or naive");
  return no_reference(options,
                      cat("'", program, "' has no onnxruntime: ", why.empty() ? describe(ended, command) : why), hint);
}

}  // namespace

Result<OrtReference> ort_reference(const Options& options, const model::Model& model, std::vector<verify::DataSet> data,
                                   const std::vector<std::string>& watched) {
  if (!options.compile.cut.empty())
    return no_reference(options, "onnxruntime runs whole models, not a part of one (--cut)",
                        "choose --reference data or naive");
  const Result<verify::Scratch> scratch = verify::Scratch::make();
  if (!scratch) return scratch.faults();
  report::JsonWriter json;
  json.begin_object();
  json.key("model").value(fs::absolute(options.compile.model_path).string());
  std::vector<std::string> outputs;
  for (const model::ValueInfo& output : model.graph.outputs) outputs.push_back(output.name);
  json.key("outputs").list(outputs);
  json.key("watched").list(watched);
  json.key("runs").begin_array();
  const bool stored = !data.empty();
  if (!stored) data.emplace_back();
  for (size_t s = 0; s < data.size(); ++s) {
    std::vector<Constant> inputs;
    for (size_t i = 0; i < model.graph.inputs.size(); ++i) {
      Result<Constant> value = input_of(options, model.graph.inputs[i], i, stored ? &data[s] : nullptr);
      if (!value) return value.faults();
      inputs.push_back(std::move(*value));
    }
    data[s].inputs = std::move(inputs);
    if (const Result<Done> written = write_run(options, model, data[s], *scratch / cat("run_", s), json); !written)
      return written.faults();
  }
  json.end_array();
  json.end_object();
  if (!verify::write_file(*scratch / "runs.json", json.text()) ||
      !verify::write_file(*scratch / "run_onnxruntime.py", embedded_text("templates/verify/run_onnxruntime.py")))
    return Diagnostic{
        "E401", {}, "the scratch folder cannot be written", "check the free space of the temporary folder"};
  const Result<std::string> version = run_script(options, scratch->path());
  if (!version) return version.faults();
  OrtReference reference{{}, *version};
  for (size_t s = 0; s < data.size(); ++s) {
    Result<verify::DataSet> given = verify::load_data(*scratch / cat("run_", s), options.compile.model_path);
    if (!given) return given.faults();
    if (given->outputs.size() != outputs.size())
      return no_reference(options, cat("it gave ", given->outputs.size(), " of ", outputs.size(), " outputs"), {});
    // They stay when the scratch folder goes.
    data[s].outputs.clear();
    for (const Constant& output : given->outputs)
      data[s].outputs.push_back(output.is_strings() ? output : Constant::of(output.type(), output.bytes()));
    reference.data.push_back(std::move(data[s]));
    std::map<std::string, Constant>& values = reference.values.emplace_back();
    for (size_t i = 0; i < watched.size(); ++i) {
      const std::string file = *scratch / cat("run_", s, "/watched_", i, ".pb");
      if (!fs::exists(file)) continue;
      const Result<Constant> value = model::load_tensor(file);
      if (value && !value->is_strings()) values.emplace(watched[i], Constant::of(value->type(), value->bytes()));
    }
  }
  return reference;
}

}  // namespace tarn::cli
