// What is done to a program between lowering and planning.
#include "program/program.h"

#include <gtest/gtest.h>

#include <array>

#include "program/blocks.h"
#include "program/pair_states.h"
#include "program/share_weights.h"
#include "program/spread_constants.h"
#include "program/states.h"
#include "program/store_states.h"
#include "program/windows.h"

namespace tarn::program {
namespace {

Weight weight(const std::string& name, const std::vector<uint8_t>& bytes) {
  Weight w;
  w.name = name;
  w.dtype = DType::int8;
  w.count = static_cast<int64_t>(bytes.size());
  w.write = [bytes](const std::function<void(std::span<const uint8_t>)>& sink) { sink(bytes); };
  return w;
}

Operation reading(size_t weight_position) {
  Operation operation;
  operation.kernel = "tarn_none";
  Argument argument;
  argument.role = Argument::Role::weight;
  argument.weight = WeightId(weight_position);
  operation.arguments.push_back(argument);
  return operation;
}

TensorId add_tensor(Program& program, const std::string& name, Kind kind, Shape shape = {4}) {
  Tensor tensor;
  tensor.name = name;
  tensor.type = {DType::float32, std::move(shape)};
  tensor.geometry.channels = tensor.type.shape.count();
  tensor.kind = kind;
  program.tensors.push_back(std::move(tensor));
  return TensorId(program.tensors.size() - 1);
}

OperationId add_copy(Program& program, TensorId from, TensorId to) {
  Operation operation;
  operation.kernel = "tarn_copy";
  Argument read, write;
  read.role = Argument::Role::read;
  read.tensor = from;
  write.role = Argument::Role::write;
  write.tensor = to;
  operation.arguments = {read, write};
  program.operations.push_back(std::move(operation));
  return OperationId(program.operations.size() - 1);
}

TEST(Program, EqualWeightsAreKeptOnce) {
  Program program;
  program.weights = {weight("a", {1, 2, 3}), weight("b", {1, 2, 4}), weight("c", {1, 2, 3}), weight("d", {1, 2})};
  for (size_t i = 0; i < 4; ++i) program.operations.push_back(reading(i));
  share_weights(program);
  ASSERT_EQ(program.weights.size(), 3u);
  const auto name_read_by = [&](size_t operation) {
    return program[program.operations[operation].arguments[0].weight].name;
  };
  EXPECT_EQ(name_read_by(0), "a");
  EXPECT_EQ(name_read_by(1), "b");
  EXPECT_EQ(name_read_by(2), "a");
  EXPECT_EQ(name_read_by(3), "d");
}

TEST(Program, LongWeightsThatDifferBetweenTheBytesHashedFirstStayApart) {
  std::vector<uint8_t> one(5000, 7), other = one;
  other[100] = 8;  // quick_hash() looks at the first 64 bytes of each kilobyte
  Program program;
  program.weights = {weight("a", one), weight("b", other), weight("c", one)};
  for (size_t i = 0; i < 3; ++i) program.operations.push_back(reading(i));
  share_weights(program);
  EXPECT_EQ(program.weights.size(), 2u);
}

TEST(Program, WeightsWithoutDataAreNotShared) {
  Program program;
  program.weights = {weight("a", {1}), weight("b", {1})};
  for (Weight& w : program.weights) w.missing = "weights.bin";
  for (size_t i = 0; i < 2; ++i) program.operations.push_back(reading(i));
  share_weights(program);
  EXPECT_EQ(program.weights.size(), 2u);
}

// How many states are copied.
size_t copied(const Program& program) {
  size_t count = 0;
  for (const KeptState& kept : program.kept) count += kept.why.empty() ? 0 : 1;
  return count;
}

TEST(Program, AKeptStateIsNoInputAndIsCopiedLast) {
  Program program;
  const TensorId in = add_tensor(program, "h", Kind::input), out = add_tensor(program, "h_next", Kind::output);
  program.inputs = {in};
  program.outputs = {out};
  program.input_names = {"h"};
  program.output_names = {"h_next"};
  program.main = {add_copy(program, in, out)};
  const Diagnostics faults = keep_states(program, {{"h_next", "h"}}, "net.onnx");
  EXPECT_TRUE(faults.empty());
  EXPECT_TRUE(program.inputs.empty());
  ASSERT_EQ(program.states.size(), 1u);
  EXPECT_EQ(program[program.states[0]].kind, Kind::state);
  EXPECT_EQ(copied(program), 1u);
  ASSERT_EQ(program.main.size(), 2u);
  EXPECT_EQ(program[program.main[1]].arguments[1].tensor, in);
  EXPECT_EQ(program.outputs[0], in);
}

// A network of one state `h` and its next value `h_next`, made of it and `x` by a step that may work in place.
struct Recurrence {
  Program program;
  TensorId x, state, next;
  OperationId update;

