// The whole way to a plan: valid under every option, never below its bound, the same twice.
#include "compile.h"

#include <set>

#include "lifetimes/overlap.h"
#include "lifetimes/slow_sharings.h"
#include "planner/validate.h"
#include "stream/check/check_plan.h"
#include "unit/compile/analysed.h"

namespace tarn {
namespace {

void check_plan(const Analysis& a) {
  EXPECT_EQ(planner::check_problem(a.planning.problem), std::vector<std::string>{});
  for (const auto& violation : planner::validate(a.planning.problem, a.plan)) ADD_FAILURE() << violation.text;
  EXPECT_LE(a.plan.lower_bound, a.plan.arena);
  EXPECT_LE(a.plan.arena, a.naive_arena);
  for (size_t i = 0; i < a.planning.items.size(); ++i) {
    EXPECT_EQ(a.plan.offsets[i] % a.options.alignment, 0);
    EXPECT_LE(a.plan.offsets[i] + a.storage[a.planning.items[i]].bytes, a.plan.arena);
  }
}

TEST(Compile, PlansAreValidUnderEveryOption) {
  for (const auto strategy :
       {planner::Strategy::naive, planner::Strategy::greedy_by_size, planner::Strategy::greedy_by_breadth,
        planner::Strategy::first_fit, planner::Strategy::best_fit, planner::Strategy::hill_climb,
        planner::Strategy::exact, planner::Strategy::automatic}) {
    for (int share = 0; share < 8; ++share) {
      for (const auto order : {schedule::OrderKind::given, schedule::OrderKind::min_peak}) {
        CompileOptions options;
        options.strategy = strategy;
        options.order = order;
        options.share = {(share & 1) != 0, (share & 2) != 0, (share & 4) != 0};
        options.alignment = share == 5 ? 64 : 4;
        options.caller_io = share == 6;
        SCOPED_TRACE(testing::Message() << planner::to_string(strategy) << " share " << share);
        check_plan(analyze_ok(network(), options));
      }
    }
  }
}

// Whatever is asked for: by layers, by lines, over sizes.
TEST(Compile, ArenasAreAlignedToTheWidestElement) {
  for (const auto& [type, bytes] : {std::pair{"int8", 4}, {"float", 4}, {"double", 8}, {"int64", 8}}) {
    const std::string text = cat("g (", type, "[1, 2, N, 6] x) => (", type, "[1, 2, N, 6] y) { y = Add(x, x) }");
    for (const stream::Mode mode : {stream::Mode::off, stream::Mode::fed}) {
      CompileOptions options;
      options.alignment = 1;
      options.stream.mode = mode;
      options.dims["N"] = 9;
      EXPECT_EQ(analyze_ok(text, options).options.alignment, bytes) << type;
    }
    CompileOptions sized;
    sized.alignment = 2;
    sized.run_time = {{"N", 3, 5}};
    const Analysis all = analyze_ok(text, sized);
    EXPECT_EQ(all.options.alignment, bytes) << type;
    for (const Analysis& size : all.sizes) {
      for (const int64_t offset : size.plan.offsets) EXPECT_EQ(offset % bytes, 0) << type;
    }
  }
}

TEST(Compile, LinesComeWhenTheBudgetAsksForThem) {
  const std::string text =
      R"(g (float[1, 2, 40, 6] image) => (float[1, 3, 1, 1] y) <float[4, 2, 1, 1] w = {1, 2, 3, 4, 5, 6, 7, 8},
      float[3, 4, 1, 1] v = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}> {
    a = Conv(image, w)  b = MaxPool <kernel_shape = [3, 3], pads = [1, 1, 1, 1]>(a)  c = Conv(b, v)  y = GlobalAveragePool(c) })";
  CompileOptions options;
  const Analysis layers = analyze_ok(text, options);
  EXPECT_FALSE(layers.stream);
  options.arena_budget = layers.plan.arena;
  EXPECT_FALSE(analyze_ok(text, options).stream);
  options.arena_budget = layers.plan.arena / 3;
  const Analysis lines = analyze_ok(text, options);
  ASSERT_TRUE(lines.stream);
  EXPECT_LE(lines.stream->arena, *options.arena_budget);
  EXPECT_LE(lines.stream->bound, lines.stream->arena);
  // Where the weights alone exceed the flash, lines are not searched, and it is known that they were not.
  options.flash_budget = layers.weight_bytes();
  EXPECT_TRUE(analyze_ok(text, options).stream);
  options.flash_budget = layers.weight_bytes() - 1;
  const Analysis heavy = analyze_ok(text, options);
  EXPECT_FALSE(heavy.stream);
  EXPECT_TRUE(heavy.lines_left_out && heavy.tried_lines.empty());
  options.flash_budget.reset();
  // Less than any way gives: whole layers, to say what they would need.
  options.arena_budget = 16;
  EXPECT_FALSE(analyze_ok(text, options).stream);
  options.stream.mode = stream::Mode::fed;
  EXPECT_EQ(analyze_ok(text, options).stream->mode, stream::Mode::fed);
}

