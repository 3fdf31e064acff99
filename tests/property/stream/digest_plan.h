// All of a plan by lines in a digest.
#pragma once
#include "property/digest.h"
#include "stream/plan.h"

namespace tarn::stream {

inline void add(tarn::test::Digest& digest, const Actor& a) {
  digest.add(a.what).add(a.port).add(a.first_column).add(a.pass).add(a.lines).add(a.whole).add(a.flat);
  digest.add(a.overlapping).add(a.accumulate).add(a.gathered).add(a.accumulator).add(a.scratch);
  digest.add(a.line_buffer.has_value());
  for (const OperationId id : a.operations) digest.add(id.pos());
  if (!a.line_buffer) return;
  const LineBuffer& b = *a.line_buffer;
  digest.add(b.mid).add(b.chunk).add(b.history).add(b.history_lines).add(b.window_lines).add(b.window_columns);
  digest.add(b.memory).add(b.window).add(b.made);
}

inline void add(tarn::test::Digest& digest, const LinePlan& plan) {
  digest.add(plan.arena).add(plan.bound).add(plan.bound_scratch).add(plan.proof).add(plan.search_nodes);
  digest.add(plan.driver).add(plan.extra_macs).add(plan.macs).add(plan.stripes).add(plan.stripes_end);
  digest.add(table_bytes(plan)).add(most_lines(plan.actors)).add(plan.smallest_of_rings);
  for (const Memory& m : plan.memories) {
    digest.add(m.holds).add(m.actor).add(m.lines).add(m.line_bytes).add(m.addressing).add(m.base).add(m.slots);
    digest.add(m.table);
  }
  for (const LineView& v : plan.views)
    digest.add(v.memory).add(v.by_lines).add(v.first_line).add(v.offset).add(v.pixel_pitch);
  for (const Actor& a : plan.actors) add(digest, a);
  for (const Step& s : plan.steps) digest.add(s.actor).add(s.first_line).add(s.lines);
  for (const ScheduleLoop& loop : plan.loops) digest.add(loop.actors).add(loop.times);
  for (const Segment& s : plan.segments) digest.add(s.first_step).add(s.end_step).add(s.bound);
  if (plan.endless) digest.add(plan.endless->prologue).add(plan.endless->passes).add(plan.endless->lines);
}

}  // namespace tarn::stream
