// Random networks with states against the same networks whose states are copied by hand: the same bits in every run.
//
//   fuzz_stateful HARNESS [--seed N] [--count N] [--keep FOLDER]
//
// All are planned here, emitted into one program and compiled with poison, AddressSanitizer and UBSan. Every seed is
// printed that differs. 16 by default, 40 with TARN_CI=1, 2,000 with TARN_FULL=1.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>

#include "emit/emit.h"
#include "fuzz/stateful/random_graph.h"
#include "report/report.h"
#include "sampling.h"
#include "support/text.h"
#include "unit/model/onnx_text.h"

namespace tarn::stateful {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kAll = 2000;
constexpr size_t kOfEachFile = 20;  // networks in one translation unit

struct Program {
  fs::path folder;
  std::vector<std::string> sources;  // of the networks
  std::set<std::string> kernels;
  std::string declarations, tables, networks;
  size_t in_place = 0, copied = 0, rings = 0;
  std::set<std::string> reasons;
};

void write(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

std::optional<report::Report> emit_into(Program& program, const CompileOptions& options) {
  const Result<Analysis> analysis = analyze(options);
  if (!analysis) {
    std::cout << model::texts(analysis.faults()) << "\n";
    return {};
  }
  report::Report report = report::make_report(*analysis, {});
  const Result<std::vector<emit::OutputFile>> files = emit::emit(*analysis, report, {});
  if (!files || !emit::write_files(program.folder.string(), *files)) return {};
  for (const emit::OutputFile& file : *files) {
    if (!file.name.ends_with(".c")) continue;
    if (file.name.starts_with("tarn_")) program.kernels.insert(file.name);
    else program.sources.push_back(file.name);
  }
  return report;
}

const report::Port& port_of(const std::vector<report::Port>& ports, const std::string& name) {
  return *std::find_if(ports.begin(), ports.end(), [&](const report::Port& port) { return port.name == name; });
}
int64_t offset_of(const std::vector<report::Port>& ports, const std::string& name) {
  return *port_of(ports, name).offset;
}

void add_table(Program& program, const std::string& kind, const std::string& name,
               const std::vector<std::string>& rows) {
  program.tables +=
      cat("static const place ", kind, "_", name, "[] = {", join(rows), rows.empty() ? "{0, 0, 0}" : "", "};\n");
}

bool add_network(Program& program, uint64_t seed) {
  const RandomGraph graph = random_graph(seed);
  const fs::path file = program.folder / cat("g", seed, ".onnx");
  std::string bytes;
  model::parse_graph(graph.text).SerializeToString(&bytes);
  write(file, bytes);
  write(program.folder / cat("g", seed, ".txt"), graph.text);
  CompileOptions kept, plain;
  kept.model_path = plain.model_path = file.string();
  kept.name = cat("k", seed);
  plain.name = cat("p", seed);
  if (graph.by_name) kept.states_by_name = true;
  else kept.states = graph.states;
  // Other orders and plans than the best ones must be right too.
  if (seed % 8 == 1) kept.stream.mode = stream::Mode::resident;
  if (seed % 8 == 3) kept.order = schedule::OrderKind::given;
  if (seed % 8 == 5) kept.strategy = planner::Strategy::greedy_by_size;
  kept.ring_states = seed % 3 != 0;
  if (seed % 8 == 7) kept.share = {true, seed % 16 == 7, false};
  plain.strategy = planner::Strategy::naive;
  plain.order = schedule::OrderKind::given;
  plain.share = {false, false, false};
  const auto k = emit_into(program, kept), p = emit_into(program, plain);
  if (!k || !p) {
    std::cout << "seed " << seed << ": refused\n" << graph.text << "\n";
    return false;
  }
  int64_t state_bytes = 0;
  std::vector<std::string> inputs, outputs, states;
  for (const report::Port& port : k->inputs)
    inputs.push_back(cat("{", *port.offset, "u, ", offset_of(p->inputs, port.name), "u, ", port.type.bytes(), "u}"));
  for (const report::Port& port : k->outputs)
    outputs.push_back(cat("{", *port.offset, "u, ", offset_of(p->outputs, port.name), "u, ", port.type.bytes(), "u}"));
  for (const report::StateRow& row : k->states) {
    const report::Port &in = port_of(p->inputs, row.in), &out = port_of(p->outputs, row.out);
    const int64_t first = *out.offset + out.type.bytes() - in.type.bytes();  // the last steps of it
    states.push_back(cat("{", *in.offset, "u, ", first, "u, ", in.type.bytes(), "u}"));
    state_bytes += row.bytes;
    ++(row.in_place ? program.in_place : program.copied);
    program.rings += row.stored == "ring" ? 1 : 0;
    if (!row.in_place) program.reasons.insert(row.why);
  }
  add_table(program, "inputs", kept.name, inputs);
  add_table(program, "outputs", kept.name, outputs);
  add_table(program, "states", kept.name, states);
  program.declarations += cat("int ", kept.name, "_run(void *); int ", plain.name, "_run(void *); void ", kept.name,
                              "_reset(void *);\nvoid ", kept.name, "_state_save(const void *, void *); void ",
                              kept.name, "_state_restore(void *, const void *);\n");
  program.networks += cat("    {", seed, "u, ", k->arena, "u, ", p->arena, "u, ", state_bytes, "u, ", kept.name,
                          "_run, ", plain.name, "_run, ", kept.name, "_reset, ", kept.name, "_state_save, ", kept.name,
                          "_state_restore,\n     inputs_", kept.name, ", outputs_", kept.name, ", states_", kept.name,
                          ", ", inputs.size(), "u, ", outputs.size(), "u, ", states.size(), "u},\n");
  return true;
}

// Compiles and runs; 0 when all is right.
int run(const Program& program, const std::string& harness) {
  write(program.folder / "table.h",
        cat(program.declarations, program.tables, "static const network networks[] = {\n", program.networks, "};\n"));
  fs::copy_file(harness, program.folder / "harness.c", fs::copy_options::overwrite_existing);
  std::string make =
      "CFLAGS = -std=gnu99 -O1 -g0 -DTARN_POISON -fsanitize=address,undefined -fno-sanitize-recover=all -w\n"
      "all: program\n\t@./program\n";
  std::vector<std::string> objects{"harness.o"};
  for (size_t first = 0; first < program.sources.size(); first += kOfEachFile) {
    std::string text;
    for (size_t i = first; i < std::min(first + kOfEachFile, program.sources.size()); ++i)
      text += cat("#include \"", program.sources[i], "\"\n");
    write(program.folder / cat("unit", first, ".c"), text);
    objects.push_back(cat("unit", first, ".o"));
  }
  for (const std::string& kernel : program.kernels) objects.push_back(kernel.substr(0, kernel.size() - 2) + ".o");
  make += cat("program: ", join(objects, " "), "\n\t@$(CC) $(CFLAGS) -o program ", join(objects, " "), " -lm\n");
  write(program.folder / "Makefile", make);
  return std::system(cat("make -s -j1 -C ", program.folder.string()).c_str());
}

}  // namespace
}  // namespace tarn::stateful

