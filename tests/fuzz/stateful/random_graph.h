// Random networks that remember: states that are shifted, scattered into, mixed and exchanged, in onnx's textual form.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tarn::stateful {

struct RandomGraph {
  std::string text;
  std::vector<std::pair<std::string, std::string>> states;  // output, input
  bool by_name = false;  // an output is longer than its input, which only --state auto takes
};

// The same for the same seed, everywhere.
RandomGraph random_graph(uint64_t seed);

}  // namespace tarn::stateful
