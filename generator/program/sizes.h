// A run-time dimension: the program of one size stands for those of others when all make the same calls, with other
// numbers.
#pragma once
#include <string>
#include <vector>

#include "program/program.h"
#include "support/result.h"

namespace tarn::program {

// The tensor that the caller's set function stores the size in (Program::set_size).
void add_set_size(Program& program, const std::string& dimension);

// The programs of the sizes low, low + 1, ... of a dimension, the largest last. E206 for each operation whose kernel or
// operands are not those of the largest, for tensors larger than there, and for constants that are not the first
// elements of the largest size's. `file` names the model.
Diagnostics check_sizes(const std::vector<const Program*>& sizes, const std::string& dimension, int64_t low,
                        const std::string& file);

}  // namespace tarn::program
