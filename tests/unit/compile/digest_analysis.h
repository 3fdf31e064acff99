// All that planning decides of a network in a digest.
#pragma once
#include "compile.h"
#include "property/stream/digest_plan.h"

namespace tarn {

inline void add(test::Digest& digest, const planner::Plan& plan) {
  digest.add(plan.offsets).add(plan.arena).add(plan.lower_bound).add(plan.proof).add(plan.core).add(plan.search_nodes);
}

inline void add(test::Digest& digest, const Analysis& a) {
  for (const lifetimes::Buffer& b : a.storage.buffers) digest.add(b.bytes).add(b.tensors.size()).add(b.external);
  for (const lifetimes::Place& p : a.storage.places)
    digest.add(p.buffer.pos()).add(p.offset).add(p.pixel_pitch).add(p.line_pitch);
  for (size_t i = 0; i < a.storage.left_out.size(); ++i) digest.add(static_cast<bool>(a.storage.left_out[i]));
  for (const schedule::Step& s : a.schedule.steps)
    digest.add(s.operation.pos()).add(s.first_line).add(s.lines).add(s.parent).add(s.end);
  digest.add(a.schedule.peak).add(a.schedule.lower_bound).add(a.schedule.search_states);
  for (const planner::Item& item : a.planning.problem.items) {
    digest.add(item.size).add(item.first).add(item.end).add(item.alignment).add(item.gaps.size());
    for (const planner::Gap& gap : item.gaps) {
      digest.add(gap.first).add(gap.end).add(gap.window_first.value_or(-1)).add(gap.window_end.value_or(-1));
    }
  }
  for (const planner::Pair& pair : a.planning.problem.pairs) {
    digest.add(pair.a).add(pair.b);
    for (const planner::Forbidden& f : pair.forbidden) digest.add(f.lo).add(f.hi);
  }
  digest.add(a.planning.problem.known_bound).add(a.naive_arena);
  for (const lifetimes::Sharing& s : a.planning.sharings) {
    digest.add(s.taker.pos()).add(s.giver.pos()).add(s.step);
    for (const lifetimes::Reach& r : s.reaches) {
      digest.add(r.argument).add(r.below).add(r.above).add(r.same_place).add(r.or_same_place);
    }
  }
  add(digest, a.plan);
  if (a.banked) {
    digest.add(a.banked->bank_of).add(a.banked->cost).add(a.banked->cost_bound).add(a.banked->proof);
    digest.add(a.banked->fits).add(a.banked->proved).add(a.banked->search_nodes).add(a.banked->core);
    for (const lifetimes::BankPlan& p : a.banked->plans)
      digest.add(p.base).add(p.arena).add(p.lower_bound).add(p.proof).add(p.traffic);
  }
  if (a.stream) stream::add(digest, *a.stream);
  for (const Analysis::Tried& tried : a.tried_lines)
    digest.add(tried.arena).add(tried.bound).add(tried.table_bytes).add(tried.proof);
}

}  // namespace tarn