// The one before last of three steps is a state as it is, under another shape.
TEST(Compile, AStateThatMovesOnToAnotherIsStoredToo) {
  CompileOptions options;
  options.states_by_name = true;
  options.state_type = program::StateType::f16;
  const Analysis analysis = analyze_ok(
      R"(g (float[1, 6] x, float[1, 6] a_in, float[2, 3] b_in) => (float[2, 3] y, float[1, 6] a_out, float[2, 3] b_out)
      <int64[2] to = {2, 3}> { a_out = Identity(x)  b_out = Reshape(a_in, to)  y = Neg(b_in) })",
      options);
  int widened = 0, narrowed = 0;
  for (const program::OperationId id : analysis.program.main) {
    widened += analysis.program[id].kernel == "tarn_cast_f16_f32";
    narrowed += analysis.program[id].kernel == "tarn_cast_f32_f16";
  }
  EXPECT_EQ(widened, 2);
  EXPECT_EQ(narrowed, 2);
}

TEST(Compile, StatesAreKeptByLines) {
  const std::string text =
      R"(g (float[1, 2, 40, 6] image, float[1, 2, 40, 6] s) => (float[1, 4, 40, 6] y, float[1, 2, 40, 6] s_out)
      <float[4, 2, 1, 1] w = {1, 2, 3, 4, 5, 6, 7, 8}> { s_out = Add(image, s)  y = Conv(s_out, w) })";
  CompileOptions options;
  options.states = {{"s_out", "s"}};
  options.stream.mode = stream::Mode::resident;
  const Analysis lines = analyze_ok(text, options);
  ASSERT_TRUE(lines.stream);
  EXPECT_EQ(lines.program.epilogue.size(), 1u);
  EXPECT_TRUE(stream::check_plan(lines.program, *lines.stream).empty());
  // A plan that gives the state's bytes to others is none.
  stream::LinePlan broken = *lines.stream;
  const program::TensorId state = lines.program.states[0], image = lines.program.inputs[0];
  broken.memories[static_cast<size_t>(broken.views[state.pos()].memory)].base =
      broken.memories[static_cast<size_t>(broken.views[image.pos()].memory)].base;
  EXPECT_FALSE(stream::check_plan(lines.program, broken).empty());
  options.stream.mode = stream::Mode::fed;
  const Result<Analysis> fed = try_analyze(text, options);
  ASSERT_FALSE(fed);
  EXPECT_EQ(fed.faults()[0].code, "E311");
}

// A part that runs in stripes makes all that others read of it: it cannot end with one half of a Split.
TEST(Compile, StripesLeaveNothingUnmade) {
  const auto ones = [](int n) {
    std::string text = "{1";
    for (int i = 1; i < n; ++i) text += ", 1";
    return text + "}";
  };
  const std::string text =
      "g (float[1, 3, 12, 24] image) => (float[1, 8, 12, 24] y, float[1, 2, 12, 24] z) <float[8, 3, 3, 3] u = " +
      ones(216) + ", float[4, 8, 3, 3] w = " + ones(288) + ", float[8, 2, 1, 1] v = " + ones(16) + R"(> {
    a = Conv <pads = [1, 1, 1, 1]>(image, u)  b = Conv <pads = [1, 1, 1, 1]>(a, w)  c, d = Split <axis = 1>(b)  y = Conv(c, v)  z = Mul(c, d) })";
  CompileOptions options;
  options.stream = {.mode = stream::Mode::fed, .drain = true, .recompute = 100};
  options.nhwc_inputs = options.nhwc_outputs = true;
  const Analysis analysis = analyze_ok(text, options);
  std::set<graph::ValueId> made(analysis.graph.inputs.begin(), analysis.graph.inputs.end());
  for (const graph::Node& node : analysis.graph.nodes) {
    for (graph::ValueId id : node.inputs)
      EXPECT_TRUE(!id || analysis.graph.constant(id) || made.contains(id)) << analysis.graph[id].name;
    made.insert(node.outputs.begin(), node.outputs.end());
  }
}

