// The ordering problems of random programs with branches, loops, parts, states and staged weights: all of each in a
// digest.
#include <gtest/gtest.h>

#include "property/digest.h"
#include "property/random_flow.h"
#include "schedule/read_ahead.h"
#include "schedule/schedule.h"

namespace tarn::schedule {
namespace {

using program::TensorId;

TensorId any(const std::vector<TensorId>& of, planner::Random& random) {
  return of[static_cast<size_t>(random.below(std::ssize(of)))];
}

// Sizes known only at run time, some of which operations work with: one that is set before the run, and tensors that
// the caller hands over or that are there from the run before. The address of the weights may be told too.
void set_sizes(program::Program& program, planner::Random& random) {
  const auto number = [&](const char* name, program::Kind kind) {
    program::Tensor t;
    t.name = name;
    t.kind = kind;
    t.geometry = {1, 1, 1};
    t.type = {DType::int32, Shape{1}};
    program.tensors.push_back(t);
    return TensorId(program.tensors.size() - 1);
  };
  if (random.below(2) == 0) program.set_size = number("size", program::Kind::scratch);
  if (random.below(2) == 0) program.image = number("image", program::Kind::scratch);
  program.symbols = {any(program.inputs, random), any(program.inputs, random)};
  if (program.set_size.valid()) program.symbols.push_back(program.set_size);
  const auto size = [&] {
    return program::Linear{0, {{static_cast<int>(random.below(std::ssize(program.symbols))), 1}}};
  };
  for (program::Operation& o : program.operations) {
    if (random.below(8) == 0) o.params.fields.push_back({"size", size()});
  }
  for (program::Tensor& t : program.tensors) {
    if (random.below(12) == 0) t.runtime.push_back({1, size()});
  }
  if (program.set_size.valid() && random.below(2) == 0) {
    for (const program::OperationId id : program.main) {
      if (random.below(4) == 0) program[id].arguments.push_back({program::Argument::Role::read, program.set_size});
    }
  }
}

TEST(PinnedOrdering, OfRandomPrograms) {
  test::Digest digest;
  size_t donations = 0, bodies = 0, ahead = 0;
  for (uint64_t seed = 1; seed <= 3000; ++seed) {
    planner::Random random(seed);
    program::Program program = tarn::testing::RandomFlow(seed).program;
    if (seed % 4 == 0) tarn::testing::list_results_first(program, random);
    if (seed % 3 == 0) set_sizes(program, random);
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
  EXPECT_EQ(digest.value(), 10731665515495113455u);
}

}  // namespace
}  // namespace tarn::schedule