  Recurrence() {
    x = add_tensor(program, "x", Kind::input);
    state = add_tensor(program, "h", Kind::input);
    next = add_tensor(program, "h_next", Kind::output);
    program.inputs = {x, state};
    program.outputs = {next};
    program.input_names = {"x", "h"};
    program.output_names = {"h_next"};
    update = add_copy(program, state, next);
    Walk walk;
    walk.identity = walk.read_before_write = true;
    program[update].arguments[0].walk = walk;
  }
  TensorId add_output(const std::string& name) {
    program.outputs.push_back(add_tensor(program, name, Kind::output));
    program.output_names.push_back(name);
    return program.outputs.back();
  }
  // The copies that are left, after `main` became the order of the program.
  size_t copies(std::vector<OperationId> main, const std::string& all_copied = {}) {
    program.main = std::move(main);
    EXPECT_TRUE(keep_states(program, {{"h_next", "h"}}, "net.onnx", all_copied).empty());
    return copied(program);
  }
};

TEST(Program, AStateIsUpdatedWhereItLies) {
  Recurrence r;
  EXPECT_EQ(r.copies({r.update}), 0u);
  EXPECT_EQ(r.program.outputs[0], r.state);
  EXPECT_EQ(r.program[r.update].arguments[1].tensor, r.state);
}

TEST(Program, ReadersOfTheOldStateComeBeforeItsUpdate) {
  Recurrence r;
  const OperationId after_update = add_copy(r.program, r.next, r.add_output("of_new")),
                    reader = add_copy(r.program, r.state, r.add_output("of_old"));
  EXPECT_EQ(r.copies({r.update, after_update, reader}), 0u);
  EXPECT_EQ(r.program.main, (std::vector<OperationId>{reader, r.update, after_update}));
  EXPECT_EQ(r.program[after_update].arguments[0].tensor, r.state);
}

TEST(Program, ReadersThroughViewsOfTheOldStateComeBeforeItsUpdate) {
  Recurrence r;
  const TensorId view = add_tensor(r.program, "reshaped", Kind::activation);
  const OperationId reshape = add_copy(r.program, r.state, view),
                    reader = add_copy(r.program, view, r.add_output("of_old"));
  r.program[reshape].view = View{view, r.state, 0};
  EXPECT_EQ(r.copies({reshape, r.update, reader}), 0u);
  EXPECT_EQ(r.program.main, (std::vector<OperationId>{reshape, reader, r.update}));
}

TEST(Program, AStateThatIsReadWithTheNewOneIsCopied) {
  Recurrence r;
  const OperationId both = add_copy(r.program, r.next, r.add_output("both"));
  Argument old;
  old.role = Argument::Role::read;
  old.tensor = r.state;
  r.program[both].arguments.push_back(old);
  EXPECT_EQ(r.copies({r.update, both}), 1u);
  EXPECT_NE(r.program[r.program.main.back()].note.find("read after"), std::string::npos);
  EXPECT_NE(r.program[both].arguments[0].tensor, r.state);
  EXPECT_EQ(r.program[r.program.main.back()].arguments[0].tensor, r.program[both].arguments[0].tensor);
}

TEST(Program, AStateThatItsKernelReadsOutOfOrderIsCopied) {
  Recurrence r;
  r.program[r.update].arguments[0].walk.reset();
  EXPECT_EQ(r.copies({r.update}), 1u);
}

TEST(Program, AStateOfTwoWritersIsCopied) {
  Recurrence r;
  const OperationId again = add_copy(r.program, r.x, r.next);
  EXPECT_EQ(r.copies({r.update, again}), 1u);
}

TEST(Program, AStateWhoseOutputIsTheCallersIsCopied) {
  Recurrence r;
  EXPECT_EQ(r.copies({r.update}, "outputs are the caller's memory"), 1u);
}

TEST(Program, OneOutputThatIsTwoStatesIsCopiedToTheSecond) {
  Recurrence r;
  const TensorId second = add_tensor(r.program, "h2", Kind::input);
  r.program.inputs.push_back(second);
  r.program.input_names.push_back("h2");
  r.program.main = {r.update};
  EXPECT_TRUE(keep_states(r.program, {{"h_next", "h"}, {"h_next", "h2"}}, "net.onnx").empty());
  ASSERT_EQ(r.program.epilogue.size(), 1u);
  EXPECT_EQ(r.program[r.program.epilogue[0]].arguments[0].tensor, r.state);
  EXPECT_EQ(r.program[r.program.epilogue[0]].arguments[1].tensor, second);
}

TEST(Program, AllNamesOfStatesThatAreWrongAreTold) {
  Program program;
  const TensorId in = add_tensor(program, "h", Kind::input), out = add_tensor(program, "y", Kind::output, {5});
  program.inputs = {in};
  program.outputs = {out};
  program.input_names = {"h"};
  program.output_names = {"y"};
  program.main = {add_copy(program, in, out)};
  const Diagnostics faults = keep_states(program, {{"nothing", "h"}, {"y", "none"}, {"y", "h"}}, "net.onnx");
  EXPECT_GE(faults.size(), 3u);
  for (const Diagnostic& fault : faults) EXPECT_EQ(fault.code, "E209");
}

TEST(Program, AnInputThatTwoPairsNameIsToldSo) {
  Recurrence r;
  r.add_output("again");
  const Diagnostics faults = keep_states(r.program, {{"h_next", "h"}, {"again", "h"}}, "net.onnx");
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_NE(faults[0].message.find("already"), std::string::npos) << faults[0].message;
}

using Pairs = std::vector<std::pair<std::string, std::string>>;

// Those of a network whose inputs and outputs have these names, all of one type.
StatePairs paired(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
                  const Pairs& given = {}) {
  Program program;
  for (const std::string& name : inputs) program.inputs.push_back(add_tensor(program, name, Kind::input));
  for (const std::string& name : outputs) program.outputs.push_back(add_tensor(program, name, Kind::output));
  program.input_names = inputs;
  program.output_names = outputs;
  return pair_states(program, given);
}

// The conventions of exporters, those of the networks in shared/models and shared/exported first.
TEST(Program, StatesArePairedByTheirNames) {
  const std::vector<std::pair<std::string, std::string>> alike{
      {"stateN", "state"},
      {"conv_cache_out", "conv_cache"},
      {"s0_out", "s0"},
      {"k_out_0", "k_in_0"},
      {"hn", "h0"},
      {"h_n", "h_0"},
      {"present.1.key", "past_key_values.1.key"},
      {"present_conv.0", "past_conv.0"},
      {"present_key_values.0.value", "past_key_values.0.value"},
      {"new_h", "prev_h"},
      {"cl_out", "cl"},
      {"stateOut", "stateIn"},
      {"presentKey", "pastKey"},
      {"hN", "h0"},
      {"present", "past"},
      {"present_0", "past_0"},
      {"present1", "past1"},
      {"state_out0", "state_in0"}};
  for (const auto& [out, in] : alike) EXPECT_EQ(paired({in}, {out}).pairs, (Pairs{{out, in}})) << out;
  EXPECT_EQ(paired({"k_in_0", "k_in_1"}, {"k_out_0", "k_out_1"}).pairs,
            (Pairs{{"k_out_0", "k_in_0"}, {"k_out_1", "k_in_1"}}));
  EXPECT_EQ(paired({"s0", "s1"}, {"s1_out", "s0_out"}).pairs, (Pairs{{"s1_out", "s1"}, {"s0_out", "s0"}}));
  for (const auto& [out, in] : Pairs{{"y", "x"},
                                     {"output", "input"},
                                     {"output_1", "input_1"},
                                     {"output.1", "input.1"},
                                     {"out0", "in0"},
                                     {"present0", "past1"},
                                     {"out", "past"},
                                     {"scores", "h0"},
                                     {"k_out_0", "k_in_1"},
                                     {"h", "h"},
                                     {"present.1.key", "past_key_values.1.value"}})
    EXPECT_TRUE(paired({in}, {out}).pairs.empty()) << out;
}

// The 0 of the tenth layer, and that of the first beside one without a number.
TEST(Program, TheNumbersOfLayersAreNoTimes) {
  EXPECT_EQ(paired({"k_in_1", "k_in_10"}, {"k_out_1", "k_out_10"}).pairs,
            (Pairs{{"k_out_1", "k_in_1"}, {"k_out_10", "k_in_10"}}));
  EXPECT_EQ(paired({"s", "s0"}, {"s_out", "s0_out"}).pairs, (Pairs{{"s_out", "s"}, {"s0_out", "s0"}}));
}

TEST(Program, PairsThatAreGivenWinAndThoseInDoubtAreNone) {
  EXPECT_EQ(paired({"h", "c"}, {"h_out", "c_out"}, {{"h_out", "c"}}).pairs, Pairs{});
  // The step that comes in beside its cache.
  const StatePairs step = paired({"k", "past_k", "v", "past_v"}, {"present_k", "present_v"});
  EXPECT_EQ(step.pairs, (Pairs{{"present_k", "past_k"}, {"present_v", "past_v"}}));
  EXPECT_TRUE(step.near.empty());
  const StatePairs doubt = paired({"h_in", "h"}, {"h_out"});
  EXPECT_TRUE(doubt.pairs.empty());
  EXPECT_EQ(doubt.near.size(), 2u);
}

TEST(Program, ANamesakeOfAnotherShapeIsNoStateAndIsTold) {
  Program program;
  program.inputs = {add_tensor(program, "k0", Kind::input)};
  program.outputs = {add_tensor(program, "k0_out", Kind::output, {3})};
  program.input_names = {"k0"};
  program.output_names = {"k0_out"};
  const StatePairs found = pair_states(program, {});
  EXPECT_TRUE(found.pairs.empty());
  ASSERT_EQ(found.near.size(), 1u);
  EXPECT_NE(found.near[0].find("'k0_out'"), std::string::npos);
}

// A window of 8 steps of 4 floats, of which parts stay and parts are new: parts are {from, to, steps}, new ones {-1,
// to, steps}.
struct WindowProgram {
  Program program;
  TensorId state, next;

