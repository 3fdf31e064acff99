// Free offsets beside every offset there is, with alignments that are powers of two and others.
#include "planner/placement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "planner/random.h"

namespace tarn::planner {
namespace {

struct Free {
  std::vector<Blocked> blocked;
  Bytes alignment = 1;
  Offset least = 0;

  bool allows(Offset at) const {
    return at >= least && at % alignment == 0 &&
           std::none_of(blocked.begin(), blocked.end(), [&](const Blocked& b) { return b.lo < at && at < b.hi; });
  }
  // The first allowed offset at or above each end of an interval, or `least`.
  std::set<Offset> begins() const {
    std::set<Offset> all;
    const auto add = [&](Offset from) {
      Offset at = std::max(from, least);
      while (at % alignment != 0) ++at;
      if (allows(at)) all.insert(at);
    };
    add(least);
    for (const Blocked& b : blocked) add(b.hi);
    return all;
  }
  Offset snuggest() const {
    Offset best = kUnplaced, above = kUnplaced;
    Bytes least_gap = INT64_MAX;
    for (const Offset at : begins()) {
      Bytes gap = INT64_MAX;
      for (const Blocked& b : blocked) gap = b.lo >= at ? std::min(gap, b.lo - at) : gap;
      if (gap < least_gap) least_gap = gap, best = at;
      above = at;
    }
    return best != kUnplaced ? best : above;
  }
};

TEST(Placement, FindsTheOffsetThatIsAskedFor) {
  Random random(9);
  int gaps = 0;
  for (int round = 0; round < 5000; ++round) {
    Free free;
    free.alignment = 1 + random.below(12);
    free.least = random.below(3) == 0 ? random.below(30) : 0;
    for (int64_t i = random.below(7); i > 0; --i) {
      const Offset lo = random.below(60) - 10;
      free.blocked.push_back({lo, lo + 1 + random.below(20)});
    }
    Offset lowest = 0;
    while (!free.allows(lowest)) ++lowest;
    std::vector<Blocked> blocked = free.blocked;
    ASSERT_EQ(find_free(blocked, free.alignment, Fit::lowest, free.least), lowest) << round;
    blocked = free.blocked;
    const Offset snuggest = free.snuggest();
    ASSERT_EQ(find_free(blocked, free.alignment, Fit::snuggest, free.least), snuggest) << round;
    gaps += snuggest != lowest;
  }
  EXPECT_GT(gaps, 200);
}

}  // namespace
}  // namespace tarn::planner
