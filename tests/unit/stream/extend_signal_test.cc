// Why a network cannot go on without end, one reason at a time; networks that can are in property/stream.
#include "stream/network/extend_signal.h"

#include <gtest/gtest.h>

#include <string>

namespace tarn::stream {
namespace {

using program::Argument;
using program::LineArgument;
using program::LineMap;
using program::Operation;
using program::Walk;

// A signal of `lines` steps, and operations on it that have three steps for each line or one.
struct Signal {
  Program program;

  explicit Signal(int64_t lines = 12) {
    program.inputs = {tensor("x", lines)};
    program.tensors.back().kind = program::Kind::input;
  }

  TensorId tensor(const std::string& name, int64_t lines) {
    program::Tensor t;
    t.name = name;
    t.geometry = {lines, 1, 2};
    t.type = {DType::int8, Shape{1, lines, 1, 2}};
    program.tensors.push_back(t);
    return TensorId(program.tensors.size() - 1);
  }

  static Argument argument(Argument::Role role, TensorId id) {
    Argument a;
    a.role = role;
    a.tensor = id;
    return a;
  }

  // Line r of `y` of lines r * scale + first + j of each operand.
  Operation& layer(const std::vector<TensorId>& from, TensorId y, int64_t count = 1, int64_t first = 0,
                   int64_t scale = 1) {
    Operation o;
    o.op = "Layer";
    o.line_form = program::LineForm{};
    program::LineCall call;
    for (TensorId x : from) {
      o.arguments.push_back(argument(Argument::Role::read, x));
      Walk walk;
      for (int64_t r = 0; r < program[y].geometry.lines; ++r)
        walk.lines.push_back({std::max<int64_t>(0, r * scale + first), r * scale + first + count});
      walk.columns = {{0, 1}};
      o.arguments.back().walk = walk;
      LineArgument line;
      line.how = count == 1 ? LineArgument::How::line : LineArgument::How::rows;
      line.argument = o.arguments.size() - 1;
      line.map.count = count, line.map.first = first, line.map.scale = scale;
      call.arguments.push_back(line);
    }
    o.arguments.push_back(argument(Argument::Role::write, y));
    o.line_form->calls = {call};
    program.operations.push_back(std::move(o));
    program.main.push_back(OperationId(program.operations.size() - 1));
    return program.operations.back();
  }

