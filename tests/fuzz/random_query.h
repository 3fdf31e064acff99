// Random questions to infer_types, sensible and hostile, drawn from bytes (a fuzzer's or a seeded generator's).
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/onnx_schema.h"

namespace tarn::fuzz {

// Decisions read from bytes; when they run out, a fixed pseudo-random sequence continues (splitmix64).
class Decisions {
 public:
  explicit Decisions(std::span<const uint8_t> bytes, uint64_t seed = 0) : bytes_(bytes), state_(seed) {}
  uint64_t below(uint64_t end);  // in [0, end)
  bool one_in(uint64_t n) { return below(n) == 0; }
  template <class Range>
  auto pick(const Range& range) {
    return *(std::begin(range) + static_cast<std::ptrdiff_t>(below(std::size(range))));
  }

 private:
  std::span<const uint8_t> bytes_;
  size_t at_ = 0;
  uint64_t state_;
};

// A node with everything its query points to.
struct RandomQuery {
  model::NodeDef node;
  std::map<std::string, int> opsets;
  std::vector<std::unique_ptr<Constant>> values;
  model::NodeQuery query;
};

std::unique_ptr<RandomQuery> random_query(Decisions& decide);
std::string to_text(const RandomQuery& query);

}  // namespace tarn::fuzz
