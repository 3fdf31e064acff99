// The checker's view of a plan: who makes lines of a memory, and what shares bytes with what.
#include "stream/check/plan_reads.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "planner/random.h"

namespace tarn::stream {
namespace {

using program::Argument;
using program::Operation;
using Role = Argument::Role;

struct MadeTensors {
  explicit MadeTensors(size_t tensors) {
    for (size_t i = 0; i < tensors; ++i) {
      program::Tensor& t = program.tensors.emplace_back();
      t.geometry = {static_cast<int64_t>(2 + i), 1, 1};
      t.type = {DType::int8, Shape{1, t.geometry.lines, 1, 1}};
      plan.views.push_back({.memory = 0, .by_lines = true, .first_line = 0, .offset = 0, .pixel_pitch = 1});
    }
    plan.memories.resize(2);
  }

  OperationId operation(const std::vector<std::pair<Role, TensorId>>& arguments) {
    Operation& operation = program.operations.emplace_back();
    for (const auto& [role, tensor] : arguments) operation.arguments.push_back({.role = role, .tensor = tensor});
    return OperationId(program.operations.size() - 1);
  }

  void actor(Actor::What what, size_t tensor, std::vector<OperationId> operations) {
    Actor& actor = plan.actors.emplace_back();
    actor.what = what;
    actor.tensor = TensorId(tensor);
    actor.operations = std::move(operations);
  }

  // The actors that make each memory, with the tensors they make there.
  std::vector<std::vector<std::pair<size_t, size_t>>> producers() const {
    std::vector<std::vector<std::pair<size_t, size_t>>> found;
    for (const std::vector<Producer>& of : producers_of(program, plan)) {
      found.emplace_back();
      for (const Producer& producer : of) {
        found.back().emplace_back(producer.actor, producer.tensor.pos());
        EXPECT_EQ(producer.lines, (Span{0, program[producer.tensor].geometry.lines}));
      }
    }
    return found;
  }

  Program program;
  LinePlan plan;
};

using Pairs = std::vector<std::vector<std::pair<size_t, size_t>>>;

TEST(MadeLines, ComeFromFeedsAndWhatWritesOrUpdates) {
  MadeTensors net(7);
  const auto id = [](size_t tensor) { return TensorId(tensor); };
  net.plan.views[4].memory = 1;
  net.actor(Actor::What::feed, 0, {});
  net.actor(Actor::What::feed, 1, {net.operation({{Role::read, id(0)}, {Role::write, id(1)}})});
  const OperationId first = net.operation({{Role::read, id(1)}, {Role::write, id(2)}});
  net.actor(Actor::What::operation, 9, {first, net.operation({{Role::read, id(2)}, {Role::write, id(3)}})});
  net.actor(Actor::What::operation, 9,
            {net.operation({{Role::write, {}}, {Role::update, id(4)}, {Role::scratch, id(5)}, {Role::write, id(6)}})});
  net.actor(Actor::What::drain, 3, {});
  EXPECT_EQ(net.producers(), (Pairs{{{0, 0}, {1, 1}, {2, 3}, {3, 6}}, {{3, 4}}}));
  net.plan.views[0].memory = net.plan.views[6].memory = -1;  // nowhere
  EXPECT_EQ(net.producers(), (Pairs{{{1, 1}, {2, 3}}, {{3, 4}}}));
}

// Tensors in lines of as many pixels: either pixels side by side, or channels of each pixel.
TEST(SharedBytes, AreThoseOfALine) {
  int shared = 0, apart = 0;
  for (uint64_t seed = 1; seed <= 4000; ++seed) {
    planner::Random random(seed);
    MadeTensors net(2);
    const bool parts = random.below(2) == 0;
    const int64_t pitch = 2 + random.below(4), pixels = 1 + random.below(3);
    std::vector<std::set<int64_t>> bytes;
    for (size_t i = 0; i < 2; ++i) {
      program::Tensor& t = net.program.tensors[i];
      LineView& view = net.plan.views[i];
      t.type.dtype = seed % 3 == 0 ? DType::float32 : DType::int8;
      const int64_t channels = parts ? 1 + random.below(pitch) : pitch;
      t.geometry = {1, parts ? pixels : 1 + random.below(3), channels};
      view.pixel_pitch = pitch;
      view.offset = t.element_bytes() * (parts ? random.below(pitch - channels + 1) : pitch * random.below(4));
      bytes.emplace_back();
      for (int64_t p = 0; p < t.geometry.pixels; ++p) {
        for (int64_t b = 0; b < channels * t.element_bytes(); ++b)
          bytes.back().insert(view.offset + p * pitch * t.element_bytes() + b);
      }
    }
    bool common = false;
    for (const int64_t at : bytes[0]) common = common || bytes[1].contains(at);
    const TensorId a(size_t{0}), b(size_t{1});
    EXPECT_EQ(share_bytes(net.program, net.plan, a, b), common) << seed;
    EXPECT_EQ(share_bytes(net.program, net.plan, b, a), common) << seed;
    (common ? shared : apart)++;
    if (!parts || net.program[a].geometry.channels + net.program[b].geometry.channels == 2 * pitch) continue;
    // Of other pixels of the line the same is said, and all is shared where lines or pixels are not told apart.
    net.plan.views[0].offset += pitch * net.program[a].element_bytes();
    EXPECT_EQ(share_bytes(net.program, net.plan, a, b), common) << seed;
    LinePlan plan = net.plan;
    plan.views[1].by_lines = false;
    EXPECT_TRUE(share_bytes(net.program, plan, a, b) && share_bytes(net.program, plan, b, a));
    plan = net.plan;
    ++plan.views[1].pixel_pitch;
    EXPECT_TRUE(share_bytes(net.program, plan, a, b) && share_bytes(net.program, plan, b, a));
    plan.views[0].pixel_pitch = plan.views[1].pixel_pitch = 0;
    EXPECT_TRUE(share_bytes(net.program, plan, a, b));
  }
  EXPECT_GT(shared, 500);
  EXPECT_GT(apart, 500);
}

}  // namespace
}  // namespace tarn::stream
