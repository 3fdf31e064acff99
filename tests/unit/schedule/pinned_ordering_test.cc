// The ordering problems of random programs with branches, loops, parts, states and staged weights: all of each in a
// digest.
#include <gtest/gtest.h>

#include "property/digest.h"
#include "property/random_flow.h"
#include "schedule/read_ahead.h"
#include "schedule/schedule.h"

namespace tarn::schedule {
namespace {

TEST(PinnedOrdering, OfRandomPrograms) {
  test::Digest digest;
  size_t donations = 0, bodies = 0, ahead = 0;
  for (uint64_t seed = 1; seed <= 3000; ++seed) {
    planner::Random random(seed);
    const program::Program program = tarn::testing::RandomFlow(seed).program;
    lifetimes::ShareOptions share;
    share.views = random.below(4) > 0, share.in_place = random.below(4) > 0, share.overlap = random.below(4) > 0;
    const lifetimes::Storage storage = lifetimes::assign_storage(program, share, random.below(5) == 0);
    const OrderKind kind = random.below(2) == 0 ? OrderKind::given : OrderKind::min_peak;
    const Ordering ordering = make_ordering(program, storage, share, kind, {0});
    for (const OrderTensor& t : ordering.problem.tensors) digest.add(t.bytes).add(t.input).add(t.kept);
    for (const OrderOperator& o : ordering.problem.operators) {
      digest.add(o.inputs).add(o.outputs).add(o.scratch);
      for (const Donation& d : o.donations) digest.add(d.giver).add(d.taker).add(d.saves);
      donations += o.donations.size();
    }
    bodies += ordering.bodies.size();
    Order order;
    for (size_t i = 0; i < ordering.operations.size(); ++i) order.operators.push_back(static_cast<int>(i));
    const Schedule schedule = make_schedule(program, ordering, order);
    for (size_t s = 0; s < schedule.steps.size(); ++s) {
      const Step& step = schedule.steps[s];
      digest.add(step.operation.pos()).add(step.lines).add(step.parent).add(step.end);
      digest.add(read_begin(program, schedule, s)).add(begun_by(program, schedule, s).value_or(0));
      ahead += is_read_ahead(program, schedule, s);
    }
  }
  EXPECT_GT(donations, 1000u);
  EXPECT_GT(bodies, 1000u);
  EXPECT_GT(ahead, 300u);
  EXPECT_EQ(digest.value(), 10160844665126915525u);
}

}  // namespace
}  // namespace tarn::schedule
