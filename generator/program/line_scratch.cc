#include "program/line_scratch.h"

namespace tarn::program {

namespace {

constexpr int64_t kLargestElement = 8;

struct Layout {
  std::vector<int64_t> offsets;
  int64_t bytes = 0;
};

Layout layout_of(const Program& program, const Operation& operation) {
  Layout layout;
  for (const Argument& a : operation.arguments) {
    if (a.role != Argument::Role::scratch) {
      layout.offsets.push_back(-1);
      continue;
    }
    layout.bytes = (layout.bytes + kLargestElement - 1) / kLargestElement * kLargestElement;
    layout.offsets.push_back(layout.bytes);
    layout.bytes += program[a.tensor].bytes();
  }
  return layout;
}

}  // namespace

std::vector<int64_t> line_scratch_offsets(const Program& program, const Operation& operation) {
  return layout_of(program, operation).offsets;
}

int64_t line_scratch_bytes(const Program& program, const Operation& operation) {
  return layout_of(program, operation).bytes;
}

int64_t gathered_sums_offset(const LineForm& form) {
  return (form.scratch_bytes + kLargestElement - 1) / kLargestElement * kLargestElement;
}

}  // namespace tarn::program