  explicit WindowProgram(const std::vector<std::array<int64_t, 3>>& parts) {
    state = add_tensor(program, "w", Kind::input, {8, 4});
    next = add_tensor(program, "w_out", Kind::output, {8, 4});
    program.inputs = {state};
    program.outputs = {next};
    program.input_names = {"w"};
    program.output_names = {"w_out"};
    for (const auto& [from, to, steps] : parts) {
      const bool is_new = from < 0;
      const TensorId of = is_new ? add_tensor(program, "x", Kind::input, {steps, 4}) : state;
      if (is_new) {
        program.inputs.push_back(of);
        program.input_names.push_back(program[of].name);
      }
      const OperationId id = add_copy(program, of, next);
      const int64_t bytes = steps * 16;
      for (const int64_t v : {int64_t{1}, bytes, bytes, bytes, is_new ? 0 : from * 16, to * 16})
        program[id].params.fields.push_back({"", v});
      program.main.push_back(id);
    }
    EXPECT_TRUE(keep_states(program, {{"w_out", "w"}}, "net.onnx").empty());
  }
  std::vector<std::string> kernels() const {
    std::vector<std::string> names;
    for (const OperationId id : program.main) names.push_back(program[id].kernel);
    return names;
  }
  int64_t field(size_t step, const std::string& name) const {
    for (const Field& f : program[program.main[step]].params.fields) {
      if (f.name == name) return std::get<int64_t>(f.value);
    }
    return -1;
  }
};

using Kernels = std::vector<std::string>;

TEST(Program, AWindowMovesWithinItsState) {
  for (const bool down : {true, false}) {
    const WindowProgram w(down ? std::vector<std::array<int64_t, 3>>{{1, 0, 7}, {-1, 7, 1}}
                               : std::vector<std::array<int64_t, 3>>{{-1, 0, 1}, {0, 1, 7}});
    ASSERT_EQ(w.kernels(), Kernels{"tarn_shift_b4"});
    EXPECT_EQ(w.program[w.program.main[0]].arguments[0].tensor, w.state);
    EXPECT_EQ(w.program[w.program.main[0]].arguments[2].tensor, w.state);
    EXPECT_EQ(w.field(0, "from"), down ? 4 : 0);
    EXPECT_EQ(w.field(0, "to"), down ? 0 : 4);
    EXPECT_EQ(w.field(0, "y_to"), down ? 28 : 0);
    EXPECT_EQ(copied(w.program), 0u);
    EXPECT_EQ(w.program.kept[0].needed, (down ? Span{16, 128} : Span{0, 112}));
  }
}

// A slice of another state is read when that has been written over: it is no view of it.
TEST(Program, WhatIsNewInAWindowLiesInNoOtherState) {
  Program program;
  const TensorId window = add_tensor(program, "w", Kind::input, {8, 4}), h = add_tensor(program, "h", Kind::input),
                 next = add_tensor(program, "w_out", Kind::output, {8, 4}),
                 h_next = add_tensor(program, "h_out", Kind::output), x = add_tensor(program, "x", Kind::input),
                 step = add_tensor(program, "step", Kind::activation);
  program.inputs = {x, window, h};
  program.input_names = {"x", "w", "h"};
  program.outputs = {next, h_next};
  program.output_names = {"w_out", "h_out"};
  const OperationId cut = add_copy(program, h, step), put = add_copy(program, step, next),
                    renew = add_copy(program, x, h_next), move = add_copy(program, window, next);
  program[cut].view = View{step, h, 0};
  program.main = {cut, put, renew, move};
  for (const int64_t v : {1, 16, 16, 16, 0, 112}) program[put].params.fields.push_back({"", v});
  for (const int64_t v : {1, 112, 112, 112, 16, 0}) program[move].params.fields.push_back({"", v});
  EXPECT_TRUE(keep_states(program, {{"h_out", "h"}, {"w_out", "w"}}, "net.onnx").empty());
  EXPECT_EQ(copied(program), 0u);
  ASSERT_EQ(program[program.main.back()].kernel, "tarn_shift_b4");
  EXPECT_EQ(program[program.main.back()].arguments[1].tensor, step);
  EXPECT_FALSE(program[cut].view);
}

// The step that is forgotten is free until the window moves, where nothing else reads it.
TEST(Program, AWindowThatOthersReadIsNeededWhole) {
  Recurrence r;
  const TensorId part = add_tensor(r.program, "part", Kind::activation);
  const OperationId reader = add_copy(r.program, r.state, part);
  r.program[r.update].arguments[0].needed = Span{4, 16};
  Recurrence alone = r;
  EXPECT_EQ(alone.copies({alone.update}), 0u);
  EXPECT_EQ(alone.program.kept[0].needed, (Span{4, 16}));
  EXPECT_EQ(r.copies({reader, r.update}), 0u);
  EXPECT_FALSE(r.program.kept[0].needed);
}

TEST(Program, AnOutputMayTakeThePlaceOfTheOperandThatItsKernelNames) {
  Recurrence r;
  Operation& update = r.program[r.update];
  update.arguments[0].walk.reset();
  update.arguments[1].over = 0;
  EXPECT_EQ(r.copies({r.update}), 0u);
}

TEST(Program, EachFurtherPartOfAWindowHasAStepAndAWholeValueOfItsOwn) {
  const WindowProgram w({{2, 0, 6}, {-1, 6, 1}, {-1, 7, 1}});
  ASSERT_EQ(w.kernels(), (Kernels{"tarn_shift_b4", "tarn_shift_b4"}));
  const TensorId between = w.program[w.program.main[0]].arguments[2].tensor;
  EXPECT_NE(between, w.state);
  EXPECT_EQ(w.program[w.program.main[1]].arguments[0].tensor, between);
  EXPECT_EQ(w.program[w.program.main[1]].arguments[2].tensor, w.state);
}

TEST(Program, TheSmallerPartOfAWindowThatTurnsIsCopiedAsideBefore) {
  const WindowProgram w({{3, 0, 5}, {0, 5, 3}});
  ASSERT_EQ(w.kernels(), (Kernels{"tarn_copy", "tarn_shift_b4"}));
  EXPECT_EQ(w.program[w.program.main[0]].arguments[0].tensor, w.state);
  EXPECT_EQ(w.program[w.program.main[1]].arguments[1].tensor, w.program[w.program.main[0]].arguments[1].tensor);
  EXPECT_EQ(w.field(1, "kept"), 20);
  EXPECT_EQ(copied(w.program), 0u);
}

TEST(Program, APartThatIsMissingOrWrittenTwiceMakesNoWindow) {
  EXPECT_EQ(copied(WindowProgram({{1, 0, 6}, {-1, 7, 1}}).program), 1u);
  EXPECT_EQ(copied(WindowProgram({{1, 0, 7}, {-1, 6, 2}}).program), 1u);
}

TEST(Program, OfAnOutputThatIsLongerTheNextRunReadsTheLastSteps) {
  Program program;
  program.inputs = {add_tensor(program, "k", Kind::input, {2, 3})};
  program.outputs = {add_tensor(program, "k_out", Kind::output, {2, 4})};
  program.input_names = {"k"};
  program.output_names = {"k_out"};
  const StatePairs found = pair_states(program, {});
  ASSERT_EQ(found.pairs, (Pairs{{"k_out", "k"}}));
  const auto notes = keep_windows(program, found.pairs);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].second.find("last 3 of 4"), std::string::npos);
  EXPECT_EQ(program[program.inputs[0]].type.shape, (Shape{2, 4}));
  EXPECT_FALSE(grown_axis({DType::float32, {2, 3}}, {DType::float32, {2, 4}}));
  EXPECT_FALSE(grown_axis({DType::float32, {3, 4}}, {DType::float32, {2, 3}}));
  EXPECT_FALSE(grown_axis({DType::float32, {4}}, {DType::int8, {3}}));
}

