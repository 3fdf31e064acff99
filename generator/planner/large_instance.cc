// note [hot]: what decides the arena is the few instants at which most is alive. The items of those are packed by the
// exact engine first, at the bound; then those of more and more instants, for as long as that succeeds quickly. The
// rest finds room around them.
#include "planner/large_instance.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "planner/bounds.h"
#include "planner/conflicts.h"
#include "planner/decide.h"
#include "planner/ejection.h"
#include "planner/greedy.h"
#include "planner/index.h"
#include "planner/large_placement.h"
#include "planner/overlap_index.h"
#include "planner/phases.h"
#include "planner/split.h"
#include "planner/tuning.h"
#include "support/checked.h"
#include "support/progress.h"

namespace tarn::planner {

namespace {

// Size times a power of the life in sections: `eighths` of the exponent. Roots are exact on every machine.
std::vector<int> order_by_weight(const Problem& problem, const OverlapIndex& index, int eighths) {
  std::vector<double> key(problem.items.size(), 0);
  for (size_t i = 0; i < key.size(); ++i) {
    const int r = index.rank_of(static_cast<int>(i));
    if (r < 0) continue;
    const double half = std::sqrt(static_cast<double>(index.last(r) - index.first(r) + 1)), quarter = std::sqrt(half),
                 eighth = std::sqrt(quarter);
    key[i] = static_cast<double>(problem.items[i].size) * ((eighths & 4) != 0 ? half : 1) *
             ((eighths & 2) != 0 ? quarter : 1) * ((eighths & 1) != 0 ? eighth : 1);
  }
  std::vector<int> order(problem.items.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](int i) { return std::pair(-key[Z(i)], i); });
  return order;
}

bool is_plain(const Problem& problem, Bytes unit) {
  return problem.pairs.empty() && std::all_of(problem.items.begin(), problem.items.end(), [&](const Item& item) {
           return !item.offset && (!is_alive(item) || (is_whole(item) && item.alignment == unit));
         });
}

// Bytes alive in each section.
std::vector<Bytes> loads_of(const Problem& problem, const OverlapIndex& index) {
  int sections = 0;
  for (int r = 0; r < index.count(); ++r) sections = std::max(sections, index.last(r) + 1);
  std::vector<Bytes> loads(Z(sections) + 1, 0);
  for (int r = 0; r < index.count(); ++r) {
    loads[Z(index.first(r))] += problem.items[Z(index.item_of(r))].size;
    loads[Z(index.last(r)) + 1] -= problem.items[Z(index.item_of(r))].size;
  }
  std::partial_sum(loads.begin(), loads.end(), loads.begin());
  return loads;
}

// The items alive in a section with at least `least` bytes.
std::vector<int> items_of_hot(const OverlapIndex& index, const std::vector<Bytes>& loads, Bytes least) {
  std::vector<int> before(loads.size() + 1, 0);  // hot sections before each
  for (size_t s = 0; s < loads.size(); ++s) before[s + 1] = before[s] + (loads[s] >= least ? 1 : 0);
  std::vector<int> items;
  for (int r = 0; r < index.count(); ++r) {
    if (before[Z(index.last(r)) + 1] > before[Z(index.first(r))]) items.push_back(index.item_of(r));
  }
  std::sort(items.begin(), items.end());
  return items;
}

// Offsets of the hottest items within `goal`, the others unplaced: see note [hot]. Empty when nothing was found.
std::vector<Offset> pack_hot(const Problem& problem, const OverlapIndex& index, Bytes goal, int effort,
                             uint64_t& steps) {
  const std::vector<Bytes> loads = loads_of(problem, index);
  int64_t lives = 0;
  for (int r = 0; r < index.count(); ++r) lives += index.last(r) - index.first(r) + 1;
  if (lives / static_cast<int64_t>(loads.size()) > kMostAliveOfHot) return {};
  const Bytes most = *std::max_element(loads.begin(), loads.end());
  std::vector<Offset> placed;
  size_t packed = 0;
  for (const Bytes percent : {98, 95, 90, 80, 60, 0}) {
    const std::vector<int> items = items_of_hot(index, loads, most / 100 * percent);
    if (items.size() > kMostHotItems) break;
    if (items.size() == packed) continue;
    const Problem hot = restrict_to(problem, items);
    size_t meetings = 0;
    for (int i : items) index.for_each(index.rank_of(i), [&](int) { ++meetings; });
    if (meetings > kMostHotMeetings) break;
    const ConflictGraph conflicts = ConflictGraph::build(hot);
    Decision decision;
    // Where the bound is out of reach, a little more must do.
    for (int more = 0; more < (percent >= 90 ? 4 : 1) && decision.verdict != Verdict::found; ++more) {
      if (more > 0) goal += goal / 400 << (more - 1);
      decision = decide(hot, conflicts, goal, kHotWork << (3 * effort));
      steps += decision.nodes;
    }
    if (decision.verdict != Verdict::found) break;
    packed = items.size();
    placed.assign(problem.items.size(), kUnplaced);
    for (size_t k = 0; k < items.size(); ++k) placed[Z(items[k])] = decision.offsets[k];
  }
  return placed;
}

// `meetings`: of an item with others, on average. Lowers the arena until `goal` is met or the visits are used up.
void eject_towards(const Problem& problem, const OverlapIndex& index, Bytes goal, uint64_t meetings,
                   uint64_t visit_limit, LargePlan& plan) {
  const Bytes unit = common_alignment(problem);
  Ejection ejection(problem, index, unit);
  std::vector<Offset> offsets(Z(index.count()));
  Bytes top = 0;
  for (int r = 0; r < index.count(); ++r) {
    offsets[Z(r)] = plan.offsets[Z(index.item_of(r))] / unit;
    top = std::max(top, offsets[Z(r)] + ejection.size(r));
  }
  const Bytes bound = ceil_div(goal, unit);
  int64_t sixteenths = meetings > 800 ? 3 : 8;  // of the gap to win at once
  // Where many items meet, each displaces more of them, and it takes longer until all have found a place.
  const uint64_t step_base = 1000 + static_cast<uint64_t>(index.count()) / 4 * (1 + meetings / 1000);
  uint64_t step_limit = step_base;
  while (top > bound && ejection.visits() < visit_limit) {
    const Bytes capacity = std::max(bound, top - std::max<Bytes>(1, (top - bound) * sixteenths / 16));
    const uint64_t per_step = ejection.steps() == 0 ? 100 : ejection.visits() / ejection.steps() + 1;
    const uint64_t limit = std::min(step_limit, (visit_limit - ejection.visits()) / per_step + 1);
    if (ejection.run(offsets, capacity, limit)) {
      top = 0;
      for (int r = 0; r < index.count(); ++r) top = std::max(top, offsets[Z(r)] + ejection.size(r));
      sixteenths = std::min<int64_t>(12, sixteenths + (sixteenths + 2) / 3);
      step_limit = step_base;
    } else {
      ejection.forget();
      if (sixteenths > 1) {
        sixteenths /= 2;
      } else {
        sixteenths = 4;
        step_limit += step_limit / 2;
      }
    }
  }
  plan.steps += ejection.steps();
  for (int r = 0; r < index.count(); ++r) plan.offsets[Z(index.item_of(r))] = offsets[Z(r)] * unit;
  plan.arena = arena_of(problem, plan.offsets);
}

}  // namespace

