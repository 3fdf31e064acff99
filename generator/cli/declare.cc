#include "cli/declare.h"

namespace tarn::cli {

namespace {

const char* describe(Command command) {
  switch (command) {
    case Command::analyze: return "Plans a model and reports; writes nothing but the reports asked for.";
    case Command::generate: return "Plans a model and writes its C files.";
    case Command::verify: return "Generates into a scratch folder, compiles, runs, compares and measures.";
  }
  return "";
}

// The groups of --help, in its order.
constexpr const char* kMostUsed = "Most used";
constexpr const char* kModel = "Model";
constexpr const char* kPlanning = "Planning";
constexpr const char* kLines = "By lines";
constexpr const char* kCode = "Files and code";

std::shared_ptr<cxxopts::Value> text() { return cxxopts::value<std::string>(); }
std::shared_ptr<cxxopts::Value> texts() { return cxxopts::value<std::vector<std::string>>(); }

void add_most_used(Command command, cxxopts::Options& options) {
  auto add = options.add_options(kMostUsed);
  add("model", "the ONNX file; also the word behind the command", text(), "MODEL");
  if (command == Command::analyze) add("compare", "every strategy side by side");
  if (command == Command::generate) add("o,output", "the folder to write to", text(), "DIR");
  if (command == Command::verify)
    add("on", "host and any targets, or board (see --run), separated by commas", text()->default_value("host"), "LIST");
  add("ram", "RAM budget; over it fails with exit 5 or 6", text(), "SIZE");
  add("flash", "flash budget", text(), "SIZE");
  add("dim",
      command == Command::analyze
          ? "binds a symbolic dimension; NAME=LOW..HIGH: formulas over the range, of several over their grid"
          : "binds a symbolic dimension; NAME=LOW..HIGH: it is set before each run",
      texts(), "NAME=VALUE");
  add("target", "host, x86-64-v3, x86-64-v4, aarch64, cortex-m0, m3, m4, m7, m33, m55, rv32imac, rv32imafc",
      text()->default_value("generic"), "T");
  add("stream",
      "run by lines instead of layers: off, resident (inputs in the arena), fed (inputs come line by line), time (the "
      "same on a signal without end), or auto: only when a RAM budget asks for it; that may take NAME_run away, which "
      "is a warning unless auto is named",
      text()->default_value("auto"), "M");
  add("report", "a report file; .txt .json .html .csv .md", texts(), "FILE");
  add("name", "prefix of every symbol and file (default: the model file's stem)", text(), "NAME");
  add("h,help", "this text");
}

void add_model(Command command, cxxopts::Options& options) {
  auto add = options.add_options(kModel);
  add("dim-offsets",
      "with --dim NAME=LOW..HIGH: buffers lie at offsets that follow the size, where the arena is smaller then");
  add("const", "fixes a graph input to the tensor in a file", texts(), "NAME=FILE.pb");
  add("state",
      "an output kept in the arena as the next run's input, repeatable, with its first values from a file of ONNX; "
      "auto: "
      "all that are paired by name",
      texts(), "OUT=IN[:FILE.pb]|auto");
  add("state-type", "states of float32 are kept as f16, or int8 with a scale for each column", text(), "f16|int8");
  if (command != Command::verify)
    add("state-window", "ring: windows that only kernels by rows read are rings, of which nothing moves",
        text()->default_value("moved"), "moved|ring");
  if (command != Command::verify)
    add("state-memory", "separate: states in a memory of their own, for several streams over one scratch memory",
        text()->default_value("arena"), "arena|separate");
  add("cut", "only the subgraph from tensor A to tensor B", text(), "A:B");
  add("input-layout", "model, or nhwc: channels last without a transpose", text()->default_value("model"), "L");
  add("output-layout", "model or nhwc", text()->default_value("model"), "L");
  add("quantized-io", "inputs and outputs of quantised networks are handed over as codes");
  add("quantize", "8-bit codes first, as `tarn quantize` makes them from the data in a folder", text(), "DIR");
  if (command == Command::generate)
    add("data", "a test_data_set_N folder for --selftest (default: the first beside the model)", texts(), "DIR");
  if (command == Command::verify) {
    add("data", "a test_data_set_N folder (default: those beside the model)", texts(), "DIR");
    add("reference",
        "what outputs are compared with: data (stored ones), naive (this model planned without sharing) or ort "
        "(onnxruntime, from $TARN_PYTHON or python3 on PATH) (default: data, else naive)",
        text(), "R");
    add("run",
        "with --on board: a command that builds the files of $TARN_FIRMWARE, whose NAME_selftest.c has the main, "
        "flashes "
        "them and prints what the board says",
        text(), "COMMAND");
    add("nodes",
        "also compares every step, by layers, and names the first that differs; with onnxruntime where it can be had, "
        "else with this model planned without sharing");
  }
}

void add_planning(Command command, cxxopts::Options& options) {
  auto add = options.add_options(kPlanning);
  add("strategy", "naive, greedy_by_size, greedy_by_breadth, first_fit, best_fit, hill_climb, exact, auto",
      text()->default_value("auto"), "S");
  add("order", "given or min_peak", text()->default_value("min_peak"), "O");
  add("share", "any of views,in_place,overlap, or none", text()->default_value("views,in_place,overlap"), "LIST");
  add("align", "alignment of the arena and of every offset", text()->default_value("16"), "N");
  add("effort", "0 to 3: how far searches go, in nodes", text()->default_value("1"), "N");
  add("clock", "with --target: its frequency, such as 168M; cycles are told as a time too", text(), "HZ");
  add("flash-wait", "with --target: wait states of the flash that code and weights lie in", text(), "N");
  add("memory",
      "with --target: code, weights or flash (both) lie in a memory that answers after WAIT cycles, with a whole line "
      "of "
      "BYTES (4) at once; repeatable",
      texts(), "NAME=WAIT[,line=BYTES]");
  add("time", "budget of a run on --target at --clock, such as 50ms; over it fails with exit 5 or 6", text(), "T");
  add("instructions", "the same in instructions executed on --target", text(), "N");
  add("bank", "a memory, repeatable, the fastest first; dma=no: no inputs or outputs there", texts(),
      "NAME=SIZE[@SECTION][,dma=no]");
  add("pin", "keeps a tensor in a bank, repeatable", texts(), "TENSOR=NAME");
  add("weight-type",
      "weights of float layers are stored so, repeatable: [LAYER=]f16|int8|int4, then "
      ":tensor|:channel|:block=N (default: channel) and ,asymmetric; f32, or model: codes of the model's own (default)",
      texts(), "TYPE");
  if (command == Command::analyze)
    add("sparsity", "zeros of each weight: elements, blocks of 1x4, 4x1, 4x4, and 2 of 4");
  if (command == Command::analyze)
    add("pareto",
        "RAM against time over all ways of running: by layers, by lines, layers joined or not, work done twice; time "
        "is instructions on a --target that is modelled, else multiplications");
}

void add_lines(cxxopts::Options& options) {
  auto add = options.add_options(kLines);
  add("drain", "with --stream: outputs are handed out line by line");
  add("arena", "with --stream: joined layers may take an arena of so many bytes where that saves time", text(), "SIZE");
  add("recompute",
      "with --stream: multiplications that may be done twice, in percent of all: column stripes over the first layers, "
      "and lines under windows that are made anew instead of kept",
      text()->default_value("0"), "PERCENT");
  add("lines", "with --stream: ring, or table: the address of every line from a table", text()->default_value("ring"),
      "HOW");
  add("scan",
      "with --stream: which way images are walked: rows, or columns, which pays where those are shorter; floats are "
      "then "
      "added in another order, which may move their last bits",
      text()->default_value("rows"), "WAY");
  add("line-buffers", "with --stream: on joins layers around a window where that needs less memory; off",
      text()->default_value("on"), "B");
}

void add_code(Command command, cxxopts::Options& options) {
  auto add = options.add_options(kCode);
  add("io", "arena: inputs and outputs live in the arena; caller: pointers handed to each run",
      text()->default_value("arena"), "WHERE");
  add("emit", "all, or arena: only the arena header", text()->default_value("all"), "WHAT");
  add("files", "split, or single: everything in NAME.h and NAME.c", text()->default_value("split"), "F");
  add("weights",
      "auto, c (arrays), incbin (a binary file), packed (codes of fewer bits, unpacked in the arena layer by layer), "
      "stream "
      "(read through a function of yours one step ahead, into the arena), or image: a file of its own, whose address "
      "is told "
      "at run time",
      text()->default_value("auto"), "W");
  add("weights-buffer",
      "with --weights stream: the weights of a step and of the next one; layers that need more run in pieces",
      text()->default_value("8K"), "SIZE");
  add("weights-bandwidth", "with --weights stream: bytes a second, such as 20M; the report tells how long runs wait",
      text(), "RATE");
  add("weights-section", "layers, by a name with *, whose weights go to a section of the linker, repeatable", texts(),
      "LAYER=SECTION");
  add("libm", "use the platform's mathematical functions");
  add("depfile", "dependencies of the output, in Make syntax", text(), "FILE");
  add("diagnostics", "text or json", text()->default_value("text"), "FORMAT");
  add("cc",
      "the compiler that measures code size and stack (default: the target's, if on PATH, for at most 4000 steps); "
      "none: do not measure",
      text(), "CC");
  add("cflags", "its flags; the target's too where these name no processor (-mcpu, -march)", text(), "FLAGS");
  if (command == Command::generate) {
    add("depfile-target",
        "the target of the depfile's rule, such as a build system's stamp (default: the files written)", text(),
        "FILE");
    add("layout",
        "how the folder is arranged: plain, or as a package that these take as it is: zephyr (a module), esp-idf (a "
        "component), arduino (a library), platformio (a library), cmsis-pack, rust (a crate without std); then with "
        "--files single unless named",
        text()->default_value("plain"), "L");
    add("cpp", "also writes NAME.hpp: the interface for C++17 and later");
    add("trace",
        "also writes NAME_trace.c: a run that prints every tensor, for `tarn compare`; by layers unless --stream says "
        "otherwise");
    add("selftest", "also writes NAME_selftest.c: a program that runs the model on its stored data");
  }
}

}  // namespace

cxxopts::Options declare(Command command) {
  cxxopts::Options options(std::string("tarn ") + name_of(command), describe(command));
  options.positional_help("MODEL").show_positional_help();
  add_most_used(command, options);
  add_model(command, options);
  add_planning(command, options);
  add_lines(options);
  add_code(command, options);
  options.parse_positional({"model"});
  return options;
}

std::vector<std::string> option_groups() { return {kMostUsed, kModel, kPlanning, kLines, kCode}; }

std::vector<std::string> option_names(const cxxopts::Options& options) {
  std::vector<std::string> names;
  for (const std::string& group : options.groups()) {
    for (const cxxopts::HelpOptionDetails& option : options.group_help(group).options)
      names.insert(names.end(), option.l.begin(), option.l.end());
  }
  return names;
}

}  // namespace tarn::cli
