// Each inference of the packing, forced alone, beside every placement there is. Each test counts how often its
// inference said something, and fails when it was not reached.
#include <gtest/gtest.h>

#include "planner/bounds.h"
#include "planner/coarsen.h"
#include "planner/decide.h"
#include "planner/kernel.h"
#include "planner/phases.h"
#include "planner/placement.h"
#include "planner/plan.h"
#include "planner/validate.h"
#include "property/planner/brute_force.h"
#include "sampling.h"
#include "unit/planner/random_problem.h"

namespace tarn::planner {
namespace {

using test::BruteForce;
using test::kTooMuch;

size_t Z(int i) { return static_cast<size_t>(i); }

Problem mixed(Random& random, int t, int items = 5) {
  return test::random_problem(random, {.items = items,
                                       .sizes = 5,
                                       .instants = 5,
                                       .lives = 3,
                                       .pairs = (t & 1) != 0,
                                       .gaps = (t & 2) != 0,
                                       .fixed = (t & 12) == 12,
                                       .alignments = (t & 16) != 0});
}

// What is peeled finds a place whenever the parts do, and the parts do not restrict each other.
TEST(Inference, PeelingAndParts) {
  Random random(31);
  int peeled = 0, several = 0, possible = 0, impossible = 0;
  const int count = sampling::part(1500, 500);
  for (int t = 0; t < count; ++t) {
    const Problem problem = mixed(random, t, 6);
    const Bytes least = BruteForce(problem).least();
    if (least == kTooMuch) continue;
    const ConflictGraph conflicts = ConflictGraph::build(problem);
    for (Bytes capacity = std::max<Bytes>(0, least - 2); capacity <= least + 1; ++capacity) {
      const Kernel kernel = find_kernel(problem, conflicts, capacity);
      bool fits = true;
      size_t items = kernel.peeled.size();
      for (const Part& part : kernel.parts) {
        fits = fits && BruteForce(test::part_of(problem, part.items, -1)).least() <= capacity;
        items += part.items.size();
      }
      ASSERT_EQ(items, problem.items.size());
      ASSERT_EQ(fits, capacity >= least) << t << " capacity " << capacity;
      (fits ? possible : impossible)++;
      peeled += !kernel.peeled.empty() && !kernel.parts.empty();
      several += kernel.parts.size() > 1;
    }
  }
  EXPECT_GT(peeled, count / 5);
  EXPECT_GT(several, count / 150);
  EXPECT_GT(possible, count / 5);
  EXPECT_GT(impossible, count / 5);
}

// What is never alive costs nothing: it lies above the capacity where its pairs leave it no other place.
TEST(Inference, ItemsThatAreNeverAlive) {
  Random random(38);
  int above = 0, impossible = 0;
  for (int t = 0; t < 600; ++t) {
    Problem problem = mixed(random, t, 6);
    const std::vector<int> alive{0, 2, 3, 5};
    for (const int i : {1, 4}) {
      Item& dead = problem.items[Z(i)];
      dead.gaps.clear();
      dead.offset.reset();
      if (t % 3 == 0) dead.size = 0;
      else dead.end = dead.first;
      std::erase_if(problem.pairs, [&](const Pair& p) { return (p.a == 0 && p.b == i) || (p.a == i && p.b == 0); });
      problem.pairs.push_back({0, i, {{-random.below(30), random.below(30)}}});
    }
    const Bytes least = BruteForce(test::part_of(problem, alive, -1)).least();
    if (least == kTooMuch) continue;
    const ConflictGraph conflicts = ConflictGraph::build(problem);
    for (Bytes capacity = std::max<Bytes>(0, least - 2); capacity <= least + 1; ++capacity) {
      const Decision decision = decide(problem, conflicts, capacity, 100'000);
      ASSERT_EQ(decision.verdict, capacity >= least ? Verdict::found : Verdict::refuted) << t << " of " << least;
      impossible += decision.verdict == Verdict::refuted;
      if (decision.verdict == Verdict::refuted) continue;
      Plan plan{.offsets = decision.offsets, .arena = arena_of(problem, decision.offsets)};
      ASSERT_LE(plan.arena, capacity);
      ASSERT_TRUE(validate(problem, plan).empty()) << t;
      for (const int i : {1, 4}) above += decision.offsets[Z(i)] > capacity;
    }
  }
  EXPECT_GT(above, 100);
  EXPECT_GT(impossible, 500);
}

TEST(Inference, LowerBounds) {
  Random random(32);
  int tight = 0, below = 0;
  for (int t = 0; t < 2000; ++t) {
    const Problem problem = mixed(random, t);
    const Bytes least = BruteForce(problem).least(), bound = lower_bound(problem);
    ASSERT_LE(bound, least) << t;
    const PeakSet peak = peak_set(problem);
    ASSERT_LE(peak.bytes, bound);
    if (least == kTooMuch) continue;
    ASSERT_EQ(reachable_arena(problem, least), least);
    // The items that prove it do so alone.
    ASSERT_GE(BruteForce(test::part_of(problem, peak.items, -1)).least(), peak.bytes) << t;
    (bound == least ? tight : below)++;
  }
  EXPECT_GT(tight, 500);
  EXPECT_GT(below, 50);
}

// An arena is the end of some item, as near above as one can end.
TEST(Inference, ReachableArenas) {
  Random random(33);
  int raised = 0;
  for (int t = 0; t < 1000; ++t) {
    const Problem problem = mixed(random, t);
    for (Bytes arena = 0; arena < 20; ++arena) {
      Bytes least = INT64_MAX;
      for (const Item& item : problem.items) {
        for (Offset at = item.offset.value_or(0); at <= item.offset.value_or(40); at += item.alignment) {
          if (at + item.size >= arena) least = std::min(least, at + item.size);
        }
      }
      const Bytes expected = least == INT64_MAX ? arena : least;
      ASSERT_EQ(reachable_arena(problem, arena), expected);
      raised += expected > arena;
    }
  }
  EXPECT_GT(raised, 500);
}

TEST(Inference, BoundsBehindARefutedCapacity) {
  Random random(34);
  int raised = 0;
  for (int t = 0; t < 500; ++t) {
    Problem problem = mixed(random, t);
    const Bytes least = BruteForce(problem).least();
    if (least == kTooMuch || least < 2) continue;
    const ConflictGraph conflicts = ConflictGraph::build(problem);
    for (Bytes capacity = least / 2; capacity < least; ++capacity) {
      const Decision decision = decide(problem, conflicts, capacity, 100'000);
      ASSERT_EQ(decision.verdict, Verdict::refuted);
      const Bytes bound = bound_behind(problem, decision.core, capacity);
      ASSERT_GT(bound, capacity);
      ASSERT_LE(bound, least);
      raised += bound > capacity + 1;
    }
  }
  EXPECT_GT(raised, 20);
}

// Phases are what an item holds, instant by instant.
TEST(Inference, Phases) {
  Random random(35);
  int windows = 0;
  for (int t = 0; t < 2000; ++t) {
    const Item item = test::random_item(random, {.items = 1, .sizes = 8, .instants = 5, .lives = 6, .gaps = true});
    for (Instant at = 0; at < 12; ++at) {
      Bytes first = 0, end = at >= item.first && at < item.end ? item.size : 0;
      for (const Gap& gap : item.gaps) {
        if (at < gap.first || at >= gap.end) continue;
        first = gap.window_first.value_or(0);
        end = gap.window_end.value_or(0);
      }
      Bytes held_first = 0, held_end = 0;
      for (const Phase& phase : phases_of(item)) {
        if (at >= phase.first && at < phase.end) held_first = phase.byte_first, held_end = phase.byte_end;
      }
      ASSERT_EQ(held_end - held_first, std::max<Bytes>(0, end - first));
      if (held_end > held_first) {
        ASSERT_EQ(held_first, first);
      }
      windows += held_first > 0;
    }
  }
  EXPECT_GT(windows, 50);
}

Strip random_strip(Random& random) {
  Strip strip;
  strip.section_count = 2 + static_cast<int>(random.below(5));
  const Bytes height = 4 + random.below(6);
  std::vector<Bytes> left(Z(strip.section_count), height);
  for (int tries = 0; tries < 40; ++tries) {
    StripBlock block;
    block.first = static_cast<int>(random.below(strip.section_count));
    block.last = std::min(strip.section_count - 1, block.first + static_cast<int>(random.below(3)));
    block.size = 1 + random.below(3);
    block.max_offset = height - block.size;
    const auto fits = [&](int s) { return left[Z(s)] >= block.size; };
    bool good = true;
    for (int s = block.first; s <= block.last; ++s) good = good && fits(s);
    if (!good) continue;
    for (int s = block.first; s <= block.last; ++s) left[Z(s)] -= block.size;
    strip.blocks.push_back(block);
  }
  return strip;
}

// A packing of the joined blocks is one of all.
TEST(Inference, JoinedBlocks) {
  Random random(36);
  int joined = 0, found = 0;
  for (int t = 0; t < 1500; ++t) {
    const Strip strip = random_strip(random);
    const CoarseStrip coarse = coarsen(strip, t % 3 == 0 ? Joining{} : draw_joining(random));
    joined += coarse.strip.blocks.size() < strip.blocks.size();
    ValleySearch search(coarse.strip);
    if (search.run({}, 20'000) != Verdict::found) continue;
    ++found;
    const std::vector<Offset> at = refine(coarse, search.offsets());
    ASSERT_EQ(at.size(), strip.blocks.size());
    for (size_t i = 0; i < at.size(); ++i) {
      const StripBlock& a = strip.blocks[i];
      ASSERT_GE(at[i], 0);
      ASSERT_LE(at[i], a.max_offset);
      for (size_t j = 0; j < i; ++j) {
        const StripBlock& b = strip.blocks[j];
        const bool together = a.first <= b.last && b.first <= a.last;
        ASSERT_TRUE(!together || at[i] + a.size <= at[j] || at[j] + b.size <= at[i]) << t;
      }
    }
  }
  EXPECT_GT(joined, 500);
  EXPECT_GT(found, 500);
}

// What is apart only speeds up.
TEST(Inference, Aparts) {
  Random random(37);
  int fewer = 0, with = 0;
  for (int t = 0; t < 600; ++t) {
    const Problem problem = mixed(random, t | 1, 6);
    const ConflictGraph conflicts = ConflictGraph::build(problem);
    const Bytes capacity = lower_bound(problem) + random.below(2);
    const Kernel kernel = find_kernel(problem, conflicts, capacity);
    for (const Part& part : kernel.parts) {
      DifferenceProblem differences = differences_of(problem, conflicts, kernel, part);
      with += !differences.aparts.empty();
      DifferenceSearch search(differences);
      const Verdict verdict = search.run(1'000'000);
      const bool fits = BruteForce(test::part_of(problem, part.items, -1)).least() <= capacity;
      ASSERT_EQ(verdict, fits ? Verdict::found : Verdict::refuted) << t;
      differences.aparts.clear();
      DifferenceSearch plain(differences);
      ASSERT_EQ(plain.run(1'000'000), verdict);
      fewer += search.nodes() < plain.nodes();
    }
  }
  EXPECT_GT(with, 60);
  EXPECT_GT(fewer, 3);
}

}  // namespace
}  // namespace tarn::planner
