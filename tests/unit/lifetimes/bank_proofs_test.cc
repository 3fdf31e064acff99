// When it is proved that no order fits several memories.
#include <gtest/gtest.h>

#include <set>
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

// Can what a step has at once, before or behind it, be divided among the banks in no way?
bool some_step_has_no_room(const RandomSteps& steps, const Planning& planning, const Storage& storage,
                           const BankRequest& request) {
  using Role = program::Argument::Role;
  for (const program::Operation& operation : steps.program.operations) {
    for (const Role absent : {Role::read, Role::write}) {
      std::set<size_t> items;
      for (const program::Argument& a : operation.arguments) {
        if (a.tensor.valid() && a.role != absent)
          items.insert(static_cast<size_t>(planning.item_of[storage[a.tensor].buffer.pos()]));
      }
      bool fits = false;
      for (uint32_t second = 0; second < 1u << items.size(); ++second) {
        std::vector<int64_t> used(2, 0);
        bool allowed = true;
        uint32_t k = 0;
        for (const size_t item : items) {
          const uint32_t bank = second >> k++ & 1;
          used[bank] += planning.problem.items[item].size;
          allowed = allowed && (request.allowed[item] >> bank & 1) != 0;
        }
        fits = fits || (allowed && used[0] <= request.banks[0].bytes && used[1] <= request.banks[1].bytes);
      }
      if (!fits) return true;
    }
  }
  return false;
}

// Where the order may be another, only what each step has at once is a proof, or that all banks are too small for the
// fewest bytes of any order.
TEST(BankProofs, AStepThatHasNoRoomIsOne) {
  int proved = 0, open = 0, fit = 0, floors = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    RandomSteps steps(seed, 4);
    planner::Random random(seed);
    for (program::Operation& operation : steps.program.operations) {
      operation.arguments.emplace_back();  // a constant, which is in no bank
      operation.arguments.back().role = program::Argument::Role::read;
      if (random.below(2) == 0) continue;
      program::Tensor t = steps.program.tensors[0];
      t.name = "scratch" + std::to_string(steps.program.tensors.size());
      operation.arguments.emplace_back();
      operation.arguments.back().role = program::Argument::Role::scratch;
      operation.arguments.back().tensor = TensorId(steps.program.tensors.size());
      steps.program.tensors.push_back(t);
    }
    const Storage storage = assign_storage(steps.program, {}, false);
    BankRequest request;
    request.planning.alignment = 1;
    request.limits.effort = 0;
    const Planning planning = make_planning(steps.program, storage, steps.schedule, request.planning);
    for (size_t i = 0; i < planning.items.size(); ++i)
      request.allowed.push_back(random.below(4) == 0 ? 1u + static_cast<uint32_t>(random.below(2)) : 3u);
    request.banks = {{"fast", 150 + random.below(500), "", true}, {"slow", 150 + random.below(500), "", true}};
    if (random.below(3) == 0) request.floor = request.banks[0].bytes + request.banks[1].bytes + random.below(2);
    const Banked given = plan_banks(steps.program, storage, steps.schedule, planning, request);
    const bool no_room = some_step_has_no_room(steps, planning, storage, request);
    const bool too_small = request.floor > request.banks[0].bytes + request.banks[1].bytes;
    EXPECT_FALSE(given.fits && no_room) << seed;
    if (!given.fits) {
      EXPECT_EQ(given.proved, no_room || too_small) << seed;
    }
    ++(given.fits ? fit : given.proved ? proved : open);
    floors += !no_room && !given.fits && too_small;
  }
  EXPECT_GT(proved, 100);
  EXPECT_GT(open, 10);
  EXPECT_GT(fit, 100);
  EXPECT_GT(floors, 2);
}

// A step that reads more tensors than all their divisions can be looked at: the only one with room, the large tensor in
// the second bank and all others in the first, is found too late. What keeps the network from fitting is one byte that
// lives across the step.
TEST(BankProofs, ALookThatGaveUpIsNone) {
  RandomSteps steps(1, 3);
  for (program::Operation& operation : steps.program.operations) operation.arguments.clear();
  const auto tensor = [&](int64_t bytes) {
    program::Tensor t = steps.program.tensors[0];
    t.name = "of" + std::to_string(steps.program.tensors.size());
    t.geometry.channels = bytes;
    t.type = {DType::int8, Shape{1, bytes}};
    steps.program.tensors.push_back(t);
    return TensorId(steps.program.tensors.size() - 1);
  };
  const auto argue = [&](size_t step, program::Argument::Role role, TensorId id) {
    steps.program.operations[step].arguments.emplace_back();
    steps.program.operations[step].arguments.back().role = role;
    steps.program.operations[step].arguments.back().tensor = id;
  };
  using Role = program::Argument::Role;
  const TensorId across = tensor(1), result = tensor(1);
  argue(0, Role::write, across);
  argue(1, Role::read, tensor(100));
  for (int k = 0; k < 40; ++k) argue(1, Role::read, tensor(30));
  argue(1, Role::write, result);
  argue(2, Role::read, across);
  const Storage storage = assign_storage(steps.program, {}, false);
  BankRequest request;
  request.planning.alignment = 1;
  request.limits.effort = 0;
  const Planning planning = make_planning(steps.program, storage, steps.schedule, request.planning);
  request.allowed.assign(planning.items.size(), 3);
  request.banks = {{"fast", 1200, "", true}, {"slow", 100, "", true}};
  const Banked given = plan_banks(steps.program, storage, steps.schedule, planning, request);
  EXPECT_FALSE(given.fits);
  EXPECT_FALSE(given.proved);
}

}  // namespace
}  // namespace tarn::lifetimes
