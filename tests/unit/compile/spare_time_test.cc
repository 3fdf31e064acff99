// Joined layers cost time: how much there may be of it, and that a budget in bytes comes first.
#include "stream/spare_time.h"

#include "stream/chain_cost.h"
#include "stream/grid.h"
#include "unit/compile/analysed.h"

namespace tarn {
namespace {

std::string ones(const std::string& name, const std::string& shape, int count) {
  std::string text = "float[" + shape + "] " + name + " = {1";
  for (int i = 1; i < count; ++i) text += ", 1";
  return text + "}";
}

// Wide in the middle: few of its pixels at a time take few bytes and much time.
std::string wide_in_the_middle() {
  return "g (float[1, 2, 36, 36] image) => (float[1, 2, 36, 36] y) <" + ones("u", "32, 2, 1, 1", 64) + ", " +
         ones("v", "32, 1, 3, 3", 288) + ", " + ones("w", "2, 32, 1, 1", 64) + R"(> {
    a = Conv(image, u)  b = Conv <group = 32, pads = [1, 1, 1, 1]>(a, v)  y = Conv(b, w) })";
}

stream::Plan lines(std::optional<int64_t> budget) {
  CompileOptions options;
  options.stream = {.mode = stream::Mode::fed, .drain = true};
  options.nhwc_inputs = options.nhwc_outputs = true;
  options.arena_budget = budget;
  return *analyze_ok(wide_in_the_middle(), options).stream;
}

TEST(SpareTime, ABudgetThatCanBeMetIsMet) {
  const int64_t least = lines(1).arena, quick = lines({}).arena;
  EXPECT_LT(least, quick);
  for (const int64_t budget : {least, (least + quick) / 2, quick}) EXPECT_LE(lines(budget).arena, budget);
}

TEST(SpareTime, WiderChunksCostLess) {
  CompileOptions options;
  options.stream.mode = stream::Mode::fed;
  options.nhwc_inputs = options.nhwc_outputs = true;
  const Analysis a = analyze_ok(wide_in_the_middle(), options);
  std::vector<stream::OperationId> order;
  for (const schedule::Step& step : a.schedule.steps) order.push_back(step.operation);
  std::vector<stream::Chain> chains = stream::find_chains(a.program, a.storage, order);
  ASSERT_EQ(chains.size(), 1u);
  const stream::Times times = stream::times_of(a.program);
  EXPECT_LT(times.by_layers, times.by_lines * 2);
  int64_t before = times.by_layers;
  for (const int64_t chunk : {2, 6, 12, 36}) {
    chains[0].chunk = chunk;
    const int64_t cost = stream::chain_cost(a.program, chains[0]);
    EXPECT_LT(cost, before) << chunk;
    before = cost;
  }
}

// What is made before the window stands where its input does: floats on their way to codes have no room there.
TEST(SpareTime, NothingIsJoinedAcrossTypes) {
  const std::string text =
      "g (float[1, 2, 12, 12] image) => (int8[1, 4, 12, 12] y) <" + ones("u", "4, 2, 1, 1", 8) +
      ", float s = {0.5}, int8 z = {0}, float[4] t = {0.5, 0.5, 0.5, 0.5}, int8[4] n = {0, 0, 0, 0}, " + "int8" +
      ones("v", "4, 4, 3, 3", 144).substr(5) + R"(> {
    a = Conv(image, u)  b = QuantizeLinear(a, s, z)  y = QLinearConv <pads = [1, 1, 1, 1]>(b, s, z, v, t, n, s, z) })";
  CompileOptions options;
  options.stream.mode = stream::Mode::fed;
  options.nhwc_inputs = options.nhwc_outputs = true;
  const Analysis a = analyze_ok(text, options);
  std::vector<stream::OperationId> order;
  for (const schedule::Step& step : a.schedule.steps) order.push_back(step.operation);
  for (const stream::Chain& chain : stream::find_chains(a.program, a.storage, order)) {
    for (size_t i = 0; i < chain.mid; ++i) {
      const auto type = [&](size_t at) { return a.program[stream::only_result(a.program[chain.operations[at]])].type; };
      EXPECT_EQ(type(i).dtype, type(chain.mid - 1).dtype);
    }
  }
  EXPECT_EQ(a.program[stream::only_result(a.program[order.front()])].type.dtype, DType::float32);
}

// Casts between types of other sizes are made pixel after pixel too.
TEST(SpareTime, CastsKnowWhereTheNextPixelLies) {
  CompileOptions options;
  options.stream.mode = stream::Mode::fed;
  options.nhwc_inputs = options.nhwc_outputs = true;
  const Analysis a = analyze_ok("g (float[1, 3, 8, 8] x) => (int64[1, 3, 8, 8] y) { y = Cast <to = 7>(x) }", options);
  int casts = 0;
  for (const program::Operation& operation : a.program.operations) {
    if (!operation.line_form || operation.line_form->params.type != "tarn_cast_params") continue;
    ++casts;
    for (const program::Field& field : operation.line_form->params.fields) {
      if (!field.name.ends_with("pitch")) continue;
      const auto* pitch = std::get_if<int64_t>(&field.value);
      EXPECT_TRUE(pitch && *pitch == 3) << field.name;
    }
  }
  EXPECT_EQ(casts, 1);
}

}  // namespace
}  // namespace tarn
