// Plans by lines made wrong somewhere, by chance: for tests of what finds that.
#pragma once
#include <algorithm>
#include <utility>

#include "planner/index.h"
#include "planner/random.h"
#include "stream/plan.h"

namespace tarn::stream {

using planner::Random;

// Another place for a memory or one of its lines, mostly near the old one; or one line fewer.
inline bool misplace(Random& random, LinePlan& plan) {
  Memory& memory = plan.memories[Z(random.below(static_cast<int64_t>(plan.memories.size())))];
  if (memory.line_bytes == 0) return false;
  const int64_t by = random.below(3) == 0 ? random.below(plan.arena + 1) - plan.arena / 2 : random.below(9) - 4;
  const bool table = memory.addressing == Addressing::table;
  int64_t& at = table ? memory.table[Z(random.below(memory.slots))] : memory.base;
  if (at < 0 || by == 0) return false;
  if (random.below(4) == 0 && memory.slots > 1) {
    --memory.slots;
    if (table) memory.table.pop_back();
  } else {
    at += by;
  }
  return true;
}

// Two neighbouring steps of different actors change places.
inline bool reorder(Random& random, LinePlan& plan) {
  if (plan.steps.size() < 2) return false;
  const size_t s = Z(random.below(static_cast<int64_t>(plan.steps.size()) - 1));
  if (plan.steps[s].actor == plan.steps[s + 1].actor) return false;
  std::swap(plan.steps[s], plan.steps[s + 1]);
  plan.loops.clear();
  for (const Step& step : plan.steps) plan.loops.push_back({{step.actor}, 1});
  return true;
}

// Anything else that the checker looks at.
inline void falsify(Random& random, LinePlan& plan) {
  LineView& view = plan.views[Z(random.below(static_cast<int64_t>(plan.views.size())))];
  Actor& actor = plan.actors[Z(random.below(static_cast<int64_t>(plan.actors.size())))];
  Memory& memory = plan.memories[Z(random.below(static_cast<int64_t>(plan.memories.size())))];
  const int64_t one = random.below(2) == 0 ? 1 : -1;
  switch (random.below(14)) {
    case 0: view.offset = std::max<int64_t>(0, view.offset + one * (1 + random.below(4))); break;
    case 1: view.pixel_pitch = std::max<int64_t>(1, view.pixel_pitch + one); break;
    case 2: actor.overlapping = !actor.overlapping; break;
    case 3: plan.arena += one * (1 + random.below(3)); break;
    case 4:
      if (!plan.loops.empty()) plan.loops[Z(random.below(static_cast<int64_t>(plan.loops.size())))].times += one;
      break;
    case 5:
      for (Actor& a : plan.actors) a.overlapping = true;
      misplace(random, plan);
      break;
    case 6:
      if (memory.addressing == Addressing::table) memory.table.pop_back();
      else memory.slots = 0;
      break;
    case 7:
      if (!plan.steps.empty()) plan.steps[Z(random.below(static_cast<int64_t>(plan.steps.size())))].first_line += one;
      break;
    case 8:
      plan.steps.pop_back();
      plan.loops.clear();
      for (const Step& step : plan.steps) plan.loops.push_back({{step.actor}, 1});
      break;
    case 9: actor.lines += one; break;
    case 10: reorder(random, plan); break;
    case 11:
      if (plan.driver >= 0) plan.memories[Z(plan.driver)].base = random.below(plan.arena + 1);
      break;
    default: misplace(random, plan);
  }
}

}  // namespace tarn::stream
