// The validator catches each law when it is broken, alone, in an otherwise valid plan.
#include "planner/validate.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tarn::planner {
namespace {

Item item(const char* id, Instant first, Instant end, Bytes size) {
  Item out;
  out.id = id;
  out.first = first;
  out.end = end;
  out.size = size;
  return out;
}

// The example of problem.h, with a fixed and an aligned item and a pair that may overlap.
struct Sample {
  Problem problem;
  Plan plan;
  Sample() {
    problem.items = {item("A", 0, 2, 3), item("B", 1, 4, 2), item("C", 2, 4, 2), item("D", 5, 6, 4),
                     item("E", 6, 7, 4)};
    problem.items[1].offset = 3;
    problem.items[2].alignment = 2;
    problem.pairs = {{3, 4, {{-1, 4}}}};  // E from 1 below D, or behind it
    plan.offsets = {0, 3, 0, 1, 0};
    plan.arena = 5;
    plan.lower_bound = 5;
    plan.proof = Proof::optimal;
  }
  bool breaks(Law law) const {
    const auto found = validate(problem, plan);
    return !found.empty() && std::all_of(found.begin(), found.end(), [&](const Violation& v) { return v.law == law; });
  }
};

TEST(Validate, AcceptsTheSample) {
  const Sample s;
  EXPECT_TRUE(check_problem(s.problem).empty());
  EXPECT_TRUE(validate(s.problem, s.plan).empty());
}

TEST(Validate, Count) {
  Sample s;
  s.plan.offsets.pop_back();
  EXPECT_TRUE(s.breaks(Law::count));
}

TEST(Validate, MissingPlacementNeedsAReason) {
  Sample s;
  s.plan.offsets.clear();
  EXPECT_TRUE(s.breaks(Law::count));
  s.plan.proof = Proof::undecided;
  EXPECT_TRUE(validate(s.problem, s.plan).empty());
}

TEST(Validate, Negative) {
  Sample s;
  s.plan.offsets[4] = -1;
  s.plan.offsets[3] = 0;
  EXPECT_TRUE(s.breaks(Law::negative));
}

TEST(Validate, Alignment) {
  Sample s;
  s.plan.offsets[2] = 1;
  EXPECT_TRUE(s.breaks(Law::alignment));
}

TEST(Validate, FixedOffset) {
  Sample s;
  s.plan.offsets = {2, 0, 2, 1, 0};
  EXPECT_TRUE(s.breaks(Law::fixed_offset));
}

TEST(Validate, Overlap) {
  Sample s;
  s.plan.offsets[0] = 1;  // one byte into B
  EXPECT_TRUE(s.breaks(Law::overlap));
}

TEST(Validate, OverlapOfTheLastInstantOnly) {
  Sample s;
  s.problem.items[0].end = 3;  // now A meets C, which lies where A was
  EXPECT_TRUE(s.breaks(Law::overlap));
}

TEST(Validate, ForbiddenDifference) {
  Sample s;
  s.plan.offsets[3] = 0;  // E upon D
  EXPECT_TRUE(s.breaks(Law::forbidden_difference));
}

TEST(Validate, EndsOfForbiddenIntervalsAreAllowed) {
  Sample s;
  s.plan.offsets[3] = 0;
  s.plan.offsets[4] = 4;
  s.plan.arena = 8;
  s.plan.proof = Proof::best_found;
  EXPECT_TRUE(validate(s.problem, s.plan).empty());
  s.problem.pairs[0].forbidden[0].hi = 5;
  EXPECT_TRUE(s.breaks(Law::forbidden_difference));
}

TEST(Validate, PairReplacesTheRuleForItemsThatMeet) {
  Sample s;
  s.problem.items[4].first = 5;
  EXPECT_TRUE(validate(s.problem, s.plan).empty());
  s.problem.pairs.clear();
  EXPECT_TRUE(s.breaks(Law::overlap));
}

TEST(Validate, Arena) {
  Sample s;
  s.plan.arena = 6;
  s.plan.lower_bound = 5;
  s.plan.proof = Proof::best_found;
  EXPECT_TRUE(s.breaks(Law::arena));
}

TEST(Validate, Capacity) {
  Sample s;
  s.problem.capacity = 5;
  EXPECT_TRUE(validate(s.problem, s.plan).empty());
  s.problem.capacity = 4;
  EXPECT_TRUE(s.breaks(Law::capacity));
}

TEST(Validate, Bound) {
  Sample s;
  s.plan.lower_bound = 4;  // optimal, but not shown
  EXPECT_TRUE(s.breaks(Law::bound));
  s.plan.proof = Proof::best_found;
  EXPECT_TRUE(validate(s.problem, s.plan).empty());
  s.plan.lower_bound = 6;
  EXPECT_TRUE(s.breaks(Law::bound));
}

TEST(Validate, GapsFreeTheBytesTheyDoNotHold) {
  Problem problem;
  problem.items = {item("long", 0, 10, 8), item("guest", 4, 6, 8)};
  problem.items[0].gaps = {{4, 6, {}, {}}};
  Plan plan;
  plan.offsets = {0, 0};
  plan.arena = 8;
  EXPECT_TRUE(validate(problem, plan).empty());
  problem.items[0].gaps[0].first = 5;  // now both hold instant 4
  ASSERT_EQ(validate(problem, plan).size(), 1u);
  EXPECT_EQ(validate(problem, plan)[0].law, Law::overlap);
  problem.items[0].gaps = {{4, 6, 2, 4}};  // a window that stays in use
  EXPECT_EQ(validate(problem, plan).size(), 1u);
  plan.offsets[1] = 4;
  plan.arena = 12;
  EXPECT_TRUE(validate(problem, plan).empty());
}

TEST(CheckProblem, NamesEveryFault) {
  const auto faulty = [](auto change) {
    Sample s;
    change(s.problem);
    return check_problem(s.problem).size();
  };
  EXPECT_EQ(faulty([](Problem& p) { p.items[0].size = -1; }), 1u);
  EXPECT_EQ(faulty([](Problem& p) { p.items[0].end = -1; }), 1u);
  EXPECT_EQ(faulty([](Problem& p) { p.items[0].alignment = 0; }), 1u);
  EXPECT_EQ(faulty([](Problem& p) { p.items[2].offset = 3; }), 1u);
  EXPECT_EQ(faulty([](Problem& p) { p.items[0].offset = -2; }), 1u);
  EXPECT_EQ(faulty([](Problem& p) { p.items[1].gaps = {{0, 2, {}, {}}}; }), 1u);
  EXPECT_EQ(faulty([](Problem& p) { p.items[1].gaps = {{2, 3, {}, {}}, {1, 2, {}, {}}}; }), 1u);
  EXPECT_EQ(faulty([](Problem& p) { p.items[1].gaps = {{2, 3, 1, 9}}; }), 1u);
  EXPECT_EQ(faulty([](Problem& p) { p.items[1].gaps = {{2, 3, 1, {}}}; }), 1u);
  EXPECT_EQ(faulty([](Problem& p) { p.pairs[0].b = 9; }), 1u);
  EXPECT_EQ(faulty([](Problem& p) { p.pairs[0].b = 3; }), 1u);
  EXPECT_EQ(faulty([](Problem& p) { p.pairs[0].forbidden = {{0, 4}, {3, 5}}; }), 1u);
  EXPECT_EQ(faulty([](Problem& p) { p.pairs.push_back({4, 3, {}}); }), 1u);
  EXPECT_EQ(faulty([](Problem& p) { p.capacity = -1; }), 1u);
  EXPECT_EQ(faulty([](Problem& p) { p.items[0].size = p.items[1].size = int64_t{1} << 60; }), 1u);
  EXPECT_EQ(faulty([](Problem& p) { p.items[0].size = INT64_MAX; }), 1u);
  EXPECT_EQ(faulty([](Problem& p) { p.items[0].first = INT64_MIN; }), 1u);
}

}  // namespace
}  // namespace tarn::planner
