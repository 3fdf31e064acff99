// Operations that run on the lines of an input as they come.
#include <gtest/gtest.h>

#include "stream/network/net.h"

namespace tarn::stream {
namespace {

using program::Argument;
using program::Kind;
using program::Operation;

// Line r of `made` lines is made of line `begin` + r of an input of `lines`.
Program taker(int64_t lines, int64_t made, int64_t begin) {
  Program program;
  for (const auto& [kind, count] : {std::pair(Kind::input, lines), std::pair(Kind::output, made)}) {
    program::Tensor t;
    t.geometry = {count, 2, 1};
    t.kind = kind;
    t.type = {DType::int8, Shape{1, count, 2, 1}};
    program.tensors.push_back(t);
  }
  const TensorId x(0), y(1);
  program.inputs = {x};
  program.outputs = {y};
  Operation o;
  o.arguments.push_back({.role = Argument::Role::read, .tensor = x});
  program::Walk& walk = o.arguments.back().walk.emplace();
  for (int64_t r = 0; r < made; ++r) walk.lines.push_back({begin + r, begin + r + 1});
  walk.columns = {{0, 1}, {1, 2}};
  o.arguments.push_back({.role = Argument::Role::write, .tensor = y});
  o.line_form.emplace();
  program::LineCall& call = o.line_form->calls.emplace_back();
  for (const size_t argument : {0, 1})
    call.arguments.push_back({.how = program::LineArgument::How::line, .argument = argument});
  program.operations.push_back(std::move(o));
  program.main.push_back(OperationId(0));
  return program;
}

bool is_taken(const Program& program) {
  const lifetimes::Storage storage = lifetimes::assign_storage(program, {}, false);
  Options options;
  options.mode = Mode::fed;
  Net net = make_net(program, storage, program.main, options, {});
  return take_line_by_line(program, storage, net, program.main, OperationId(0)).has_value();
}

// What comes is counted by the lines that are made: whoever leaves some out cannot run as they come.
TEST(Feeds, RunWhatTakesEachLineOnce) {
  EXPECT_TRUE(is_taken(taker(6, 6, 0)));
  EXPECT_FALSE(is_taken(taker(6, 4, 0)));  // nobody reads the last ones
  EXPECT_FALSE(is_taken(taker(6, 4, 2)));
  EXPECT_FALSE(is_taken(taker(6, 4, 1)));
}

}  // namespace
}  // namespace tarn::stream
