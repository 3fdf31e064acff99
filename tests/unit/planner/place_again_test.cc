#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "planner/greedy.h"
#include "unit/planner/random_problem.h"

namespace tarn::planner {
namespace {

// What is kept of the order before is what placing all of it anew gives, also where it stops.
TEST(PlaceAgain, PlacesAsTheWholeOrderWould) {
  Random random(5);
  for (int round = 0; round < 400; ++round) {
    const Problem problem = test::random_problem(random, {.items = 14,
                                                          .sizes = 12,
                                                          .instants = 8,
                                                          .pairs = round % 2 == 0,
                                                          .fixed = round % 3 == 0,
                                                          .alignments = true});
    const ConflictGraph conflicts = ConflictGraph::build(problem);
    std::vector<int> order(problem.items.size());
    std::iota(order.begin(), order.end(), 0);
    for (size_t k = order.size() - 1; k > 0; --k)
      std::swap(order[k], order[static_cast<size_t>(random.below(static_cast<int64_t>(k) + 1))]);
    const std::vector<Offset> before = place_in_order(problem, conflicts, order, Fit::lowest);
    const auto a = static_cast<size_t>(random.below(14)), b = static_cast<size_t>(random.below(14));
    std::swap(order[a], order[b]);
    const Bytes most = round % 4 == 0 ? arena_of(problem, before) : INT64_MAX;
    const size_t first = std::min(a, b);
    Placement again(problem, conflicts), anew(problem, conflicts);
    for (size_t k = 0; k < first; ++k) {
      again.place(order[k], before[static_cast<size_t>(order[k])]);
      anew.place(order[k], before[static_cast<size_t>(order[k])]);
    }
    std::vector<char> stale;
    const size_t reached =
        place_again(problem, conflicts, before, {order[a], order[b]}, again, order, first, most, stale);
    EXPECT_EQ(reached, place_from(problem, anew, order, first, Fit::lowest, most));
    EXPECT_EQ(again.offsets(), anew.offsets());
  }
}

}  // namespace
}  // namespace tarn::planner
