// libFuzzer target: models, mutated as graphs, through the whole of `tarn generate` in memory. Run by run.sh.
//   TARN_FUZZ_FINDINGS   a folder: findings that leave the process alive go there, one for each kind, and it goes on
//   TARN_FUZZ_COUNTS     a file that holds two counts, of runs and of models that got to the end, also after a crash
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "fuzz/mutate.h"
#include "fuzz/pipeline.h"
#include "support/sha256.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace {

using namespace tarn::fuzz;

struct Counts {
  uint64_t runs = 0, emitted = 0;
};

Counts* counts() {
  static Counts here;
  static Counts* const shared = [] {
    const char* path = std::getenv("TARN_FUZZ_COUNTS");
    const int file = path != nullptr ? open(path, O_RDWR | O_CREAT, 0644) : -1;
    if (file < 0 || ftruncate(file, sizeof(Counts)) != 0) return &here;
    void* mapped = mmap(nullptr, sizeof(Counts), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return mapped == MAP_FAILED ? &here : static_cast<Counts*>(mapped);
  }();
  return shared;
}

// Numbers and names left out: findings of one kind have one name.
std::string kind_of(const std::string& finding) {
  std::string kind;
  for (char c : finding) {
    if (c < '0' || c > '9') kind += c;
  }
  return tarn::sha256_hex({reinterpret_cast<const uint8_t*>(kind.data()), kind.size()}).substr(0, 12);
}

void tell(const std::string& finding, std::span<const uint8_t> model) {
  const char* folder = std::getenv("TARN_FUZZ_FINDINGS");
  if (folder == nullptr) {
    std::fprintf(stderr, "\nFINDING: %s\n", finding.c_str());
    std::abort();
  }
  const std::string path = std::string(folder) + "/" + kind_of(finding) + ".onnx";
  if (std::filesystem::exists(path)) return;
  std::filesystem::create_directories(folder);
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(model.data()), static_cast<std::streamsize>(model.size()));
  std::fprintf(stderr, "\nFINDING: %s\n  kept as %s\n", finding.c_str(), path.c_str());
}

size_t write(const onnx::ModelProto& model, uint8_t* data, size_t max_size) {
  const size_t size = model.ByteSizeLong();
  if (size == 0 || size > max_size || !model.SerializePartialToArray(data, static_cast<int>(max_size))) return 0;
  return size;
}

bool read(onnx::ModelProto& model, const uint8_t* data, size_t size) {
  return model.ParsePartialFromArray(data, static_cast<int>(size)) && model.has_graph();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Outcome outcome = run_pipeline({data, size});
  ++counts()->runs;
  counts()->emitted += outcome.emitted ? 1 : 0;
  if (!outcome.finding.empty()) tell(outcome.finding, {data, size});
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  Decisions decide({}, seed);
  onnx::ModelProto model;
  if (decide.one_in(60) || !read(model, data, size)) return LLVMFuzzerMutate(data, size, max_size);
  mutate(model, decide);
  const size_t written = write(model, data, max_size);
  return written > 0 ? written : size;
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* one, size_t one_size, const uint8_t* other,
                                            size_t other_size, uint8_t* out, size_t max_size, unsigned seed) {
  Decisions decide({}, seed);
  onnx::ModelProto model, second;
  if (!read(model, one, one_size) || !read(second, other, other_size)) return 0;
  cross(model, second, decide);
  if (decide.one_in(2)) mutate(model, decide);
  return write(model, out, max_size);
}
