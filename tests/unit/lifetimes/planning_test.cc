// From a program and its order to the packing problem.
#include "lifetimes/planning.h"

#include <gtest/gtest.h>

#include "lifetimes/slow_sharings.h"
#include "unit/compile/analysed.h"

namespace tarn::lifetimes {
namespace {

CompileOptions sharing(bool views, bool in_place, bool overlap) {
  CompileOptions options;
  options.share = {views, in_place, overlap};
  return options;
}

// Four elementwise layers that cannot be fused into each other's kernels.
constexpr const char* kChain = R"(g (float[1, 8, 4, 4] x) => (float[1, 8, 4, 4] y) {
    a = Sigmoid(x)  b = Softmax <axis = 1>(a)  c = Sigmoid(b)  y = Softmax <axis = 1>(c) })";

TEST(Planning, LivesAreHalfOpenAndCoverEveryUse) {
  const Analysis analysis = analyze_ok(kChain, sharing(false, false, false));
  const Planning& planning = analysis.planning;
  ASSERT_FALSE(planning.items.empty());
  for (const Life& life : planning.lives) EXPECT_LE(life.first, life.end);
  // Without sharing a step's operand and result meet, so that no pair is needed.
  EXPECT_TRUE(planning.problem.pairs.empty());
  EXPECT_TRUE(planning.sharings.empty());
  EXPECT_GE(analysis.plan.arena, 2 * 8 * 4 * 4 * 4);
}

TEST(Planning, AnOutputThatMayOverlapBeginsWhereItsOperandEnds) {
  const Analysis analysis = analyze_ok(kChain, sharing(true, true, true));
  const Planning& planning = analysis.planning;
  ASSERT_FALSE(planning.sharings.empty());
  ASSERT_EQ(planning.sharings.size(), planning.problem.pairs.size());
  for (size_t k = 0; k < planning.sharings.size(); ++k) {
    const planner::Pair& pair = planning.problem.pairs[k];
    const planner::Item &giver = planning.problem.items[static_cast<size_t>(pair.a)],
                        &taker = planning.problem.items[static_cast<size_t>(pair.b)];
    // Instants 2s and 2s + 1 of step s: the giver ends at 2s + 1, where the taker begins.
    EXPECT_EQ(giver.end, 2 * planning.sharings[k].step + 1) << giver.id;
    EXPECT_EQ(taker.first, giver.end) << taker.id;
  }
}

TEST(Planning, WithoutASharingTheTwoMeet) {
  const Analysis analysis = analyze_ok(kChain, sharing(true, true, true));
  ASSERT_FALSE(analysis.planning.sharings.empty());
  const int giver = analysis.planning.item_of[analysis.planning.sharings[0].giver.pos()],
            taker = analysis.planning.item_of[analysis.planning.sharings[0].taker.pos()];
  const Planning apart = without_pairs(analysis.planning, {analysis.planning.sharings[0].pair});
  EXPECT_EQ(apart.problem.pairs.size() + 1, analysis.planning.problem.pairs.size());
  EXPECT_GT(apart.problem.items[static_cast<size_t>(giver)].end, apart.problem.items[static_cast<size_t>(taker)].first);
}

// The state is read first and written last; in between two buffers of its size are needed.
constexpr const char* kForgetful = R"(g (float[1, 64] x, float[1, 64] s) => (float[1, 64] y, float[1, 64] s_out) {
    a = Add(x, s)  b = Softmax(a)  c = Mul(a, b)  y = Softmax(c)  s_out = Softmax(y) })";

TEST(Planning, WhatIsBetweenTheUsesOfAStateMayLieInItsBytes) {
  CompileOptions options;
  const Analysis plain = analyze_ok(kForgetful, options);
  options.states = {{"s_out", "s"}};
  const Analysis kept = analyze_ok(kForgetful, options);
  EXPECT_LE(kept.plan.arena, plain.plan.arena);
  const BufferId state = kept.storage[kept.program.states[0]].buffer;
  const StateGap& gap = kept.planning.lives[state.pos()].gap;
  EXPECT_TRUE(gap.exists);
  EXPECT_LT(gap.first, gap.end);
  EXPECT_EQ(kept.planning.problem.items[static_cast<size_t>(kept.planning.item_of[state.pos()])].gaps.size(), 1u);
}

