// Packing problems of medium size at random, each with the planner's answer, as one line of JSON: what same_optimum.py
// reads.
//   solver_problems COUNT
#include <cstdio>
#include <cstdlib>
#include <string>

#include "planner/plan.h"
#include "planner/random.h"
#include "planner/validate.h"

namespace {

using namespace tarn::planner;

// Tensors of a network: each is read until some later step. Where one dies the next may begin a few bytes below it;
// here and there two are rings of lines, whose bases must not differ by some distances.
Problem network(Random& random, int count) {
  Problem problem;
  for (int i = 0; i < count; ++i) {
    Item item;
    item.id = std::to_string(i);
    item.size = 1 + random.below(random.below(3) == 0 ? 60 : 20);
    item.first = i;
    item.end = i + 1 + (random.below(3) == 0 ? 1 + random.below(7) : 1);
    item.alignment = random.below(8) == 0 ? 4 : 1;
    problem.items.push_back(item);
  }
  for (int i = 0; i + 1 < count; ++i) {
    const Item &x = problem.items[static_cast<size_t>(i)], &y = problem.items[static_cast<size_t>(i) + 1];
    if (x.end == y.first + 1 && random.below(3) != 0) {
      // y follows x: it may start `below` bytes below it, or lower, or above its end.
      problem.pairs.push_back({i, i + 1, {{-random.below(y.size) - 1, x.size}}});
    } else if (random.below(6) == 0) {
      const Bytes line = 1 + random.below(6);
      problem.pairs.push_back({i, i + 1, {{-y.size, -line}, {0, line}, {line + 1, x.size + line + 2}}});
    }
  }
  return problem;
}

void print(const Problem& problem, const Plan& plan) {
  std::printf("{\"items\": [");
  for (size_t i = 0; i < problem.items.size(); ++i) {
    const Item& item = problem.items[i];
    std::printf("%s[%ld, %ld, %ld, %ld]", i == 0 ? "" : ", ", static_cast<long>(item.size),
                static_cast<long>(item.first), static_cast<long>(item.end), static_cast<long>(item.alignment));
  }
  std::printf("], \"pairs\": [");
  for (size_t p = 0; p < problem.pairs.size(); ++p) {
    const Pair& pair = problem.pairs[p];
    std::printf("%s[%d, %d, [", p == 0 ? "" : ", ", pair.a, pair.b);
    for (size_t k = 0; k < pair.forbidden.size(); ++k) {
      std::printf("%s[%ld, %ld]", k == 0 ? "" : ", ", static_cast<long>(pair.forbidden[k].lo),
                  static_cast<long>(pair.forbidden[k].hi));
    }
    std::printf("]]");
  }
  std::printf("], \"arena\": %ld, \"bound\": %ld, \"valid\": %s}\n", static_cast<long>(plan.arena),
              static_cast<long>(plan.lower_bound), validate(problem, plan).empty() ? "true" : "false");
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 1;
  Random random(1);
  for (int t = 0; t < count; ++t) {
    const Problem problem = network(random, 10 + 2 * (t % 16));
    print(problem, solve(problem, Strategy::automatic, {}));
  }
  return 0;
}
