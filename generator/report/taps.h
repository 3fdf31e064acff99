// Where the tensors of a plan by layers can be read while it runs step by step: for comparisons of single steps.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "compile.h"
#include "report/report.h"

namespace tarn::report {

// A tensor once the last step that writes it has run: `pieces` of `piece` bytes, `stride` bytes from one to the next.
struct Tap {
  int64_t step = 0;
  std::string tensor;
  TensorType type;
  size_t bank = 0;     // of Report::banks; 0 with one arena
  int64_t offset = 0;  // bytes from the bank's first one
  int64_t piece = 0, pieces = 1, stride = 0;
  std::string c_name;
  bool operator==(const Tap&) const = default;
};

// What the steps write into the arena and is as large as the plan has it, by step and name. None of a plan by lines.
std::vector<Tap> taps_of(const Analysis& analysis, const Report& report);

}  // namespace tarn::report
