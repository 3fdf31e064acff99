#include "quantize/network.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "compile.h"
#include "emit/emit.h"
#include "model/save_onnx.h"
#include "quantize/tuning.h"
#include "support/progress.h"
#include "support/text.h"
#include "verify/build.h"
#include "verify/execute.h"
#include "verify/files.h"
#include "verify/harness.h"

namespace tarn::quantize {

using graph::ValueId;

struct Network::Program {
  Program(verify::Scratch place, verify::Toolchain found) : scratch(std::move(place)), tools(std::move(found)) {}

  verify::Scratch scratch;
  verify::Toolchain tools;
  verify::Firmware firmware;
  verify::Image image;
  std::vector<std::pair<ValueId, size_t>> inputs, outputs;  // watched values with their position
};

namespace {

CompileOptions plainly(const std::string& file) {
  CompileOptions options;
  options.model_path = file;
  options.name = "network";
  options.strategy = planner::Strategy::naive;
  options.order = schedule::OrderKind::given;
  options.share = {false, false, false};
  options.effort = 0;
  options.weights = WeightForm::incbin;  // the compiler takes longer for arrays than for all else
  return options;
}

verify::Firmware describe(const report::Report& report, const std::vector<emit::OutputFile>& files,
                          const std::string& folder) {
  verify::Firmware firmware;
  firmware.name = report.name;
  firmware.folder = folder;
  for (const emit::OutputFile& file : files) {
    if (file.name.ends_with(".c") || file.name.ends_with(".S")) firmware.sources.push_back(file.name);
  }
  for (const report::Port& port : report.inputs)
    firmware.inputs.push_back({port.name, port.c_name, port.accessor, port.type, {}});
  for (const report::Port& port : report.outputs)
    firmware.outputs.push_back({port.name, port.c_name, port.accessor, port.type, {}});
  firmware.macs = report.macs;
  return firmware;
}

// Many small networks are made, each of them once: the compiler starts once for all that is not a kernel.
std::optional<verify::Parts> as_one_file(const verify::Scratch& scratch, const verify::Toolchain& tools,
                                         const verify::Firmware& firmware) {
  verify::Parts parts{firmware.name, {}, verify::harness_sources(tools, "one_file.c")};
  std::string text;
  for (const std::string& source : firmware.sources) {
    const bool own = source.ends_with(".c") && !source.starts_with("tarn_");
    if (own) text += cat("#include \"", source, "\"\n");
    else parts.firmware.push_back(source);
  }
  text += "#define TARN_NO_GARBAGE\n#include \"harness.c\"\n";
  if (!verify::write_file(scratch / "harness/one_file.c", text)) return {};
  return parts;
}

// Weights that are rounded in another way leave the code as it is: this process compiles it once.
std::string objects_so_far() {
  static const Result<verify::Scratch> folder = verify::Scratch::make();
  return folder ? folder->path() : "";
}

// A status is what a run answers to inputs that it cannot have, such as an index outside of its table.
Diagnostics refused(Diagnostics faults) {
  for (Diagnostic& one : faults) {
    if (one.code == "E406" && one.message.find("the run function returned") != std::string::npos)
      one = {"E420",
             {},
             cat("the network refuses one of the samples: ", one.message),
             "-4: an index or a size in it is outside of what the network has"};
  }
  return faults;
}

std::vector<float> floats(const std::vector<uint8_t>& bytes) {
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
  return values;
}

}  // namespace

Result<Network> Network::make(const graph::Graph& graph, const FileFacts& facts, const std::vector<ValueId>& watched) {
  const Result<verify::Toolchain> tools = verify::find_toolchain(verify::Target::host);
  if (!tools) return tools.faults();
  Result<verify::Scratch> scratch = verify::Scratch::make();
  if (!scratch) return scratch.faults();
  auto program = std::make_shared<Program>(std::move(*scratch), *tools);

  graph::Graph copy = graph;
  FileFacts tapped = facts;
  copy.outputs.clear();
  tapped.outputs.clear();
  for (const ValueId id : watched) {
    const auto input = std::find(graph.inputs.begin(), graph.inputs.end(), id);
    if (input != graph.inputs.end()) {
      program->inputs.emplace_back(id, static_cast<size_t>(input - graph.inputs.begin()));
      continue;
    }
    program->outputs.emplace_back(id, copy.outputs.size());
    tapped.outputs.push_back(cat("watched_", copy.outputs.size()));
    copy.outputs.push_back(id);
  }
  if (copy.outputs.empty()) {
    copy.outputs = graph.outputs;
    tapped.outputs = facts.outputs;
  }
  const Result<model::Model> model = to_model(copy, tapped);
  if (!model) return model.faults();
  const Result<std::string> bytes = model::save_onnx(*model);
  if (!bytes) return bytes.faults();
  const std::string file = program->scratch / "network.onnx", folder = program->scratch / "firmware";
  if (!verify::write_file(file, *bytes)) return Diagnostic{"E401", {}, "the scratch folder cannot be written", {}};

  const Result<Analysis> analysis = analyze(plainly(file));
  if (!analysis) return analysis.faults();
  report::Report report = report::make_report(*analysis, {});
  report.sha256.clear();  // code whose weights alone differ has one text
  emit::EmitOptions emitted;
  Result<std::vector<emit::OutputFile>> files = emit::emit(*analysis, report, emitted);
  if (!files) return files.faults();
  if (const Result<Done> written = emit::write_files(folder, *files, {.scratch = true}); !written)
    return written.faults();
  program->firmware = describe(report, *files, folder);
  if (const Result<Done> written = verify::write_harness(program->firmware, program->scratch / "harness"); !written)
    return written.faults();
  note_progress("compiling the network", 0);
  verify::BuildOptions build;
  build.strict = build.whole_program = false;
  build.own_objects = objects_so_far();
  // Nothing but calls of kernels, for which the optimiser would take longer than the run.
  build.harness_flags = {"-O0"};
  const std::optional<verify::Parts> parts = as_one_file(program->scratch, program->tools, program->firmware);
  if (!parts) return Diagnostic{"E401", {}, "the scratch folder cannot be written", {}};
  const Result<verify::Objects> objects = verify::compile(program->tools, program->scratch.path(), *parts, build);
  if (!objects) return objects.faults();
  std::string overflow;
  Result<std::optional<verify::Image>> image =
      verify::link(program->tools, program->scratch.path(), *objects, nullptr, build, &overflow);
  if (!image) return image.faults();
  if (!*image) return Diagnostic{"E403", {}, "the network's program cannot be linked: " + overflow, {}};
  program->image = std::move(**image);
  Network network;
  network.program_ = std::move(program);
  return network;
}

int64_t Network::macs() const { return program_->firmware.macs; }

Result<Done> Network::run(const std::vector<Sample>& samples,
                          const std::function<void(size_t, const Values&)>& visit) const {
  int64_t bytes = 1;
  for (const verify::Port& port : program_->firmware.outputs) bytes += port.type.bytes();
  const size_t batch = static_cast<size_t>(std::max<int64_t>(1, kBatchBytes / bytes));
  verify::VerifyOptions options;
  options.repeat = options.interleave = false;
  for (size_t first = 0; first < samples.size(); first += batch) {
    note_progress("running the network", first);
    std::vector<verify::Sample> some;
    for (size_t i = first; i < std::min(samples.size(), first + batch); ++i) {
      verify::Sample& sample = some.emplace_back();
      for (const Constant& input : samples[i]) sample.inputs.push_back(input.bytes());
    }
    const Result<verify::Executed> executed = verify::execute(program_->tools, program_->scratch.path(),
                                                              program_->image, {}, program_->firmware, some, options);
    if (!executed) return refused(executed.faults());
    for (size_t i = 0; i < some.size(); ++i) {
      Values values;
      for (const auto& [id, input] : program_->inputs) values[id] = floats(some[i].inputs[input]);
      for (const auto& [id, output] : program_->outputs) values[id] = floats(executed->results[i][output].bytes);
      for (const auto& [id, divisor] : divided_) {
        const auto found = values.find(id);
        if (found == values.end()) continue;
        const size_t channels = divisor.by_channel.size(), inner = static_cast<size_t>(divisor.inner);
        for (size_t k = 0; k < found->second.size(); ++k) found->second[k] /= divisor.by_channel[k / inner % channels];
      }
      visit(first + i, values);
    }
  }
  return Done{};
}

}  // namespace tarn::quantize
