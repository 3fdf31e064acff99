// Joined layers that make the lines under their windows anew for each line give what whole layers give, bit for bit.
#include "stream/joining/recompute.h"

#include <gtest/gtest.h>

#include "plan_lines.h"
#include "stream/check/check_plan.h"
#include "stream/make_plan.h"
#include "unit/compile/analysed.h"
#include "unit/emit/written.h"

namespace tarn {
namespace {

// Windows of several sizes, strides and borders, with few channels before and many under them; the last has gaps.
std::string network() {
  return "net (float[1, 2, 17, 13] x) => (float[1, 3, 6, 4] y) <" + weight("w0", {8, 2, 1, 1}) + "," +
         weight("w1", {8, 1, 3, 3}) + "," + weight("w2", {2, 8, 1, 1}) + "," + weight("w3", {9, 2, 1, 1}) + "," +
         weight("w4", {9, 1, 5, 5}) + "," + weight("w5", {3, 9, 1, 1}) + "," + weight("w6", {7, 3, 1, 1}) + "," +
         weight("w7", {3, 7, 2, 2}) + R"(> {
    a = Conv (x, w0)
    b = Relu (a)
    c = Conv <group = 8, pads = [1, 1, 1, 1]> (b, w1)
    d = Relu (c)
    e = Conv (d, w2)
    f = Add (e, x)
    g = Conv (f, w3)
    h = Conv <group = 9, pads = [2, 1, 1, 2], strides = [2, 2]> (g, w4)
    i = Conv (h, w5)
    j = Conv (i, w6)
    k = Relu (j)
    y = Conv <dilations = [2, 2]> (k, w7)
  })";
}

TEST(Recompute, EveryWindowGivesWhatLayersGive) {
  const Result<verify::Scratch> scratch = verify::Scratch::make();
  ASSERT_TRUE(scratch);
  int plans = 0;
  for (const char* target : {"generic", "cortex-m4"}) {
    CompileOptions options = by_layers();
    options.target = target;
    options.stream.mode = stream::Mode::fed;
    const Analysis analysis = analyze_ok(network(), options);
    const verify::Sample sample = noise(analysis);
    const auto expected = run_by_layers(analysis, sample, *scratch / "layers");
    ASSERT_TRUE(expected) << expected.faults()[0].message;
    const std::vector<program::OperationId> order = line_order(analysis);
    const stream::Options& asked = analysis.options.stream;
    const stream::SearchLimits limits{16, 0};
    for (const int64_t chunk : {1, 2, 6}) {
      stream::JoinedLayers choice{analysis.storage, order, {}, {}, {}};
      choice.chains = stream::find_chains(analysis.program, analysis.storage, order);
      ASSERT_EQ(choice.chains.size(), 3u);
      for (stream::Chain& chain : choice.chains) {
        chain.chunk = chunk;
        chain.recompute = true;
      }
      choice.net = stream::make_net(analysis.program, analysis.storage, order, asked, choice.chains);
      stream::Work work;
      choice.best = stream::search_cuts(choice.net, asked.lines, limits, INT64_MAX, work);
      stream::finish(choice.net, choice.best, limits);
      Analysis streamed = analysis;
      streamed.stream = stream::plan_of(choice, asked, limits);
      ASSERT_EQ(stream::check_plan(analysis.program, *streamed.stream), std::vector<std::string>{});
      for (const stream::Memory& memory : streamed.stream->memories)
        EXPECT_NE(memory.holds, stream::Memory::Holds::history);
      const auto run = verify::run_on(write(streamed, false, *scratch / cat("chunk", chunk)), verify::Target::host,
                                      {sample}, quickly());
      ASSERT_TRUE(run) << run.faults()[0].message;
      EXPECT_EQ(expected->results, run->results) << target << ", chunks of " << chunk;
      ++plans;
    }
  }
  EXPECT_EQ(plans, 6);
}

// A wide image that stripes cost much for, and layers with many channels in between.
std::string narrow_ends() {
  return "net (float[1, 2, 24, 12] x) => (float[1, 2, 24, 12] y) <" + weight("w0", {24, 2, 1, 1}) + "," +
         weight("w1", {24, 1, 5, 5}) + "," + weight("w2", {2, 24, 1, 1}) + "," + weight("w3", {24, 2, 1, 1}) + "," +
         weight("w4", {24, 1, 5, 5}) + "," + weight("w5", {2, 24, 1, 1}) + R"(> {
    a = Conv (x, w0)
    b = Conv <group = 24, pads = [2, 2, 2, 2]> (a, w1)
    c = Conv (b, w2)
    d = Conv (c, w3)
    e = Conv <group = 24, pads = [2, 2, 2, 2]> (d, w4)
    y = Conv (e, w5)
  })";
}

TEST(Recompute, MoreWorkNeverTakesMoreMemory) {
  for (const stream::Lines lines : {stream::Lines::ring, stream::Lines::table}) {
    CompileOptions options = by_layers();
    options.stream.mode = stream::Mode::fed;
    options.stream.drain = true;
    options.stream.lines = lines;
    options.effort = 0;
    int64_t least = INT64_MAX, recomputed = 0;
    for (const double percent : {0., 20., 60., 400.}) {
      options.stream.recompute = percent;
      const Analysis analysis = analyze_ok(narrow_ends(), options);
      ASSERT_TRUE(analysis.stream);
      const stream::LinePlan& plan = *analysis.stream;
      EXPECT_LE(plan.arena, least) << percent;
      EXPECT_LE(static_cast<double>(plan.extra_macs) * 100, percent * static_cast<double>(plan.macs)) << percent;
      EXPECT_EQ(plan.extra_macs > 0, stream::works_twice(plan)) << percent;
      least = plan.arena;
      recomputed += plan.recomputed;
      int64_t keep_none = 0;
      for (const stream::Actor& actor : plan.actors) keep_none += actor.line_buffer && actor.line_buffer->recompute;
      EXPECT_EQ(plan.recomputed, keep_none) << percent;
    }
    EXPECT_GT(recomputed, 0);
  }
}

}  // namespace
}  // namespace tarn
