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
  problem.items[0].gaps = {{2, 4, {}, {}}};  // all of it is in use again where the guest comes
  EXPECT_EQ(validate(problem, plan).size(), 1u);
}

// The only fault that a change makes in the sample; empty: none.
template <class Change>
std::string fault_after(Change change) {
  Sample s;
  change(s.problem);
  const std::vector<std::string> faults = check_problem(s.problem);
  EXPECT_LE(faults.size(), 1u);
  return faults.empty() ? "" : faults[0];
}

constexpr Bytes kMost = int64_t{1} << 60;

// Each with the last value that is right beside the first that is wrong.
TEST(CheckProblem, NamesTheFaultOfAnItem) {
  const auto at = [](int i, auto change) { return fault_after([&](Problem& p) { change(p.items[size_t(i)]); }); };
  EXPECT_EQ(at(0, [](Item& i) { i.size = 0; }), "");
  EXPECT_EQ(at(0, [](Item& i) { i.size = -1; }), "item 'A': its size is negative");
  EXPECT_EQ(at(0, [](Item& i) { i.end = i.first; }), "");
  EXPECT_EQ(at(0, [](Item& i) { i.end = i.first - 1; }), "item 'A': it ends before it begins");
  EXPECT_EQ(at(0, [](Item& i) { i.first = -2 * kMost; }), "");
  EXPECT_EQ(at(0, [](Item& i) { i.first = -2 * kMost - 1; }), "item 'A': its life is beyond 2^61");
  EXPECT_EQ(at(0, [](Item& i) { i.end = 2 * kMost + 1; }), "");
  EXPECT_EQ(at(0, [](Item& i) { i.end = 2 * kMost + 2; }), "item 'A': its life is beyond 2^61");
  EXPECT_EQ(at(0, [](Item& i) { i.alignment = 1; }), "");
  EXPECT_EQ(at(0, [](Item& i) { i.alignment = 0; }), "item 'A': its alignment is below 1");
  const std::string beyond = "item 'A': its size, alignment or offset is beyond 2^60";
  EXPECT_EQ(at(0, [](Item& i) { i.size = kMost; }), "the sizes add up to more than 2^60 bytes");
  EXPECT_EQ(at(0, [](Item& i) { i.size = kMost + 1; }), beyond);
  EXPECT_EQ(at(0, [](Item& i) { i.alignment = kMost; }), "the sizes add up to more than 2^60 bytes");
  EXPECT_EQ(at(0, [](Item& i) { i.alignment = kMost + 1; }), beyond);
  EXPECT_EQ(at(0, [](Item& i) { i.offset = kMost; }), "the sizes add up to more than 2^60 bytes");
  EXPECT_EQ(at(0, [](Item& i) { i.offset = kMost + 1; }), beyond);
  EXPECT_EQ(at(0, [](Item& i) { i.offset = -kMost - 1; }), beyond);
  EXPECT_EQ(at(0, [](Item& i) { i.offset = 0; }), "");
  EXPECT_EQ(at(0, [](Item& i) { i.offset = -1; }), "item 'A': its offset is negative");
  EXPECT_EQ(at(2, [](Item& i) { i.offset = 2; }), "");
  EXPECT_EQ(at(2, [](Item& i) { i.offset = 3; }), "item 'C': its offset is no multiple of its alignment");
}

TEST(CheckProblem, NamesTheFaultOfAGap) {
  const auto with = [](std::vector<Gap> gaps) {
    return fault_after([&](Problem& p) { p.items[1].gaps = std::move(gaps); });  // alive in [1, 4), 2 bytes
  };
  const std::string order = "item 'B': its gaps are not ascending, disjoint and within its life",
                    window = "item 'B': the window of a gap is not within the item",
                    end = "item 'B': the window of a gap has only one end";
  EXPECT_EQ(with({{1, 4, {}, {}}}), "");
  EXPECT_EQ(with({{0, 2, {}, {}}}), order);
  EXPECT_EQ(with({{3, 5, {}, {}}}), order);
  EXPECT_EQ(with({{2, 2, {}, {}}}), "");
  EXPECT_EQ(with({{3, 2, {}, {}}}), order);
  EXPECT_EQ(with({{1, 3, {}, {}}, {3, 4, {}, {}}}), "");
  EXPECT_EQ(with({{1, 3, {}, {}}, {2, 4, {}, {}}}), order);
  EXPECT_EQ(with({{2, 3, {}, {}}, {1, 2, {}, {}}}), order);
  EXPECT_EQ(with({{2, 3, 0, 2}}), "");
  EXPECT_EQ(with({{2, 3, 1, 1}}), "");
  EXPECT_EQ(with({{2, 3, -1, 2}}), window);
  EXPECT_EQ(with({{2, 3, 0, 3}}), window);
  EXPECT_EQ(with({{2, 3, 2, 1}}), window);
  EXPECT_EQ(with({{2, 3, 1, {}}}), end);
  EXPECT_EQ(with({{2, 3, {}, 1}}), end);
}

