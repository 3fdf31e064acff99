#include "cli/options.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <functional>
#include <set>

#include "cli/command_line.h"
#include "cli/size_literal.h"
#include "emit/names.h"
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

const char* describe(Command command) {
  switch (command) {
    case Command::analyze: return "Plans a model and reports; writes nothing but the reports asked for.";
    case Command::generate: return "Plans a model and writes its C files.";
    case Command::verify: return "Generates into a scratch folder, compiles, runs, compares and measures.";
  }
  return "";
}

cxxopts::Options declare(Command command) {
  cxxopts::Options options(std::string("tarn ") + name_of(command), describe(command));
  options.positional_help("MODEL").show_positional_help();
  auto text = [] { return cxxopts::value<std::string>(); };
  auto texts = [] { return cxxopts::value<std::vector<std::string>>(); };
  auto add = options.add_options();
  add("model", "the ONNX file; also the word behind the command", text(), "MODEL");
  add("name", "prefix of every symbol and file (default: the model file's stem)", text(), "NAME");
  add("dim", "binds a symbolic dimension", texts(), "NAME=VALUE");
  add("const", "fixes a graph input to the tensor in a file", texts(), "NAME=FILE.pb");
  add("ram", "RAM budget; over it fails with exit 5 or 6", text(), "SIZE");
  add("flash", "flash budget", text(), "SIZE");
  add("strategy", "naive, greedy_by_size, greedy_by_breadth, first_fit, best_fit, hill_climb, exact, auto",
      text()->default_value("auto"), "S");
  add("bank", "a memory, repeatable, the fastest first; dma=no: no inputs or outputs there", texts(),
      "NAME=SIZE[@SECTION][,dma=no]");
  add("pin", "keeps a tensor in a bank, repeatable", texts(), "TENSOR=NAME");
  add("order", "given or min_peak", text()->default_value("min_peak"), "O");
  add("share", "any of views,in_place,overlap, or none", text()->default_value("views,in_place,overlap"), "LIST");
  add("align", "alignment of the arena and of every offset", text()->default_value("16"), "N");
  add("io", "arena: inputs and outputs live in the arena; caller: pointers handed to each run",
      text()->default_value("arena"), "WHERE");
  add("stream",
      "run by lines instead of layers: off, resident (inputs in the arena), fed (inputs come line by line), time (the "
      "same on a signal without end), or auto: only when a RAM budget asks for it",
      text()->default_value("auto"), "M");
  add("drain", "with --stream: outputs are handed out line by line");
  add("recompute",
      "with --stream: multiplications that may be done twice, in percent of all: column stripes over the first layers",
      text()->default_value("0"), "PERCENT");
  add("lines", "with --stream: ring, or table: the address of every line from a table", text()->default_value("ring"),
      "HOW");
  add("scan", "with --stream: which way images are walked: rows, or columns, which pays where those are shorter",
      text()->default_value("rows"), "WAY");
  add("line-buffers", "with --stream: on joins layers around a window where that needs less memory; off",
      text()->default_value("on"), "B");
  add("input-layout", "model, or nhwc: channels last without a transpose", text()->default_value("model"), "L");
  add("output-layout", "model or nhwc", text()->default_value("model"), "L");
  add("quantized-io", "inputs and outputs of quantised networks are handed over as codes");
  add("target", "host, cortex-m0, m3, m4, m7, m33, m55, rv32imac, rv32imafc", text()->default_value("generic"), "T");
  add("emit", "all, or arena: only the arena header", text()->default_value("all"), "WHAT");
  add("files", "split, or single: everything in NAME.h and NAME.c", text()->default_value("split"), "F");
  add("weights", "auto, c (arrays) or incbin (a binary file)", text()->default_value("auto"), "W");
  add("libm", "use the platform's mathematical functions");
  add("state", "an output kept in the arena as the next run's input, repeatable", texts(), "OUT=IN");
  add("cut", "only the subgraph from tensor A to tensor B", text(), "A:B");
  add("report", "a report file; .txt .json .html .csv .md", texts(), "FILE");
  add("depfile", "dependencies of the output, in Make syntax", text(), "FILE");
  add("effort", "0 to 3: how far searches go, in nodes", text()->default_value("1"), "N");
  add("diagnostics", "text or json", text()->default_value("text"), "FORMAT");
  add("cc", "the compiler that measures code size and stack (default: the target's, if on PATH); none: do not measure",
      text(), "CC");
  add("cflags", "its flags, instead of the target's", text(), "FLAGS");
  if (command == Command::analyze) add("compare", "every strategy side by side");
  if (command == Command::analyze)
    add("pareto", "RAM against multiplications over all ways of running: by layers, by lines, work done twice");
  if (command == Command::generate) {
    add("o,output", "the folder to write to", text(), "DIR");
    add("depfile-target",
        "the target of the depfile's rule, such as a build system's stamp (default: the files written)", text(),
        "FILE");
    add("selftest", "also writes NAME_selftest.c: a program that runs the model on its stored data");
    add("data", "a test_data_set_N folder for --selftest (default: the first beside the model)", texts(), "DIR");
  }
  if (command == Command::verify) {
    add("data", "a test_data_set_N folder (default: those beside the model)", texts(), "DIR");
    add("reference", "data, naive or ort", text()->default_value("data"), "R");
    add("on", "host and any targets, separated by commas", text()->default_value("host"), "LIST");
  }
  add("h,help", "this text");
  options.parse_positional({"model"});
  return options;
}