// What the model has channels last stays so: handing it over in yet another order would cost a transpose.
TEST(Compile, ChannelsLastOnceIsEnough) {
  const std::string head =
                        "g (float[1, 8, 8, 3] x) => (float[1, 8, 8, 2] y) <float[2, 3, 1, 1] w = {1, 2, 3, 4, 5, 6}> ",
                    body =
                        "{ a = Relu(x) b = Transpose <perm = [0, 3, 1, 2]> (a) c = Conv(b, w) "
                        "y = Transpose <perm = [0, 2, 3, 1]> (c) }";
  const Analysis plain = analyze_ok(head + body);
  CompileOptions options;
  options.nhwc_inputs = options.nhwc_outputs = true;
  const Analysis asked = analyze_ok(head + body, options);
  EXPECT_EQ(asked.plan.arena, plain.plan.arena);
  EXPECT_EQ(asked.program.operations.size(), plain.program.operations.size());
  EXPECT_EQ(asked.graph.shape(asked.graph.inputs[0]), (Shape{{1, 8, 8, 3}}));
  ASSERT_EQ(asked.warnings.size(), 2u) << model::texts(asked.warnings);
  EXPECT_EQ(asked.warnings[0].code + asked.warnings[1].code, "W203W203");
  EXPECT_TRUE(plain.warnings.empty());
  // Nothing that keeps the axes in their places hides it.
  const Analysis padded = analyze_ok(
      "g (float[1, 6, 6, 3] x) => (float[1, 8, 8, 2] y) <float[2, 3, 1, 1] w = {1, 2, 3, 4, 5, 6}, "
      "int64[8] p = {0, 1, 1, 0, 0, 1, 1, 0}> "
      "{ a = Pad(x, p) b = Transpose <perm = [0, 3, 1, 2]> (a) c = Conv(b, w) "
      "y = Transpose <perm = [0, 2, 3, 1]> (c) }",
      options);
  EXPECT_EQ(padded.graph.shape(padded.graph.inputs[0]), (Shape{{1, 6, 6, 3}}));
  ASSERT_EQ(padded.warnings.size(), 2u) << model::texts(padded.warnings);
  // Channels first, it is handed over last.
  const Analysis first = analyze_ok(
      "g (float[1, 3, 8, 8] x) => (float[1, 2, 8, 8] y) <float[2, 3, 1, 1] w = {1, 2, 3, 4, 5, 6}> { y = Conv(x, w) }",
      options);
  EXPECT_EQ(first.graph.shape(first.graph.inputs[0]), (Shape{{1, 8, 8, 3}}));
  EXPECT_TRUE(first.warnings.empty());
}

// What is the caller's and goes by lines is pushed and pulled: no port has a place in the arena.
TEST(Compile, LinesOfTheCaller) {
  CompileOptions options;
  options.caller_io = true;
  options.stream.mode = stream::Mode::fed;
  const Analysis fed = analyze_ok(network(), options);
  EXPECT_TRUE(fed.stream->drain);
  EXPECT_FALSE(fed.options.caller_io);
  options.stream.mode = stream::Mode::resident;
  EXPECT_TRUE(analyze_ok(network(), options).options.caller_io);
  options.stream.drain = true;
  EXPECT_EQ(analyze_ok(network(), options).stream->mode, stream::Mode::fed);
  options.stream.mode = stream::Mode::off;
  EXPECT_TRUE(analyze_ok(network(), options).options.caller_io);
}

