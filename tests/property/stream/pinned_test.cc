// Plans of fixed random networks, to the last address: a change of what a search finds, or of its work, is seen, meant
// or not.
#include <gtest/gtest.h>

#include "property/digest.h"
#include "random_net.h"
#include "stream/check/check_plan.h"
#include "stream/make_plan.h"

namespace tarn::stream {
namespace {

using tarn::test::Digest;

void add(Digest& digest, const Plan& plan) {
  digest.add(plan.arena).add(plan.bound).add(plan.bound_scratch).add(plan.proof).add(plan.search_nodes);
  digest.add(plan.driver).add(plan.extra_macs).add(plan.macs).add(plan.stripes).add(plan.stripes_end);
  digest.add(table_bytes(plan)).add(most_lines(plan.actors));
  for (const Memory& m : plan.memories) {
    digest.add(m.holds).add(m.actor).add(m.lines).add(m.line_bytes).add(m.addressing).add(m.base).add(m.slots);
    digest.add(m.table);
  }
  for (const LineView& v : plan.views)
    digest.add(v.memory).add(v.by_lines).add(v.first_line).add(v.offset).add(v.pixel_pitch);
  for (const Actor& a : plan.actors) {
    digest.add(a.what).add(a.lines).add(a.whole).add(a.flat).add(a.overlapping).add(a.accumulate).add(a.gathered);
    digest.add(a.accumulator).add(a.scratch).add(a.line_buffer.has_value());
    for (const OperationId id : a.operations) digest.add(id.pos());
    if (!a.line_buffer) continue;
    const LineBuffer& b = *a.line_buffer;
    digest.add(b.mid).add(b.chunk).add(b.history).add(b.history_lines).add(b.window_lines).add(b.window_columns);
    digest.add(b.memory).add(b.window).add(b.made);
  }
  for (const Step& s : plan.steps) digest.add(s.actor).add(s.first_line).add(s.lines);
  for (const ScheduleLoop& loop : plan.loops) digest.add(loop.actors).add(loop.times);
  for (const Segment& s : plan.segments) digest.add(s.first_step).add(s.end_step).add(s.bound);
}

uint64_t plans(uint64_t first_seed, uint64_t count, RandomNet::Joins joins, bool line_buffers, double recompute) {
  Digest digest;
  for (uint64_t seed = first_seed; seed < first_seed + count; ++seed) {
    const Program program = RandomNet(seed, joins).make();
    for (int kind = 0; kind < 4; ++kind) {
      Options options;
      options.mode = kind % 2 == 0 ? Mode::resident : Mode::fed;
      options.drain = kind == 3;
      options.lines = (kind + seed) % 2 == 0 ? Lines::ring : Lines::table;
      options.line_buffers = line_buffers;
      options.recompute = recompute;
      const lifetimes::Storage storage = lifetimes::assign_storage(program, {}, false);
      std::vector<OperationId> order;
      for (OperationId id : program.main) {
        if (!storage.left_out[id.pos()]) order.push_back(id);
      }
      const Plan plan = make_plan(program, layers_of(program, storage, order, {}), options, {4, 0});
      EXPECT_TRUE(check_plan(program, plan).empty()) << "seed " << seed;
      add(digest, plan);
    }
  }
  return digest.value();
}

TEST(PinnedLines, OfChains) { EXPECT_EQ(plans(700, 2, RandomNet::none, true, 0), 16318760719234357418u); }
TEST(PinnedLines, OfParts) { EXPECT_EQ(plans(720, 3, RandomNet::of_parts, false, 0), 6166663974350170290u); }
TEST(PinnedLines, OfDenseNetworks) { EXPECT_EQ(plans(740, 1, RandomNet::dense, true, 0), 2031584189955475627u); }

}  // namespace
}  // namespace tarn::stream
