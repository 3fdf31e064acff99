// tarn compare: the tensors that a board printed, step by step, beside the reference.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/compare_nodes.h"
#include "cli/naive_reference.h"
#include "cli/terminal.h"
#include "model/load_onnx.h"
#include "program/ring_window.h"
#include "report/read_json.h"
#include "support/printable.h"
#include "support/standard_streams.h"
#include "support/text.h"
#include "verify/dataset.h"
#include "verify/dump.h"
#include "verify/files.h"

namespace tarn::cli {

namespace {

namespace fs = std::filesystem;

cxxopts::Options declare() {
  cxxopts::Options options("tarn compare",
                           "A run on a board beside the reference, tensor by tensor: the first step that differs.");
  options.positional_help("REPORT.json DUMP").show_positional_help();
  options.add_options()("files", "the report of `tarn generate --trace`, and what NAME_trace() printed",
                        cxxopts::value<std::vector<std::string>>(), "FILE")(
      "model", "the ONNX file (default: the report's, here or in the report's folder)", cxxopts::value<std::string>(),
      "FILE")("data", "a test_data_set_N folder: the inputs that the board was to have", cxxopts::value<std::string>(),
              "DIR")("reference",
                     "ort (onnxruntime, from $TARN_PYTHON or python3 on PATH) or naive (this model planned without "
                     "sharing, on this machine) (default: ort where it can be had, else naive)",
                     cxxopts::value<std::string>(), "R")("h,help", "this text");
  options.parse_positional({"files"});
  return options;
}

struct Request {
  std::string report, dump, model, data, reference;
};

// What the firmware was made of, made again.
struct Board {
  Options options;
  Analysis analysis;
  report::Report report;
  std::vector<report::Tap> taps;
};

Diagnostic other_plan(const std::string& file, const std::string& what) {
  return {"E415", {.file = file}, what, "generate with --trace, build, flash and print again, and give that report"};
}

// Where the report says nothing of folders, the model lies here or beside it.
std::string model_path(const Request& request, const std::string& file) {
  if (!request.model.empty()) return request.model;
  const fs::path beside = fs::path(request.report).parent_path() / file;
  return !fs::exists(file) && fs::exists(beside) ? beside.string() : file;
}

Result<Options> options_of(const Request& request, const report::Object& object) {
  std::vector<std::string> words = report::texts_at(object, "command");
  const std::string file = report::text_at(object, "model.file");
  auto fault = [&](const std::string& what) {
    return Diagnostic{"E307", {.file = request.report}, what, "give the NAME.json that `tarn generate --trace` wrote"};
  };
  if (words.size() < 3 || words[1] != "generate" || std::find(words.begin(), words.end(), "--trace") == words.end())
    return fault("is not of `tarn generate --trace`");
  if (std::any_of(words.begin(), words.end(), [](const std::string& w) { return w.starts_with("--quantize"); }))
    return fault("is of a network quantised on the way, whose codes are not those of the float model");
  for (std::string& word : words) {
    if (word == file) word = model_path(request, file);
    else if (word == "--model=" + file) word = "--model=" + model_path(request, file);
  }
  words.insert(words.end(), {"-o", "."});
  std::vector<char*> argv;
  for (size_t i = 1; i < words.size(); ++i) argv.push_back(words[i].data());
  auto parsed = parse_options(Command::generate, static_cast<int>(argv.size()), argv.data());
  if (const auto* error = std::get_if<UsageError>(&parsed)) return fault(join(error->messages, "; "));
  return std::get<Options>(parsed);
}

Result<Board> board_of(const Request& request, const report::Object& object) {
  Result<Options> options = options_of(request, object);
  if (!options) return options.faults();
  Result<Analysis> analysis = analyze(options->compile);
  if (!analysis) return analysis.faults();
  Board board{std::move(*options), std::move(*analysis), {}, {}};
  board.report = report::make_report(board.analysis, board.options.command_line);
  board.taps = report::taps_of(board.analysis, board.report);
  if (board.report.sha256 != report::text_at(object, "model.sha256"))
    return other_plan(board.options.compile.model_path, "the model is not the one that the report was made of");
  return board;
}

std::string step_name(const report::Tap& tap) { return cat("'", printable(tap.tensor), "' of step ", tap.step); }

// What the board printed for each tap; empty where a run that broke off has none.
Result<NodeValues> values_of(const Board& board, const verify::DumpedRun& run, const Request& request) {
  NodeValues values;
  for (const report::Tap& tap : board.taps) {
    const auto found = run.tensors.find({tap.step, tap.c_name});
    const auto bytes = static_cast<size_t>(tap.piece * tap.pieces);
    if (found == run.tensors.end() && run.complete && !run.failed)
      return other_plan(request.dump, cat("there is no ", step_name(tap)));
    if (found != run.tensors.end() && found->second.size() != bytes)
      return other_plan(request.dump, cat(step_name(tap), " has ", found->second.size(), " bytes, not ", bytes));
    values.push_back(found == run.tensors.end() ? std::vector<uint8_t>() : found->second);
  }
  return values;
}

// Of rings the windows that they hold.
std::optional<std::vector<uint8_t>> window_of(const program::Program& program, const report::Port& port,
                                              const verify::DumpedRun& run) {
  for (size_t k = 0; k < program.kept.size(); ++k) {
    const program::KeptState& kept = program.kept[k];
    const auto found = run.inputs.find(port.c_name);
    if (!kept.ring || kept.in != port.name || found == run.inputs.end()) continue;
    if (std::ssize(found->second) != program[program.states[k]].bytes()) return {};
    return program::bytes_of_ring(*kept.ring, *kept.model_type, found->second);
  }
  return {};
}

// The inputs of the network without states, as the board had them.
Result<verify::Sample> sample_of(const Board& board, const report::Report& report, const verify::DumpedRun& run,
                                 const Request& request) {
  verify::Sample sample;
  for (const report::Port& port : report.inputs) {
    if (std::optional<std::vector<uint8_t>> window = window_of(board.analysis.program, port, run)) {
      sample.inputs.push_back(std::move(*window));
      continue;
    }
    const auto found = run.inputs.find(port.c_name);
    const bool empty = port.type.bytes() == 0;
    if (!empty && (found == run.inputs.end() || std::ssize(found->second) != port.type.bytes()))
      return other_plan(request.dump, "the input '" + printable(port.name) + "' is not in it as the plan has it");
    sample.inputs.push_back(empty ? std::vector<uint8_t>() : found->second);
  }
  return sample;
}

// As the model's own inputs, for onnxruntime; nothing where the firmware takes them in another form.
std::optional<verify::DataSet> data_of(const Options& options, const model::Model& model, const report::Report& report,
                                       const verify::Sample& sample) {
  verify::DataSet data;
  for (const model::ValueInfo& input : model.graph.inputs) {
    if (options.compile.constants.contains(input.name)) {
      data.inputs.emplace_back();
      continue;
    }
    const auto port = std::find_if(report.inputs.begin(), report.inputs.end(),
                                   [&](const report::Port& p) { return p.name == input.name; });
    if (port == report.inputs.end() || port->channels_last || port->codes) return {};
    data.inputs.push_back(Constant::of(port->type, sample.inputs[static_cast<size_t>(port - report.inputs.begin())]));
  }
  return data;
}

void leave_states_out(CompileOptions& options) {
  options.states.clear();
  options.states_by_name = options.ring_states = false;
}

Result<NodeReference> reference_of(const Request& request, const Board& board,
                                   const std::vector<verify::Sample>& samples, const report::Report& stateless,
                                   const model::Model& model) {
  Options options = board.options;
  leave_states_out(options.compile);
  if (request.reference != "naive") {
    std::vector<verify::DataSet> data;
    for (const verify::Sample& sample : samples) {
      std::optional<verify::DataSet> one = data_of(options, model, stateless, sample);
      if (one) data.push_back(std::move(*one));
    }
    const bool as_model = data.size() == samples.size();
    if (!as_model && request.reference == "ort")
      return Diagnostic{"E410",
                        {.file = options.compile.model_path},
                        "--reference ort cannot be had: the firmware takes its inputs in another form than the model",
                        "choose --reference naive"};
    if (as_model) {
      Result<NodeReference> ort = NodeReference::ort(options, model, data, board.taps);
      if (ort || request.reference == "ort") return ort;
    }
  }
  return NodeReference::naive(options, board.taps, samples);
}

// The inputs that a folder has, beside those that the board ran with.
Diagnostics check_inputs(const Request& request, const Options& options, const report::Report& report,
                         const model::Model& model, const verify::Sample& sample) {
  const Result<verify::DataSet> data = verify::load_data(request.data, options.compile.model_path);
  if (!data) return data.faults();
  verify::DataSet inputs = *data;
  inputs.outputs.clear();
  const Result<std::vector<verify::Sample>> wanted = stored_samples(options, report, {inputs}, model);
  if (!wanted) return wanted.faults();
  Diagnostics faults;
  for (size_t i = 0; i < report.inputs.size(); ++i) {
    const std::vector<uint8_t>&got = sample.inputs[i], &want = wanted->front().inputs[i];
    int64_t differ = 0;
    for (size_t k = 0; k < std::min(got.size(), want.size()); ++k) differ += got[k] != want[k] ? 1 : 0;
    if (differ > 0)
      faults.push_back({"E404",
                        {.file = options.compile.model_path, .tensor = report.inputs[i].name},
                        cat("the board ran with another input than '", request.data, "' has: ", differ, " of ",
                            want.size(), " bytes differ"),
                        "an input does not survive a run: fill it before each"});
  }
  return faults;
}

void print_rows(const std::vector<report::NodeRow>& rows) {
  std::printf("step  tensor                           operator             largest error   relative   differ\n");
  for (const report::NodeRow& row : rows) {
    const std::string tensor = printable(row.tensor), op = printable(row.op);
    if (row.compared)
      std::printf("%4lld  %-32s %-20s %13.3g  %9.3g  %7lld\n", static_cast<long long>(row.step), tensor.c_str(),
                  op.c_str(), row.max_abs, row.max_rel, static_cast<long long>(row.mismatches));
    else std::printf("%4lld  %-32s %-20s not compared\n", static_cast<long long>(row.step), tensor.c_str(), op.c_str());
  }
}

int fail(const Diagnostics& faults) {
  print(faults, false);
  return exit_code(faults);
}

// What the end of the last run was.
Diagnostics ends_of(const Request& request, const std::vector<verify::DumpedRun>& runs) {
  const verify::DumpedRun& last = runs.back();
  const int64_t step = last.tensors.empty() ? -1 : last.tensors.rbegin()->first.first;
  const std::string at = step < 0 ? "before the first step ended" : cat("after step ", step);
  if (!last.complete)
    return {{"E406", {.file = request.dump}, "the run broke off " + at, "look at what the board did then"}};
  for (const verify::DumpedRun& run : runs) {
    if (run.failed)
      return {{"E406", {.file = request.dump}, cat("a run ended with status -", *run.failed), "see NAME.h"}};
  }
  return {};
}

int compare(const Request& request) {
  const Result<report::Object> object = report::read_report(request.report);
  if (!object) return fail(object.faults());
  const std::optional<std::string> text = verify::read_file(request.dump);
  if (!text) return fail({{"E415", {.file = request.dump}, "cannot be read", "give what NAME_trace() printed"}});
  const Result<std::vector<verify::DumpedRun>> runs = verify::parse_dump(request.dump, *text);
  if (!runs) return fail(runs.faults());
  for (const verify::DumpedRun& run : *runs) {
    if (run.plan_id != report::text_at(*object, "plan_id"))
      return fail({other_plan(request.dump,
                              cat("it was printed by ", printable(run.firmware), " of plan ", printable(run.plan_id),
                                  ", the report is of ", report::text_at(*object, "plan_id")))});
  }
  const Result<Board> board = board_of(request, *object);
  if (!board) return fail(board.faults());
  const Result<model::Model> model = model::load_onnx(board->options.compile.model_path);
  if (!model) return fail(model.faults());
  Options stateless = naive_options(board->options);
  leave_states_out(stateless.compile);
  const Result<Analysis> ports = analyze(stateless.compile);
  if (!ports) return fail(ports.faults());
  const report::Report report = report::make_report(*ports, {});
  std::vector<NodeValues> values;
  std::vector<verify::Sample> samples;
  Diagnostics faults = ends_of(request, *runs);
  for (const verify::DumpedRun& run : *runs) {
    Result<NodeValues> told = values_of(*board, run, request);
    if (!told) return fail(told.faults());
    Result<verify::Sample> sample = sample_of(*board, report, run, request);
    if (!sample) return fail(sample.faults());
    if (!request.data.empty() && samples.empty()) {
      const Diagnostics other = check_inputs(request, stateless, report, *model, *sample);
      faults.insert(faults.end(), other.begin(), other.end());
    }
    values.push_back(std::move(*told));
    samples.push_back(std::move(*sample));
  }
  const Result<NodeReference> reference = reference_of(request, *board, samples, report, *model);
  if (!reference) return fail(reference.faults());
  const NodeComparison compared = reference->compare(board->analysis, board->report, "the board", values);
  if (compared.diverges) faults.push_back(*compared.diverges);
  report::VerifyRow row;
  row.on = cat("the board, ", runs->size(), runs->size() == 1 ? " run" : " runs");
  row.nodes_reference = compared.reference;
  row.nodes = compared.rows;
  print_rows(compared.rows);
  std::printf("%s\n", report::nodes_line(row).c_str());
  return fail(faults);
}

}  // namespace

std::string compare_help() { return declare().help(); }

int run_compare(int argc, char** argv) {
  cxxopts::Options options = declare();
  Request request;
  try {
    const cxxopts::ParseResult parsed = parse(options, argc, argv);
    if (parsed.count("help") > 0) {
      std::cout << options.help();
      return 0;
    }
    const auto files =
        parsed.count("files") > 0 ? parsed["files"].as<std::vector<std::string>>() : std::vector<std::string>();
    if (files.size() != 2) throw std::runtime_error("give two files: REPORT.json DUMP");
    request.report = files[0];
    request.dump = files[1];
    if (parsed.count("model") > 0) request.model = parsed["model"].as<std::string>();
    if (parsed.count("data") > 0) request.data = parsed["data"].as<std::string>();
    if (parsed.count("reference") > 0) request.reference = parsed["reference"].as<std::string>();
    if (!request.reference.empty() && request.reference != "ort" && request.reference != "naive")
      throw std::runtime_error("--reference is ort or naive, not '" + request.reference + "'");
  } catch (const std::exception& error) {
    std::cerr << "tarn: " << error.what() << "\n";
    return 2;
  }
  return compare(request);
}

}  // namespace tarn::cli
