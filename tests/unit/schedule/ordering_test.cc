// From a program to its ordering problem: states, which are memory before they are written and after.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "schedule/schedule.h"

namespace tarn::schedule {
namespace {

using program::Argument;
using program::Operation;
using program::OperationId;
using program::TensorId;

constexpr Bytes kSize = 128;

// An input x and a state s, and operations on tensors of their size.
struct Stateful {
  program::Program program;
  TensorId x = tensor("x", program::Kind::input), s = tensor("s", program::Kind::state);

  Stateful() {
    program.inputs = {x};
    program.states = {s};
    program.kept = {{"s_out", "s", kSize, {}, {}, {}, {}, {}, {}, {}, {}}};
  }

  TensorId tensor(const std::string& name, program::Kind kind = program::Kind::activation) {
    program::Tensor t;
    t.name = name;
    t.kind = kind;
    t.geometry = {1, 1, kSize};
    t.type = {DType::int8, Shape{1, kSize}};
    program.tensors.push_back(t);
    return TensorId(program.tensors.size() - 1);
  }

  // With `in_place` the result may stand where any of the operands stood.
  void operation(const std::vector<TensorId>& from, TensorId to, bool in_place = false) {
    Operation o;
    const auto argument = [&](Argument::Role role, TensorId id) {
      o.arguments.push_back({});
      o.arguments.back().role = role;
      o.arguments.back().tensor = id;
    };
    for (TensorId id : from) {
      argument(Argument::Role::read, id);
      o.arguments.back().walk = program::Walk{};
      o.arguments.back().walk->same_place = in_place;
    }
    argument(Argument::Role::write, to);
    program.operations.push_back(std::move(o));
    program.main.push_back(OperationId(program.operations.size() - 1));
  }

  OrderProblem problem() const {
    return make_ordering(program, lifetimes::assign_storage(program, {}, false), {}, OrderKind::given, {}).problem;
  }
};

const OrderTensor& made_by(const OrderProblem& problem, size_t op) {
  return problem.tensors[static_cast<size_t>(problem.operators[op].outputs.at(0))];
}

// Of what is there from the start: the state is the second, behind x.
const OrderTensor& state_before(const OrderProblem& problem) { return problem.tensors.at(1); }

// Whether one operator waits for another: for something that it makes.
bool waits(const OrderProblem& problem, size_t later, size_t earlier) {
  const std::vector<int>&made = problem.operators[earlier].outputs, &used = problem.operators[later].inputs;
  return std::find_first_of(made.begin(), made.end(), used.begin(), used.end()) != made.end();
}

// The step that writes it reads it too: what it holds between the runs goes on, and the rest of its bytes comes then.
TEST(Ordering, AStateThatIsReadWhereItIsWrittenGrowsToItsSize) {
  for (const Bytes needed : {Bytes{32}, kSize}) {
    Stateful net;
    const TensorId a = net.tensor("a"), y = net.tensor("y");
    net.operation({net.x}, a);
    net.operation({a, net.s}, net.s);
    net.operation({net.s}, y);
    net.program.outputs = {y};
    if (needed < kSize) net.program.kept[0].needed = program::Span{kSize - needed, kSize};
    const OrderProblem problem = net.problem();
    EXPECT_TRUE(state_before(problem).input && state_before(problem).kept);
    EXPECT_EQ(state_before(problem).bytes, needed);
    EXPECT_TRUE(made_by(problem, 1).kept);
    EXPECT_EQ(made_by(problem, 1).bytes, kSize - needed);
    EXPECT_TRUE(waits(problem, 2, 1));
    EXPECT_EQ(peak_of(problem, {0, 1, 2}), 2 * kSize + needed);  // x, the state and a
  }
}

// The step that writes it does not read it: it waits for those that do, between them the state takes no bytes, and
// what they make may stand in its place.
TEST(Ordering, AStateThatIsNotReadWhereItIsWrittenEndsBefore) {
  Stateful net;
  const TensorId a = net.tensor("a"), b = net.tensor("b"), y = net.tensor("y");
  net.operation({net.x, net.s}, a, true);
  net.operation({net.s, a}, b, true);
  net.operation({net.x}, net.s);
  net.operation({net.s, b}, y, true);
  net.program.outputs = {y};
  const OrderProblem problem = net.problem();
  EXPECT_FALSE(state_before(problem).kept);
  EXPECT_EQ(state_before(problem).bytes, kSize);
  EXPECT_TRUE(made_by(problem, 2).kept);
  EXPECT_EQ(made_by(problem, 2).bytes, kSize);
  for (const size_t reader : {size_t{0}, size_t{1}}) EXPECT_TRUE(waits(problem, 2, reader));
  EXPECT_TRUE(waits(problem, 3, 2));
  // x and two more at each step: b stands where the state stood that the run before left, y where b stood.
  EXPECT_EQ(problem.operators[1].donations.size(), 2u);
  EXPECT_EQ(peak_of(problem, {0, 1, 2, 3}), 3 * kSize);
}

}  // namespace
}  // namespace tarn::schedule