// A step that reads a state and writes the next one leaves none; what is read behind the write is the next one.
TEST(Planning, TheGapOfAStateEndsWhereItIsWritten) {
  CompileOptions options;
  options.states = {{"s_out", "s"}};
  const auto gap_of_state = [&](const char* text) {
    const Analysis kept = analyze_ok(text, options);
    EXPECT_EQ(kept.program.epilogue.size(), 0u) << text;
    return kept.planning.lives[kept.storage[kept.program.states[0]].buffer.pos()].gap;
  };
  EXPECT_FALSE(gap_of_state(R"(g (float[1, 64] x, float[1, 64] s) => (float[1, 64] y, float[1, 64] s_out) {
      a = Softmax(x)  s_out = Mul(a, s)  y = Softmax(s_out) })")
                   .exists);
  const StateGap behind = gap_of_state(R"(g (float[1, 64] x, float[1, 64] s) => (float[1, 64] y, float[1, 64] s_out) {
      a = Mul(x, s)  b = Softmax(a)  c = Mul(a, b)  s_out = Softmax(c)  y = Softmax(s_out) })");
  EXPECT_TRUE(behind.exists);
  EXPECT_LT(behind.last_reader, behind.end);
  EXPECT_LT(behind.first, behind.end);
}

// What is made in a state's bytes becomes the next state there: two sharings, one pair.
TEST(Planning, AStateIsHandedOnAndComesBack) {
  CompileOptions options;
  options.states = {{"s_out", "s"}};
  const Analysis kept = analyze_ok(R"(g (float[1, 64] x, float[1, 64] s) => (float[1, 64] s_out) {
      a = Mul(s, x)  b = Sigmoid(a)  c = Add(a, b)  s_out = Sigmoid(c) })",
                                   options);
  EXPECT_EQ(kept.program.epilogue.size(), 0u);
  EXPECT_LE(kept.plan.arena, 3 * 256);
  const std::vector<Sharing>& sharings = kept.planning.sharings;
  for (const Sharing& sharing : sharings) EXPECT_LT(sharing.pair, kept.planning.problem.pairs.size());
}

// Of a state that is written in some step, only what the next run needs stands from step 1 until then.
TEST(Planning, BetweenRunsAStateHoldsTheBytesThatAreNeeded) {
  CompileOptions options;
  options.states = {{"s_out", "s"}};
  const auto part_of = [&](const char* text) {
    const Analysis kept = analyze_ok(text, options);
    program::Program program = kept.program;
    program.kept[0].needed = program::Span{64, 128};
    const Planning planning = make_planning(program, kept.storage, kept.schedule, {});
    return planning.lives[kept.storage[program.states[0]].buffer.pos()].part;
  };
  const auto late = part_of(kForgetful);
  ASSERT_TRUE(late);
  EXPECT_EQ(late->first, 1);
  EXPECT_EQ(late->end, 4);
  EXPECT_EQ(late->first_byte, 64);
  EXPECT_EQ(late->end_byte, 128);
  // Written in step 1 there is no step between.
  EXPECT_FALSE(
      part_of("g (float[1, 64] x, float[1, 64] s) => (float[1, 64] s_out) { a = Softmax(x)  s_out = Mul(a, s) }"));
}

// At two sizes other bytes of a state may be free, so that all of it stands at both.
TEST(Planning, OfAStateOfSeveralSizesAllStands) {
  CompileOptions options;
  options.states = {{"s_out", "s"}};
  const Analysis kept = analyze_ok(kForgetful, options);
  const size_t state = kept.storage[kept.program.states[0]].buffer.pos();
  program::Program large = kept.program, small = kept.program;
  large.kept[0].needed = program::Span{64, 128};
  small.kept[0].needed = program::Span{0, 64};
  const PlanningOptions alone, both{{}, 16, 0, {{&small, &kept.storage}}};
  const Planning one = make_planning(large, kept.storage, kept.schedule, alone),
                 two = make_planning(large, kept.storage, kept.schedule, both);
  const auto gaps = [&](const Planning& p) { return p.problem.items[static_cast<size_t>(p.item_of[state])].gaps; };
  EXPECT_TRUE(one.lives[state].part);
  EXPECT_FALSE(gaps(one).empty());
  EXPECT_FALSE(two.lives[state].part);
  EXPECT_TRUE(gaps(two).empty());
  // The time in which nothing of it has to stand is the same at all sizes.
  EXPECT_EQ(gaps(make_planning(kept.program, kept.storage, kept.schedule, both)),
            gaps(make_planning(kept.program, kept.storage, kept.schedule, alone)));
}

