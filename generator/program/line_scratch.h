// Where the scratch operands of an operation lie in the scratch of its line step: one after the other.
#pragma once
#include <vector>

#include "program/program.h"

namespace tarn::program {

// By argument: bytes from the first; -1 for those that are no scratch.
std::vector<int64_t> line_scratch_offsets(const Program& program, const Operation& operation);
int64_t line_scratch_bytes(const Program& program, const Operation& operation);

// Where its sums lie behind them, in bytes from the first, when a step makes these anew.
int64_t gathered_sums_offset(const LineForm& form);

}  // namespace tarn::program
