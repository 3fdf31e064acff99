// The exact searches against each other and against a slow complete one, on problems at the limit of their capacity.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "planner/decide.h"
#include "planner/index.h"
#include "planner/kernel.h"
#include "planner/large_instance.h"
#include "planner/plan.h"
#include "planner/validate.h"
#include "property/digest.h"
#include "sampling.h"
#include "unit/planner/random_problem.h"

namespace tarn::planner {
namespace {

// Blocks that fill a strip nearly to `height` everywhere: mostly on the edge of what fits.
Problem dense_problem(Random& random) {
  Problem problem;
  const Instant length = 5 + random.below(8);
  const Bytes height = 5 + random.below(6);
  const bool slack = random.below(2) == 0;
  std::vector<Bytes> load(Z(static_cast<int>(length)), 0);
  for (Instant t = 0; t < length; ++t) {
    while (load[static_cast<size_t>(t)] < height - (slack ? random.below(2) : 0) && problem.items.size() < 14) {
      Item item;
      item.id = std::to_string(problem.items.size());
      item.size = 1 + random.below(std::min<int64_t>(height - load[static_cast<size_t>(t)], 1 + random.below(5)));
      item.first = t;
      const Instant wanted = t + random.below(length);
      for (item.end = t;
           item.end < length && item.end <= wanted && load[static_cast<size_t>(item.end)] + item.size <= height;
           ++item.end) {
        load[static_cast<size_t>(item.end)] += item.size;
      }
      problem.items.push_back(item);
    }
  }
  return problem;
}

// Complete: a plan that is pushed down can be built in ascending order of offsets, each item on the highest below it.
class SlowSearch {
 public:
  SlowSearch(const Problem& problem, const std::vector<Offset>& most)
      : problem_(problem), most_(most), offsets_(problem.items.size(), -1) {}
  bool fits() { return place(0, 0, 0); }

 private:
  bool place(size_t count, Offset last, size_t last_item) {
    if (count == offsets_.size()) return true;
    if (hopeless()) return false;
    for (size_t i = 0; i < offsets_.size(); ++i) {
      if (offsets_[i] >= 0) continue;
      Offset at = 0;
      for (size_t j = 0; j < offsets_.size(); ++j) {
        if (offsets_[j] >= 0 && meet(i, j)) at = std::max(at, offsets_[j] + problem_.items[j].size);
      }
      if (at > most_[i] || at < last || (at == last && i < last_item)) continue;
      offsets_[i] = at;
      if (place(count + 1, at, i)) return true;
      offsets_[i] = -1;
    }
    return false;
  }
  bool meet(size_t i, size_t j) const {
    return problem_.items[i].first < problem_.items[j].end && problem_.items[j].first < problem_.items[i].end;
  }
  bool hopeless() const {
    for (const Item& at : problem_.items) {
      Bytes floor = 0, rest = 0, capacity = 0;
      for (size_t j = 0; j < offsets_.size(); ++j) {
        const Item& item = problem_.items[j];
        if (item.first > at.first || item.end <= at.first) continue;
        capacity = std::max(capacity, most_[j] + item.size);
        if (offsets_[j] >= 0) floor = std::max(floor, offsets_[j] + item.size);
        else rest += item.size;
      }
      if (floor + rest > capacity) return true;
    }
    return false;
  }