// At two sizes that are the same nothing is forbidden that is not at one.
TEST(Planning, OfASizeTwiceIsThatOfOne) {
  CompileOptions options;
  options.states = {{"s_out", "s"}};
  for (const char* text :
       {R"(g (float[1, 64] x, float[1, 64] s) => (float[1, 64] s_out) { a = Mul(s, x)  s_out = Sigmoid(a) })",
        R"(g (float[1, 64] x, float[1, 64] s) => (float[1, 64] s_out) {
          a = Mul(s, x)  b = Sigmoid(a)  c = Add(a, b)  s_out = Sigmoid(c) })",
        R"(g (float[1, 64] x, float[1, 64] s) => (float[1, 64] y, float[1, 64] s_out) {
          a = Softmax(s)  s_out = Softmax(a)  b = Softmax(x)  y = Add(b, x) })",
        kForgetful}) {
    const Analysis kept = analyze_ok(text, options);
    PlanningOptions twice;
    twice.sizes = {{&kept.program, &kept.storage}};
    const Planning one = make_planning(kept.program, kept.storage, kept.schedule, {}),
                   two = make_planning(kept.program, kept.storage, kept.schedule, twice);
    EXPECT_TRUE(one.problem == two.problem) << text;
    EXPECT_EQ(one.sharings.size(), two.sharings.size()) << text;
  }
}

// One plan for two sizes: a sharing that one of them has not is not in it, and others of its step stay.
TEST(Planning, WhatIsSharedAtOneSizeOnlyIsNot) {
  const Analysis analysis = analyze_ok(R"(g (float[1, 64] x) => (float[1, 64] y) {
      a = Softmax(x)  b = Sigmoid(x)  c = Mul(a, b)  d = Sigmoid(c)  e = Softmax(c)  y = Mul(d, e) })",
                                       sharing(false, true, true));
  const std::vector<Sharing>& all = analysis.planning.sharings;
  ASSERT_GE(all.size(), 4u);
  int several = 0;
  for (const Sharing& lost : all) {
    program::Program other = analysis.program;
    for (program::Argument& a :
         other.operations[analysis.schedule.steps[static_cast<size_t>(lost.step)].operation.pos()].arguments) {
      if (a.role == program::Argument::Role::read && analysis.storage[a.tensor].buffer == lost.giver) a.walk.reset();
    }
    PlanningOptions options;
    options.sizes = {{&other, &analysis.storage}};
    const Planning both = make_planning(analysis.program, analysis.storage, analysis.schedule, options);
    EXPECT_EQ(both.sharings.size() + 1, all.size());
    for (const Sharing& kept : both.sharings) {
      EXPECT_FALSE(kept.giver == lost.giver && kept.taker == lost.taker && kept.step == lost.step);
      several += kept.step == lost.step;
    }
  }
  EXPECT_GE(several, 2);
}

// Nothing runs: each input still has bytes of its own, which the caller writes. So has one that no step reads.
TEST(Planning, InputsStandApartWhereNothingRuns) {
  program::Program program;
  for (const char* name : {"x", "unread"}) {
    program::Tensor t;
    t.name = name;
    t.kind = program::Kind::input;
    t.geometry = {1, 1, 4};
    t.type = {DType::int8, Shape{1, 4}};
    program.inputs.push_back(TensorId(program.tensors.size()));
    program.tensors.push_back(std::move(t));
  }
  program.outputs = {program.inputs[0]};
  const Planning planning = make_planning(program, assign_storage(program, {}, false), {}, {});
  ASSERT_EQ(planning.problem.items.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(planning.problem.items[i].first, 0);
    EXPECT_EQ(planning.problem.items[i].end, 1);
    EXPECT_EQ(planning.lives[i].first, 0);
    EXPECT_EQ(planning.lives[i].end, 0);
  }
  program.operations.resize(1);
  program.main = {program::OperationId(size_t{0})};
  schedule::Schedule schedule;
  schedule.steps.push_back({program.main[0], 0, 1, -1, 1});
  const Planning one = make_planning(program, assign_storage(program, {}, false), schedule, {});
  ASSERT_EQ(one.problem.items.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(one.problem.items[i].first, 0);
    EXPECT_EQ(one.problem.items[i].end, i == 0 ? 3 : 2);
    EXPECT_EQ(one.lives[i].first, 0);
    EXPECT_EQ(one.lives[i].end, 1);
  }
}

TEST(Planning, ReshapesAreViews) {
  constexpr const char* text = R"(g (float[2, 8] x) => (float[4, 4] y) <int64[2] to = {4, 4}> {
      a = Softmax(x)  b = Reshape(a, to)  y = Softmax(b) })";
  const Analysis views = analyze_ok(text, sharing(true, false, false)),
                 copies = analyze_ok(text, sharing(false, false, false));
  EXPECT_LT(views.storage.buffers.size(), copies.storage.buffers.size());
}

TEST(Planning, TheKnownBoundIsNoMoreThanTheArena) {
  for (const bool shared : {false, true}) {
    const Analysis analysis = analyze_ok(network(), sharing(shared, shared, shared));
    EXPECT_GT(analysis.planning.problem.known_bound, 0);
    EXPECT_LE(analysis.planning.problem.known_bound, analysis.plan.arena);
  }
}

}  // namespace
}  // namespace tarn::lifetimes
