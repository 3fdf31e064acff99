// Which code ran how often under QEMU, and what that costs a core.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "verify/boards.h"
#include "verify/disassembly.h"

namespace tarn::verify {

// Of one window of the counting plugin (templates/verify/count_instructions.c).
struct Profile {
  struct Block {
    uint64_t address = 0, length = 0, times = 0;  // instructions that ran one after the other
  };
  struct Edge {
    uint64_t last = 0, to = 0, times = 0;  // from the last instruction of a block to the first of the next
  };
  std::vector<Block> blocks;
  std::vector<Edge> edges;
  uint64_t reads = 0, read_bytes = 0;  // loads from the range of constants that the plugin was told

  uint64_t instructions() const;
};

// One per window; empty when the file is missing or malformed.
std::vector<Profile> read_profiles(const std::string& path);

// Of all these windows together.
Profile joined(const std::vector<Profile>& windows);

struct RunCost {
  double instructions = 0;
  double cycles = 0;                 // memories answer at once; 0 where the core's timing is not known (core_timing.h)
  double jumps = 0;                  // taken: code is fetched from another place
  double code_bytes = 0;             // fetched
  double reads = 0, read_bytes = 0;  // loads of constants
};
RunCost cost_of(const MachineCode& code, const Profile& profile, Target core);

}  // namespace tarn::verify