// One step reads the old state as it is stored and writes slices into it; what else reads it gets it widened.
TEST(Program, StatesInFewerBitsAreWidenedOnlyForWhatCannotReadThem) {
  for (const bool other : {false, true}) {
    Program program;
    const TensorId cache = add_tensor(program, "k", Kind::input, {16, 4}),
                   row = add_tensor(program, "row", Kind::input), at = add_tensor(program, "at", Kind::input),
                   next = add_tensor(program, "k_out", Kind::output, {16, 4});
    const OperationId scatter = add_copy(program, cache, next);
    program[scatter].kernel = "tarn_scatter_nd_b4";
    for (const TensorId id : {row, at}) {
      Argument read;
      read.role = Argument::Role::read;
      read.tensor = id;
      program[scatter].arguments.insert(program[scatter].arguments.end() - 1, read);
    }
    program.inputs = {cache, row, at};
    program.input_names = {"k", "row", "at"};
    program.outputs = {next};
    program.output_names = {"k_out"};
    program.main = {scatter};
    if (other) {
      program.outputs.push_back(add_tensor(program, "y", Kind::output, {16, 4}));
      program.output_names.push_back("y");
      program.main.push_back(add_copy(program, next, program.outputs[1]));
    }
    const auto stored = store_states(program, {{"k_out", "k"}}, {StateType::int8, false});
    ASSERT_EQ(stored.size(), 1u);
    EXPECT_EQ(program[scatter].kernel, "tarn_state_scatter_nd");
    EXPECT_EQ(program[program.inputs[0]].type, (TensorType{DType::int8, {16 * 4 + 4}}));
    EXPECT_EQ(program.main.size(), other ? 3u : 1u);
    EXPECT_TRUE(keep_states(program, {{"k_out", "k"}}, "net.onnx").empty());
    EXPECT_TRUE(program.epilogue.empty());
    drop_outputs(program, {"k_out"});
    EXPECT_EQ(program.outputs.size(), other ? 1u : 0u);
  }
}

