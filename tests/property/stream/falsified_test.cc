// Plans that are wrong somewhere: what runs wrong on tagged bytes is found by the checker, and what it says of fixed
// wrong plans is pinned word by word.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>

#include "false_plans.h"
#include "line_plan.h"
#include "property/digest.h"
#include "random_net.h"
#include "stream/check/check_plan.h"
#include "tag_executor.h"
#include "tower.h"

namespace tarn::stream {
namespace {

struct Planned {
  Program program;
  LinePlan plan;
};

// In each mode, drained or not.
std::vector<Planned> plans_of(const Program& program, uint64_t seed) {
  std::vector<Planned> all;
  const lifetimes::Storage storage = lifetimes::assign_storage(program, {}, false);
  std::vector<OperationId> order;
  for (OperationId id : program.main) {
    if (!storage.left_out[id.pos()]) order.push_back(id);
  }
  for (int kind = 0; kind < 4; ++kind) {
    Options options;
    options.mode = kind % 2 == 0 ? Mode::resident : Mode::fed;
    options.drain = kind / 2 == 1;
    options.lines = seed % 2 == 0 ? Lines::ring : Lines::table;
    options.line_buffers = seed % 3 != 0;
    Planned made{program, make_plan(program, layers_of(program, storage, order, {}), options, {4, 0})};
    EXPECT_TRUE(check_plan(program, made.plan).empty()) << "seed " << seed;
    all.push_back(std::move(made));
  }
  return all;
}

std::vector<Planned> planned_networks(uint64_t first_seed, uint64_t count, RandomNet::Joins joins) {
  std::vector<Planned> all;
  for (uint64_t seed = first_seed; seed < first_seed + count; ++seed) {
    for (Planned& made : plans_of(RandomNet(seed, joins).make(), seed)) all.push_back(std::move(made));
  }
  return all;
}

bool within_the_arena(const LinePlan& plan) {
  for (const Memory& memory : plan.memories) {
    for (int64_t line = 0; line < memory.slots; ++line) {
      const int64_t at = memory.address(line);
      if (memory.line_bytes > 0 && (at < 0 || at + memory.line_bytes > plan.arena)) return false;
    }
  }
  return true;
}

TEST(FalsePlans, WhatRunsWrongIsFound) {
  Random random(51);
  int wrong = 0, told = 0, right = 0;
  for (const auto joins : {RandomNet::none, RandomNet::of_parts, RandomNet::dense, RandomNet::stacked}) {
    for (const Planned& made : planned_networks(800, 3, joins)) {
      for (int t = 0; t < 40; ++t) {
        LinePlan plan = made.plan;
        if (!(t % 4 == 0 ? reorder(random, plan) : misplace(random, plan)) || !within_the_arena(plan)) continue;
        const bool found = !check_plan(made.program, plan).empty();
        told += found;
        right += !found;
        if (TagExecutor(made.program, plan).run() == 0) continue;
        ++wrong;
        ASSERT_TRUE(found) << "plan " << t << "\n" << dump(made.program);
      }
    }
  }
  EXPECT_GT(wrong, 200);
  EXPECT_GT(right, 50);
  EXPECT_GT(wrong, told * 7 / 10) << "of what is told, most is wrong";
}

// A kernel that takes all lines at once may have scratch, which is none of what it reads and in nobody's way.
TEST(FalsePlans, ScratchOfWholeKernels) {
  int found = 0;
  for (uint64_t seed = 860; seed < 862; ++seed) {
    Program program = RandomNet(seed, RandomNet::none).make();
    const OperationId last = program.main.back();
    program.operations[last.pos()].line_form.reset();
    program::Tensor scratch;
    scratch.name = "scratch";
    scratch.kind = program::Kind::scratch;
    scratch.geometry = {1, 1, 24};
    scratch.type = {DType::int8, Shape{24}};
    program.tensors.push_back(scratch);
    program::Argument argument;
    argument.role = program::Argument::Role::scratch;
    argument.tensor = TensorId(program.tensors.size() - 1);
    program.operations[last.pos()].arguments.push_back(argument);
    for (const Planned& made : plans_of(program, seed)) {
      const int memory = made.plan.views[argument.tensor.pos()].memory;
      ASSERT_GE(memory, 0);
      for (int64_t at = 0; at + 24 <= made.plan.arena; at += 20) {
        LinePlan plan = made.plan;
        plan.memories[Z(memory)].base = at;
        const bool told = !check_plan(program, plan).empty();
        found += told;
        if (TagExecutor(program, plan).run() != 0) {
          EXPECT_TRUE(told) << at;
        }
      }
    }
  }
  EXPECT_GT(found, 8);
}

// Nor need each of its outputs be there.
TEST(FalsePlans, WholeKernelsWithoutAnOutput) {
  for (uint64_t seed = 860; seed < 862; ++seed) {
    Program program = RandomNet(seed, RandomNet::none).make();
    program::Operation& last = program.operations[program.main.back().pos()];
    last.line_form.reset();
    for (const auto role : {program::Argument::Role::write, program::Argument::Role::update}) {
      program::Argument absent;
      absent.role = role;
      last.arguments.push_back(absent);
    }
    for (const Planned& made : plans_of(program, seed))
      EXPECT_TRUE(check_plan(made.program, made.plan).empty()) << seed;
  }
}

// What an actor keeps from step to step, or has while a step runs, wherever it lies.
TEST(FalsePlans, MemoryOfActors) {
  std::map<std::string, int> found;
  std::vector<Planned> all = planned_networks(700, 2, RandomNet::none);
  for (const uint64_t seed : {1u, 2u, 4u, 5u}) {
    for (Planned& made : plans_of(Tower(seed).program, seed)) all.push_back(std::move(made));
  }
  for (const Planned& made : all) {
    for (const Memory& memory : made.plan.memories) {
      if (memory.holds == Memory::Holds::tensor || memory.line_bytes == 0) continue;
      const auto which = static_cast<size_t>(&memory - made.plan.memories.data());
      for (int64_t at = 0; at + memory.lines * memory.line_bytes <= made.plan.arena; at += 1 + made.plan.arena / 8) {
        LinePlan plan = made.plan;
        plan.memories[which].base = at;
        const std::vector<std::string> faults = check_plan(made.program, plan);
        for (const std::string& fault : faults) ++found[fault.substr(fault.find(": ") + 1)];
        if (TagExecutor(made.program, plan).run() != 0) {
          EXPECT_FALSE(faults.empty()) << which << " at " << at;
        }
      }
    }
  }
  for (const char* what : {"the history is overwritten", "the sums are overwritten", "scratch is overwritten",
                           "the driver's state is overwritten"})
    EXPECT_GT(std::count_if(found.begin(), found.end(),
                            [&](const auto& f) { return f.first.find(what) != std::string::npos; }),
              0)
        << what;
}

uint64_t findings(uint64_t seed, RandomNet::Joins joins, int* found) {
  Random random(seed);
  tarn::test::Digest digest;
  for (const Planned& made : planned_networks(seed, 3, joins)) {
    for (int t = 0; t < 150; ++t) {
      LinePlan plan = made.plan;
      for (int64_t times = 1 + random.below(2); times > 0; --times) falsify(random, plan);
      const std::vector<std::string> faults = check_plan(made.program, plan);
      *found += !faults.empty();
      digest.add(faults);
    }
  }
  return digest.value();
}

TEST(PinnedFindings, OfWrongPlans) {
  int found = 0;
  EXPECT_EQ(findings(820, RandomNet::none, &found), 12629273414974480092u);
  EXPECT_EQ(findings(830, RandomNet::of_parts, &found), 13932236772090788013u);
  EXPECT_EQ(findings(840, RandomNet::dense, &found), 5878731649454623148u);
  EXPECT_EQ(findings(850, RandomNet::stacked, &found), 13764070785615730354u);
  EXPECT_GT(found, 2000);
}

}  // namespace
}  // namespace tarn::stream
