// Small packing problems at random, for tests.
#pragma once
#include <string>
#include <utility>

#include "planner/problem.h"
#include "planner/random.h"

namespace tarn::planner::test {

struct Mix {
  int items = 6;
  int64_t sizes = 6, instants = 6, lives = 4;
  bool pairs = false, gaps = false, fixed = false, alignments = false;
};

inline Item random_item(Random& random, const Mix& mix) {
  Item item;
  item.size = 1 + random.below(mix.sizes);
  item.first = random.below(mix.instants);
  item.end = item.first + 1 + random.below(mix.lives);
  if (mix.alignments) item.alignment = int64_t{1} << random.below(3);
  if (mix.fixed && random.below(6) == 0) item.offset = random.below(5) * item.alignment;
  if (mix.gaps && item.end - item.first > 2 && random.below(3) == 0) {
    Gap gap{item.first + 1, item.end - 1, {}, {}};
    if (random.below(2) == 0) {
      gap.window_first = item.size / 3;
      gap.window_end = item.size / 2;
    }
    item.gaps.push_back(gap);
  }
  return item;
}

inline Problem random_problem(Random& random, const Mix& mix) {
  Problem problem;
  for (int i = 0; i < mix.items; ++i) {
    problem.items.push_back(random_item(random, mix));
    problem.items.back().id = std::to_string(i);
  }
  for (int i = 0; mix.pairs && i < mix.items; ++i) {
    for (int j = i + 1; j < mix.items; ++j) {
      if (random.below(5) != 0) continue;
      Pair pair{i, j, {}};
      if (random.below(2) == 0) std::swap(pair.a, pair.b);
      if (random.below(4) != 0) pair.forbidden.push_back({-random.below(mix.sizes), random.below(mix.sizes)});
      if (random.below(3) == 0) pair.forbidden.push_back({mix.sizes + random.below(3), mix.sizes + 4});
      problem.pairs.push_back(std::move(pair));
    }
  }
  return problem;
}

}  // namespace tarn::planner::test
