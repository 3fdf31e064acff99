// fuzz_mutants SEED COUNT OUTDIR FILE|FOLDER...: mutants of these models, or crossings of two, as files.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "fuzz/mutate.h"
#include "support/text.h"

namespace fs = std::filesystem;

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr, "usage: fuzz_mutants SEED COUNT OUTDIR FILE|FOLDER...\n");
    return 2;
  }
  tarn::fuzz::Decisions decide({}, std::strtoull(argv[1], nullptr, 10));
  const long count = std::strtol(argv[2], nullptr, 10);
  std::vector<std::string> paths;
  for (int i = 4; i < argc; ++i) {
    if (!fs::is_directory(argv[i])) {
      paths.emplace_back(argv[i]);
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(argv[i])) {
      if (entry.path().extension() == ".onnx") paths.push_back(entry.path().string());
    }
  }
  std::sort(paths.begin(), paths.end());
  if (paths.empty()) return 2;
  const auto read = [&](onnx::ModelProto& model) {
    std::ifstream in(decide.pick(paths), std::ios::binary);
    return model.ParsePartialFromIstream(&in) && model.has_graph();
  };
  fs::create_directories(argv[3]);
  for (long i = 0; i < count;) {
    onnx::ModelProto model, other;
    if (!read(model)) continue;
    if (decide.one_in(5) && read(other)) tarn::fuzz::cross(model, other, decide);
    tarn::fuzz::mutate(model, decide);
    std::string bytes = model.SerializePartialAsString();
    // Some are damaged as files too.
    if (decide.one_in(12) && !bytes.empty()) bytes[decide.below(bytes.size())] = static_cast<char>(decide.below(256));
    if (decide.one_in(40)) bytes.resize(decide.below(bytes.size() + 1));
    std::ofstream(tarn::cat(argv[3], "/", i++, ".onnx"), std::ios::binary) << bytes;
  }
  return 0;
}