TEST(Program, ColumnsHaveScalesWhereThatSavesMore) {
  EXPECT_EQ(state_columns({512, 32}), 32);
  EXPECT_EQ(state_columns({1, 24}), 1);
  EXPECT_EQ(state_columns({}), 1);
  const std::vector<uint8_t> bytes =
      stored_bytes(Constant::floats(DType::float32, {3}, {1.0, -0.5, 0.0}), StateType::int8);
  EXPECT_EQ(bytes, (std::vector<uint8_t>{122, 64, 224, 0}));
}

TEST(Program, TensorsAreAtHomeInTheInnermostBlockAroundAllUses) {
  Program program;
  const TensorId x = add_tensor(program, "x", Kind::input), inside = add_tensor(program, "inside", Kind::activation),
                 y = add_tensor(program, "y", Kind::output);
  const OperationId first = add_copy(program, x, inside), second = add_copy(program, inside, y);
  Operation branch;
  branch.control = Control::branch;
  branch.bodies = {{first, second}, {}};
  program.operations.push_back(std::move(branch));
  program.main = {OperationId(program.operations.size() - 1), add_copy(program, x, y)};
  const Blocks blocks = find_blocks(program);
  ASSERT_EQ(blocks.blocks.size(), 3u);
  EXPECT_EQ(blocks.home[inside.pos()], blocks.of[first.pos()]);
  EXPECT_EQ(blocks.home[y.pos()], 0);
  EXPECT_TRUE(blocks.within(blocks.of[first.pos()], 0));
  EXPECT_FALSE(blocks.within(0, blocks.of[first.pos()]));
}

