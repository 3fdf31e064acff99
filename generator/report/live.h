// What is alive in each step: bytes, and names.
#pragma once
#include <cstdint>
#include <vector>

#include "report/report.h"

namespace tarn::report {

// A block of memory during steps [first, end).
struct LiveBlock {
  int64_t offset = 0, bytes = 0;
  int64_t first = 0, end = 0;
};

// Bytes that any block covers, by step. Blocks may overlap.
std::vector<int64_t> covered_bytes(const std::vector<LiveBlock>& blocks, int64_t steps);

// Fills StepRow::live from the tensors' rows. Where thousands are alive in thousands of steps only the peak's step is
// told: all of them would be more than the model itself, squared.
void list_live(Report& report);

}  // namespace tarn::report
