// How far an output may reach into the memory of an input that dies in the same operation.
//
// note [overlap]: a kernel makes its output pixel by pixel, upwards. At the moment pixel (r, p) is written, the input
// is needed from some address upwards only: X(r, p), in bytes from the input's first. The output then fills Y(r, p)
// bytes from its own first. If the output starts D bytes below the input, no needed byte is overwritten as long as Y -
// D <= X at every pixel, so the least distance is D = max(Y - X). Starting at or above the input's end is the other
// possibility. Distances in between are forbidden. The same moments give a lower bound: Y bytes made and size - X bytes
// still needed cannot share memory, whatever the addresses.
#pragma once
#include <optional>
#include <vector>

#include "lifetimes/storage.h"
#include "planner/problem.h"

namespace tarn::lifetimes {

// One operand that an operation reads and that may share memory with its first output.
struct Reach {
  size_t argument = 0;
  int64_t below = 0;  // D: the output may start this many bytes below the operand, or lower; negative: even above it
  int64_t above = 0;  // the output may start this many bytes above the operand, or higher
  bool same_place = false;     // of what overlaps, only the very same address will do
  bool or_same_place = false;  // the very same address will do as well
};

// The operand's reach, or nothing when its kernel says nothing of how it walks it. Bytes, with the pitches of
// `storage`. blocks: the reach that lets the kernel work on whole blocks of pixels everywhere (BlockRange); else on one
// at a time.
std::optional<Reach> reach_of(const Program& program, const Storage& storage, const program::Operation& operation,
                              size_t argument, bool blocks = false);

// The differences output base - operand base (of the buffers, not the tensors) that an operation forbids.
std::vector<planner::Forbidden> forbidden_for(const Storage& storage, const program::Operation& operation,
                                              const Reach& reach, const ShareOptions& share);

// Bytes alive while the operation runs, at the worst moment: the parts still needed of the operands in `dying`, with
// what has been made of the output.
int64_t live_bytes(const Program& program, const Storage& storage, const program::Operation& operation,
                   const std::vector<size_t>& dying, bool blocks = false);

// The output lines (or pixels) in which the kernel may work on blocks of pixels when the output starts `distance` bytes
// above (negative: below) the operand; half-open, the longest such range.
struct BlockRange {
  int64_t first = 0, end = 0;
};
BlockRange block_range(const Program& program, const Storage& storage, const program::Operation& operation,
                       size_t argument, int64_t distance, bool in_pixels);

// The output that shares memory with operands: the first argument written. None: -1.
int first_output(const program::Operation& operation);

}  // namespace tarn::lifetimes
