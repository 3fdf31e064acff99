// Is there a plan below a capacity? A complete answer, within a limit of work.
#pragma once
#include <vector>

#include "planner/conflicts.h"
#include "planner/problem.h"
#include "planner/verdict.h"

namespace tarn::planner {

struct Decision {
  Verdict verdict = Verdict::out_of_nodes;
  std::vector<Offset> offsets;   // found
  std::vector<int> core;         // refuted: these items alone do not fit
  uint64_t nodes = 0, work = 0;  // work is what the limit counts
};

// Attempts with different `salt` take different ways.
Decision decide(const Problem& problem, const ConflictGraph& conflicts, Bytes capacity, uint64_t work_limit,
                int salt = 0);

// Takes items out of a core for as long as what is left can be proved not to fit either.
std::vector<int> shrink_core(const Problem& problem, std::vector<int> core, Bytes capacity, uint64_t work_limit);

}  // namespace tarn::planner
