// Cost: what a call, a step or a network takes, and what it would wait for memories.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>

namespace tarn::timing {

struct Cost {
  double instructions = 0;
  double cycles = 0;                 // memories answer at once; 0 where the core's timing is not known
  double jumps = 0;                  // taken branches: code is fetched from another place
  double code_bytes = 0;             // fetched
  double reads = 0, read_bytes = 0;  // loads of weights and other constants

  void add(const Cost& other, double times = 1) {
    instructions += times * other.instructions;
    cycles += times * other.cycles;
    jumps += times * other.jumps;
    code_bytes += times * other.code_bytes;
    reads += times * other.reads;
    read_bytes += times * other.read_bytes;
  }
};

// How fast a memory answers: a line of bytes after `wait` cycles, what follows in the line at once. A line of 4 is a
// memory without a buffer: every access waits.
struct Memory {
  int64_t wait = 0, line = 4;
};

struct Memories {
  Memory code, weights;
};

// Nothing where cycles are not known.
inline std::optional<double> cycles_of(const Cost& cost, const Memories& memories) {
  if (cost.cycles == 0) return cost.instructions == 0 ? std::optional(0.0) : std::nullopt;
  const auto lines = [](double bytes, const Memory& memory) { return bytes / static_cast<double>(memory.line); };
  // Code is fetched in order but for jumps, each to a line of its own; of constants an access is one line at most.
  const double fetches = lines(cost.code_bytes, memories.code) + cost.jumps;
  const double loads =
      memories.weights.line <= 4 ? cost.reads : std::min(cost.reads, lines(cost.read_bytes, memories.weights));
  return cost.cycles + static_cast<double>(memories.code.wait) * fetches +
         static_cast<double>(memories.weights.wait) * loads;
}

}  // namespace tarn::timing
