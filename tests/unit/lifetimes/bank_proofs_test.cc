// When it is proved that no order fits several memories.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "lifetimes/banks.h"
#include "planner/random.h"

namespace tarn::lifetimes {
namespace {

// Steps that each make a tensor of some of the last ones.
struct RandomSteps {
  program::Program program;
  schedule::Schedule schedule;

  RandomSteps(uint64_t seed, size_t steps) {
    planner::Random random(seed);
    for (size_t s = 0; s <= steps; ++s) {
      program::Tensor t;
      t.name = std::to_string(s);
      t.kind = program::Kind::activation;
      t.geometry = {1, 1, 20 + random.below(400)};
      t.type = {DType::int8, Shape{1, t.geometry.channels}};
      program.tensors.push_back(t);
    }
    for (size_t s = 0; s < steps; ++s) {
      program::Operation o;
      for (int64_t k = 1 + random.below(2); k > 0; --k) {
        const auto back = static_cast<size_t>(random.below(12));
        o.arguments.emplace_back();
        o.arguments.back().role = program::Argument::Role::read;
        o.arguments.back().tensor = TensorId(s > back ? s - back : 0);
      }
      o.arguments.emplace_back();
      o.arguments.back().role = program::Argument::Role::write;
      o.arguments.back().tensor = TensorId(s + 1);
      program.operations.push_back(std::move(o));
      program.main.push_back(program::OperationId(s));
      schedule.steps.push_back({program.main.back(), 0, 1, -1, static_cast<int64_t>(s) + 1});
    }
  }
};

// Where the order is given, a split that is refuted is a proof, one that was not found in the time is none.
TEST(BankProofs, ASearchThatGaveUpIsNone) {
  int refuted = 0, open = 0;
  for (const auto& [seed, room] : {std::pair<uint64_t, int64_t>{1, 0}, {6, 50}}) {
    const RandomSteps steps(seed, 60);
    const Storage storage = assign_storage(steps.program, {}, false);
    BankRequest request;
    request.planning.alignment = 1;
    request.limits.effort = 0;
    request.order_is_given = true;
    const Planning planning = make_planning(steps.program, storage, steps.schedule, request.planning);
    request.allowed.assign(planning.items.size(), 3);
    const int64_t arena = planner::solve(planning.problem, planner::Strategy::automatic, {0}).arena;
    request.banks = {{"fast", arena / 2, "", true}, {"slow", arena - arena / 2 + room, "", true}};
    const Banked given = plan_banks(steps.program, storage, steps.schedule, planning, request);
    ASSERT_FALSE(given.fits) << seed;
    EXPECT_EQ(given.proved, given.proof == planner::Proof::infeasible) << seed;
    ++(given.proved ? refuted : open);
  }
  EXPECT_EQ(refuted, 1);
  EXPECT_EQ(open, 1);
}

}  // namespace
}  // namespace tarn::lifetimes