TEST(CheckProblem, NamesTheFaultOfAPair) {
  const auto between = [](int a, int b) { return fault_after([&](Problem& p) { p.pairs = {{a, b, {}}}; }); };
  const std::string items = "pair 0: its items are no two items of the problem";
  EXPECT_EQ(between(0, 4), "");
  EXPECT_EQ(between(4, 0), "");
  EXPECT_EQ(between(-1, 0), items);
  EXPECT_EQ(between(0, -1), items);
  EXPECT_EQ(between(5, 0), items);
  EXPECT_EQ(between(0, 5), items);
  EXPECT_EQ(between(3, 3), items);
  const auto with = [](std::vector<Forbidden> forbidden) {
    return fault_after([&](Problem& p) { p.pairs[0].forbidden = std::move(forbidden); });
  };
  const std::string order = "pair 0: its intervals are not ascending and disjoint",
                    beyond = "pair 0: an interval is beyond 2^60", sum = "the sizes add up to more than 2^60 bytes";
  EXPECT_EQ(with({{0, 4}, {4, 5}}), "");
  EXPECT_EQ(with({{0, 4}, {3, 5}}), order);
  EXPECT_EQ(with({{4, 4}}), "");
  EXPECT_EQ(with({{4, 3}}), order);
  EXPECT_EQ(with({{-kMost, 0}}), sum);
  EXPECT_EQ(with({{-kMost - 1, 0}}), beyond);
  EXPECT_EQ(with({{0, kMost}}), sum);
  EXPECT_EQ(with({{0, kMost + 1}}), beyond);
  EXPECT_EQ(fault_after([](Problem& p) { p.pairs.push_back({4, 3, {}}); }), "a pair of items is listed twice");
  EXPECT_EQ(fault_after([](Problem& p) {
              p.pairs.push_back({0, 1, {}});
              p.pairs.push_back({4, 3, {}});
            }),
            "a pair of items is listed twice");
  EXPECT_EQ(fault_after([](Problem& p) { p.pairs.push_back({4, 2, {}}); }), "");
}

TEST(CheckProblem, NamesTheFaultOfALimit) {
  EXPECT_EQ(fault_after([](Problem& p) { p.capacity = 0; }), "");
  EXPECT_EQ(fault_after([](Problem& p) { p.capacity = -1; }), "the capacity is negative");
  EXPECT_EQ(fault_after([](Problem& p) { p.known_bound = kMost; }), "");
  EXPECT_EQ(fault_after([](Problem& p) { p.known_bound = -1; }), "the known bound is out of range");
  EXPECT_EQ(fault_after([](Problem& p) { p.known_bound = kMost + 1; }), "the known bound is out of range");
}

// Sizes, alignments, fixed offsets and forbidden differences: the sample has 15 + 6 + 3 + 4 bytes of them.
TEST(CheckProblem, TheArithmeticStaysWithin64Bits) {
  const auto more = [](Bytes bytes) { return fault_after([&](Problem& p) { p.items[0].size += bytes; }); };
  EXPECT_EQ(more(kMost - 28), "");
  EXPECT_EQ(more(kMost - 27), "the sizes add up to more than 2^60 bytes");
  const auto fixed = [](Bytes bytes) { return fault_after([&](Problem& p) { p.items[0].offset = bytes; }); };
  EXPECT_EQ(fixed(kMost - 28), "");
  EXPECT_EQ(fixed(kMost - 27), "the sizes add up to more than 2^60 bytes");
  const auto aligned = [](Bytes bytes) { return fault_after([&](Problem& p) { p.items[0].alignment += bytes; }); };
  EXPECT_EQ(aligned(kMost - 28), "");
  EXPECT_EQ(aligned(kMost - 27), "the sizes add up to more than 2^60 bytes");
  const auto apart = [](Bytes lo, Bytes hi) {
    return fault_after([&](Problem& p) { p.pairs[0].forbidden = {{lo, hi}}; });
  };
  EXPECT_EQ(apart(-kMost + 24, 5), "");
  EXPECT_EQ(apart(-kMost + 23, 5), "the sizes add up to more than 2^60 bytes");
  EXPECT_EQ(apart(-5, kMost - 24), "");
  EXPECT_EQ(apart(-5, kMost - 23), "the sizes add up to more than 2^60 bytes");
  EXPECT_EQ(fault_after([](Problem& p) {
              for (Item& item : p.items) item.size = kMost;
            }),
            "the sizes add up to more than 2^60 bytes");
}

TEST(CheckProblem, TellsEveryFault) {
  Sample s;
  s.problem.items[0].size = s.problem.items[3].size = -1;
  s.problem.pairs = {{9, 0, {}}, {3, 4, {}}, {4, 3, {}}};
  s.problem.capacity = -1;
  s.problem.known_bound = -1;
  EXPECT_EQ(check_problem(s.problem).size(), 6u);
}

}  // namespace
}  // namespace tarn::planner
