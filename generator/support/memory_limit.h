// What a model may take while tarn works on it. Beyond that the work ends where the memory was asked for: no pass,
// search or table needs a limit of its own that is right for every model.
#pragma once
#include <cstdint>
#include <string_view>

namespace tarn {

// The promise: 256 MB, and three times the files that the model is made of, resident at once. Those are mapped, which
// is one of the three; what the executable takes, and what lies unused between blocks, is kept back.
constexpr int64_t kPromisedMemory = int64_t{256} << 20;
constexpr int64_t kPromisedPerByte = 3;
constexpr int64_t most_on_heap(int64_t model_bytes) { return (int64_t{224} << 20) + 2 * model_bytes; }

// From now on operator new hands out that much; what there is already does not count. Beyond it it calls `beyond`,
// which ends the process or throws std::bad_alloc.
void limit_memory(int64_t bytes, void (*beyond)());
// A limit there is becomes most_on_heap(model_bytes), unless it is more.
void allow_memory_for(int64_t model_bytes);
void lift_memory_limit();

int64_t peak_memory();   // most at once since limit_memory()
bool memory_exceeded();  // since then

// What is being done, for whoever has to tell why it ended. The names live as long as the object.
struct Work {
  std::string_view what;  // "reading node"
  int node = -1;          // its position in the model's list
  std::string_view name, op, tensor;
  int64_t count = 0;  // of what it is done to, such as 4 "tensors"
  std::string_view unit = {};
};
class AtWork {
 public:
  explicit AtWork(const Work& work);
  ~AtWork();
  AtWork(const AtWork&) = delete;
  AtWork& operator=(const AtWork&) = delete;
  static Work innermost();  // of this thread

 private:
  Work work_;
  const AtWork* around_;
};

}  // namespace tarn