  std::string why(TensorId output) {
    program.outputs = {output};
    return extend_signal(program, 40).obstacle;
  }
};

TEST(ExtendSignal, GoesOnWithTheLinesThatAreFinal) {
  Signal s;
  const TensorId a = s.tensor("a", 10), b = s.tensor("b", 5);
  s.layer({s.program.inputs[0]}, a, 3);
  s.layer({a}, b, 2, 0, 2);
  s.program.outputs = {b};
  const ExtendedSignal extended = extend_signal(s.program, 40);
  EXPECT_EQ(extended.obstacle, "");
  EXPECT_EQ(extended.program[a].geometry.lines, 38);
  EXPECT_EQ(extended.program[b].geometry.lines, 19);
  EXPECT_EQ(extended.rates[a.pos()], (Rate{1, 1}));
  EXPECT_EQ(extended.rates[b.pos()], (Rate{1, 2}));
  EXPECT_EQ(extended.program.operations[1].arguments[0].walk->lines.size(), 19u);
}

TEST(ExtendSignal, SomethingMadeOfNoStepDoesNotGoOn) {
  Signal s;
  const TensorId a = s.tensor("a", 12), b = s.tensor("b", 12);
  s.layer({}, a);
  s.layer({s.program.inputs[0], a}, b);
  EXPECT_EQ(s.why(b), "Layer does not work step by step");
}

// Lines of a state, for one, are there at all steps, and are no more when there are more steps.
TEST(ExtendSignal, LinesOfWhatIsNoSignalAreNoSteps) {
  Signal s;
  const TensorId state = s.tensor("state", 12), y = s.tensor("y", 12);
  s.layer({s.program.inputs[0], state}, y);
  EXPECT_EQ(s.why(y), "");
  const ExtendedSignal extended = extend_signal(s.program, 40);
  EXPECT_EQ(extended.program[y].geometry.lines, 40);
  EXPECT_EQ(extended.program[state].geometry.lines, 12);
}

TEST(ExtendSignal, AnOperationOfTwoResultsDoesNotGoOn) {
  Signal s;
  const TensorId a = s.tensor("a", 12), b = s.tensor("b", 12);
  s.layer({s.program.inputs[0]}, a).arguments.push_back(Signal::argument(Argument::Role::write, b));
  EXPECT_EQ(s.why(a), "Layer does not work step by step");
}

TEST(ExtendSignal, EachObstacleOfALayerIsNamed) {
  const auto why = [](auto change) {
    Signal s;
    const TensorId y = s.tensor("y", 12);
    change(s, s.layer({s.program.inputs[0]}, y), y);
    return s.why(y);
  };
  using S = Signal;
  using O = Operation;
  EXPECT_EQ(why([](S&, O&, TensorId) {}), "");
  EXPECT_EQ(why([](S&, O& o, TensorId) { o.line_form.reset(); }), "Layer does not work step by step");
  EXPECT_EQ(why([](S&, O& o, TensorId) { o.nodes = {"n"}, o.line_form.reset(); }),
            "'n' (Layer) does not work step by step");
  EXPECT_EQ(why([](S&, O& o, TensorId) { o.line_form->calls.push_back(o.line_form->calls[0]); }),
            "Layer needs all steps before it gives anything");
  const auto map = [&](auto change) {
    return why([&](S&, O& o, TensorId) { change(o.line_form->calls[0].arguments[0]); });
  };
  EXPECT_EQ(why([](S&, O& o, TensorId) { o.arguments.push_back(S::argument(Argument::Role::weight, {})); }),
            "");  // weights
  EXPECT_EQ(map([](LineArgument& l) { l.how = LineArgument::How::part; }), "Layer treats each step in its own way");
  EXPECT_EQ(map([](LineArgument& l) { l.how = LineArgument::How::part, l.map.scale = 0; }),
            "Layer reads all steps at once");
  EXPECT_EQ(map([](LineArgument& l) { l.how = LineArgument::How::same; }), "Layer reads all steps at once");
  EXPECT_EQ(map([](LineArgument& l) { l.map.table = 0; }), "Layer takes its lines by a table");
  EXPECT_EQ(map([](LineArgument& l) { l.number = 1; }), "Layer takes its lines by a table");
  EXPECT_EQ(map([](LineArgument& l) { l.map.scale = 0; }), "Layer takes its lines by a table");
  EXPECT_EQ(map([](LineArgument& l) { l.map.divide = 0; }), "Layer takes its lines by a table");
  EXPECT_EQ(map([](LineArgument& l) { l.map.first = 1; }), "Layer looks beyond the end of the signal, or pads it");
  EXPECT_EQ(map([](LineArgument& l) { l.map.first = -1; }), "output 'y' leaves out steps at the end");
  EXPECT_EQ(map([](LineArgument& l) { l.map.divide = 2; }), "output 'y' leaves out steps at the end");
}

// A view that is also made by lines is what its lines say, and two layers may make parts of one tensor.
TEST(ExtendSignal, LinesTellMoreThanAView) {
  Signal s;
  const TensorId y = s.tensor("y", 12);
  Operation& o = s.layer({s.program.inputs[0]}, y);
  o.view = program::View{y, s.program.inputs[0], 0};
  EXPECT_EQ(s.why(y), "");
  o.line_form->calls[0].arguments[0].map.table = 0;
  EXPECT_EQ(s.why(y), "Layer takes its lines by a table");
  Signal parts;
  const TensorId whole = parts.tensor("y", 12);
  parts.layer({parts.program.inputs[0]}, whole);
  parts.layer({parts.program.inputs[0]}, whole);
  EXPECT_EQ(parts.why(whole), "");
}

TEST(ExtendSignal, EachObstacleOfTheInputsAndOutputsIsNamed) {
  Signal none;
  none.program.inputs.clear();
  EXPECT_EQ(none.why(TensorId(size_t{0})), "it has no input");
  Signal one(1);
  EXPECT_EQ(one.why(one.program.inputs[0]), "input 'x' is no signal of several steps");
  Signal two(2);
  EXPECT_EQ(two.why(two.program.inputs[0]), "");
  Signal other;
  const TensorId z = other.tensor("z", 11);
  other.program.inputs.push_back(z);
  EXPECT_EQ(other.why(z), "its inputs are signals of different lengths");
  Signal apart;
  EXPECT_EQ(apart.why(apart.tensor("z", 12)), "output 'z' does not depend on the input");
}

TEST(ExtendSignal, SignalsThatAreJoinedGoOnAtOneRate) {
  Signal s;
  const TensorId x = s.program.inputs[0], half = s.tensor("half", 6), y = s.tensor("y", 6);
  s.layer({x}, half, 2, 0, 2);
  Operation& o = s.layer({half, x}, y);
  EXPECT_EQ(s.why(y), "Layer joins signals that go on at different rates");
  o.line_form->calls[0].arguments[1].map.scale = 2;
  EXPECT_EQ(s.why(y), "");
}

// One step of a signal that goes on is another one each time: it must not tell where the signal begins.
TEST(ExtendSignal, WhatMovesWithTheWindowIsNotPadded) {
  const auto why = [](int64_t first, int64_t step, bool longer, int64_t at_least = 1) {
    Signal s;
    const TensorId a = s.tensor("a", 10 - first), y = s.tensor("y", at_least);
    s.layer({s.program.inputs[0]}, a, 3, first);
    Operation& o = s.layer({a}, y);
    o.op = "Last";
    o.line_form.reset();
    o.view = program::View{y, a, 2 * step};
    o.arguments.push_back(Signal::argument(Argument::Role::read, {}));  // such as constants
    s.program.outputs = longer ? std::vector<TensorId>{y, a} : std::vector<TensorId>{y};
    return extend_signal(s.program, 40).obstacle;
  };
  EXPECT_EQ(why(0, 9, false), "");
  EXPECT_EQ(why(-2, 11, false), "");
  EXPECT_EQ(why(-2, 2, false), "output 'y' leaves out steps at the end");
  EXPECT_EQ(why(0, 9, true), "output 'a' has several steps, Last one for all of them");
}

// A view of a signal: so many of its steps, from `first` on.
void add_view(Signal& s, TensorId of, TensorId y, int64_t first) {
  Operation& o = s.layer({of}, y);
  o.op = "View";
  o.line_form.reset();
  o.view = program::View{y, of, 2 * first};
}

// The last step of a signal that sees as many steps as there are, or one more.
TEST(ExtendSignal, AStepThatSeesThePaddingDoesNotGoOn) {
  const auto why = [](int64_t count) {
    Signal s;
    const TensorId a = s.tensor("a", 12), y = s.tensor("y", 1);
    s.layer({s.program.inputs[0]}, a, count, 1 - count);
    add_view(s, a, y, 11);
    return s.why(y);
  };
  EXPECT_EQ(why(12), "");
  EXPECT_EQ(why(13), "View takes a step that depends on where the signal begins");
}

// Some steps of a signal, or all of one that has one step, are a signal like it: nothing is taken of a window.
TEST(ExtendSignal, PartsOfASignalGoOnWhereItIsPadded) {
  Signal some;
  const TensorId a = some.tensor("a", 12), tail = some.tensor("tail", 10);
  some.layer({some.program.inputs[0]}, a, 3, -2);
  add_view(some, a, tail, 2);
  EXPECT_EQ(some.why(tail), "");
  Signal one;
  const TensorId padded = one.tensor("padded", 12), sum = one.tensor("sum", 1), y = one.tensor("y", 1);
  one.layer({one.program.inputs[0]}, padded, 3, -2);
  one.layer({padded}, sum, 12);
  add_view(one, sum, y, 0);
  EXPECT_EQ(one.why(y), "");
}

TEST(ExtendSignal, SumsOverAWindowDoNotSeeThePadding) {
  const auto why = [](int64_t first) {
    Signal s;
    const TensorId a = s.tensor("a", 10 - first), y = s.tensor("y", 1);
    s.layer({s.program.inputs[0]}, a, 3, first);
    Operation& o = s.layer({a}, y);
    o.op = "Sum";
    o.line_form->accumulate = true;
    s.program.outputs = {y};
    const ExtendedSignal extended = extend_signal(s.program, 40);
    if (extended.obstacle.empty()) {
      EXPECT_EQ(extended.program.operations[1].arguments[0].walk->lines.back(), (program::Span{28, 38}));
    }
    return extended.obstacle;
  };
  EXPECT_EQ(why(0), "");
  EXPECT_EQ(why(-2), "Sum takes steps that depend on where the signal begins");
}

// Of lines before the first nothing is read, nor of those that a step of the signal has no part in.
TEST(ExtendSignal, WalksGoOnAsTheirMapsSay) {
  using Spans = std::vector<program::Span>;
  const auto walk = [](int64_t lines, auto change) {
    Signal s;
    const TensorId y = s.tensor("y", lines);
    Operation& o = s.layer({s.program.inputs[0]}, y, 3, -2);
    change(o);
    s.program.outputs = {y};
    const ExtendedSignal extended = extend_signal(s.program, 40);
    EXPECT_EQ(extended.obstacle, "");
    const Spans all = extended.program.operations[0].arguments[0].walk->lines;
    EXPECT_EQ(static_cast<int64_t>(all.size()), extended.program[y].geometry.lines);
    return Spans(all.begin(), all.begin() + 4);
  };
  EXPECT_EQ(walk(12, [](Operation&) {}), (Spans{{0, 1}, {0, 2}, {0, 3}, {1, 4}}));
  // Lines (r - 2 + j) / 2, those of them that are whole numbers.
  EXPECT_EQ(walk(24,
                 [](Operation& o) {
                   o.line_form->calls[0].arguments[0].map.divide = 2;
                   o.line_form->calls[0].arguments[0].map.exact = true;
                 }),
            (Spans{{0, 1}, {0, 1}, {0, 2}, {1, 2}}));
}

}  // namespace
}  // namespace tarn::stream
