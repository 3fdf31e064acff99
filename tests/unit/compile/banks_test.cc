// Several memories, from the graph to the plan: every bank valid by itself, its rules kept, the whole as cheap as it
// can be.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "plan_layers.h"
#include "planner/validate.h"
#include "support/text.h"
#include "unit/compile/analysed.h"

namespace tarn {
namespace {

CompileOptions with(std::vector<lifetimes::Bank> banks) {
  CompileOptions options;
  options.memory.banks = std::move(banks);
  return options;
}

int bank_of(const Analysis& a, const std::string& tensor) {
  for (size_t t = 0; t < a.program.tensors.size(); ++t) {
    const int item = a.planning.item_of[a.storage.places[t].buffer.pos()];
    if (a.program.tensors[t].name == tensor && item >= 0) return a.banked->bank_of[static_cast<size_t>(item)];
  }
  ADD_FAILURE() << "no tensor " << tensor;
  return -1;
}

void check(const Analysis& a) {
  ASSERT_TRUE(a.banked);
  const auto& banks = a.options.memory.banks;
  ASSERT_EQ(a.banked->plans.size(), banks.size());
  int64_t sum = 0, cost = 0, base = 0;
  for (size_t b = 0; b < banks.size(); ++b) {
    const lifetimes::BankPlan& plan = a.banked->plans[b];
    EXPECT_EQ(plan.base, base);
    EXPECT_LE(plan.lower_bound, plan.arena);
    if (a.banked->fits) {
      EXPECT_LE(plan.arena, banks[b].bytes);
    }
    for (size_t i = 0; i < a.planning.items.size(); ++i) {
      if (a.banked->bank_of[i] != static_cast<int>(b)) continue;
      EXPECT_GE(a.plan.offsets[i], base);
      EXPECT_LE(a.plan.offsets[i] + a.storage[a.planning.items[i]].bytes, base + plan.arena);
      EXPECT_EQ((a.plan.offsets[i] - base) % a.options.alignment, 0);
    }
    sum += plan.arena;
    cost += plan.traffic * static_cast<int64_t>(b);
    base += (plan.arena + a.options.alignment - 1) / a.options.alignment * a.options.alignment;
  }
  EXPECT_EQ(a.plan.arena, sum);
  EXPECT_EQ(a.banked->cost, cost);
  EXPECT_LE(a.banked->cost_bound, cost);
}

TEST(Banks, RoomForAllInTheFirst) {
  const Analysis one = analyze_ok(network()),
                 two = analyze_ok(network(), with({{"fast", 1 << 20, "", true}, {"slow", 1 << 20, "", true}}));
  check(two);
  EXPECT_EQ(two.plan.arena, one.plan.arena);
  EXPECT_EQ(two.banked->plans[1].arena, 0);
  EXPECT_EQ(two.banked->cost, 0);
}

TEST(Banks, ValidAtEverySize) {
  const int64_t arena = analyze_ok(network()).plan.arena;
  int divided = 0;
  for (int share = 0; share < 8; ++share) {
    for (int64_t fast = 0; fast < arena; fast += arena / 6) {
      CompileOptions options =
          with({{"fast", fast, ".fast", share % 2 == 0}, {"slow", 16384, "", true}, {"far", 16384, "", true}});
      options.share = {(share & 1) != 0, (share & 2) != 0, (share & 4) != 0};
      options.caller_io = share == 3;
      SCOPED_TRACE(testing::Message() << "share " << share << " fast " << fast);
      const Analysis a = analyze_ok(network(), options);
      check(a);
      EXPECT_TRUE(a.banked->fits);
      EXPECT_EQ(a.banked->proof, planner::Proof::optimal);
      divided += a.banked->plans[0].arena > 0 && a.banked->plans[1].arena > 0;
    }
  }
  EXPECT_GT(divided, 10);
}

TEST(Banks, MoreRoomNeverCostsMore) {
  int64_t before = INT64_MAX;
  for (int64_t fast = 0; fast <= 2048; fast += 128) {
    const Analysis a = analyze_ok(network(), with({{"fast", fast, "", true}, {"slow", 16384, "", true}}));
    EXPECT_LE(a.banked->cost, before) << fast;
    before = a.banked->cost;
  }
}

TEST(Banks, RulesAreKept) {
  const Analysis a = analyze_ok(network(), with({{"fast", 1 << 20, "", false}, {"slow", 1 << 20, "", true}}));
  check(a);
  EXPECT_EQ(bank_of(a, "image"), 1);
  EXPECT_EQ(bank_of(a, "scores"), 1);
  EXPECT_GT(a.banked->plans[0].arena, 0);
  CompileOptions pinned = with({{"fast", 1 << 20, "", true}, {"slow", 1 << 20, "", true}});
  pinned.memory.pins = {{"k", "slow"}, {"image", "fast"}};
  const Analysis b = analyze_ok(network(), pinned);
  EXPECT_EQ(bank_of(b, "k"), 1);
  EXPECT_EQ(bank_of(b, "image"), 0);
}

// All that there is lies with the caller.
TEST(Banks, WithNothingToDivide) {
  CompileOptions options = with({{"fast", 100, "", true}, {"slow", 100, "", true}});
  options.caller_io = true;
  const Analysis a = analyze_ok("g (float[4] x) => (float[4] y) { y = Relu(x) }", options);
  check(a);
  EXPECT_TRUE(a.banked->fits);
  EXPECT_EQ(a.plan.arena, 0);
  EXPECT_TRUE(a.planning.items.empty());
}

TEST(Banks, FaultsOfTheUser) {
  using Faults = std::vector<std::pair<std::string, std::string>>;  // code, tensor
  auto faults = [](const Result<Analysis>& result) {
    Faults all;
    if (result) return all;
    for (const Diagnostic& d : result.faults()) all.emplace_back(d.code, d.where.tensor);
    return all;
  };
  CompileOptions options = with({{"fast", 1 << 20, "", false}});
  EXPECT_EQ(faults(try_analyze(network(), options)), (Faults{{"E306", "image"}, {"E306", "scores"}}));
  options.memory.banks.push_back({"slow", 1 << 20, "", true});
  options.memory.pins = {{"image", "fast"}, {"nobody", "slow"}};
  EXPECT_EQ(faults(try_analyze(network(), options)), (Faults{{"E306", "image"}, {"E209", "nobody"}}));
  options.memory.pins = {{"k", "nowhere"}, {"k", "slow"}};
  EXPECT_EQ(faults(try_analyze(network(), options)), (Faults{{"E209", "k"}}));
  // A reshape lies in its source: both in one bank.
  options.memory.pins = {{"f", "fast"}, {"h", "slow"}};
  EXPECT_EQ(faults(try_analyze(network(), options)), (Faults{{"E306", "h"}}));
}

TEST(Banks, WhatDoesNotFitIsStillPlanned) {
  const Analysis a = analyze_ok(network(), with({{"fast", 64, "", true}, {"slow", 128, "", true}}));
  check(a);
  EXPECT_FALSE(a.banked->fits);
  EXPECT_TRUE(a.banked->proved);
}

// What no plan goes below is a proof where all banks together are smaller, not where they are just as large.
TEST(Banks, AFloorThatTheyHoldProvesNothing) {
  const Analysis a = analyze_ok(network());
  lifetimes::BankRequest request;
  request.allowed.assign(a.planning.items.size(), 3);
  request.planning = {a.options.share, a.options.alignment, 0, {}};
  const auto proved = [&](int64_t floor) {
    request.floor = floor;
    return lifetimes::plan_banks(a.program, a.storage, a.schedule, a.planning, request).proved;
  };
  int open = 0;
  for (int64_t both = a.plan.arena / 2; both <= a.plan.arena; both += 96) {
    for (int64_t fast = 96; fast <= both / 2; fast += 96) {
      request.banks = {{"fast", fast, "", true}, {"slow", both - fast, "", true}};
      if (proved(0)) continue;
      ++open;
      EXPECT_FALSE(proved(both)) << fast << " of " << both;
      EXPECT_TRUE(proved(both + 1)) << fast << " of " << both;
    }
  }
  EXPECT_GT(open, 0);
}

TEST(Banks, TheSameTwice) {
  const CompileOptions options = with({{"fast", 700, "", true}, {"slow", 4096, "", true}});
  EXPECT_EQ(analyze_ok(network(), options).plan.offsets, analyze_ok(network(), options).plan.offsets);
}

}  // namespace
}  // namespace tarn