int64_t parameters_of(const Analysis& a) {
  int64_t sum = 0;
  for (const program::Operation& operation : a.program.operations) sum += operation.parameters;
  return sum;
}

// A word table of 64 x 64 that is also the last product's matrix: stored again transposed, transposed by the graph, or
// another one.
TEST(Compile, TiedMatricesCountOnce) {
  std::string table, turned, other;
  for (int r = 0; r < 64; ++r) {
    for (int c = 0; c < 64; ++c) {
      const char* comma = r + c == 0 ? "" : ", ";
      table += comma + std::to_string(r * 64 + c);
      turned += comma + std::to_string(c * 64 + r);
      other += comma + std::to_string(c * 64 + r + (r == 63 && c == 0 ? 1 : 0));
    }
  }
  const auto net = [&](const std::string& matrix, const std::string& nodes) {
    return "g (int64[1, 6] i) => (float[1, 6, 64] y) <float[64, 64] w = {" + table + "}" + matrix +
           "> { e = Gather(w, i) " + nodes + " }";
  };
  const auto stored = [](const std::string& numbers) { return ", float[64, 64] t = {" + numbers + "}"; };
  EXPECT_EQ(parameters_of(analyze_ok(net("", "t = Transpose <perm = [1, 0]>(w) y = MatMul(e, t)"))), 4096);
  EXPECT_EQ(parameters_of(analyze_ok(net("", "y = MatMul(e, w)"))), 4096);
  EXPECT_EQ(parameters_of(analyze_ok(net(stored(turned), "y = MatMul(e, t)"))), 4096);
  EXPECT_EQ(parameters_of(analyze_ok(net(stored(other), "y = MatMul(e, t)"))), 8192);
}

TEST(Compile, EqualWeightsAreStoredOnce) {
  const auto net = [](const std::string& v) {
    return "g (float[1, 2] x) => (float[1, 2] y) <float[2, 2] w = {1, 2, 3, 4}, float[2, 2] v = {" + v +
           "}> { a = MatMul(x, w) b = Relu(a) y = MatMul(b, v) }";
  };
  const auto stored = [](const Analysis& a) {
    int64_t bytes = 0;
    for (const program::Weight& weight : a.program.weights) bytes += weight.bytes();
    return bytes;
  };
  const int64_t apart = stored(analyze_ok(net("1, 2, 3, 5"))), shared = stored(analyze_ok(net("1, 2, 3, 4")));
  EXPECT_GT(shared, 0);
  EXPECT_EQ(apart, 2 * shared);
}

TEST(Compile, SharingNeverCostsMemory) {
  CompileOptions none, views, all;
  none.share = {false, false, false};
  views.share = {true, false, false};
  const int64_t without = analyze_ok(network(), none).plan.arena, some = analyze_ok(network(), views).plan.arena,
                best = analyze_ok(network(), all).plan.arena;
  EXPECT_LE(some, without);
  EXPECT_LE(best, some);
}

TEST(Compile, TheSameTwice) {
  const Analysis a = analyze_ok(network()), b = analyze_ok(network());
  EXPECT_EQ(a.plan.offsets, b.plan.offsets);
  EXPECT_EQ(program::dump(a.program), program::dump(b.program));
  EXPECT_EQ(a.sha256, b.sha256);
}

TEST(Compile, EveryTensorIsAliveWhenUsed) {
  const Analysis a = analyze_ok(network());
  for (size_t s = 0; s < a.schedule.steps.size(); ++s) {
    for (const program::Argument& argument : a.program[a.schedule.steps[s].operation].arguments) {
      if (!argument.tensor.valid()) continue;
      const lifetimes::Life& life = a.planning.lives[a.storage[argument.tensor].buffer.pos()];
      EXPECT_LE(life.first, static_cast<int64_t>(s));
      EXPECT_GT(life.end, static_cast<int64_t>(s));
    }
  }
}

TEST(Compile, ReshapesTakeNoMemoryAndNoStep) {
  const Analysis a = analyze_ok(
      "g (float[2, 6] x) => (float[3, 4] y) <int64[2] s = {3, 4}> { a = Exp(x)  b = Reshape(a, s)  y = Neg(b) }");
  EXPECT_EQ(a.schedule.steps.size(), 2u);
  EXPECT_EQ(a.plan.arena, 48);  // all in place
}

