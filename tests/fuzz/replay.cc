// fuzz_replay [-v] [--in-place] [--odd-constants [--every N]] [--mutate SECONDS [--seed N]] FILE|FOLDER...: each model
// through the pipeline once, or for some time mutants and crossings of them, without coverage: what a build of any
// compiler can do. 1 when something is wrong with tarn; where the process dies the model is the one in the scratch
// folder, whose name is printed.
//   --in-place        models where they lie, with the default options; each is named before it is run
//   --odd-constants   each with every constant, and every input as a constant, made odd in turn (see odd_constants.h)
//   --every N         every Nth of those
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <vector>

#include "fuzz/mutate.h"
#include "fuzz/odd_constants.h"
#include "fuzz/pipeline.h"

namespace fs = std::filesystem;

namespace {

struct Options {
  std::vector<std::string> paths;
  bool verbose = false;
  bool in_place = false;
  bool odd_constants = false;
  size_t every = 1;
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
    } else if (std::strcmp(argv[i], "--odd-constants") == 0) {
      options.odd_constants = true;
    } else if (more && std::strcmp(argv[i], "--every") == 0) {
      options.every = std::max<size_t>(1, std::strtoull(argv[++i], nullptr, 10));
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
  size_t offered = 0;  // to a sweep that takes a part of them
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
  if (++counts.findings > 20 || (options.seconds == 0 && !options.odd_constants)) return;
  const std::string kept = "finding_" + std::to_string(counts.findings) + ".onnx";
  std::ofstream(kept, std::ios::binary) << bytes;
  std::printf("  kept as %s\n", kept.c_str());
}

// In a process of its own, so that a sweep goes on behind a model over which the process dies.
void run_apart(const std::string& name, Counts& counts, const std::function<void(Counts&)>& work) {
  std::fflush(stdout);
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) std::abort();
  Counts after = counts;
  const pid_t child = fork();
  if (child == 0) {
    work(after);
    std::fflush(stdout);
    _exit(write(ends[1], &after, sizeof after) == sizeof after ? 0 : 1);
  }
  close(ends[1]);
  const bool told = child > 0 && read(ends[0], &after, sizeof after) == sizeof after;
  close(ends[0]);
  int status = 0;
  if (child > 0) waitpid(child, &status, 0);
  if (told) {
    counts = after;
    return;
  }
  ++counts.models;
  const std::string kept = "finding_" + std::to_string(++counts.findings) + ".onnx";
  fs::copy_file(tarn::fuzz::scratch_folder() + "/model.onnx", kept, fs::copy_options::overwrite_existing);
  std::printf("FINDING: %s: died of signal %d, kept as %s\n", name.c_str(), WTERMSIG(status), kept.c_str());
}

constexpr size_t kLargest = 6000;  // a larger model takes the time of many

void run_odd_constants(const Options& options, Counts& counts) {
  std::printf("every %zu. of the odd constants of %zu models, scratch %s\n", options.every, options.paths.size(),
              tarn::fuzz::scratch_folder().c_str());
  for (const std::string& path : options.paths) {
    onnx::ModelProto model;
    if (fs::file_size(path) >= kLargest || !model.ParsePartialFromString(read_file(path))) continue;
    run_apart(path, counts, [&](Counts& inner) {
      tarn::fuzz::for_each_odd_constant(model, [&](const std::string& what, const onnx::ModelProto& odd) {
        if (inner.offered++ % options.every == 0)
          run(options, path + ", " + what, odd.SerializePartialAsString(), inner);
      });
    });
  }
}

void run_mutants(const Options& options, Counts& counts) {
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
  } else if (options.odd_constants) {
    run_odd_constants(options, counts);
  } else {
    for (const std::string& path : options.paths) {
      run(options, path, options.in_place ? std::string() : read_file(path), counts);
    }
  }
  std::printf("%zu models, %zu to the end, %zu findings\n", counts.models, counts.emitted, counts.findings);
  fs::remove_all(tarn::fuzz::scratch_folder());
  return counts.findings > 0 || counts.models == 0 ? 1 : 0;
}
