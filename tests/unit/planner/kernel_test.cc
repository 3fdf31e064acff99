// What the searches are given of a problem: the items that hold each other, in units that all offsets are multiples of.
#include "planner/kernel.h"

#include <gtest/gtest.h>

#include "property/digest.h"
#include "unit/planner/random_problem.h"

namespace tarn::planner {
namespace {

// Two items of 40 and 24 bytes with an alignment of 8, and what their pair forbids.
DifferenceProblem paired(const std::vector<Forbidden>& forbidden) {
  Problem problem;
  problem.items.resize(2);
  problem.items[0].size = 40, problem.items[1].size = 24;
  for (Item& item : problem.items) item.end = 4, item.alignment = 8;
  problem.pairs = {{0, 1, forbidden}};
  const ConflictGraph conflicts = ConflictGraph::build(problem);
  const Kernel kernel = find_kernel(problem, conflicts, 64);
  EXPECT_EQ(kernel.unit, 8);
  return differences_of(problem, conflicts, kernel, {{0, 1}, false});
}

TEST(Differences, IntervalsAreOneWhereNoMultipleLiesBetween) {
  using List = std::vector<Forbidden>;
  const auto between = [](const List& list) {
    const DifferenceProblem differences = paired(list);
    List found;
    for (const FreePair& pair : differences.pairs)
      found.insert(found.end(), pair.forbidden.begin(), pair.forbidden.end());
    return found;
  };
  EXPECT_EQ(between({{-24, 40}}), (List{{-3, 5}}));
  EXPECT_EQ(between({{-20, 36}}), (List{{-3, 5}}));
  EXPECT_EQ(between({{-24, 7}, {9, 40}}), (List{{-3, 1}, {1, 5}}));
  EXPECT_EQ(between({{-24, 8}, {8, 40}}), (List{{-3, 1}, {1, 5}}));
  EXPECT_EQ(between({{-24, 9}, {15, 40}}), (List{{-3, 5}}));
  EXPECT_EQ(between({{-24, 33}, {34, 35}}), (List{{-3, 5}}));
  EXPECT_EQ(between({{-24, 8}, {17, 23}}), (List{{-3, 1}})) << "no multiple is forbidden";
  EXPECT_EQ(between({{-24, -8}, {-7, 0}, {15, 40}}), (List{{-3, -1}, {1, 5}}));
  EXPECT_EQ(between({{-24, -15}, {-9, 1}, {7, 40}}), (List{{-3, 5}})) << "three";
}

void add(tarn::test::Digest& digest, const StripPart& part) {
  digest.add(part.scale).add(part.strip.section_count);
  for (const StripBlock& b : part.strip.blocks) digest.add(b.first).add(b.last).add(b.size).add(b.max_offset);
}

void add(tarn::test::Digest& digest, const DifferenceProblem& differences) {
  for (const FreeItem& item : differences.items) digest.add(item.size).add(item.step).add(item.least).add(item.most);
  for (const FreePair& pair : differences.pairs) {
    digest.add(pair.a).add(pair.b);
    for (const Forbidden& f : pair.forbidden) digest.add(f.lo).add(f.hi);
  }
  for (const Apart& apart : differences.aparts) {
    digest.add(apart.size());
    for (const Body& body : apart) digest.add(body.a).add(body.b).add(body.length);
  }
}

// Of items of many kinds within capacities that some of them exceed: all of it in a digest.
TEST(PinnedKernels, OfRandomProblems) {
  Random random(33);
  tarn::test::Digest digest;
  int plain = 0, several = 0, peeled = 0, joined = 0;
  for (int t = 0; t < 4000; ++t) {
    Problem problem = test::random_problem(random, {.items = 2 + static_cast<int>(random.below(12)),
                                                    .sizes = t % 4 == 0 ? 40 : 9,
                                                    .instants = 9,
                                                    .lives = 5,
                                                    .pairs = t % 3 == 1,
                                                    .gaps = t % 4 == 1,
                                                    .fixed = t % 5 == 2,
                                                    .alignments = t % 2 == 1});
    const int64_t unit = int64_t{1} << random.below(4);
    for (Item& item : problem.items) {
      item.alignment *= unit;
      if (item.offset) *item.offset *= unit;
      if (random.below(12) == 0) item.size = 0, item.gaps.clear();
      if (random.below(12) == 0) item.end = item.first, item.gaps.clear();
      if (t % 8 == 4) item.size *= 6;
    }
    const ConflictGraph conflicts = ConflictGraph::build(problem);
    const Kernel kernel = find_kernel(problem, conflicts, random.below(40));
    digest.add(kernel.unit).add(kernel.most).add(kernel.peeled);
    peeled += static_cast<int>(kernel.peeled.size());
    for (const Part& part : kernel.parts) {
      digest.add(part.items).add(part.plain);
      plain += part.plain;
      if (part.plain) add(digest, strip_of(problem, kernel, part));
      const DifferenceProblem differences = differences_of(problem, conflicts, kernel, part);
      add(digest, differences);
      for (const FreePair& pair : differences.pairs) several += pair.forbidden.size() > 1;
      for (const Apart& apart : differences.aparts) {
        for (const Body& body : apart) joined += body.b >= 0;
      }
    }
  }
  EXPECT_EQ(digest.value(), 8052150422870646561u);
  EXPECT_GT(plain, 1000);
  EXPECT_GT(several, 300);
  EXPECT_GT(peeled, 3000);
  EXPECT_GT(joined, 300);
}

}  // namespace
}  // namespace tarn::planner