TEST(Compile, ConcatenationIsMadeInPlace) {
  const Analysis a =
      analyze_ok("g (float[4, 2] x) => (float[4, 4] y) { a = Exp(x)  b = Neg(x)  y = Concat <axis = 1>(a, b) }");
  EXPECT_EQ(a.schedule.steps.size(), 2u);
}

TEST(Compile, MatricesAreTransposedWhereTheyLieOnlyForASmallerArena) {
  // Later steps need more than both matrices together.
  const Analysis roomy = analyze_ok(R"(g (float[1, 3, 16, 16] x) => (float[1, 8, 8, 8] y)
      <float one = {0.5}, int64[4] s = {8, 3, 3, 3}, int64[4] s2 = {8, 8, 1, 1}> {
      w = Expand(one, s)  w2 = Expand(one, s2)  a = Conv <pads = [1, 1, 1, 1]>(x, w)  b = Conv(a, w2)
      y = MaxPool <kernel_shape = [2, 2], strides = [2, 2]>(b) })");
  EXPECT_TRUE(lifetimes::slow_sharings(roomy.planning, roomy.plan.offsets).empty());
  const Analysis tight = analyze_ok("g (float[8, 12] x) => (float[12, 8] y) { y = Transpose(x) }");
  EXPECT_EQ(tight.plan.arena, 8 * 12 * 4);
  EXPECT_EQ(lifetimes::slow_sharings(tight.planning, tight.plan.offsets).size(), 1u);
}

TEST(Compile, HalvesOfBytesTakeMemoryOnlyWhereTheyAreMoved) {
  const auto steps_of = [](const std::string& graph) {
    const model::ScratchFolder scratch;
    CompileOptions options;
    options.model_path =
        scratch.write("net.onnx", model::parse_model(R"(<ir_version: 10, opset_import: ["" : 21]> g )" + graph));
    const Result<Analysis> result = analyze(options);
    return result ? result->schedule.steps.size() : 0;
  };
  EXPECT_EQ(steps_of("(int4[3, 4] x, int4[3, 2] z) => (int4[3, 6] y) { y = Concat <axis = 1>(x, z) }"), 2u);
  // Unpacked, joined and packed.
  EXPECT_EQ(steps_of("(uint4[3, 5] x, uint4[3, 5] z) => (uint4[3, 10] y) { y = Concat <axis = 1>(x, z) }"), 5u);
}

TEST(Compile, ControlFlowBodiesShareTheArena) {
  const Analysis a = analyze_ok(R"(g (float[64] x, bool c) => (float[64] y) {
      y = If <then_branch = t () => (float[64] p) { a = Exp(x)  b = Neg(a)  p = Add(b, x) },
              else_branch = e () => (float[64] q) { d = Abs(x)  f = Sin(d)  q = Mul(f, x) }>(c) })");
  check_plan(a);
  // The input, the output and one tensor of a branch, with the condition: branches use the same memory.
  EXPECT_LE(a.plan.arena, 3 * 256 + 16);
  // What is inside runs, each once, as steps of the If.
  ASSERT_EQ(a.schedule.steps.size(), 7u);
  EXPECT_EQ(a.schedule.steps[0].end, 7);
  for (size_t s = 1; s < 7; ++s) EXPECT_EQ(a.schedule.steps[s].parent, 0) << s;
}

TEST(Compile, ArenaOnlyTakesUnknownOperators) {
  const model::ScratchFolder scratch;
  CompileOptions options;
  options.model_path =
      scratch.write("net.onnx", model::parse_model(R"(<ir_version: 8, opset_import: ["" : 17, "acme" : 1]>
    g (float[8] x) => (float[8] y) <float[16] h> { h = acme.Widen(x)  y = acme.Narrow(h) })"));
  EXPECT_FALSE(analyze(options));
  options.arena_only = true;
  const auto result = analyze(options);
  ASSERT_TRUE(result) << model::texts(result.faults());
  EXPECT_EQ(result->plan.arena, 96);  // nothing is known of how they read: h beside x and y
}

}  // namespace
}  // namespace tarn
