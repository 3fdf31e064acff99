// Which ways to join layers are handed on to be packed thoroughly.
#include <gtest/gtest.h>

#include <tuple>

#include "stream/joining/choose.h"
#include "stream/joining/peak.h"
#include "stream/make_plan.h"
#include "stream/network/net.h"
#include "unit/compile/joined.h"

namespace tarn {
namespace {

// Two blocks that are wide in the middle, of many lines and few pixels or of few lines and many.
std::string two_blocks(int lines, int pixels, int wide) {
  const std::string shape = "2, " + std::to_string(lines) + ", " + std::to_string(pixels), w = std::to_string(wide);
  return "g (float[1, " + shape + "] image) => (float[1, " + shape + "] y) <" + ones("u", w + ", 2, 1, 1", 2 * wide) +
         ", " + ones("v", w + ", 1, 3, 3", 9 * wide) + ", " + ones("w", "2, " + w + ", 1, 1", 2 * wide) + R"(> {
    a = Conv(image, u)  b = Conv <group = )" +
         w + R"(, pads = [1, 1, 1, 1]>(a, v)  c = Conv(b, w)
    d = Conv(c, u)  e = Conv <group = )" +
         w + R"(, pads = [1, 1, 1, 1]>(d, v)  y = Conv(e, w) })";
}

// Ways that were tried: the first ones, and the neighbours of the best. Here no chunk has the room to be wider than a
// pixel, so that pixel by pixel, the best, was tried twice.
std::vector<std::vector<stream::Chain>> tried_ways(const std::vector<stream::Chain>& all,
                                                   const stream::JoinedLayers& best) {
  std::vector<std::vector<stream::Chain>> tried{{}, all, all};
  for (stream::Chain& chain : tried[2]) chain.chunk = 1;
  for (const size_t c : stream::chains_at_peak(best)) {
    for (const int64_t chunk : {0, 1, 2}) {
      tried.push_back(best.chains);
      if (chunk > 0) tried.back()[c].chunk = chunk;
      else tried.back().erase(tried.back().begin() + static_cast<std::ptrdiff_t>(c));
    }
  }
  return tried;
}

// The second choice is the one of fewest bytes alive among those that did not become the best, where so few are alive
// that the lines were packed at all.
TEST(Choices, TheLeastOfTheOthersIsKept) {
  int compared = 0;
  for (const auto& [lines, pixels, wide] : {std::tuple{9, 12, 8}, {6, 24, 6}, {16, 6, 12}}) {
    const Analysis a = fed_by_pixels(two_blocks(lines, pixels, wide));
    std::vector<stream::OperationId> order;
    for (const schedule::Step& step : a.schedule.steps) order.push_back(step.operation);
    const stream::Layers layers{a.storage, order};
    stream::Options options;
    options.mode = stream::Mode::fed;
    options.lines = stream::Lines::table;
    const std::vector<stream::JoinedLayers> found = stream::choose(a.program, {layers}, options, {4, 0});
    ASSERT_EQ(found.size(), 3u);  // the best, the least and that of rings
    const std::vector<stream::Chain> all = stream::find_chains(a.program, a.storage, order);
    ASSERT_EQ(all.size(), 2u);
    for (const std::vector<stream::Chain>& chains : tried_ways(all, found[0])) {
      const stream::Net net = stream::make_net(a.program, a.storage, order, options, chains);
      stream::Work work{0, INT64_MAX};
      const int64_t alive = stream::search_cuts(net, options.lines, {4, 0}, INT64_MAX, work).lives.bound;
      if (alive >= found[0].best.plan.arena) continue;
      EXPECT_LE(found[1].best.lives.bound, alive) << lines << " " << chains.size();
      ++compared;
    }
  }
  EXPECT_GT(compared, 0);
}

}  // namespace
}  // namespace tarn