// Collects what is wrong while values are read.
class Reader {
 public:
  Reader(const cxxopts::ParseResult& parsed, std::vector<std::string>& faults) : parsed_(parsed), faults_(faults) {}

  bool has(const std::string& option) const { return parsed_.count(option) > 0; }
  std::string text(const std::string& option) const { return parsed_[option].as<std::string>(); }
  std::vector<std::string> texts(const std::string& option) const {
    return has(option) ? parsed_[option].as<std::vector<std::string>>() : std::vector<std::string>{};
  }

  std::optional<int64_t> size(const std::string& option) {
    if (!has(option)) return {};
    const auto value = parse_size(text(option));
    if (!value) fault("--" + option + " takes a size such as 65536, 64K or 1.5M, not '" + text(option) + "'");
    return value;
  }

  int64_t number(const std::string& option, int64_t lo, int64_t hi) {
    const auto value = parse_integer(text(option));
    if (!value || *value < lo || *value > hi) {
      fault(cat("--", option, " takes a number from ", lo, " to ", hi, ", not '", text(option), "'"));
      return lo;
    }
    return *value;
  }

  // A number of 0 or more, such as 4.5.
  double percent(const std::string& option, double most) {
    const std::string value = text(option);
    double number = -1;
    const auto [end, error] =
        std::from_chars(value.data(), value.data() + value.size(), number, std::chars_format::fixed);
    if (error != std::errc() || end != value.data() + value.size() || !(number >= 0 && number <= most)) {
      fault(cat("--", option, " takes a percentage from 0 to ", most, ", not '", value, "'"));
      return 0;
    }
    return number;
  }

  size_t choice(const std::string& option, const std::vector<std::string>& allowed) {
    for (size_t i = 0; i < allowed.size(); ++i) {
      if (text(option) == allowed[i]) return i;
    }
    fault("--" + option + " is one of " + join(allowed) + ", not '" + text(option) + "'");
    return 0;
  }

  // NAME=VALUE; the last '=' splits, because names may hold one.
  void pairs(const std::string& option, const std::function<void(const std::string&, const std::string&)>& take) {
    for (const std::string& item : texts(option)) {
      const size_t at = item.rfind('=');
      if (at == std::string::npos || at == 0 || at + 1 == item.size())
        fault(cat("--", option, " takes NAME=VALUE, not '", item, "'"));
      else take(item.substr(0, at), item.substr(at + 1));
    }
  }

  void fault(std::string message) { faults_.push_back(std::move(message)); }

 private:
  const cxxopts::ParseResult& parsed_;
  std::vector<std::string>& faults_;
};

lifetimes::ShareOptions read_share(Reader& reader) {
  lifetimes::ShareOptions share{false, false, false};
  if (reader.text("share") == "none") return share;
  for (const std::string& item : split(reader.text("share"), ',')) {
    if (item == "views") share.views = true;
    else if (item == "in_place") share.in_place = true;
    else if (item == "overlap") share.overlap = true;
    else reader.fault("--share takes views, in_place, overlap or none, not '" + item + "'");
  }
  return share;
}

const std::vector<std::string>& known_targets() {
  static const std::vector<std::string> targets = {"generic",   "host",       "cortex-m0",  "cortex-m3", "cortex-m4",
                                                   "cortex-m7", "cortex-m33", "cortex-m55", "rv32imac",  "rv32imafc"};
  return targets;
}

// "m4" is short for "cortex-m4".
std::string full_target(const std::string& name) {
  return name.size() >= 2 && name[0] == 'm' && std::isdigit(static_cast<unsigned char>(name[1])) ? "cortex-" + name
                                                                                                 : name;
}

