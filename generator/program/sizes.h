// A run-time dimension: the program of one size stands for those of others when all make the same calls, with other
// numbers.
#pragma once
#include <string>
#include <vector>

#include "program/program.h"
#include "support/result.h"

namespace tarn::program {

// The tensor that the caller's set functions store the sizes in (Program::set_size).
void add_set_size(Program& program, const std::vector<std::string>& dimensions);

// A size of the dimensions, for messages.
struct SizeName {
  std::string file, dimension;
  std::string at;                      // "N=3"
  std::string groups = "four groups";  // that one firmware holds at most
};

// Does the program make the same calls as a larger size's, but for numbers? E206 for each operation whose kernel or
// operands differ, for tensors that are larger, for states of another size, and for sizes that depend on data.
Diagnostics compare_calls(const Program& program, const SizeName& name, const Program& most,
                          const std::string& largest);

// The constants of all programs among those of the last, the largest size's: where they are not its first elements,
// arguments begin further on in it, or in what is put behind it (Argument::weight_offset). E206 for one that would need
// too much, or that is stored otherwise than kernels read it. `names`: of each program.
Diagnostics store_constants(const std::vector<Program*>& sizes, const std::vector<SizeName>& names);

// Where a program's weights stand among others, which take in those that they lack; and a program of the same calls
// that reads them there.
std::vector<WeightId> add_weights(const Program& program, std::vector<Weight>& weights);
void read_from(Program& program, const std::vector<WeightId>& weights);

}  // namespace tarn::program
