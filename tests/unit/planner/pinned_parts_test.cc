// The parts of the planner one by one on fixed random problems: what each finds and how much it works, in digests.
#include <gtest/gtest.h>

#include "planner/bounds.h"
#include "planner/coarsen.h"
#include "planner/decide.h"
#include "planner/greedy.h"
#include "planner/hill_climb.h"
#include "planner/kernel.h"
#include "planner/large_instance.h"
#include "planner/overlap_index.h"
#include "planner/phases.h"
#include "planner/plan.h"
#include "planner/portfolio.h"
#include "planner/validate.h"
#include "property/digest.h"
#include "unit/planner/random_problem.h"

namespace tarn::planner {
namespace {

using tarn::test::Digest;

SearchConfig random_config(Random& random) {
  SearchConfig config;
  config.key = static_cast<SearchConfig::Key>(random.below(4));
  config.tie = static_cast<SearchConfig::Tie>(random.below(4));
  config.waste_weight = static_cast<double>(random.below(10));
  config.height_weight = static_cast<double>(random.below(12));
  for (bool* flag :
       {&config.prefer_full_width, &config.prefer_level, &config.avoid_overtopping, &config.noise, &config.as_before})
    *flag = random.below(2) == 0;
  for (bool* flag : {&config.use_nogoods, &config.skip_alike, &config.jump_back}) *flag = random.below(4) > 0;
  return config;
}

// The configurations of many runs that come closer and closer, or do not.
TEST(PinnedParts, OfPortfolios) {
  Digest digest;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    Random random(seed), left(seed + 1000);
    Portfolio portfolio(seed % 2 == 0);
    for (int run = 0; run < 120; ++run) {
      const SearchConfig c = portfolio.next(random);
      digest.add(c.key).add(c.tie).add(static_cast<int64_t>(1000 * c.waste_weight));
      digest.add(static_cast<int64_t>(1e7 * c.height_weight)).add(c.prefer_full_width).add(c.prefer_level);
      digest.add(c.avoid_overtopping).add(c.noise).add(c.as_before).add(c.use_nogoods).add(c.skip_alike);
      digest.add(c.jump_back);
      portfolio.learn(c, static_cast<double>(left.below(1000)));
    }
  }
  EXPECT_EQ(digest.value(), 14028547188084004684u);
}

// Blocks with sizes that are often equal; most may lie anywhere below the capacity.
Strip random_strip(Random& random, int blocks, int sections) {
  Strip strip;
  strip.section_count = sections;
  std::vector<Bytes> load(static_cast<size_t>(sections), 0);
  const int64_t sizes = random.below(2) == 0 ? 4 : 30;
  for (int i = 0; i < blocks; ++i) {
    StripBlock b;
    b.first = static_cast<int>(random.below(sections));
    b.last = static_cast<int>(std::min<int64_t>(sections - 1, b.first + random.below(4)));
    b.size = 1 + random.below(sizes);
    for (int s = b.first; s <= b.last; ++s) load[static_cast<size_t>(s)] += b.size;
    strip.blocks.push_back(b);
  }
  const Bytes capacity = *std::max_element(load.begin(), load.end()) + random.below(3) / 2;
  const int64_t lower = random.below(2) == 0 ? 3 : 12;  // one in so many has to lie lower
  for (StripBlock& b : strip.blocks)
    b.max_offset = capacity - b.size - (random.below(lower) == 0 ? random.below(capacity - b.size + 1) : 0);
  return strip;
}

TEST(PinnedParts, OfValleySearches) {
  Random random(41);
  Digest digest;
  int found = 0, refuted = 0, open = 0;
  for (int t = 0; t < 800; ++t) {
    const int64_t blocks = t % 2 == 0 ? 4 + random.below(40) : 4 + random.below(8);
    const Strip strip = random_strip(random, static_cast<int>(blocks), 2 + static_cast<int>(random.below(9)));
    ValleySearch search(strip, static_cast<uint64_t>(t), 8 + static_cast<int>(random.below(6)));
    for (int run = 0; run < 4; ++run) {
      const Verdict verdict = search.run(random_config(random), static_cast<uint64_t>(20 + random.below(400)));
      digest.add(verdict).add(search.nodes()).add(static_cast<int64_t>(search.least_left()));
      const ValleyUse& use = search.use();
      digest.add(use.nogoods).add(use.alike).add(use.jumps).add(use.raises);
      if (verdict == Verdict::found) digest.add(search.offsets());
      ++(verdict == Verdict::found ? found : verdict == Verdict::refuted ? refuted : open);
    }
  }
  EXPECT_EQ(digest.value(), 11198950254060250275u);
  EXPECT_GT(found, 300);
  EXPECT_GT(refuted, 50);
  EXPECT_GT(open, 200);
}

// A rectangle that is cut through and through, now and then with a block less.
Strip cut_rectangle(Random& random, int sections, Bytes capacity, size_t count) {
  Strip strip;
  strip.section_count = sections;
  strip.blocks = {{0, sections - 1, capacity, 0}};
  while (strip.blocks.size() < count) {
    StripBlock& b = strip.blocks[static_cast<size_t>(random.below(std::ssize(strip.blocks)))];
    StripBlock rest = b;
    if (random.below(2) == 0) {
      if (b.size < 2) continue;
      b.size = 1 + random.below(b.size - 1), rest.size -= b.size;
    } else {
      if (b.last == b.first) continue;
      b.last = b.first + static_cast<int>(random.below(b.last - b.first)), rest.first = b.last + 1;
    }
    strip.blocks.push_back(rest);
  }
  for (StripBlock& b : strip.blocks) b.max_offset = capacity - b.size - (random.below(20) == 0 ? 1 : 0);
  for (int64_t less = random.below(3); less > 0; --less) strip.blocks.pop_back();
  return strip;
}

TEST(PinnedParts, OfJoinedBlocks) {
  Random random(42);
  Digest digest;
  size_t joined = 0;
  for (int t = 0; t < 1500; ++t) {
    const int sections = 3 + static_cast<int>(random.below(12));
    const Strip strip = random.below(3) == 0 ? random_strip(random, 4 + static_cast<int>(random.below(30)), sections)
                                             : cut_rectangle(random, sections, 20 + random.below(200),
                                                             6 + static_cast<size_t>(random.below(25)));
    Joining joining = draw_joining(random);
    if (random.below(4) == 0) joining.chance = 16;
    if (random.below(4) == 0) joining.least_share = 0;
    const CoarseStrip coarse = coarsen(strip, joining);
    digest.add(coarse.strip.section_count);
    for (const StripBlock& b : coarse.strip.blocks) digest.add(b.first).add(b.last).add(b.size).add(b.max_offset);
    std::vector<Offset> offsets;
    for (const auto& members : coarse.members) {
      offsets.push_back(static_cast<Offset>(offsets.size()));
      for (const CoarseStrip::Member& m : members) digest.add(m.block).add(m.above);
    }
    digest.add(refine(coarse, offsets));
    joined += strip.blocks.size() - coarse.strip.blocks.size();
  }
  EXPECT_EQ(digest.value(), 12880107340548279018u);
  EXPECT_GT(joined, 5000u);
}

Problem mixed(Random& random, int t, int items) {
  Problem problem = test::random_problem(random, {.items = items,
                                                  .sizes = t % 4 == 0 ? 40 : 7,
                                                  .instants = 6 + t % 7,
                                                  .lives = 2 + t % 5,
                                                  .pairs = t % 3 == 1,
                                                  .gaps = t % 4 == 1,
                                                  .fixed = t % 5 == 2,
                                                  .alignments = t % 2 == 1});
  for (Item& item : problem.items) {
    if (random.below(16) == 0) item.size = 0, item.gaps.clear();
    if (random.below(16) == 0) item.end = item.first, item.gaps.clear();
    if (t % 10 == 7) item.alignment *= 3, item.offset = item.offset ? std::optional(*item.offset * 3) : std::nullopt;
  }
  return problem;
}

TEST(PinnedParts, OfDifferenceSearches) {
  Random random(43);
  Digest digest;
  int found = 0, refuted = 0, open = 0;
  for (int t = 0; t < 1200; ++t) {
    const Problem problem = mixed(random, t, 5 + static_cast<int>(random.below(12)));
    const ConflictGraph conflicts = ConflictGraph::build(problem);
    const Kernel kernel = find_kernel(problem, conflicts, lower_bound(problem) + random.below(3) - 1);
    for (const Part& part : kernel.parts) {
      DifferenceSearch search(differences_of(problem, conflicts, kernel, part));
      for (int run = 0; run < 3; ++run) {
        const Verdict verdict = search.run(static_cast<uint64_t>(1 + random.below(40)));
        digest.add(verdict).add(search.nodes()).add(search.work());
        if (verdict == Verdict::found) digest.add(search.offsets());
        ++(verdict == Verdict::found ? found : verdict == Verdict::refuted ? refuted : open);
      }
    }
  }
  EXPECT_EQ(digest.value(), 16957058902904699582u);
  EXPECT_GT(found, 300);
  EXPECT_GT(refuted, 100);
  EXPECT_GT(open, 50);
}

TEST(PinnedParts, OfPlacements) {
  Random random(44);
  Digest digest;
  for (int t = 0; t < 500; ++t) {
    const Problem problem = mixed(random, t, 4 + static_cast<int>(random.below(40)));
    if (fixed_collision(problem)) {
      digest.add(fixed_collision(problem)->first).add(fixed_collision(problem)->second);
      continue;
    }
    const ConflictGraph conflicts = ConflictGraph::build(problem);
    for (const std::vector<int>& order : promising_orders(problem)) digest.add(order);
    for (int k = 0; k < static_cast<int>(Strategy::hill_climb); ++k)
      digest.add(place_greedily(problem, conflicts, static_cast<Strategy>(k)));
    const Bytes goal = lower_bound(problem) + random.below(2);
    const Climbed best = place_best(problem, conflicts, goal, static_cast<uint64_t>(random.below(20000)));
    digest.add(best.offsets).add(best.arena).add(best.order).add(best.steps).add(best.looks);
    const Climbed climbed = climb(problem, conflicts, goal, static_cast<uint64_t>(1 + random.below(700)));
    digest.add(climbed.offsets).add(climbed.arena).add(climbed.order).add(climbed.steps).add(climbed.looks);
    if (!best.order.empty()) {
      const Climbed more = climb(problem, conflicts, best, goal, static_cast<uint64_t>(1 + random.below(60)));
      digest.add(more.offsets).add(more.arena).add(more.order).add(more.steps).add(more.looks);
    }
    for (const Fit fit : {Fit::lowest, Fit::snuggest}) {
      Placement placement(problem, conflicts);
      digest.add(place_from(problem, placement, best.order, 0, fit, goal + random.below(20)));
      digest.add(placement.offsets()).add(placement.looks());
    }
  }
  EXPECT_EQ(digest.value(), 17919138054923270006u);
}

// One item of another kind among plain ones is enough for all to be placed in turn, unless it never lives.
TEST(PinnedParts, OfLargeInstances) {
  Random random(46);
  Digest digest;
  for (int kind = 0; kind < 8; ++kind) {
    for (int t = 0; t < 3; ++t) {
      Problem problem = test::random_problem(random, {.items = 120, .sizes = 90, .instants = 50, .lives = 20});
      Item& other = problem.items[static_cast<size_t>(random.below(120))];
      for (Item& item : problem.items) item.alignment = 2;
      if (kind == 1) other.offset = 40;
      if (kind == 2) other.alignment = 16;
      if (kind == 3) other.gaps = {{other.first, other.end, {}, {}}};
      if (kind == 4) other.size = 0, other.alignment = 16, other.offset = 32;
      if (kind == 6) other.size = 0, other.alignment = 16;
      if (kind == 7) other.end = other.first, other.alignment = 16;
      if (kind == 5) problem.pairs = {{3, 4, {{-1, 1}}}};
      const LargePlan plan = pack_large(problem, lower_bound(problem), 0);
      Plan whole;
      whole.offsets = plan.offsets, whole.arena = plan.arena;
      EXPECT_TRUE(validate(problem, whole).empty()) << kind;
      digest.add(plan.offsets).add(plan.arena).add(plan.steps);
      for (int s = 0; s < static_cast<int>(Strategy::hill_climb); ++s) {
        const LargePlan placed = place_large(problem, static_cast<Strategy>(s));
        digest.add(placed.offsets);
        EXPECT_GT(placed.steps, 0u) << s;  // of work: places looked for
      }
    }
  }
  EXPECT_EQ(digest.value(), 11980330092134121606u);
}

TEST(PinnedParts, OfBoundsAndMeetings) {
  Random random(45);
  Digest digest;
  for (int t = 0; t < 3000; ++t) {
    Problem problem = mixed(random, t, 1 + static_cast<int>(random.below(16)));
    if (t % 6 == 0) problem.known_bound = random.below(60);
    const PeakSet peak = peak_set(problem);
    digest.add(peak.bytes).add(peak.at).add(peak.items).add(lower_bound(problem)).add(common_alignment(problem));
    for (const Bytes more : {0, 1, 3, 9}) {
      digest.add(reachable_arena(problem, peak.bytes + more));
      digest.add(bound_behind(problem, peak.items, peak.bytes + more));
    }
    const ConflictGraph conflicts = ConflictGraph::build(problem);
    for (int i = 0; i < static_cast<int>(problem.items.size()); ++i) {
      for (const Conflict& c : conflicts.of(i)) digest.add(c.other).add(c.lo).add(c.hi);
      for (const Phase& p : phases_of(problem.items[static_cast<size_t>(i)]))
        digest.add(p.first).add(p.end).add(p.byte_first).add(p.byte_end);
    }
    const OverlapIndex index(problem);
    for (int r = 0; r < index.count(); ++r) {
      digest.add(index.item_of(r)).add(index.first(r)).add(index.last(r));
      index.for_each(r, [&](int other) { digest.add(other); });
    }
    if (problem.items.size() < 12) continue;
    const Bytes capacity = peak.bytes - 1;
    if (capacity < 0 || fixed_collision(problem)) continue;
    std::vector<int> all(problem.items.size());
    for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
    if (t % 8 == 0) digest.add(shrink_core(problem, all, capacity, static_cast<uint64_t>(random.below(400))));
  }
  EXPECT_EQ(digest.value(), 16636631543433998872u);
}

}  // namespace
}  // namespace tarn::planner
