// Runs an operation's real kernel on memory that the test lays out.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "lifetimes/overlap.h"
#include "program/program.h"

namespace tarn::tests {

// Where each tensor of the operation stands, in bytes from the beginning of one block of memory.
using Places = std::map<program::TensorId, int64_t>;

// False: the runner does not know the kernel.
bool run_kernel(const program::Program& program, const lifetimes::Storage& storage, const program::Operation& operation,
                const Places& places, std::vector<uint8_t>& memory);

}  // namespace tarn::tests