int main(int argc, char** argv) {
  using namespace tarn;
  if (argc < 2) return 2;
  std::string keep;
  uint64_t seed = 1, count = sampling::full() ? stateful::kAll : sampling::part<uint64_t>(40, 16);
  for (int i = 2; i + 1 < argc; i += 2) {
    if (std::string(argv[i]) == "--seed") seed = std::stoull(argv[i + 1]);
    if (std::string(argv[i]) == "--count") count = std::stoull(argv[i + 1]);
    if (std::string(argv[i]) == "--keep") keep = argv[i + 1];
  }
  std::cout << "seeds " << seed << " to " << seed + count - 1 << std::endl;
  const model::ScratchFolder scratch;
  stateful::Program program;
  program.folder = keep.empty() ? std::filesystem::path(scratch.path("networks")) : std::filesystem::path(keep);
  std::filesystem::create_directories(program.folder);
  bool right = true;
  for (uint64_t s = seed; s < seed + count; ++s) right = stateful::add_network(program, s) && right;
  const int ended = stateful::run(program, argv[1]);
  std::cout << program.in_place << " states in place, of these " << program.rings << " rings, " << program.copied
            << " copied\n";
  for (const std::string& why : program.reasons) std::cout << "  " << why << "\n";
  return right && ended == 0 ? 0 : 1;
}
