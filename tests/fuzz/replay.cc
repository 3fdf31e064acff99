// fuzz_replay FILE|FOLDER...: each model through the pipeline once; 1 when something is wrong with tarn.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "fuzz/pipeline.h"

int main(int argc, char** argv) {
  namespace fs = std::filesystem;
  std::vector<std::string> paths;
  bool verbose = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "-v") == 0) {
      verbose = true;
    } else if (fs::is_directory(argv[i])) {
      for (const auto& entry : fs::recursive_directory_iterator(argv[i])) {
        if (entry.is_regular_file() && entry.path().extension() != ".pb") paths.push_back(entry.path().string());
      }
    } else {
      paths.push_back(argv[i]);
    }
  }
  std::sort(paths.begin(), paths.end());
  size_t emitted = 0, findings = 0;
  for (const std::string& path : paths) {
    std::ifstream in(path, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
    const std::span<const uint8_t> model(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
    if (verbose) std::fprintf(stderr, "%s  %s\n", path.c_str(), tarn::fuzz::option_text(model).c_str());
    const tarn::fuzz::Outcome outcome = tarn::fuzz::run_pipeline(model);
    emitted += outcome.emitted ? 1 : 0;
    findings += outcome.finding.empty() ? 0 : 1;
    if (!outcome.finding.empty()) std::printf("FINDING: %s: %s\n", path.c_str(), outcome.finding.c_str());
    if (verbose)
      std::printf("  %s, %.3f s, %.1f MB\n", outcome.emitted ? "emitted" : outcome.code.c_str(), outcome.seconds,
                  static_cast<double>(outcome.memory_bytes) / (1 << 20));
  }
  std::printf("%zu models, %zu to the end, %zu findings\n", paths.size(), emitted, findings);
  fs::remove_all(tarn::fuzz::scratch_folder());
  return findings > 0 || paths.empty() ? 1 : 0;
}
