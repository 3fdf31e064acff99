#include "planner/minimise.h"

#include <algorithm>
#include <vector>

#include "planner/bounds.h"
#include "planner/decide.h"
#include "planner/placement.h"
#include "planner/tuning.h"

namespace tarn::planner {

// Whether a search of plain items succeeds depends on luck as much as on the capacity: none is given up for good and
// none is insisted on; they are tried in turn, each time in another way, with limits that grow. The search for pairs
// goes the same way each time: it gets few attempts and long ones, and where few arenas are left it is asked at once
// for the proof that none of them exists.
void close_gap(const Problem& problem, const ConflictGraph& conflicts, uint64_t work_limit, Bytes below, Plan& plan) {
  const bool plain = problem.pairs.empty();
  const std::vector<Bytes> wide =
      plain ? std::vector<Bytes>{0, 4, 2} : std::vector<Bytes>{4, 8, 0};  // eighths of the gap
  const std::vector<Bytes> narrow = plain ? wide : std::vector<Bytes>{8, 4, 0};
  const Bytes unit = common_alignment(problem);
  uint64_t spent = 0, share = std::max<uint64_t>(1, work_limit / (plain ? kPlainShares : kPairShares));
  size_t next = 0;
  bool progress = false;
  for (int salt = 3; std::min(plan.arena, below) > plan.lower_bound && spent < work_limit; ++salt) {
    const Bytes top = std::min(plan.arena, below), gap = top - plan.lower_bound;
    const std::vector<Bytes>& eighths = gap <= 8 * unit ? narrow : wide;
    const Bytes capacity = std::min(plan.lower_bound + gap / 8 * eighths[next] + gap % 8 * eighths[next] / 8, top - 1);
    const Decision decision = decide(problem, conflicts, capacity, std::min(share, work_limit - spent), salt);
    spent += std::max<uint64_t>(1, decision.work);
    plan.search_nodes += decision.nodes;
    progress = progress || decision.verdict != Verdict::out_of_nodes;
    if (decision.verdict == Verdict::found) {
      plan.offsets = decision.offsets;
      plan.arena = arena_of(problem, plan.offsets);
      if (!plain) next = 0;
      continue;
    }
    if (decision.verdict == Verdict::refuted)
      plan.lower_bound = std::min(plan.arena, bound_behind(problem, decision.core, capacity));
    if (++next < eighths.size()) continue;
    next = 0;
    if (!progress) share *= 2;
    progress = false;
  }
}

}  // namespace tarn::planner
