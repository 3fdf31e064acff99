// Constants that are alike for all outputs of a layer are stored once and stand in the arena for each while the layer
// runs.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "program/program.h"

namespace tarn::program {

// What an operation that reads such constants takes for them in the arena; 0: it reads none, or too few.
int64_t spread_bytes(const Program& program, const Operation& operation);
// What is stored less, and about how many instructions it takes to spread them out.
int64_t spread_saves(const Program& program, const Operation& operation);
int64_t spread_instructions(const Program& program, const Operation& operation);
// What the operation takes for those that are spread out.
int64_t spent_instructions(const Program& program, const Operation& operation);

// Only the numbers that differ are stored of what the operations read; each spreads them out before its call. Not those
// that other operations read too.
void spread_constants(Program& program, const std::vector<OperationId>& operations);

// The kernels that its operations call.
std::set<std::string> spreading_kernels(const Program& program);

}  // namespace tarn::program
