#include "planner/minimise.h"

#include <algorithm>

#include "planner/bounds.h"
#include "planner/decide.h"
#include "planner/placement.h"

namespace tarn::planner {

void close_gap(const Problem& problem, const ConflictGraph& conflicts, uint64_t work_limit, Plan& plan) {
  uint64_t spent = 0;
  Bytes open = plan.lower_bound;  // the next capacity to try; below it everything is refuted or was too hard
  Bytes step_divisor = 0;         // 0: try the lower bound itself
  while (plan.arena > plan.lower_bound && spent < work_limit) {
    const Bytes gap = plan.arena - plan.lower_bound;
    Bytes capacity = plan.lower_bound + (step_divisor == 0 ? 0 : gap - std::max<Bytes>(1, gap / step_divisor));
    capacity = std::max(capacity, std::min(open, plan.arena - 1));
    const bool last_chance = capacity == plan.arena - 1;
    const uint64_t share = last_chance ? work_limit - spent : std::max<uint64_t>(1, (work_limit - spent) / 3);
    const Decision decision = decide(problem, conflicts, capacity, share, plan.offsets);
    spent += std::max<uint64_t>(1, decision.work);
    plan.search_nodes += decision.nodes;
    switch (decision.verdict) {
      case Verdict::found:
        plan.offsets = decision.offsets;
        plan.arena = arena_of(problem, plan.offsets);
        step_divisor = std::max<Bytes>(step_divisor / 2, 2);
        break;
      case Verdict::refuted:
        plan.lower_bound = std::min(plan.arena, reachable_arena(problem, capacity + 1));
        open = std::max(open, plan.lower_bound);
        break;
      case Verdict::out_of_nodes:
        if (last_chance) return;
        open = std::max(open, capacity + 1);
        step_divisor = std::max<Bytes>(step_divisor * 2, 2);
        break;
    }
  }
}

}  // namespace tarn::planner
