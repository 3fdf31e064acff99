// When nothing of a state has to stand: from its last reader to the one step that writes the next.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "lifetimes/planning.h"

namespace tarn::lifetimes {
namespace {

struct Planned {
  StateGap gap;
  bool handed_on = false;  // something may lie where the state lay
};

// A state that one of five steps reads and later ones write, each from what step 0 made. Step 0 is a loop around those
// before `loop_end`.
Planned planned(const std::vector<size_t>& writers, size_t reader, size_t loop_end) {
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
    const bool writes = std::find(writers.begin(), writers.end(), s) != writers.end();
    o.arguments.resize(2);
    o.arguments[0].role = program::Argument::Role::read;
    o.arguments[0].tensor = s == reader ? state : made;
    o.arguments[0].walk = program::Walk{};
    o.arguments[0].walk->identity = true;
    o.arguments[1].role = program::Argument::Role::write;
    o.arguments[1].tensor = s == 0 ? made : writes ? state : tensor(program::Kind::activation);
    program.operations.push_back(std::move(o));
    program.main.push_back(program::OperationId(s));
    const bool inside = s > 0 && s < loop_end;
    const auto end = static_cast<int64_t>(s == 0 ? loop_end : s + 1);
    schedule.steps.push_back({program.main.back(), 0, 1, inside ? 0 : -1, end});
  }
  const Storage storage = assign_storage(program, {}, false);
  const BufferId buffer = storage[state].buffer;
  const Planning planning = make_planning(program, storage, schedule, {});
  const auto gives = [&](const Sharing& sharing) { return sharing.giver == buffer; };
  return {planning.lives[buffer.pos()].gap, std::any_of(planning.sharings.begin(), planning.sharings.end(), gives)};
}

TEST(StateGaps, AreOfStatesThatOneStepWrites) {
  const StateGap gap = planned({3}, 0, 1).gap;
  EXPECT_TRUE(gap.exists);
  EXPECT_EQ(gap.first, 1);
  EXPECT_EQ(gap.end, 3);
  // Part by part: some of the old one may still be there.
  EXPECT_FALSE(planned({2, 4}, 0, 1).gap.exists);
}

// A loop may come back to what it reads: nothing lies there until it has ended.
TEST(StateGaps, BeginBehindALoop) {
  const Planned once = planned({4}, 1, 1);
  EXPECT_TRUE(once.gap.exists);
  EXPECT_EQ(once.gap.first, 2);
  EXPECT_EQ(once.gap.last_reader, 1);
  EXPECT_TRUE(once.handed_on);
  for (const size_t reader : {1, 2}) {
    const Planned looped = planned({4}, reader, 3);
    EXPECT_TRUE(looped.gap.exists);
    EXPECT_EQ(looped.gap.first, 3);
    EXPECT_EQ(looped.gap.last_reader, -1);
    EXPECT_FALSE(looped.handed_on) << reader;
  }
  EXPECT_FALSE(planned({2}, 0, 3).gap.exists) << "written in a loop";
}

}  // namespace
}  // namespace tarn::lifetimes
