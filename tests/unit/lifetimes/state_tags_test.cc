// Plans of networks with a state, run twice on bytes that know who wrote them: what a step reads is there, and so is
// the state when the next run begins.
#include <gtest/gtest.h>

#include <map>

#include "planner/random.h"
#include "support/text.h"
#include "unit/compile/analysed.h"

namespace tarn::lifetimes {
namespace {

using program::Argument;

// Layers of one size, one of which makes the next state.
std::string random_network(planner::Random& random) {
  std::vector<std::string> made{"x", "s"};
  std::string body;
  const auto layers = 3 + random.below(6), next = 1 + random.below(layers - 1);
  const auto some = [&] { return made[static_cast<size_t>(random.below(static_cast<int64_t>(made.size())))]; };
  for (int64_t i = 0; i < layers; ++i) {
    const std::string name = i == next ? "s_out" : i == layers - 1 ? "y" : cat("t", i);
    const std::string last = random.below(3) == 0 ? some() : made.back();
    switch (random.below(4)) {
      case 0: body += cat("  ", name, " = Softmax(", last, ")"); break;
      case 1: body += cat("  ", name, " = Mul(", last, ", ", some(), ")"); break;
      default: body += cat("  ", name, " = ", random.below(2) == 0 ? "Sigmoid(" : "Softmax(", last, ")");
    }
    made.push_back(name);
  }
  if (next == layers - 1) body += "  y = Softmax(s_out)";
  return cat("g (float[1, 64] x, float[1, 64] s) => (float[1, 64] y, float[1, 64] s_out) {", body, " }");
}

class TaggedArena {
 public:
  TaggedArena(const Analysis& analysis, std::vector<planner::Offset> offsets)
      : a_(analysis), offsets_(std::move(offsets)), tag_of_(analysis.program.tensors.size(), 0) {
    for (size_t i = 0; i < offsets_.size(); ++i)
      tags_.resize(std::max(tags_.size(), static_cast<size_t>(offsets_[i] + analysis.planning.problem.items[i].size)));
    for (TensorId id : analysis.program.states) write(id);
  }

  // How often something was read that was not there.
  int run() {
    int faults = 0;
    const auto read = [&](TensorId id) {
      for (size_t i = begin(id); i < begin(id) + size(id); ++i) {
        if (tags_[i] != tag_of_[id.pos()]) return ++faults, void();
      }
    };
    for (TensorId id : a_.program.inputs) write(id);
    std::vector<program::OperationId> steps;
    for (const schedule::Step& step : a_.schedule.steps) steps.push_back(step.operation);
    steps.insert(steps.end(), a_.program.epilogue.begin(), a_.program.epilogue.end());
    for (program::OperationId step : steps) {
      for (const Argument& argument : a_.program[step].arguments) {
        if (argument.tensor.valid() && argument.role == Argument::Role::read) read(argument.tensor);
      }
      for (const Argument& argument : a_.program[step].arguments) {
        if (argument.tensor.valid() && argument.role != Argument::Role::read) write(argument.tensor);
      }
    }
    for (TensorId id : a_.program.outputs) read(id);
    for (TensorId id : a_.program.states) read(id);
    return faults;
  }
  void write(TensorId id) {
    tag_of_[id.pos()] = ++last_;
    std::fill_n(tags_.begin() + static_cast<std::ptrdiff_t>(begin(id)), size(id), last_);
  }

 private:
  size_t begin(TensorId id) const {
    const Place& place = a_.storage[id];
    const int item = a_.planning.item_of[place.buffer.pos()];
    return static_cast<size_t>(offsets_[static_cast<size_t>(item)] + place.offset);
  }
  size_t size(TensorId id) const { return static_cast<size_t>(a_.program[id].bytes()); }

  const Analysis& a_;
  const std::vector<planner::Offset> offsets_;
  std::vector<int> tags_, tag_of_;
  int last_ = 0;
};

TEST(StateTags, WhatIsReadIsThere) {
  planner::Random random(31);
  int gaps = 0, handed_on = 0, pairs = 0;
  for (int round = 0; round < 400; ++round) {
    const std::string text = random_network(random);
    CompileOptions options;
    options.states = {{"s_out", "s"}};
    const Analysis analysis = analyze_ok(text, options);
    TaggedArena planned(analysis, analysis.plan.offsets);
    ASSERT_EQ(planned.run() + planned.run(), 0) << text;
    // Each pair that may stand at one place does so, and all else apart, whether that is worth anything or not.
    for (const planner::Pair& pair : analysis.planning.problem.pairs) {
      const bool over = std::none_of(pair.forbidden.begin(), pair.forbidden.end(),
                                     [](const planner::Forbidden& f) { return f.lo < 0 && 0 < f.hi; });
      if (!over) continue;
      std::vector<planner::Offset> offsets;
      planner::Offset end = 0;
      for (const planner::Item& item : analysis.planning.problem.items) {
        offsets.push_back(end);
        end += item.size;
      }
      offsets[static_cast<size_t>(pair.b)] = offsets[static_cast<size_t>(pair.a)];
      TaggedArena together(analysis, offsets);
      ASSERT_EQ(together.run() + together.run(), 0)
          << text << ": " << analysis.planning.problem.items[static_cast<size_t>(pair.a)].id << " and "
          << analysis.planning.problem.items[static_cast<size_t>(pair.b)].id;
      ++pairs;
    }
    const BufferId state = analysis.storage[analysis.program.states[0]].buffer;
    gaps += analysis.planning.lives[state.pos()].gap.exists;
    for (const Sharing& sharing : analysis.planning.sharings)
      handed_on += sharing.giver == state || sharing.taker == state;
  }
  EXPECT_GT(gaps, 100);
  EXPECT_GT(pairs, 300);
  EXPECT_GT(handed_on, 100);
}

}  // namespace
}  // namespace tarn::lifetimes
