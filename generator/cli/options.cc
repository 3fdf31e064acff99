#include "cli/options.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <map>

#include "cli/compile_options.h"
#include "cli/declare.h"
#include "cli/reader.h"
#include "cli/size_literal.h"
#include "emit/names.h"
#include "plan_line_sizes.h"
#include "plan_lines.h"
#include "support/nearest.h"
#include "support/text.h"

namespace tarn::cli {

const char* name_of(Command command) {
  switch (command) {
    case Command::analyze: return "analyze";
    case Command::generate: return "generate";
    case Command::verify: return "verify";
  }
  return "?";
}

namespace {

// Each point of a range is planned on its own; for a run-time dimension only its kernel calls are made.
constexpr int64_t kMostPoints = 256, kMostSizes = 4096;

// NAME=LOW..HIGH; what is said of a range that cannot be one.
void read_range(Reader& reader, Options& options, const std::string& name, const std::string& text) {
  const size_t dots = text.find("..");
  const auto low = parse_integer(text.substr(0, dots)), high = parse_integer(text.substr(dots + 2));
  const std::string given = "--dim " + name + "=" + text;
  if (!low || !high || *low < 0) return reader.fault(given + " is no range: LOW..HIGH takes numbers of 0 or more");
  if (*low > *high) return reader.fault(given + " is an empty range: its end lies before its beginning");
  const bool run_time = options.command != Command::analyze || options.compile.dim_offsets;
  const int64_t most = run_time ? kMostSizes : kMostPoints;
  if (*high - *low >= most)
    return reader.fault(cat(given, " has more than ", most,
                            run_time ? " sizes, and the code is checked for each; take a part, such as "
                                     : " points, and each is planned to prove the formulas; analyze a part, such as ",
                            name, "=", *low, "..", *low + most - 1));
  if (run_time && *high > std::numeric_limits<int32_t>::max())
    return reader.fault(given + " is set at run time as an int32_t, which does not hold " + cat(*high));
  if (!options.compile.dims.emplace(name, *high).second) return reader.fault("--dim " + name + " is given twice");
  options.grid.push_back({name, *low, *high});
  options.range = Options::Range{name, *low, *high};
  if (run_time) options.compile.run_time.push_back({name, *low, *high});
}

// NAME=1,2,4: planned with the first, swept over all.
void read_dims(Reader& reader, Options& options) {
  options.compile.dim_offsets = reader.has("dim-offsets");
  reader.pairs("dim", [&](const std::string& name, const std::string& text) {
    if (text.find("..") != std::string::npos) return read_range(reader, options, name, text);
    std::vector<int64_t> values;
    for (const std::string& item : split(text, ',')) {
      const auto number = parse_integer(item);
      if (number && *number >= 0) values.push_back(*number);
      else return reader.fault(cat("--dim ", name, " takes a number of 0 or more, not '", item, "'"));
    }
    if (values.size() > 1 && options.command != Command::analyze)
      return reader.fault("--dim " + name + " takes several values only in `tarn analyze`");
    if (!options.compile.dims.emplace(name, values[0]).second) return reader.fault("--dim " + name + " is given twice");
    if (values.size() > 1) options.sweep[name] = values;
  });
  if (!options.grid.empty() && !options.sweep.empty())
    reader.fault("--dim gives a range and, to another dimension, several values: one of the two at a time");
  if (options.grid.size() > 1) options.range.reset();
  else options.grid.clear();
  if (!options.compile.run_time.empty()) options.grid.clear();
  if (options.compile.dim_offsets && options.compile.run_time.empty())
    reader.fault("--dim-offsets is about a dimension that is set at run time: --dim NAME=LOW..HIGH gives it one");
  int64_t points = 1;
  for (const symbolic::Axis& axis : options.grid) points = std::min(points * axis.count(), 4 * kMostPoints);
  if (points > kMostPoints)
    reader.fault(cat("--dim asks for a grid of more than ", kMostPoints,
                     " points, and each is planned to prove the formulas; take smaller ranges"));
  size_t combinations = 1;
  for (const auto& [name, values] : options.sweep) combinations *= std::min<size_t>(values.size(), 1000);
  if (combinations > 256) reader.fault(cat("--dim asks for ", combinations, " combinations; at most 256 are swept"));
}

// What run-time dimensions do not go with.
void check_run_time(Reader& reader, const Options& options) {
  const SizeBox& box = options.compile.run_time;
  const std::string range = "--dim " + range_text(box);
  int64_t sizes = 1;
  for (const SizeRange& one : box) sizes = std::min(sizes * one.count(), kMostSizes + 1);
  if (sizes > kMostSizes)
    reader.fault(cat(range, " are more than ", kMostSizes,
                     " sizes together, and the code is checked for each; take smaller ranges"));
  std::map<std::string, std::string> names;
  for (const SizeRange& one : box) {
    const auto [other, first] = names.emplace(emit::prefix_identifier(one.name), one.name);
    if (!first)
      reader.fault(cat("--dim makes '", other->second, "' and '", one.name,
                       "' dimensions that are set at run time, and both are '", other->first, "' in C"));
  }
  const auto refuse = [&](bool given, const char* what) {
    if (given) reader.fault(cat(range, " makes a dimension that is set at run time, which ", what, " does not know"));
  };
  if (const std::string what = height_obstacle(options.compile); !what.empty()) refuse(true, what.c_str());
  if (options.compile.dim_offsets && runs_by_lines(options.compile))
    reader.fault("--dim-offsets is about plans by layers: leave --stream away");
  refuse(!options.compile.memory.banks.empty(), "--bank");
  refuse(options.compile.arena_only, "--emit arena");
  refuse(options.selftest, "--selftest");
  refuse(options.trace, "--trace");
  refuse(options.emit.cpp, "--cpp");
  refuse(options.layout == emit::Layout::rust, "--layout rust");
  refuse(options.nodes, "--nodes");
}

// The command line without anything that differs between machines: file names lose their folders, outputs go.
std::vector<std::string> portable_command(Command command, int argc, char** argv) {
  constexpr std::array outputs{"--output", "--report", "--depfile", "--depfile-target", "--data"};
  std::vector<std::string> words{"tarn", name_of(command)};
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool output = word.starts_with("-o") || std::any_of(outputs.begin(), outputs.end(), [&](const char* name) {
                          return word == name || word.starts_with(std::string(name) + "=");
                        });
    if (output) {
      if (word == "-o" || (word.starts_with("--") && word.find('=') == std::string::npos)) ++i;
      continue;
    }
    const size_t slash = word.rfind('/');
    if (slash == std::string::npos) {
      words.push_back(word);
    } else if (const size_t equals = word.find('='); equals != std::string::npos && equals < slash) {
      words.push_back(word.substr(0, equals + 1) + word.substr(slash + 1));
    } else {
      words.push_back(word.substr(slash + 1));
    }
  }
  return words;
}

void read_compiler(Reader& reader, Options& result) {
  if (reader.has("cc")) result.cc = reader.text("cc");
  if (reader.has("cflags")) {
    for (const std::string& word : split(reader.text("cflags"), ' ')) {
      if (!word.empty()) result.cflags.push_back(word);
    }
  }
}

// A package has all code in one file unless it is asked for otherwise: firmware links what is in it as a whole, and two
// networks that brought the same kernels along would not link.
void read_layout(Reader& reader, Options& result) {
  result.layout = static_cast<emit::Layout>(reader.choice("layout", emit::layout_names()));
  if (result.layout == emit::Layout::plain) return;
  const std::string named = "--layout " + reader.text("layout");
  if (!reader.has("files")) result.emit.single_file = true;
  if (result.emit.arena_only) reader.fault(named + " makes a package of the code: not with --emit arena");
  if (result.selftest)
    reader.fault(named + " is a library, and the program of --selftest has a main of its own: not with --selftest");
}

void read_clock(Reader& reader, Options& result) {
  if (!reader.has("clock")) return;
  result.clock = parse_frequency(reader.text("clock"));
  if (!result.clock)
    reader.fault("--clock takes a frequency such as 168M or 16000000, not '" + reader.text("clock") + "'");
  const std::string& target = result.compile.target;
  if (target == "generic" || target == "host") reader.fault("--clock is that of a --target, and none is named");
}

// "code=5,line=16": what NAME names waits so long for each line.
void read_memory(Reader& reader, const std::string& text, timing::Memories& memories) {
  const size_t equals = text.find('='), comma = text.find(',');
  const std::string name = text.substr(0, equals);
  const auto wait =
      equals == std::string::npos
          ? std::nullopt
          : parse_integer(text.substr(equals + 1, comma == std::string::npos ? comma : comma - equals - 1));
  timing::Memory memory{wait.value_or(-1)};
  bool good = memory.wait >= 0 && memory.wait <= 1'000'000 && (name == "code" || name == "weights" || name == "flash");
  if (comma != std::string::npos) {
    const std::string rest = text.substr(comma + 1);
    const auto line = rest.starts_with("line=") ? parse_integer(rest.substr(5)) : std::nullopt;
    memory.line = line.value_or(0);
    good = good && memory.line >= 4 && memory.line <= 4096 && (memory.line & (memory.line - 1)) == 0;
  }
  if (!good) {
    reader.fault(
        "--memory takes code, weights or flash, a number of cycles and a line of 4 to 4096 bytes, a power of two, "
        "such as weights=5,line=16, not '" +
        text + "'");
    return;
  }
  if (name != "weights") memories.code = memory;
  if (name != "code") memories.weights = memory;
}

void read_memories(Reader& reader, Options& result) {
  timing::Memories& memories = result.compile.memories;
  if (reader.has("flash-wait")) {
    const auto wait = parse_integer(reader.text("flash-wait"));
    if (!wait || *wait < 0 || *wait > 1'000'000)
      reader.fault("--flash-wait takes a number of cycles, not '" + reader.text("flash-wait") + "'");
    else memories.code.wait = memories.weights.wait = *wait;
  }
  for (const std::string& text : reader.texts("memory")) read_memory(reader, text, memories);
  const std::string& target = result.compile.target;
  if ((reader.has("flash-wait") || reader.has("memory")) && !target.starts_with("cortex-"))
    reader.fault(
        "--flash-wait and --memory tell how cycles wait, and those are estimated on a --target cortex-... alone");
}

// Both are of code on a core, so there has to be one.
void read_time_budgets(Reader& reader, Options& result) {
  if (reader.has("time")) {
    result.time = parse_duration(reader.text("time"));
    if (!result.time) reader.fault("--time takes a time such as 50ms, 800us or 2s, not '" + reader.text("time") + "'");
    if (!reader.has("clock")) reader.fault("--time needs the --clock of the --target");
  }
  if (reader.has("instructions")) {
    result.instructions = parse_integer(reader.text("instructions"));
    if (!result.instructions || *result.instructions < 1)
      reader.fault("--instructions takes a whole number of at least 1, not '" + reader.text("instructions") + "'");
  }
  const std::string& target = result.compile.target;
  if ((reader.has("time") || reader.has("instructions")) && (target == "generic" || target == "host"))
    reader.fault("--time and --instructions are of a run on a --target, and none is named");
}

// Budgets, and the form of what is emitted.
void read_emit(Reader& reader, Options& result) {
  result.ram = reader.size("ram");
  result.flash = reader.size("flash");
  result.compile.arena_budget = result.ram;
  result.compile.line_arena = reader.size("arena");
  result.compile.flash_budget = result.flash;
  result.named_stream = reader.has("stream");
  result.emit.arena_only = reader.choice("emit", {"all", "arena"}) == 1;
  result.compile.arena_only = result.emit.arena_only;
  result.emit.single_file = reader.choice("files", {"split", "single"}) == 1;
  if (result.emit.arena_only && result.compile.weights > WeightForm::incbin)
    reader.fault("--weights " + reader.text("weights") + " is read by the code: not with --emit arena");
  result.emit.libm = reader.has("libm");
  result.emit.cpp = result.command == Command::generate && reader.has("cpp");
  if (result.emit.cpp && result.emit.arena_only)
    reader.fault("--cpp wraps the code's functions: not with --emit arena");
}

// Between the steps of a plan by lines no tensor is whole.
void read_trace(Reader& reader, Options& result) {
  result.trace = reader.has("trace");
  if (!result.trace) return;
  stream::Options& stream = result.compile.stream;
  if (stream.mode != stream::Mode::off && stream.mode != stream::Mode::automatic)
    reader.fault("--trace prints whole tensors: not with --stream " + reader.text("stream"));
  if (result.emit.arena_only) reader.fault("--trace runs the code: not with --emit arena");
  stream.mode = stream::Mode::off;
}

void read_outputs(Reader& reader, Options& result) {
  result.reports = reader.texts("report");
  for (const std::string& file : result.reports) {
    const std::string extension = std::filesystem::path(file).extension().string();
    if (extension != ".txt" && extension != ".json" && extension != ".html" && extension != ".csv" &&
        extension != ".md") {
      reader.fault("--report takes a file ending in .txt, .json, .html, .csv or .md, not '" + file + "'");
    }
  }
  if (reader.has("depfile")) result.depfile = reader.text("depfile");
  if (result.command != Command::generate) return;
  if (reader.has("depfile-target")) result.depfile_target = reader.text("depfile-target");
  result.selftest = reader.has("selftest");
  read_trace(reader, result);
  read_layout(reader, result);
  result.data = reader.texts("data");
  if (reader.has("output")) result.output = reader.text("output");
  else reader.fault("no output folder given: -o DIR");
}

void read_verify(Reader& reader, Options& result) {
  result.data = reader.texts("data");
  const std::vector<std::string> references{"data", "naive", "ort"};
  if (reader.has("reference")) result.reference = references[reader.choice("reference", references)];
  result.nodes = reader.has("nodes");
  if (result.nodes) {
    stream::Options& stream = result.compile.stream;
    if (stream.mode != stream::Mode::off && stream.mode != stream::Mode::automatic)
      reader.fault("--nodes looks at whole layers: not with --stream " + reader.text("stream"));
    if (result.emit.arena_only) reader.fault("--nodes runs the code: not with --emit arena");
    stream.mode = stream::Mode::off;
  }
  result.targets.clear();
  for (const std::string& item : split(reader.text("on"), ',')) {
    const std::string target = full_target(item);
    if (item != "board" &&
        std::find(known_targets().begin() + 1, known_targets().end(), target) == known_targets().end()) {
      reader.fault("--on does not know '" + item + "'");
    }
    result.targets.push_back(target);
  }
  if (reader.has("run")) result.run = reader.text("run");
  const bool board = std::find(result.targets.begin(), result.targets.end(), "board") != result.targets.end();
  if (board != !result.run.empty()) reader.fault("--on board and --run COMMAND go together");
  if (board && result.nodes) reader.fault("--nodes on a board: `tarn generate --trace` and `tarn compare`");
}

// The first word of the command line that is no option, as what it may have been meant to be.
std::string meant_option(const cxxopts::Options& declared, int argc, char** argv) {
  const std::vector<std::string> names = option_names(declared);
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (!word.starts_with("--") || word == "--") continue;
    const std::string name = word.substr(2, word.find('=') - 2);
    if (std::find(names.begin(), names.end(), name) == names.end()) return did_you_mean(name, names, "--");
  }
  return "";
}

}  // namespace

