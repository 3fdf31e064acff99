// tarn quantize: a float model and data to run it on become a model of 8-bit codes.
#include <algorithm>
#include <filesystem>
#include <iostream>

#include "advice/time_budget.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/compile_options.h"
#include "cli/progress_line.h"
#include "cli/reader.h"
#include "cli/size_literal.h"
#include "cli/terminal.h"
#include "emit/files.h"
#include "model/load_onnx.h"
#include "quantize/assign.h"
#include "quantize/quantize.h"
#include "quantize/report.h"
#include "support/standard_streams.h"
#include "support/text.h"

namespace tarn::cli {

namespace {

struct QuantizeOptions {
  quantize::Options quantize;
  std::string output;
  quantize::Limits limits;
  bool front = false;
  std::vector<std::string> reports;
  bool json_diagnostics = false;
};

// The model, its data and what is written.
void declare_files(cxxopts::Options& options) {
  auto text = [] { return cxxopts::value<std::string>(); };
  auto texts = [] { return cxxopts::value<std::vector<std::string>>(); };
  auto add = options.add_options();
  add("model", "the ONNX file; also the word behind the command", text(), "MODEL");
  add("data",
      "the folder of the data: input_0.pb (or .npy, .bin), input_1.pb, ... in it or in folders of it; with one input "
      "any .npy, .pb, .bin or .raw files",
      text(), "DIR");
  add("dynamic",
      "activations become codes while the network runs, each with the range that it takes then (DynamicQuantizeLinear, "
      "MatMulInteger, ConvInteger); weights are codes of 8 bits. --data is needed but to tell what it costs");
  add("o,output", "the ONNX file to write", text(), "FILE");
  add("samples", "at most so many of them are used", text()->default_value("128"), "N");
  add("seed", "which ones, where there are more", text()->default_value("1"), "N");
  add("layout", "model, or nhwc: images of the data have their channels last", text()->default_value("model"), "L");
  add("dim", "binds a symbolic dimension (default: as the data have it)", texts(), "NAME=VALUE");
  add("const", "fixes a graph input to the tensor in a file", texts(), "NAME=FILE.pb");
  add("labels", "the class of each sample, in the order of the data: the report tells how many are right", text(),
      "FILE");
  add("report", "a report file; .txt, .json or .html", texts(), "FILE");
  add("diagnostics", "text or json", text()->default_value("text"), "FORMAT");
}

// How ranges, weights and sums become codes.
void declare_method(cxxopts::Options& options) {
  auto text = [] { return cxxopts::value<std::string>(); };
  auto texts = [] { return cxxopts::value<std::vector<std::string>>(); };
  auto add = options.add_options();
  add("ranges",
      "how a tensor's range is found: minmax, percentile, mse (least mean square error), entropy, or auto: the one of "
      "these, tensor by tensor, that does least to the outputs",
      text()->default_value("auto"), "HOW");
  add("percentile", "for --ranges percentile: what is kept, in percent", text()->default_value("99.99"), "P");
  add("activations", "asymmetric, or symmetric: every zero point is 0", text()->default_value("asymmetric"), "A");
  add("outputs", "floats: the last layers hand over their sums as floats; codes: outputs are quantised too",
      text()->default_value("floats"), "O");
  add("equalisation", "on, or off: channels between two layers fill the range of their tensor",
      text()->default_value("on"), "E");
  add("rounding", "sums: weights are rounded for the least error of their sums; nearest: each alone",
      text()->default_value("sums"), "R");
  add("bias-correction", "on, or off: sums keep their mean", text()->default_value("on"), "B");
  add("weight-bits", "8 or 4: of all layers' weights, or of those of LAYER; repeatable", texts(), "[LAYER=]N");
  add("activation-bits", "8 or 16: of all tensors between layers", text()->default_value("8"), "N");
  add("layer-bits",
      "4: weights of 4 bits; 8; 16: weights of 8 bits, numbers of 16; f16: floats with weights of 16 bits; "
      "float: as it is; of layers by their name, or that of their weights or output; repeatable",
      texts(), "LAYER=B,...");
  add("float", "a layer that stays in floats; repeatable", texts(), "LAYER");
}

// What the result may lose and take.
void declare_limits(cxxopts::Options& options) {
  auto text = [] { return cxxopts::value<std::string>(); };
  auto add = options.add_options();
  add("max-loss", "what may be lost, such as 1%: layers get 4, 8 or 16 bits or stay in floats so that it is kept",
      text(), "P");
  add("loss",
      "what is called the loss: accuracy (of --labels: samples that are no longer right), agreement (samples whose "
      "largest element of the first output moves), power (of the outputs' noise beside the signal), or auto: accuracy "
      "with labels, agreement where the first output is a vector of scores, else power",
      text()->default_value("auto"), "KIND");
  add("ram", "for the arena of the result: layers get the forms that lose least within it", text(), "SIZE");
  add("flash", "the same for its weights", text(), "SIZE");
  add("time", "the same for a run on --target at --clock, where all of its kernels have a model of time", text(), "T");
  add("instructions", "the same in executed instructions", text(), "N");
  add("clock", "of the target, such as 168M", text(), "HZ");
  add("target", "the processor that --time and figures of time are of", text()->default_value("generic"), "T");
  add("front", "tell assignments from the least memory to the least noise, with the options that make each");
}

cxxopts::Options declare_quantize() {
  cxxopts::Options options(
      "tarn quantize",
      "Writes a float model as one of 8-bit codes: QuantizeLinear and DequantizeLinear around its\n"
      "operators, from the numbers that it takes on the data given.");
  options.positional_help("MODEL").show_positional_help();
  declare_files(options);
  declare_method(options);
  declare_limits(options);
  options.add_options()("h,help", "this text");
  options.parse_positional({"model"});
  return options;
}

void read_constants(Reader& reader, quantize::Options& options, Diagnostics& faults) {
  reader.pairs("const", [&](const std::string& name, const std::string& file) {
    Result<Constant> loaded = model::load_tensor(file);
    if (loaded) options.constants.emplace(name, std::move(*loaded));
    else faults.insert(faults.end(), loaded.faults().begin(), loaded.faults().end());
  });
}

// [LAYER=]N
void read_bits(Reader& reader, quantize::Options& options) {
  for (const std::string& text : reader.texts("weight-bits")) {
    const size_t equals = text.rfind('=');
    const std::string number = equals == std::string::npos ? text : text.substr(equals + 1);
    if (number != "8" && number != "4") {
      reader.fault("--weight-bits takes 8 or 4, or LAYER=8 or LAYER=4, not '" + text + "'");
      continue;
    }
    const int bits = number == "8" ? 8 : 4;
    if (equals == std::string::npos) options.weight_bits = bits;
    else options.forms[text.substr(0, equals)] = {bits, options.activation_bits};
  }
}

// LAYER=B,LAYER=B: a comma that no form stands before belongs to the name.
void read_forms(Reader& reader, quantize::Options& options) {
  for (const std::string& text : reader.texts("layer-bits")) {
    std::string pair;
    for (const std::string& piece : split(text, ',')) {
      pair += (pair.empty() ? "" : ",") + piece;
      const size_t equals = pair.rfind('=');
      const auto form = equals == std::string::npos ? std::nullopt : quantize::layer_form(pair.substr(equals + 1));
      if (!form || equals == 0) continue;
      options.forms[pair.substr(0, equals)] = *form;
      pair.clear();
    }
    if (!pair.empty()) reader.fault("--layer-bits takes LAYER=4, 8, 16, f16 or float, not '" + pair + "'");
  }
}

void read_time(Reader& reader, QuantizeOptions& options) {
  quantize::Limits& limits = options.limits;
  options.quantize.target = full_target(reader.text("target"));
  if (std::find(known_targets().begin(), known_targets().end(), options.quantize.target) == known_targets().end())
    reader.fault("--target does not know '" + reader.text("target") + "'; it is one of " + join(known_targets()));
  const bool none = options.quantize.target == "generic" || options.quantize.target == "host";
  advice::TimeLimits time;
  if (reader.has("clock")) time.clock = parse_frequency(reader.text("clock"));
  if (reader.has("clock") && !time.clock)
    reader.fault("--clock takes a frequency such as 168M, not '" + reader.text("clock") + "'");
  if (reader.has("time")) {
    time.nanoseconds = parse_duration(reader.text("time"));
    if (!time.nanoseconds)
      reader.fault("--time takes a time such as 50ms, 800us or 2s, not '" + reader.text("time") + "'");
    if (!reader.has("clock")) reader.fault("--time needs the --clock of the --target");
    if (time.nanoseconds && time.clock) limits.cycles = time.cycles();
  }
  if (reader.has("instructions")) limits.instructions = reader.number("instructions", 1, INT64_MAX);
  if ((reader.has("time") || reader.has("instructions")) && none)
    reader.fault("--time and --instructions are of a run on a --target, and none is named");
}

// What has no meaning where ranges are found while the network runs and all codes have 8 bits.
void refuse_with_dynamic(Reader& reader, const QuantizeOptions& options) {
  for (const char* name : {"ram", "flash", "time", "instructions", "max-loss", "front", "weight-bits"}) {
    if (reader.has(name)) reader.fault(std::string("--dynamic leaves nothing to choose: --") + name + " is not for it");
  }
  if (options.quantize.activation_bits != 8)
    reader.fault("--dynamic makes codes of 8 bits: --activation-bits is not for it");
  if (reader.has("labels") && !reader.has("data")) reader.fault("--labels are of --data DIR");
  for (const auto& [name, form] : options.quantize.forms) {
    if (form != quantize::kFloat32 && form != quantize::kInt8)
      reader.fault("--dynamic takes --layer-bits " + name + "=8 or =float, not " + word_of(form));
  }
}

QuantizeOptions read_options(Reader& reader, const cxxopts::ParseResult& parsed, Diagnostics& faults) {
  QuantizeOptions options;
  quantize::Options& q = options.quantize;
  for (const std::string& word : parsed.unmatched()) reader.fault("unexpected argument '" + word + "'");
  if (reader.has("model")) q.model_path = reader.text("model");
  else reader.fault("no model given");
  q.dynamic = reader.has("dynamic");
  if (reader.has("data")) q.data = reader.text("data");
  else if (!q.dynamic) reader.fault("no data given: name their folder with --data DIR");
  if (reader.has("output")) options.output = reader.text("output");
  else reader.fault("no output given: name the file to write with -o FILE");
  q.samples = static_cast<size_t>(reader.number("samples", 1, 1 << 20));
  q.seed = static_cast<uint64_t>(reader.number("seed", 0, INT64_MAX));
  q.channels_last = reader.choice("layout", {"model", "nhwc"}) == 1;
  reader.pairs("dim", [&](const std::string& name, const std::string& value) {
    char* end = nullptr;
    const int64_t number = std::strtoll(value.c_str(), &end, 10);
    if (value.empty() || *end != 0 || number < 0) return reader.fault("--dim " + name + " takes a number of 0 or more");
    if (!q.dims.emplace(name, number).second) reader.fault("--dim " + name + " is given twice");
  });
  const std::vector<std::string> ranges{"auto", "minmax", "percentile", "mse", "entropy"};
  q.range = *quantize::range_method(ranges[reader.choice("ranges", ranges)]);
  q.percentile = reader.percent("percentile", 100);
  q.symmetric = reader.choice("activations", {"asymmetric", "symmetric"}) == 1;
  q.open_outputs = reader.choice("outputs", {"floats", "codes"}) == 0;
  q.equalise = reader.choice("equalisation", {"on", "off"}) == 0;
  q.round_by_sums = reader.choice("rounding", {"sums", "nearest"}) == 0;
  q.correct_bias = reader.choice("bias-correction", {"on", "off"}) == 0;
  q.activation_bits = reader.choice("activation-bits", {"8", "16"}) == 1 ? 16 : 8;
  read_bits(reader, q);
  read_forms(reader, q);
  for (const std::string& name : reader.texts("float")) q.forms[name] = quantize::kFloat32;
  if (reader.has("max-loss")) options.limits.loss = reader.percent("max-loss", 100, true) / 100;
  if (reader.has("ram")) options.limits.ram = reader.size("ram");
  if (reader.has("flash")) options.limits.flash = reader.size("flash");
  constexpr quantize::Loss kKinds[] = {quantize::Loss::automatic, quantize::Loss::accuracy, quantize::Loss::agreement,
                                       quantize::Loss::power};
  options.limits.kind = kKinds[reader.choice("loss", {"auto", "accuracy", "agreement", "power"})];
  if (options.limits.kind == quantize::Loss::accuracy && !reader.has("labels"))
    reader.fault("--loss accuracy needs --labels FILE");
  read_time(reader, options);
  options.front = reader.has("front");
  if (q.dynamic) refuse_with_dynamic(reader, options);
  if (reader.has("labels")) q.labels = reader.text("labels");
  options.reports = reader.texts("report");
  for (const std::string& file : options.reports) {
    if (!file.ends_with(".txt") && !file.ends_with(".json") && !file.ends_with(".html"))
      reader.fault("--report takes a .txt, .json or .html file, not '" + file + "'");
  }
  options.json_diagnostics = reader.choice("diagnostics", {"text", "json"}) == 1;
  if (faults.empty()) read_constants(reader, q, faults);
  return options;
}

int fail(const QuantizeOptions& options, const Diagnostics& faults) {
  print(faults, options.json_diagnostics);
  return exit_code(faults);
}

// `assigned`: the assignments that were tried; its best is the result.
Result<quantize::Quantised> make(const QuantizeOptions& options, std::optional<quantize::Assigned>& assigned) {
  if (!options.limits.any() && !options.front) return quantize::quantize(options.quantize);
  Result<quantize::Assigned> made = quantize::quantize_within(options.quantize, options.limits, options.front);
  if (!made) return made.faults();
  assigned = std::move(*made);
  return assigned->best;
}

std::string told_as(const std::string& file, const QuantizeOptions& options, const quantize::Quantised& made,
                    const quantize::Told& told) {
  if (file.ends_with(".json")) return to_json(made, told);
  if (file.ends_with(".txt")) return to_text(made, told);
  const std::string model = std::filesystem::path(options.quantize.model_path).filename().string();
  return to_html(made, model + " as codes", told);
}

}  // namespace

std::string quantize_help() { return declare_quantize().help(); }

int run_quantize(int argc, char** argv) {
  cxxopts::Options declared = declare_quantize();
  QuantizeOptions options;
  std::vector<std::string> usage;
  Diagnostics faults;
  try {
    const cxxopts::ParseResult parsed = parse(declared, argc, argv);
    if (parsed.count("help") > 0) {
      std::cout << declared.help();
      return 0;
    }
    Reader reader(parsed, usage);
    options = read_options(reader, parsed, faults);
  } catch (const cxxopts::exceptions::exception& error) {
    usage.emplace_back(error.what());
  }
  for (const std::string& message : usage) std::cerr << "tarn: " << message << "\n";
  if (!usage.empty()) return 2;
  if (!faults.empty()) return fail(options, faults);

  auto line = std::make_optional<ProgressLine>(!options.json_diagnostics);
  std::optional<quantize::Assigned> assigned;
  const Result<quantize::Quantised> made = make(options, assigned);
  line.reset();
  if (!made) return fail(options, made.faults());
  print(made->warnings, options.json_diagnostics);
  const quantize::Told told{assigned ? &*assigned : nullptr, options.limits};
  std::vector<emit::OutputFile> files{emit::text_file(std::filesystem::absolute(options.output).string(), made->bytes)};
  for (const std::string& file : options.reports)
    files.push_back(emit::text_file(std::filesystem::absolute(file).string(), told_as(file, options, *made, told)));
  const Result<Done> written = emit::write_files(".", files, {made->files});
  if (!written) return fail(options, written.faults());
  const Result<Done> printed = print_result(to_text(*made, told));
  if (!printed) return fail(options, printed.faults());
  return 0;
}

}  // namespace tarn::cli
