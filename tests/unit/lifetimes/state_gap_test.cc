// When nothing of a state has to stand: from its last reader to the one step that writes the next.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "lifetimes/planning.h"

namespace tarn::lifetimes {
namespace {

TensorId add_tensor(program::Program& program, program::Kind kind) {
  program::Tensor t;
  t.kind = kind;
  t.geometry = {1, 1, 8};
  t.type = {DType::int8, Shape{1, 8}};
  program.tensors.push_back(t);
  return TensorId(program.tensors.size() - 1);
}

struct Planned {
  StateGap gap;
  bool handed_on = false;  // something may lie where the state lay
};

// A state that one of five steps reads and later ones write, each from what step 0 made. Step 0 is a loop around those
// before `loop_end`.
Planned planned(const std::vector<size_t>& writers, size_t reader, size_t loop_end) {
  program::Program program;
  const auto tensor = [&](program::Kind kind) { return add_tensor(program, kind); };
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

// Ten steps of which each makes something of something, and: step `read` reads a state, `written` writes the next one,
// `made` makes a tensor and `used` uses it for the last time. The state is read within a loop that ends before `loop`.
struct Handing {
  int64_t read = 0, written = 0, made = 0, used = 0, loop = 0;
};

// Whether the tensor is said to lie where the state lay, from the step that makes it on; and whether the next state is
// said to lie where the tensor lay.
std::pair<bool, bool> handed(const Handing& h) {
  program::Program program;
  const auto tensor = [&](program::Kind kind) { return add_tensor(program, kind); };
  const TensorId state = tensor(program::Kind::state), between = tensor(program::Kind::activation),
                 input = tensor(program::Kind::input);
  program.states = {state};
  program.kept.resize(1);
  program.inputs = {input};
  schedule::Schedule schedule;
  for (int64_t s = 0; s < 10; ++s) {
    program::Operation o;
    const auto add = [&](TensorId id, program::Argument::Role role) {
      program::Argument& a = o.arguments.emplace_back();
      a.tensor = id;
      a.role = role;
      if (role == program::Argument::Role::read) a.walk.emplace().identity = a.walk->read_before_write = true;
    };
    add(input, program::Argument::Role::read);
    if (s == h.read) add(state, program::Argument::Role::read);
    if (s == h.used) add(between, program::Argument::Role::read);
    add(s == h.written ? state
        : s == h.made  ? between
                       : tensor(program::Kind::activation),
        program::Argument::Role::write);
    program.operations.push_back(std::move(o));
    program.main.push_back(program::OperationId(static_cast<size_t>(s)));
    const bool begins = h.loop > 0 && s == 0;
    schedule.steps.push_back({program.main.back(), 0, 1, s > 0 && s < h.loop ? 0 : -1, begins ? h.loop : s + 1});
  }
  program.outputs = {program.operations.back().arguments.back().tensor};
  const Storage storage = assign_storage(program, {}, false);
  const Planning planning = make_planning(program, storage, schedule, {});
  std::pair<bool, bool> found{false, false};
  for (const Sharing& sharing : planning.sharings) {
    const BufferId of_state = storage[state].buffer, of_between = storage[between].buffer;
    if (sharing.giver == of_state && sharing.taker == of_between && sharing.step == h.made) found.first = true;
    if (sharing.giver == of_between && sharing.taker == of_state && sharing.step == h.written) found.second = true;
  }
  return found;
}

// Each way in which a tensor and a state can follow each other. What begins where the state was read last may lie there
// unless it is still used behind the step that writes the next state; what ends there may become the next state unless
// it was there while the old one was; and where both meet twice each sharing needs the other one.
TEST(StateGaps, AreUsedByWhatFitsBetween) {
  int given = 0, taken = 0, both = 0, none = 0;
  for (const int64_t loop : {0, 3, 5}) {
    for (Handing h{.read = loop == 0 ? 0 : 1, .loop = loop}; h.read < 8; ++h.read) {
      const bool looped = h.read < loop;
      const int64_t free = looped ? loop : h.read + 1;  // from here on nothing of the state is needed
      for (h.written = free; h.written < 9; ++h.written) {
        for (h.made = loop; h.made < 9; ++h.made) {
          for (h.used = h.made + 1; h.used < 10; ++h.used) {
            if (h.made == h.written) continue;
            const bool begins = !looped && h.made == h.read && h.used <= h.written;
            const bool ends = h.used == h.written && (h.made >= free || begins);
            const auto [first, second] = handed(h);
            ASSERT_EQ(first, begins) << h.read << " " << h.written << " " << h.made << " " << h.used << " " << loop;
            ASSERT_EQ(second, ends) << h.read << " " << h.written << " " << h.made << " " << h.used << " " << loop;
            ++(first && second ? both : first ? given : second ? taken : none);
          }
        }
      }
    }
  }
  EXPECT_GT(std::min({given, taken, both, none}), 20);
}

}  // namespace
}  // namespace tarn::lifetimes
