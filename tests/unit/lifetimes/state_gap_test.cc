// When nothing of a state has to stand: from its last reader to the one step that writes the next.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "lifetimes/planning.h"

namespace tarn::lifetimes {
namespace {

// A state that step 0 reads and some later steps write, each from what step 0 made.
StateGap gap_where_written_in(const std::vector<size_t>& steps) {
  program::Program program;
  const auto tensor = [&](program::Kind kind) {
    program::Tensor t;
    t.kind = kind;
    t.geometry = {1, 1, 8};
    t.type = {DType::int8, Shape{1, 8}};
    program.tensors.push_back(t);
    return TensorId(program.tensors.size() - 1);
  };
  const TensorId state = tensor(program::Kind::state), made = tensor(program::Kind::activation);
  program.states = {state};
  program.kept.resize(1);
  schedule::Schedule schedule;
  for (size_t s = 0; s < 5; ++s) {
    program::Operation o;
    const bool writes = std::find(steps.begin(), steps.end(), s) != steps.end();
    o.arguments.resize(2);
    o.arguments[0].role = program::Argument::Role::read;
    o.arguments[0].tensor = s == 0 ? state : made;
    o.arguments[1].role = program::Argument::Role::write;
    o.arguments[1].tensor = s == 0 ? made : writes ? state : tensor(program::Kind::activation);
    program.operations.push_back(std::move(o));
    program.main.push_back(program::OperationId(s));
    schedule.steps.push_back({program.main.back(), 0, 1, -1, static_cast<int64_t>(s) + 1});
  }
  const Storage storage = assign_storage(program, {}, false);
  return make_planning(program, storage, schedule, {}).lives[storage[state].buffer.pos()].gap;
}

TEST(StateGaps, AreOfStatesThatOneStepWrites) {
  const StateGap gap = gap_where_written_in({3});
  EXPECT_TRUE(gap.exists);
  EXPECT_EQ(gap.first, 1);
  EXPECT_EQ(gap.end, 3);
  // Part by part: some of the old one may still be there.
  EXPECT_FALSE(gap_where_written_in({2, 4}).exists);
}

}  // namespace
}  // namespace tarn::lifetimes
