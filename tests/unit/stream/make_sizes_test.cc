// Plans of a network at several heights, which share their code.
#include "stream/make_sizes.h"

#include <gtest/gtest.h>

#include "property/stream/random_net.h"
#include "stream/make_plan.h"

namespace tarn::stream {
namespace {

// Layers that can be laid out in two ways at one height and in one way at another are not the same code.
TEST(Sizes, HaveAsManyWaysToLieInAll) {
  const Program program = RandomNet(3, RandomNet::none).make();
  const Layers layers{lifetimes::assign_storage(program, {}, false), program.main};
  Options options;
  options.mode = Mode::fed;
  const SearchLimits limits{.alignment = 4, .effort = 0};
  const auto made = [&](size_t first, size_t last) {
    return make_sizes({{&program, std::vector<Layers>(first, layers)}, {&program, std::vector<Layers>(last, layers)}},
                      options, limits);
  };
  const SizedPlans same = made(1, 1);
  EXPECT_EQ(same.obstacle, "");
  EXPECT_EQ(same.plans.size(), 2u);
  for (const auto& [first, last] : {std::pair<size_t, size_t>{2, 1}, {1, 2}}) {
    const SizedPlans other = made(first, last);
    EXPECT_EQ(other.obstacle, "parts of channels lie elsewhere");
    EXPECT_EQ(other.at, 0u);
    EXPECT_TRUE(other.plans.empty());
  }
  const std::vector<Layers> one(1, layers), two(2, layers);
  EXPECT_EQ(make_sizes({{&program, one}, {&program, two}, {&program, one}}, options, limits).at, 1u);
}

// Code that is shared finds the driver's state, with counters for the most lines, in as much room at each height.
TEST(Sizes, HaveRoomForTheLargest) {
  const auto network = [](int64_t lines) {
    Program program;
    for (int t = 0; t < 3; ++t) {
      program::Tensor& tensor = program.tensors.emplace_back();
      tensor.name = "t" + std::to_string(t);
      tensor.kind = t == 0 ? program::Kind::input : t == 2 ? program::Kind::output : program::Kind::activation;
      tensor.geometry = {lines, 2, 3};
      tensor.type = {DType::int8, Shape{1, lines, 2, 3}};
    }
    for (size_t t = 0; t < 2; ++t) {
      program::Operation& o = program.operations.emplace_back();
      o.kernel = o.op = "Relu";
      program::Walk walk;
      walk.identity = walk.read_before_write = true;
      o.arguments = {{.role = program::Argument::Role::read, .tensor = TensorId(t), .walk = walk},
                     {.role = program::Argument::Role::write, .tensor = TensorId(t + 1)}};
      o.line_form.emplace();
      program.main.push_back(OperationId(t));
    }
    program.inputs = {TensorId(size_t{0})};
    program.outputs = {TensorId(size_t{2})};
    return program;
  };
  const Program small = network(40), large = network(300);
  Options options;
  options.mode = Mode::fed;
  options.drain = true;
  const auto layers = [](const Program& p) {
    return std::vector<Layers>{{lifetimes::assign_storage(p, {}, false), p.main}};
  };
  const SizedPlans made =
      make_sizes({{&small, layers(small)}, {&large, layers(large)}}, options, {.alignment = 4, .effort = 0});
  ASSERT_EQ(made.obstacle, "");
  ASSERT_EQ(made.plans.size(), 2u);
  const auto bytes = [](const LinePlan& plan) { return plan.memories[static_cast<size_t>(plan.driver)].line_bytes; };
  EXPECT_EQ(bytes(made.plans[0]), bytes(made.plans[1]));
  EXPECT_GT(bytes(made.plans[1]), driver_bytes(made.plans[0].actors.size(), 40, Mode::fed));
}

}  // namespace
}  // namespace tarn::stream
