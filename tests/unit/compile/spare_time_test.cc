// Joined layers cost time: how much there may be of it, and that a budget in bytes comes first.
#include "stream/joining/spare_time.h"

#include "stream/cost/chain_cost.h"
#include "stream/network/net.h"
#include "stream/schedule/search.h"
#include "unit/compile/joined.h"

namespace tarn {
namespace {

// Wide in the middle: few of its pixels at a time take few bytes and much time.
std::string wide_in_the_middle() {
  return "g (float[1, 2, 36, 36] image) => (float[1, 2, 36, 36] y) <" + ones("u", "32, 2, 1, 1", 64) + ", " +
         ones("v", "32, 1, 3, 3", 288) + ", " + ones("w", "2, 32, 1, 1", 64) + R"(> {
    a = Conv(image, u)  b = Conv <group = 32, pads = [1, 1, 1, 1]>(a, v)  y = Conv(b, w) })";
}

Analysis planned(std::optional<int64_t> budget) {
  CompileOptions options;
  options.stream = {.mode = stream::Mode::fed, .drain = true};
  options.nhwc_inputs = options.nhwc_outputs = true;
  options.arena_budget = budget;
  return analyze_ok(wide_in_the_middle(), options);
}

stream::LinePlan lines(std::optional<int64_t> budget) { return *planned(budget).stream; }

TEST(SpareTime, ABudgetThatCanBeMetIsMet) {
  const int64_t least = lines(1).arena, quick = lines({}).arena;
  EXPECT_LT(least, quick);
  for (const int64_t budget : {least, (least + quick) / 2, quick}) EXPECT_LE(lines(budget).arena, budget);
}

// Pixels that are worked on at a time; 0: the layers are not joined.
int64_t chunk_of(const stream::LinePlan& plan) {
  for (const stream::Actor& actor : plan.actors) {
    if (actor.line_buffer) return actor.line_buffer->chunk;
  }
  return 0;
}

// Bytes that a budget leaves are spent on fewer calls.
TEST(SpareTime, ABudgetWidensChunks) {
  const int64_t least = lines(1).arena, quick = lines({}).arena;
  const int64_t narrow = chunk_of(lines(least)), wide = chunk_of(lines((least + quick) / 2));
  EXPECT_GT(narrow, 0);
  EXPECT_GT(wide, narrow);
}

// Where a chunk fits a budget, the plan for that budget takes no more time.
TEST(SpareTime, NothingThatFitsABudgetIsFaster) {
  const Analysis a = planned({});
  std::vector<stream::Chain> chains = chains_of(a);
  ASSERT_EQ(chains.size(), 1u);
  std::vector<stream::OperationId> order;
  for (const schedule::Step& step : a.schedule.steps) order.push_back(step.operation);
  int joined = 0;
  const stream::Costs costs = stream::estimated_costs(a.program);
  for (const int64_t chunk : {3, 5, 9, 15, 27}) {
    chains[0].chunk = chunk;
    const int64_t cost = costs.of_chain(chains[0]);
    const stream::Net net = stream::make_net(a.program, a.storage, order, a.options.stream, chains);
    stream::Work work{0, INT64_MAX};
    const int64_t arena =
        stream::search_cuts(net, a.options.stream.lines, {a.options.alignment, 1}, INT64_MAX, work).plan.arena;
    const int64_t taken = chunk_of(lines(arena));
    if (taken == 0) continue;  // not joined
    ++joined;
    chains[0].chunk = taken;
    EXPECT_LE(costs.of_chain(chains[0]), cost) << chunk << " in " << arena;
  }
  EXPECT_GT(joined, 0);
}

TEST(SpareTime, WiderChunksCostLess) {
  const Analysis a = fed_by_pixels(wide_in_the_middle());
  std::vector<stream::Chain> chains = chains_of(a);
  ASSERT_EQ(chains.size(), 1u);
  const stream::Costs costs = stream::estimated_costs(a.program);
  int64_t before = costs.times.by_layers;
  for (const int64_t chunk : {2, 6, 12, 36}) {
    chains[0].chunk = chunk;
    const int64_t cost = costs.of_chain(chains[0]);
    EXPECT_LT(cost, before) << chunk;
    before = cost;
  }
}

// Every layer is called for each chunk, so that one layer less costs less.
TEST(SpareTime, EachLayerCostsCallsForEachChunk) {
  const Analysis a = fed_by_pixels(wide_in_the_middle());
  std::vector<stream::Chain> chains = chains_of(a);
  ASSERT_EQ(chains.size(), 1u);
  ASSERT_EQ(chains[0].operations.size(), 3u);
  const stream::Costs costs = stream::estimated_costs(a.program);
  for (const int64_t chunk : {2, 6, 12}) {
    chains[0].chunk = chunk;
    stream::Chain shorter = chains[0];
    shorter.operations.pop_back();
    EXPECT_LT(costs.of_chain(shorter), costs.of_chain(chains[0])) << chunk;
  }
}

}  // namespace
}  // namespace tarn
