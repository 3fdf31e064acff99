// From a schedule to the packing problem: when each buffer lives, and which may share memory with which.
//
// note [instants]: a step has two instants, 2s while it reads and 2s+1 once it has written. Buffers that meet at an
// instant are disjoint. An input that dies in step s ends at 2s+1, and the output that may overlap it begins there:
// they never meet, and a pair with their forbidden distances takes the place of the rule. All that may not overlap
// meets as usual.
//
// note [gaps]: a state is alive from the first instant to the last, but for the time between its last reader and the
// step that writes the next one: what is between may lie in its bytes. One that only this step reads, and not all of it
// (the oldest step of a window is forgotten), is alive in part from the second step to this one; in the first step it
// is whole, so that what sets or restores it leaves the inputs alone.
#pragma once
#include <string>
#include <vector>

#include "lifetimes/overlap.h"
#include "planner/plan.h"
#include "schedule/schedule.h"

namespace tarn::lifetimes {

// The steps [first, end) in which a state holds nothing, none where first == end; `end` writes it. See note [gaps].
struct StateGap {
  bool exists = false;
  int64_t first = 0, end = 0;
  int64_t last_reader = -1;  // -1: it is in a branch or loop, or there is none
};

// A state of which only the bytes [first_byte, end_byte) hold something in the steps [first, end). See note [gaps].
struct StatePart {
  int64_t first = 0, end = 0, first_byte = 0, end_byte = 0;
};

// Life of a buffer in steps, half-open: first is the step that makes it (0 for inputs), end the one after its last use.
struct Life {
  int64_t first = 0, end = 0;
  StateGap gap;  // of a state
  std::optional<StatePart> part;
};

// A step in which a buffer may be laid over a dying one.
struct Sharing {
  BufferId taker, giver;
  int64_t step = 0;
  std::vector<Reach> reaches;  // one per argument that reads the giver
  size_t pair = 0;             // position in Problem::pairs; two sharings may have one
};

struct Planning {
  planner::Problem problem;
  std::vector<BufferId> items;  // the buffer of each item
  std::vector<int> item_of;     // by buffer: its item, -1: none (external, never used)
  std::vector<Life> lives;      // by buffer
  std::vector<Sharing> sharings;
};

// The same program at another size of a run-time dimension.
struct AtSize {
  const Program* program = nullptr;
  const Storage* storage = nullptr;
};

struct PlanningOptions {
  ShareOptions share;
  int64_t alignment = 16;
  // Kernels that can work on blocks of pixels get the distance to their input that this takes everywhere, in all steps
  // that then need at most so many bytes. 0: one pixel's distance, the least that there is.
  int64_t block_budget = 0;
  std::vector<AtSize> sizes;  // a plan must hold at each of these too
};

Planning make_planning(const Program& program, const Storage& storage, const schedule::Schedule& schedule,
                       const PlanningOptions& options);

}  // namespace tarn::lifetimes
