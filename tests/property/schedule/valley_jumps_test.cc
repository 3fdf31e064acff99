// Jumps to valleys (least_peak.md, F4), asked where they do not hold: what looks like a valley has sets with fewer live
// bytes between.
#include <gtest/gtest.h>

#include <random>

#include "property/schedule/every_set.h"
#include "schedule/order_graph.h"
#include "schedule/set_search.h"

namespace tarn::schedule {
namespace {

using testing::GraphSets;
using testing::Set;

// Operators that all use scratch, so that each is a move by itself:
//   begin -> made   early: x -> held, kept   mid: x, made -> part   free: part, large -> small   end: small, made ->
//   end
// Early takes more than x, which it lets die with mid. From the start the search goes to early first, on which begin,
// mid and free follow: there end finds too little space. Back at {begin} that set is known to have failed, and it has
// no more live bytes than {begin}; but {begin, mid, free} has fewer, and there end fits.
struct FailedBelow {
  OrderProblem problem;
  Bytes top = 0;
  enum : Set { begin = 1, early = 2, mid = 4, free = 8, end = 16 };

  explicit FailedBelow(std::mt19937& random) {
    const auto from = [&](Bytes least, Bytes most) {
      return least + static_cast<Bytes>(random() % static_cast<uint32_t>(most - least + 1));
    };
    const Bytes x = from(4, 20), more = from(1, 6), part = from(1, x), held = x + more, made = held + from(1, 10),
                small = from(1, 3), large = small + more + from(0, 6), result = from(1, 4);
    problem.tensors = {{x, true, false},     {large, true, false},  {made, false, false}, {held, false, true},
                       {part, false, false}, {small, false, false}, {result, false, true}};
    problem.operators = {{{}, {2}, from(1, 3), {}},
                         {{0}, {3}, from(1, 3), {}},
                         {{0, 2}, {4}, from(1, 3), {}},
                         {{1, 4}, {5}, from(1, 3), {}},
                         {{2, 5}, {6}, 0, {}}};
    top = peak_of(problem, {1, 0, 2, 3, 4});  // of all but end
    problem.operators[4].scratch = top - (x + made + small + result) - from(0, more - 1);
  }
};

TEST(Inference, ASetThatFailedWithNoMoreBytesNeedNotBeAValley) {
  std::mt19937 random(593000);
  for (int draw = 0; draw < 200; ++draw) {
    SCOPED_TRACE(draw);
    const FailedBelow drawn(random);
    const OrderGraph graph = graph_of(drawn.problem);
    const GraphSets all(graph);
    using S = FailedBelow;
    constexpr Set kBetween = S::begin | S::mid | S::free, kFailed = kBetween | S::early;
    const std::vector<char> within = all.within(drawn.top);
    ASSERT_TRUE(within[S::begin] && within[kBetween] && !within[kFailed] && !within[S::early]);
    ASSERT_LE(all.live(kFailed), all.live(S::begin));
    ASSERT_LT(all.live(kBetween), all.live(kFailed));
    const Bytes least = all.least_peak();
    for (const Bytes top : {least - 1, drawn.top}) {
      int64_t words = int64_t{1} << 40;
      const Exhausted result = SetSearch::make(graph, {})->exhaust(top, words);
      ASSERT_EQ(result.verdict, top < least ? Verdict::none : Verdict::found);
      if (top == drawn.top) {
        EXPECT_GT(result.use.known_failures, 0u);
      }
    }
  }
}

}  // namespace
}  // namespace tarn::schedule