  const Problem& problem_;
  const std::vector<Offset>& most_;
  std::vector<Offset> offsets_;
};

SearchConfig random_config(Random& random) {
  SearchConfig config;
  config.key = static_cast<SearchConfig::Key>(random.below(4));
  config.tie = static_cast<SearchConfig::Tie>(random.below(4));
  config.waste_weight = random.below(2) == 0 ? 0.5 : 8;
  config.height_weight = random.below(2) == 0 ? 1e-6 : 10;
  config.prefer_full_width = random.below(2) == 0;
  config.prefer_level = random.below(2) == 0;
  config.avoid_overtopping = random.below(2) == 0;
  config.noise = random.below(2) == 0;
  config.use_nogoods = random.below(3) != 0;
  config.skip_alike = random.below(3) != 0;
  config.jump_back = random.below(3) != 0;
  return config;
}

// Any order of choices, and any limits between which the refuted states are kept, give the same verdict. Some blocks
// may not go as high as others: that makes many problems infeasible.
TEST(Searches, SoundAndComplete) {
  Random random(11);
  int found = 0, refuted = 0;
  ValleyUse use;
  for (int t = 0; t < 1000; ++t) {
    const Problem problem = dense_problem(random);
    const ConflictGraph conflicts = ConflictGraph::build(problem);
    const Bytes capacity = lower_bound(problem) + random.below(2);
    Kernel kernel;
    Part all;
    for (size_t i = 0; i < problem.items.size(); ++i) {
      all.items.push_back(static_cast<int>(i));
      const Bytes lower = random.below(2) == 0 ? random.below(1 + capacity / 2) : 0;
      kernel.most.push_back(std::max<Offset>(0, capacity - problem.items[i].size - lower));
    }
    const bool fits = SlowSearch(problem, kernel.most).fits();
    (fits ? found : refuted)++;
    ValleySearch search(strip_of(problem, kernel, all).strip);
    Verdict verdict = Verdict::out_of_nodes;
    while (verdict == Verdict::out_of_nodes) {
      const auto nodes = 3 + static_cast<uint64_t>(random.below(400));
      verdict = search.run(random_config(random), nodes);
    }
    ASSERT_EQ(verdict, fits ? Verdict::found : Verdict::refuted) << t;
    DifferenceSearch other(differences_of(problem, conflicts, kernel, all));
    ASSERT_EQ(other.run(100'000'000), verdict) << t;
    use.nogoods += search.use().nogoods;
    use.alike += search.use().alike;
    use.jumps += search.use().jumps;
    use.raises += search.use().raises;
  }
  EXPECT_GT(found, 300);
  EXPECT_GT(refuted, 80);
  // A proof by an inference that nothing asked for proves nothing.
  EXPECT_GT(use.nogoods, 50u);
  EXPECT_GT(use.alike, 50u);
  EXPECT_GT(use.jumps, 20u);
  EXPECT_GT(use.raises, 1000u);
}

// What both searches find, and how they work, with any order of choices and any of the inferences.
TEST(PinnedSearches, OfDenseProblems) {
  Random random(17);
  tarn::test::Digest digest;
  for (int t = 0; t < 2000; ++t) {
    const Problem problem = dense_problem(random);
    const ConflictGraph conflicts = ConflictGraph::build(problem);
    const Bytes capacity = lower_bound(problem) + random.below(2);
    const Kernel kernel = find_kernel(problem, conflicts, capacity);
    digest.add(kernel.most).add(kernel.unit).add(kernel.peeled.size()).add(kernel.parts.size());
    for (const Part& part : kernel.parts) {
      ValleySearch search(strip_of(problem, kernel, part).strip);
      for (int runs = 0; runs < 3; ++runs) {
        const auto nodes = 5 + static_cast<uint64_t>(random.below(300));  // drawn first with every compiler
        digest.add(search.run(random_config(random), nodes)).add(search.nodes());
        digest.add(static_cast<int64_t>(search.least_left()));
      }
      digest.add(search.offsets()).add(search.use().nogoods).add(search.use().alike).add(search.use().jumps);
      digest.add(search.use().raises);
      DifferenceSearch other(differences_of(problem, conflicts, kernel, part));
      digest.add(other.run(2000)).add(other.nodes()).add(other.offsets());
    }
  }
  EXPECT_EQ(digest.value(), 5973309079514810728u);
}

TEST(PinnedSearches, OfPairsAndGaps) {
  Random random(18);
  tarn::test::Digest digest;
  for (int t = 0; t < 5000; ++t) {
    Problem problem = test::random_problem(random, {.items = 9,
                                                    .sizes = 7,
                                                    .instants = 7,
                                                    .lives = 5,
                                                    .pairs = t % 2 == 0,
                                                    .gaps = t % 3 == 0,
                                                    .fixed = t % 5 == 0,
                                                    .alignments = t % 7 == 0});
    if (t % 4 == 0) {  // never alive, but not free of the others
      Item& dead = problem.items[0];
      dead.gaps.clear();
      (t % 8 == 0 ? dead.size : dead.end) = t % 8 == 0 ? 0 : dead.first;
      dead.alignment = 1 + t % 3;
      dead.offset.reset();
    }
    const ConflictGraph conflicts = ConflictGraph::build(problem);
    const Kernel kernel = find_kernel(problem, conflicts, lower_bound(problem) + random.below(3));
    digest.add(kernel.most).add(kernel.unit).add(kernel.peeled.size()).add(kernel.parts.size());
    for (const Part& part : kernel.parts) {
      const DifferenceProblem differences = differences_of(problem, conflicts, kernel, part);
      for (const auto& apart : differences.aparts) digest.add(apart.size());
      DifferenceSearch search(differences);
      digest.add(search.run(20)).add(search.nodes());
      digest.add(search.run(2000)).add(search.nodes()).add(search.offsets());
    }
  }
  EXPECT_EQ(digest.value(), 5970713584114234721u);
}

TEST(Searches, TimeOutIsNeverAProof) {
  Random random(12);
  int undecided = 0;
  for (int t = 0; t < 300; ++t) {
    const Problem problem = dense_problem(random);
    const ConflictGraph conflicts = ConflictGraph::build(problem);
    for (Bytes capacity = lower_bound(problem); capacity < lower_bound(problem) + 2; ++capacity) {
      const Verdict full = decide(problem, conflicts, capacity, 10'000'000).verdict;
      for (uint64_t limit : std::initializer_list<uint64_t>{0, 1, 2, 5, 20}) {
        const Verdict verdict = decide(problem, conflicts, capacity, limit).verdict;
        if (verdict == Verdict::out_of_nodes) {
          ++undecided;
        } else {
          ASSERT_EQ(verdict, full);
        }
      }
    }
  }
  EXPECT_GT(undecided, 100);
}

// Cuts a rectangle of time and addresses into items: they fit `height`, which is full throughout. Adds the offsets they
// had.
void cut_up(Random& random, Item item, Offset at, int cuts, Problem& problem, std::vector<Offset>& offsets) {
  const Instant length = item.end - item.first;
  const bool in_time = random.below(2) == 0;
  if (cuts == 0 || (in_time ? length : item.size) < 2) {
    item.id = std::to_string(problem.items.size());
    problem.items.push_back(item);
    offsets.push_back(at);
    return;
  }
  Item other = item;
  if (in_time) {
    item.end = other.first = item.first + 1 + random.below(length - 1);
  } else {
    item.size = 1 + random.below(item.size - 1);
    other.size -= item.size;
  }
  cut_up(random, item, at, cuts - 1, problem, offsets);
  cut_up(random, other, in_time ? at : at + item.size, cuts - 1, problem, offsets);
}

// Where a search gives up, nothing is proved: the arena that is known to be enough is neither refuted nor below a
// bound.
TEST(Searches, GivingUpRaisesNoBound) {
  Random random(21);
  int gave_up[2] = {0, 0};
  tarn::test::Digest digest;  // of searches where hardly a byte is free
  for (const bool pairs : {true, false}) {
    for (int t = 0; t < 4; ++t) {
      Problem problem;
      std::vector<Offset> offsets;
      Item all;
      all.end = pairs ? 60 : 400;
      all.size = pairs ? 300 : 2000;
      const Bytes height = all.size;
      cut_up(random, all, 0, pairs ? 8 : 9, problem, offsets);
      for (int k = 0; pairs && k + 1 < static_cast<int>(problem.items.size()); k += 5) {
        const Bytes difference = offsets[Z(k + 1)] - offsets[Z(k)];
        const Item &a = problem.items[Z(k)], &b = problem.items[Z(k + 1)];
        if (a.first >= b.end || b.first >= a.end) problem.pairs.push_back({k, k + 1, {{difference, difference + 7}}});
      }
      ASSERT_EQ(lower_bound(problem), height);
      const ConflictGraph conflicts = ConflictGraph::build(problem);
      const uint64_t work = pairs ? kGlanceWork : kPlainSearchWork / 4;
      gave_up[pairs] += decide(problem, conflicts, height, work).verdict == Verdict::out_of_nodes;
      const Plan plan = solve(problem, Strategy::automatic, {.effort = 0, .below = height + 1});
      ASSERT_EQ(plan.lower_bound, height);
      digest.add(plan.arena).add(plan.search_nodes);
      problem.capacity = height;
      ASSERT_NE(solve(problem, Strategy::automatic, {0}).proof, Proof::infeasible);
    }
  }
  EXPECT_EQ(digest.value(), 2482091341610382497u);
  EXPECT_GT(gave_up[true], 2);
  EXPECT_GT(gave_up[false], 0);
}

TEST(Searches, SameProblemSamePlan) {
  Random random(13);
  for (int t = 0, count = sampling::part(40, 16); t < count; ++t) {
    const Problem problem =
        test::random_problem(random, {.items = 30, .sizes = 50, .instants = 20, .lives = 8, .pairs = t % 2 == 0});
    for (int s = 0; s <= static_cast<int>(Strategy::automatic); ++s) {
      const auto strategy = static_cast<Strategy>(s);
      ASSERT_EQ(solve(problem, strategy, {0}), solve(problem, strategy, {0}));
    }
  }
}

Problem in_another_order(const Problem& problem, Random& random) {
  std::vector<int> to(problem.items.size());
  std::iota(to.begin(), to.end(), 0);
  for (size_t i = to.size(); i > 1; --i)
    std::swap(to[i - 1], to[static_cast<size_t>(random.below(static_cast<int64_t>(i)))]);
  Problem shuffled;
  shuffled.items.resize(to.size());
  for (size_t i = 0; i < to.size(); ++i) shuffled.items[Z(to[i])] = problem.items[i];
  for (const Pair& p : problem.pairs) shuffled.pairs.push_back({to[Z(p.a)], to[Z(p.b)], p.forbidden});
  return shuffled;
}

TEST(Searches, OrderOfManyItemsDoesNotMatter) {
  Random random(16);
  for (int t = 0, count = sampling::part(4, 1); t < count; ++t) {
    const Problem problem = test::random_problem(random, {.items = 600, .sizes = 4000, .instants = 300, .lives = 60});
    const Problem shuffled = in_another_order(problem, random);
    for (Strategy strategy : {Strategy::greedy_by_size, Strategy::best_fit, Strategy::automatic}) {
      ASSERT_EQ(solve(problem, strategy, {0}).arena, solve(shuffled, strategy, {0}).arena);
    }
  }
}

TEST(Searches, OrderOfItemsDoesNotMatterWhenProved) {
  Random random(14);
  for (int t = 0; t < 100; ++t) {
    const Problem problem = test::random_problem(random, {.items = 12,
                                                          .sizes = 9,
                                                          .instants = 10,
                                                          .lives = 5,
                                                          .pairs = t % 3 == 0,
                                                          .gaps = t % 3 == 1,
                                                          .alignments = t % 2 == 0});
    const Problem shuffled = in_another_order(problem, random);
    const Plan one = solve(problem, Strategy::automatic, {}), other = solve(shuffled, Strategy::automatic, {});
    ASSERT_EQ(one.proof, Proof::optimal);
    ASSERT_EQ(other.proof, Proof::optimal);
    ASSERT_EQ(one.arena, other.arena);
  }
}

TEST(Searches, NoHeuristicBeatsAProof) {
  Random random(15);
  for (int t = 0; t < 100; ++t) {
    const Problem problem = test::random_problem(random, {.items = 20,
                                                          .sizes = 40,
                                                          .instants = 12,
                                                          .lives = 6,
                                                          .pairs = t % 2 == 0,
                                                          .fixed = t % 5 == 0,
                                                          .alignments = t % 3 == 0});
    const Plan best = solve(problem, Strategy::automatic, {0});
    if (best.proof == Proof::infeasible) continue;
    for (int s = 0; s < static_cast<int>(Strategy::exact); ++s) {
      const Plan plan = solve(problem, static_cast<Strategy>(s), {0});
      ASSERT_TRUE(validate(problem, plan).empty());
      ASSERT_LE(best.lower_bound, plan.arena);
      if (best.proof == Proof::optimal) {
        ASSERT_LE(best.arena, plan.arena);
      }
    }
  }
}

// Above kLargeInstance items other code places them.
TEST(Searches, Crowds) {
  Random random(16);
  test::Mix mix{.items = static_cast<int>(kLargeInstance) + 200, .sizes = 1000, .instants = 2000, .lives = 20};
  for (int kind = 0; kind < 4; ++kind) {
    mix.gaps = mix.alignments = kind >= 1;
    Problem problem = test::random_problem(random, mix);
    if (kind >= 2) {
      for (int i = 0; i + 1 < mix.items; i += 7) problem.pairs.push_back({i, i + 1, {{-3, 900}, {950, 951}}});
    }
    if (kind == 3) problem.items[5].offset = 12 * problem.items[5].alignment;
    for (int s = 0; s <= static_cast<int>(Strategy::automatic); ++s) {
      const auto strategy = static_cast<Strategy>(s);
      const Plan plan = solve(problem, strategy, {0});
      const auto violations = validate(problem, plan);
      ASSERT_TRUE(violations.empty()) << violations[0].text;
      if (kind == 0 && strategy == Strategy::automatic) {
        EXPECT_LE(plan.arena, plan.lower_bound * 101 / 100);
      }
      if (strategy == Strategy::automatic) {
        ASSERT_EQ(solve(problem, strategy, {0}), plan);
      }
    }
  }
}

}  // namespace
}  // namespace tarn::planner
