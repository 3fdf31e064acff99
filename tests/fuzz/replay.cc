// fuzz_replay [-v] [--in-place] [--mutate SECONDS [--seed N]] FILE|FOLDER...: each model through the pipeline once, or
// for some time mutants and crossings of them, without coverage: what a build of any compiler can do. 1 when something
// is wrong with tarn; where the process dies the model is the one in the scratch folder, whose name is printed.
//   --in-place   models where they lie, with the default options; each is named before it is run
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "fuzz/mutate.h"
#include "fuzz/pipeline.h"

namespace fs = std::filesystem;

namespace {

struct Options {
  std::vector<std::string> paths;
  bool verbose = false;
  bool in_place = false;
  long seconds = 0;
  uint64_t seed = static_cast<uint64_t>(time(nullptr));
};

Options read_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const bool more = i + 1 < argc;
    if (std::strcmp(argv[i], "-v") == 0) {
      options.verbose = true;
    } else if (std::strcmp(argv[i], "--in-place") == 0) {
      options.in_place = true;
    } else if (more && std::strcmp(argv[i], "--mutate") == 0) {
      options.seconds = std::strtol(argv[++i], nullptr, 10);
    } else if (more && std::strcmp(argv[i], "--seed") == 0) {
      options.seed = std::strtoull(argv[++i], nullptr, 10);
    } else if (fs::is_directory(argv[i])) {
      for (const auto& entry : fs::recursive_directory_iterator(argv[i])) {
        if (entry.is_regular_file() && entry.path().extension() != ".pb")
          options.paths.push_back(entry.path().string());
      }
    } else {
      options.paths.emplace_back(argv[i]);
    }
  }
  std::sort(options.paths.begin(), options.paths.end());
  return options;
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Counts {
  size_t models = 0, emitted = 0, findings = 0;
};

void run(const Options& options, const std::string& name, const std::string& bytes, Counts& counts) {
  const std::span<const uint8_t> model(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  if (options.verbose) std::fprintf(stderr, "%s  %s\n", name.c_str(), tarn::fuzz::option_text(model).c_str());
  if (options.in_place) {
    std::printf("run %s\n", name.c_str());
    std::fflush(stdout);
  }
  const tarn::fuzz::Outcome outcome = options.in_place ? tarn::fuzz::run_model(name) : tarn::fuzz::run_pipeline(model);
  ++counts.models;
  counts.emitted += outcome.emitted ? 1 : 0;
  if (options.verbose)
    std::printf("  %s, %.3f s, %.1f MB\n", outcome.emitted ? "emitted" : outcome.code.c_str(), outcome.seconds,
                static_cast<double>(outcome.memory_bytes) / (1 << 20));
  if (outcome.finding.empty()) return;
  std::printf("FINDING: %s: %s\n", name.c_str(), outcome.finding.c_str());
  if (++counts.findings > 20 || options.seconds == 0) return;
  const std::string kept = "finding_" + std::to_string(counts.findings) + ".onnx";
  std::ofstream(kept, std::ios::binary) << bytes;
  std::printf("  kept as %s\n", kept.c_str());
}

void run_mutants(const Options& options, Counts& counts) {
  constexpr size_t kLargest = 6000;  // a larger model takes the time of many
  tarn::fuzz::Decisions decide({}, options.seed);
  std::vector<std::string> seeds;
  for (const std::string& path : options.paths) {
    if (fs::file_size(path) < kLargest) seeds.push_back(read_file(path));
  }
  std::printf("seed %llu, %zu models, scratch %s\n", static_cast<unsigned long long>(options.seed), seeds.size(),
              tarn::fuzz::scratch_folder().c_str());
  std::fflush(stdout);
  const time_t end = time(nullptr) + options.seconds;
  while (!seeds.empty() && time(nullptr) < end) {
    onnx::ModelProto model, other;
    if (!model.ParsePartialFromString(decide.pick(seeds)) || !model.has_graph()) continue;
    if (decide.one_in(4) && other.ParsePartialFromString(decide.pick(seeds))) tarn::fuzz::cross(model, other, decide);
    tarn::fuzz::mutate(model, decide);
    std::string bytes = model.SerializePartialAsString();
    if (bytes.size() > 2 * kLargest) continue;
    const size_t emitted = counts.emitted;
    run(options, "mutant", bytes, counts);
    // What gets to the end is mutated further.
    if (counts.emitted > emitted && decide.one_in(10) && seeds.size() < 20000) seeds.push_back(std::move(bytes));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = read_options(argc, argv);
  Counts counts;
  if (options.seconds > 0) {
    run_mutants(options, counts);
  } else {
    for (const std::string& path : options.paths) {
      run(options, path, options.in_place ? std::string() : read_file(path), counts);
    }
  }
  std::printf("%zu models, %zu to the end, %zu findings\n", counts.models, counts.emitted, counts.findings);
  fs::remove_all(tarn::fuzz::scratch_folder());
  return counts.findings > 0 || counts.models == 0 ? 1 : 0;
}