// Constants that differ where they begin only: the numbers of 30 lanes for those of 90, in the arena while the step
// runs. What another operation reads as it lies stays.
TEST(Program, ConstantsAreSpreadOutForTheStepsThatAreTold) {
  Program program;
  for (const std::string name : {"alone", "shared"}) {
    Weight w = weight(name, std::vector<uint8_t>(360, 1));
    w.dtype = DType::int32;
    w.count = 90;
    w.spread = Weight::Spread{.m = 5, .c = 7, .own = std::vector<int32_t>(30, 3)};
    program.weights.push_back(std::move(w));
  }
  for (const size_t reads : {size_t{0}, size_t{1}, size_t{1}}) program.operations.push_back(reading(reads));
  EXPECT_EQ(spread_bytes(program, program.operations[0]), 360);
  spread_constants(program, {OperationId(0), OperationId(1)});
  EXPECT_EQ(spreading_kernels(program).size(), 1u);
  EXPECT_EQ(program.weights[0].bytes(), 120);
  EXPECT_EQ(program.weights[0].plain->bytes(), 360);
  EXPECT_EQ(program.weights[1].bytes(), 360);
  ASSERT_TRUE(program.operations[0].staging);
  EXPECT_TRUE(program.operations[0].staging->made);
  EXPECT_EQ(program[program.operations[0].staging->buffer].kind, Kind::scratch);
  EXPECT_FALSE(program.operations[1].staging);
  std::vector<uint8_t> bytes;
  program.weights[0].write(
      [&](std::span<const uint8_t> piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); });
  EXPECT_EQ(bytes.size(), 120u);
  EXPECT_EQ(bytes[4], 3);
}

}  // namespace
}  // namespace tarn::program