std::variant<Options, UsageError> parse_options(Command command, int argc, char** argv) {
  std::vector<std::string> faults;
  Options result;
  result.command = command;
  cxxopts::Options declared = declare(command);
  try {
    const cxxopts::ParseResult parsed = parse(declared, argc, argv);
    Reader reader(parsed, faults);
    for (const std::string& word : parsed.unmatched()) faults.push_back("unexpected argument '" + word + "'");
    if (reader.has("model") && !reader.text("model").empty()) result.compile.model_path = reader.text("model");
    else faults.push_back("no model given");
    read_dims(reader, result);
    read_compile(reader, result.compile);
    result.json_diagnostics = reader.choice("diagnostics", {"text", "json"}) == 1;
    read_compiler(reader, result);
    read_clock(reader, result);
    read_memories(reader, result);
    read_time_budgets(reader, result);
    read_emit(reader, result);
    read_outputs(reader, result);
    if (reader.has("quantize")) {
      result.quantize = reader.text("quantize");
      if (command == Command::verify && (!result.data.empty() || result.reference == "data"))
        faults.emplace_back(
            "stored outputs are those of the float model: --quantize takes neither --data nor --reference data");
      if (result.selftest)
        faults.emplace_back("--selftest compares with the stored outputs of the float model: not with --quantize");
      if (!result.sweep.empty() || result.range || !result.compile.run_time.empty() || !result.grid.empty())
        faults.emplace_back("--quantize takes one value for a dimension");
    }
    if (command == Command::analyze) {
      result.compare = reader.has("compare");
      result.sparsity = reader.has("sparsity");
      result.pareto = reader.has("pareto");
    }
    if (command == Command::verify) read_verify(reader, result);
    if (!result.compile.run_time.empty()) check_run_time(reader, result);
  } catch (const cxxopts::exceptions::no_such_option& error) {
    faults.push_back(error.what() + meant_option(declared, argc, argv));
  } catch (const std::exception& error) {
    faults.push_back(error.what());
  }
  result.command_line = portable_command(command, argc, argv);
  if (!faults.empty()) return UsageError{faults};
  return result;
}

std::string help_text(Command command) { return declare(command).help(option_groups()); }

}  // namespace tarn::cli