LargePlan place_large(const Problem& problem, Strategy strategy) {
  const OverlapIndex index(problem);
  LargePlacement placement(problem, index);
  LargePlan plan;
  if (strategy == Strategy::naive) plan.offsets = placement.run_apart();
  else plan.offsets = placement.run(greedy_order(problem, strategy), greedy_fit(strategy));
  plan.arena = arena_of(problem, plan.offsets);
  plan.steps = placement.steps();
  return plan;
}

LargePlan pack_large(const Problem& problem, Bytes goal, int effort) {
  const OverlapIndex index(problem);
  LargePlacement placement(problem, index);
  LargePlan best;
  best.arena = INT64_MAX;
  const uint64_t visit_base = kEjectionVisits << (3 * effort);
  uint64_t pass = 0;
  std::vector<Offset> hot;
  if (is_plain(problem, common_alignment(problem))) hot = pack_hot(problem, index, goal, effort, best.steps);
  for (const int eighths : {0, 3, 2, 4, 1}) {
    if (best.arena <= goal || placement.visits() + pass > visit_base) break;
    const std::vector<int> order = order_by_weight(problem, index, eighths);
    std::vector<Offset> offsets =
        hot.empty() ? placement.run(order, Fit::lowest) : placement.run_around(hot, order, Fit::lowest);
    if (pass == 0) pass = placement.visits();
    const Bytes arena = arena_of(problem, offsets);
    if (arena < best.arena) {
      best.arena = arena;
      best.offsets = std::move(offsets);
    }
  }
  best.steps += placement.steps();
  if (best.arena > goal && is_plain(problem, common_alignment(problem))) {
    eject_towards(problem, index, goal, pass / problem.items.size(), visit_base + pass, best);
  }
  return best;
}

}  // namespace tarn::planner
