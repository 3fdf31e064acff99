// Windows of signals that go from run to run: as rings, and as histories of a signal without end.
#include <set>

#include "compile.h"
#include "program/ring_window.h"
#include "report/report.h"
#include "unit/compile/joined.h"

namespace tarn {
namespace {

std::set<std::string> kernels_of(const Analysis& analysis) {
  std::set<std::string> kernels;
  for (const schedule::Step& step : analysis.schedule.steps) kernels.insert(analysis.program[step.operation].kernel);
  return kernels;
}

// Two causal convolutions, the second one over every other step; `more`: further nodes.
std::string causal(const std::string& more = "", const std::string& outputs = "") {
  return "g (float[1, 4, 1] x, float[1, 4, 2] s0, float[1, 4, 4] s1) => (float[1, 4, 1] y, float[1, 4, 2] s0_out, "
         "float[1, 4, 4] s1_out" +
         outputs +
         ") <float[4, 1, 3] w0 = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, int64[1] one = {1}, int64[1] end = {9}, "
         "int64[1] axis = {2}, float[4, 1, 3] w1 = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}> {"
         "a = Concat<axis = 2>(s0, x)  s0_out = Slice(a, one, end, axis)  h = Conv<group = 4>(a, w0)  "
         "b = Concat<axis = 2>(s1, h)  s1_out = Slice(b, one, end, axis)  "
         "y = Conv<group = 4, dilations = [2]>(b, w1) " +
         more + "}";
}

TEST(Windows, AreRingsWhereRowsAloneAreRead) {
  CompileOptions options;
  options.states_by_name = true;
  const Analysis moved = analyze_ok(causal(), options);
  for (const program::KeptState& kept : moved.program.kept) EXPECT_NE(kept.moves, "");
  options.ring_states = true;
  const Analysis rings = analyze_ok(causal(), options);
  ASSERT_EQ(rings.program.kept.size(), 2u);
  for (const program::KeptState& kept : rings.program.kept) {
    EXPECT_TRUE(kept.ring && kept.ring->columns && kept.why.empty() && kept.moves.empty());
  }
  EXPECT_EQ(rings.program.kept[1].bytes, 4 * (1 + 5 * 4));
  EXPECT_EQ(rings.output_names, std::vector<std::string>{"y"});
  EXPECT_EQ(kernels_of(rings), (std::set<std::string>{"tarn_ring_put_f32", "tarn_depthwise_ring_f32"}));
  EXPECT_LT(rings.plan.arena, moved.plan.arena);
  EXPECT_EQ(rings.plan.proof, planner::Proof::optimal);
}

TEST(Windows, ThatAreReadOtherwiseMoveAndSayWhy) {
  CompileOptions options;
  options.states_by_name = options.ring_states = true;
  const Analysis read = analyze_ok(causal("t = Tanh(a)", ", float[1, 4, 3] t"), options);
  EXPECT_FALSE(read.program.kept[0].ring);
  EXPECT_NE(read.program.kept[0].moves.find("tarn_tanh_f32"), std::string::npos) << read.program.kept[0].moves;
  EXPECT_TRUE(read.program.kept[1].ring);
  const Analysis old = analyze_ok(causal("t = Tanh(s1)", ", float[1, 4, 4] t"), options);
  EXPECT_TRUE(old.program.kept[0].ring);
  EXPECT_NE(old.program.kept[1].moves.find("beside the window"), std::string::npos) << old.program.kept[1].moves;
}

TEST(Windows, BeginWithTheModelsValuesAsRows) {
  const Constant values = Constant::floats(DType::float32, {1, 2, 2}, {1, 2, 3, 4});
  const auto rows = [&](const program::Ring& ring) {
    return Constant::of({DType::float32, {7}}, program::ring_bytes(ring, values)).reals();
  };
  EXPECT_EQ(rows({3, 2, true}), (std::vector<double>{0, 0, 0, 1, 3, 2, 4}));
  EXPECT_EQ(rows({3, 2, false}), (std::vector<double>{0, 0, 0, 1, 2, 3, 4}));
  for (const program::Ring& ring : {program::Ring{3, 2, true}, program::Ring{3, 2, false}}) {
    EXPECT_EQ(program::bytes_of_ring(ring, values.type(), program::ring_bytes(ring, values)), values.bytes());
  }
  // A row later: the oldest one stands behind the newest.
  const Constant turned = Constant::floats(DType::float32, {7}, {1, 5, 6, 9, 9, 3, 4});
  EXPECT_EQ(program::bytes_of_ring({3, 2, false}, values.type(), turned.bytes()),
            Constant::floats(DType::float32, {4}, {3, 4, 5, 6}).bytes());
}

// However many steps a window has, a signal without end has more.
TEST(Windows, OfManyStepsOfASignalWithoutEnd) {
  for (const int steps : {60, 63, 64, 65, 130}) {
    CompileOptions options;
    options.stream.mode = stream::Mode::time;
    options.stream.drain = true;
    const std::string outputs = std::to_string(200 - steps + 1);
    const Analysis analysis =
        analyze_ok("g (float[1, 1, 200] x) => (float[1, 1, " + outputs + "] y) <" +
                       ones("w", "1, 1, " + std::to_string(steps), steps) + "> { y = Conv(x, w) }",
                   options);
    ASSERT_TRUE(analysis.stream) << steps;
    EXPECT_GE(analysis.stream->arena, 4 * steps);
  }
}

// What the signal was before is what stands in front of it.
TEST(Windows, OfASignalWithoutEndAreItsHistories) {
  CompileOptions options;
  options.stream.mode = stream::Mode::time;
  options.stream.drain = true;
  const Analysis padded = analyze_ok(
      R"(g (float[1, 4, 2] x) => (float[1, 4, 2] y)
      <float[4, 1, 3] w0 = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, float[4, 1, 3] w1 = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}> {
      h = Conv<group = 4, pads = [2, 0]>(x, w0)  y = Conv<group = 4, pads = [4, 0], dilations = [2]>(h, w1) })",
      options);
  options.states_by_name = options.histories = true;
  const Analysis histories = analyze_ok(causal(), options);
  ASSERT_EQ(histories.histories.size(), 2u);
  EXPECT_EQ(histories.histories[1].steps, 4);
  EXPECT_TRUE(histories.program.states.empty());
  EXPECT_EQ(histories.input_names, std::vector<std::string>{"x"});
  EXPECT_EQ(histories.output_names, std::vector<std::string>{"y"});
  ASSERT_TRUE(padded.stream && histories.stream);
  EXPECT_EQ(histories.stream->arena, padded.stream->arena);
}

}  // namespace
}  // namespace tarn