// NAME=1,2,4: planned with the first, swept over all.
void read_dims(Reader& reader, Options& options) {
  reader.pairs("dim", [&](const std::string& name, const std::string& text) {
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
  size_t combinations = 1;
  for (const auto& [name, values] : options.sweep) combinations *= std::min<size_t>(values.size(), 1000);
  if (combinations > 256) reader.fault(cat("--dim asks for ", combinations, " combinations; at most 256 are swept"));
}

// SIZE[@SECTION][,dma=no]
bool read_bank(const std::string& text, lifetimes::Bank& bank) {
  const std::vector<std::string> parts = split(text, ',');
  const size_t at = parts[0].find('@');
  const auto bytes = parse_size(parts[0].substr(0, at));
  if (!bytes) return false;
  bank.bytes = *bytes;
  if (at != std::string::npos) bank.section = parts[0].substr(at + 1);
  const bool named = std::all_of(bank.section.begin(), bank.section.end(),
                                 [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '.'; });
  if (!named || (at != std::string::npos && bank.section.empty())) return false;
  for (size_t i = 1; i < parts.size(); ++i) {
    if (parts[i] != "dma=no" && parts[i] != "dma=yes") return false;
    bank.dma = parts[i] == "dma=yes";
  }
  return true;
}

void read_banks(Reader& reader, lifetimes::BankOptions& memory) {
  std::set<std::string> names;
  for (const std::string& item : reader.texts("bank")) {
    const size_t at = item.find('=');
    lifetimes::Bank bank;
    bank.name = item.substr(0, at);
    if (at == std::string::npos || !read_bank(item.substr(at + 1), bank)) {
      reader.fault("--bank takes NAME=SIZE[@SECTION][,dma=no], not '" + item + "'");
    } else if (bank.name.empty() || emit::identifier(bank.name) != bank.name) {
      reader.fault(
          "--bank takes a C identifier as name (no reserved word, and not a, p, arena, lines, status or step), not '" +
          bank.name + "'");
    } else if (!names.insert(upper(bank.name)).second) {
      reader.fault("--bank " + bank.name + " is given twice");
    } else {
      memory.banks.push_back(std::move(bank));
    }
  }
  if (memory.banks.size() > planner::kMostBanks)
    reader.fault(cat("--bank is given ", memory.banks.size(), " times; at most ", planner::kMostBanks));
  reader.pairs("pin", [&](const std::string& tensor, const std::string& name) {
    if (names.contains(upper(name)) && std::any_of(memory.banks.begin(), memory.banks.end(),
                                                   [&](const lifetimes::Bank& b) { return b.name == name; })) {
      memory.pins.emplace_back(tensor, name);
    } else {
      reader.fault("--pin " + tensor + "=" + name + " names no bank: there is no --bank " + name + "=SIZE");
    }
  });
}

void read_compile(Reader& reader, CompileOptions& compile) {
  if (reader.has("name")) {
    compile.name = reader.text("name");
    if (emit::prefix_identifier(compile.name) != compile.name)
      reader.fault("--name takes a C identifier, not '" + compile.name + "'");
  }
  reader.pairs("const", [&](const std::string& name, const std::string& file) { compile.constants[name] = file; });
  reader.pairs("state", [&](const std::string& out, const std::string& in) { compile.states.emplace_back(out, in); });
  if (reader.has("cut")) {
    compile.cut = reader.text("cut");
    if (compile.cut.find(':') == std::string::npos)
      reader.fault("--cut takes two tensors A:B, not '" + compile.cut + "'");
  }
  read_banks(reader, compile.memory);
  const auto strategy = planner::strategy_from(reader.text("strategy"));
  if (strategy) compile.strategy = *strategy;
  else reader.fault("--strategy does not know '" + reader.text("strategy") + "'; see --help");
  const auto order = schedule::order_from(reader.text("order"));
  if (order) compile.order = *order;
  else reader.fault("--order is given or min_peak, not '" + reader.text("order") + "'");
  compile.share = read_share(reader);
  compile.alignment = reader.number("align", 1, 1 << 16);
  if ((compile.alignment & (compile.alignment - 1)) != 0) reader.fault("--align takes a power of two");
  compile.caller_io = reader.choice("io", {"arena", "caller"}) == 1;
  compile.stream.mode = std::vector<stream::Mode>{
      stream::Mode::off, stream::Mode::resident, stream::Mode::fed, stream::Mode::time,
      stream::Mode::automatic}[reader.choice("stream", {"off", "resident", "fed", "time", "auto"})];
  compile.stream.drain = reader.has("drain");
  compile.stream.scan = reader.choice("scan", {"rows", "columns"}) == 1 ? stream::Scan::columns : stream::Scan::rows;
  if (compile.stream.scan == stream::Scan::columns && compile.stream.mode == stream::Mode::time)
    reader.fault("--scan columns is for images; with --stream time a line is a step of a signal");
  compile.stream.recompute = reader.percent("recompute", 1000);
  if (compile.stream.recompute > 0 &&
      (compile.stream.mode == stream::Mode::off || compile.stream.mode == stream::Mode::time))
    reader.fault("--recompute is for networks that run by lines; it needs --stream resident, fed or auto");
  compile.stream.line_buffers = reader.choice("line-buffers", {"off", "on"}) == 1;
  compile.stream.lines = reader.choice("lines", {"ring", "table"}) == 1 ? stream::Lines::table : stream::Lines::ring;
  if (compile.stream.mode == stream::Mode::time) {
    if (compile.stream.lines == stream::Lines::table)
      reader.fault("--lines table has an address for each line; with --stream time there is no last one");
    compile.stream.drain = true;
  }
  if (!compile.memory.banks.empty()) {
    // A plan by lines is one ring of memory.
    if (compile.stream.mode != stream::Mode::off && compile.stream.mode != stream::Mode::automatic)
      reader.fault("--bank divides a plan by layers; it takes no --stream");
    compile.stream.mode = stream::Mode::off;
  }
  compile.nhwc_inputs = reader.choice("input-layout", {"model", "nhwc"}) == 1;
  compile.quantized_io = reader.has("quantized-io");
  compile.nhwc_outputs = reader.choice("output-layout", {"model", "nhwc"}) == 1;
  const std::string target = full_target(reader.text("target"));
  if (std::find(known_targets().begin(), known_targets().end(), target) == known_targets().end()) {
    reader.fault("--target does not know '" + reader.text("target") + "'; it is one of " + join(known_targets()));
  }
  compile.target = target;
  compile.effort = static_cast<int>(reader.number("effort", 0, 3));
}

// The command line without anything that differs between machines: file names lose their folders, outputs go.
std::vector<std::string> portable_command(Command command, int argc, char** argv) {
  std::vector<std::string> words{"tarn", name_of(command)};
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "-o" || word == "--output" || word == "--report" || word == "--depfile" || word == "--depfile-target" ||
        word == "--data") {
      ++i;
      continue;
    }
    if (word.starts_with("-o") || word.starts_with("--output=") || word.starts_with("--report=") ||
        word.starts_with("--depfile=") || word.starts_with("--depfile-target=") || word.starts_with("--data=")) {
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

}  // namespace

std::string help_text(Command command) {
  cxxopts::Options options = declare(command);
  return options.help();
}

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
    if (reader.has("cc")) result.cc = reader.text("cc");
    if (reader.has("cflags")) {
      for (const std::string& word : split(reader.text("cflags"), ' ')) {
        if (!word.empty()) result.cflags.push_back(word);
      }
    }
    result.ram = reader.size("ram");
    result.flash = reader.size("flash");
    result.compile.arena_budget = result.ram;
    result.named_stream = reader.has("stream");
    result.emit.arena_only = reader.choice("emit", {"all", "arena"}) == 1;
    result.compile.arena_only = result.emit.arena_only;
    result.emit.single_file = reader.choice("files", {"split", "single"}) == 1;
    result.emit.weights = static_cast<emit::WeightForm>(reader.choice("weights", {"auto", "c", "incbin"}));
    result.emit.libm = reader.has("libm");
    result.reports = reader.texts("report");
    for (const std::string& file : result.reports) {
      const std::string extension = std::filesystem::path(file).extension().string();
      if (extension != ".txt" && extension != ".json" && extension != ".html" && extension != ".csv" &&
          extension != ".md") {
        faults.push_back("--report takes a file ending in .txt, .json, .html, .csv or .md, not '" + file + "'");
      }
    }
    if (reader.has("depfile")) result.depfile = reader.text("depfile");
    if (command == Command::analyze) result.compare = reader.has("compare");
    if (command == Command::analyze) result.pareto = reader.has("pareto");
    if (command == Command::generate) {
      if (reader.has("depfile-target")) result.depfile_target = reader.text("depfile-target");
      result.selftest = reader.has("selftest");
      result.data = reader.texts("data");
      if (reader.has("output")) result.output = reader.text("output");
      else faults.push_back("no output folder given: -o DIR");
    }
    if (command == Command::verify) {
      result.data = reader.texts("data");
      result.reference =
          std::vector<std::string>{"data", "naive", "ort"}[reader.choice("reference", {"data", "naive", "ort"})];
      result.targets.clear();
      for (const std::string& item : split(reader.text("on"), ',')) {
        const std::string target = full_target(item);
        if (std::find(known_targets().begin() + 1, known_targets().end(), target) == known_targets().end()) {
          faults.push_back("--on does not know '" + item + "'");
        }
        result.targets.push_back(target);
      }
    }
  } catch (const std::exception& error) {
    faults.push_back(error.what());
  }
  result.command_line = portable_command(command, argc, argv);
  if (!faults.empty()) return UsageError{faults};
  return result;
}

}  // namespace tarn::cli
