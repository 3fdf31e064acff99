// The validator beside the laws as they are worded, byte by byte and instant by instant, on plans of which most are
// wrong in some way.
#include "planner/validate.h"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <tuple>

#include "planner/index.h"
#include "planner/plan.h"
#include "unit/planner/random_problem.h"

namespace tarn::planner {
namespace {

using Broken = std::set<std::tuple<Law, int, int>>;

// Whether the item holds its byte `at` (of the arena) at an instant.
bool holds(const Item& item, Offset offset, Instant instant, Offset at) {
  if (instant < item.first || instant >= item.end || at < offset || at >= offset + item.size) return false;
  for (const Gap& gap : item.gaps) {
    if (instant < gap.first || instant >= gap.end) continue;
    return gap.window_first && at >= offset + *gap.window_first && at < offset + *gap.window_end;
  }
  return true;
}

bool share_a_byte(const Item& a, Offset at_a, const Item& b, Offset at_b) {
  for (Instant t = std::max(a.first, b.first); t < std::min(a.end, b.end); ++t) {
    for (Offset at = at_a; at < at_a + a.size; ++at) {
      if (holds(a, at_a, t, at) && holds(b, at_b, t, at)) return true;
    }
  }
  return false;
}

Broken broken_laws(const Problem& problem, const Plan& plan) {
  Broken broken;
  const auto count = static_cast<int>(problem.items.size());
  Bytes top = 0;
  for (int i = 0; i < count; ++i) {
    const Item& item = problem.items[Z(i)];
    const Offset at = plan.offsets[Z(i)];
    if (at < 0) broken.insert({Law::negative, i, -1});
    if (at % item.alignment != 0) broken.insert({Law::alignment, i, -1});
    if (item.offset && at != *item.offset) broken.insert({Law::fixed_offset, i, -1});
    if (item.end > item.first && item.size > 0) top = std::max(top, at + item.size);
    for (int j = 0; j < i; ++j) {
      const bool paired = std::any_of(problem.pairs.begin(), problem.pairs.end(),
                                      [&](const Pair& p) { return (p.a == i && p.b == j) || (p.a == j && p.b == i); });
      if (!paired && share_a_byte(item, at, problem.items[Z(j)], plan.offsets[Z(j)]))
        broken.insert({Law::overlap, j, i});
    }
  }
  for (const Pair& pair : problem.pairs) {
    for (const Forbidden& f : pair.forbidden) {
      for (Bytes d = f.lo + 1; d < f.hi; ++d) {
        if (plan.offsets[Z(pair.b)] - plan.offsets[Z(pair.a)] == d)
          broken.insert({Law::forbidden_difference, pair.a, pair.b});
      }
    }
  }
  if (plan.arena != top) broken.insert({Law::arena, -1, -1});
  if (problem.capacity && top > *problem.capacity) broken.insert({Law::capacity, -1, -1});
  const bool wrong_proof = plan.proof == Proof::optimal && plan.lower_bound != plan.arena;
  if (plan.lower_bound > top || wrong_proof) broken.insert({Law::bound, -1, -1});
  return broken;
}

// Wrong by a little in a few places, or right.
void falsify(Random& random, Plan& plan) {
  for (int64_t i = random.below(3); i > 0; --i)
    plan.offsets[Z(random.below(static_cast<int64_t>(plan.offsets.size())))] += random.below(7) - 3;
  if (random.below(4) == 0) plan.arena += random.below(3) - 1;
  if (random.below(4) == 0) plan.lower_bound += random.below(3) - 1;
  if (random.below(4) == 0) plan.proof = Proof::best_found;
}

TEST(Validator, FindsTheLawsThatAreBroken) {
  Random random(41);
  std::array<int, 9> found{};
  int right = 0;
  for (int t = 0; t < 2000; ++t) {
    Problem problem = test::random_problem(random, {.items = 5,
                                                    .sizes = 5,
                                                    .instants = 5,
                                                    .lives = 5,
                                                    .pairs = (t & 1) != 0,
                                                    .gaps = (t & 2) != 0,
                                                    .fixed = (t & 4) != 0,
                                                    .alignments = (t & 8) != 0});
    Item& odd = problem.items[Z(random.below(5))];
    if (t % 5 == 0) odd.size = 0, odd.gaps.clear();
    if (t % 7 == 0) odd.end = odd.first, odd.gaps.clear();
    Plan plan = solve(problem, static_cast<Strategy>(t % 8), {});
    if (plan.offsets.empty()) continue;
    falsify(random, plan);
    if (t % 3 == 0) problem.capacity = std::max<Bytes>(0, plan.arena - random.below(2));
    Broken told;
    for (const Violation& v : validate(problem, plan)) {
      EXPECT_FALSE(v.text.empty());
      const bool swapped = v.law == Law::overlap && v.a > v.b;
      EXPECT_TRUE(told.insert({v.law, swapped ? v.b : v.a, swapped ? v.a : v.b}).second) << t << ": told twice";
      ++found[static_cast<size_t>(v.law)];
    }
    ASSERT_EQ(told, broken_laws(problem, plan)) << t;
    right += told.empty();
  }
  EXPECT_GT(right, 300);
  for (Law law : {Law::negative, Law::alignment, Law::fixed_offset, Law::overlap, Law::forbidden_difference, Law::arena,
                  Law::capacity, Law::bound}) {
    EXPECT_GT(found[static_cast<size_t>(law)], 100) << static_cast<int>(law);
  }
}

}  // namespace
}  // namespace tarn::planner
