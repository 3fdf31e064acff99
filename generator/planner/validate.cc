#include "planner/validate.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace tarn::planner {

namespace {

std::string quoted(const Problem& problem, int item) { return "'" + problem.items[static_cast<size_t>(item)].id + "'"; }

bool costs(const Item& item) { return item.first < item.end && item.size > 0; }

// The bytes of the item that are in use at an instant of its life, as [first, end) relative to its offset.
std::pair<Bytes, Bytes> in_use(const Item& item, Instant at) {
  for (const Gap& gap : item.gaps) {
    if (gap.first <= at && at < gap.end) return {gap.window_first.value_or(0), gap.window_end.value_or(0)};
  }
  return {0, item.size};
}

// Do two items use the same byte at the same instant? What an item uses grows only where a gap ends.
bool collide(const Item& a, Offset at_a, const Item& b, Offset at_b) {
  const Instant first = std::max(a.first, b.first), end = std::min(a.end, b.end);
  std::vector<Instant> changes{first};
  for (const Item* item : {&a, &b}) {
    for (const Gap& gap : item->gaps) changes.push_back(gap.end);
  }
  for (Instant t : changes) {
    if (t < first || t >= end) continue;
    const auto [a0, a1] = in_use(a, t);
    const auto [b0, b1] = in_use(b, t);
    if (a0 < a1 && b0 < b1 && at_a + a0 < at_b + b1 && at_b + b0 < at_a + a1) return true;
  }
  return false;
}

class Validator {
 public:
  Validator(const Problem& problem, const Plan& plan) : problem_(problem), plan_(plan) {}

  std::vector<Violation> run() {
    const bool no_placement =
        plan_.offsets.empty() && (plan_.proof == Proof::infeasible || plan_.proof == Proof::undecided);
    if (no_placement) return violations_;
    if (plan_.offsets.size() != problem_.items.size()) {
      add(Law::count, -1, -1,
          std::to_string(plan_.offsets.size()) + " offsets for " + std::to_string(problem_.items.size()) + " items");
      return violations_;
    }
    check_items();
    check_overlaps();
    check_pairs();
    check_arena();
    return violations_;
  }

 private:
  const Item& item(int i) const { return problem_.items[static_cast<size_t>(i)]; }
  Offset offset(int i) const { return plan_.offsets[static_cast<size_t>(i)]; }
  void add(Law law, int a, int b, std::string text) { violations_.push_back({law, a, b, std::move(text)}); }

  void check_items() {
    for (int i = 0; i < static_cast<int>(problem_.items.size()); ++i) {
      if (offset(i) < 0) add(Law::negative, i, -1, quoted(problem_, i) + " begins below 0");
      if (offset(i) % item(i).alignment != 0) add(Law::alignment, i, -1, quoted(problem_, i) + " is not aligned");
      if (item(i).offset && *item(i).offset != offset(i))
        add(Law::fixed_offset, i, -1, quoted(problem_, i) + " is not where it is fixed");
    }
  }

  void check_overlaps() {
    std::set<std::pair<int, int>> paired;
    for (const Pair& p : problem_.pairs) paired.insert(std::minmax(p.a, p.b));
    std::vector<int> order(problem_.items.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, [&](int i) { return std::pair(item(i).first, i); });
    for (const auto& [i, j] : meetings(order)) {
      if (paired.count(std::minmax(i, j)) > 0 || !collide(item(i), offset(i), item(j), offset(j))) continue;
      add(Law::overlap, i, j,
          quoted(problem_, i) + " and " + quoted(problem_, j) + " use the same bytes at the same time");
    }
  }

  // Pairs of items that live at one time and have bytes in common, in `order`, which is that of their first instants.
  // Of those that live when an item begins, only such can reach it as begin by the largest size below it.
  std::vector<std::pair<int, int>> meetings(const std::vector<int>& order) const {
    Bytes largest = 0;
    for (const Item& i : problem_.items) largest = std::max(largest, i.size);
    std::set<std::pair<Offset, size_t>> alive;  // offsets, and places in `order`
    std::set<std::pair<Instant, size_t>> ends;
    std::vector<std::pair<size_t, size_t>> met;
    for (size_t l = 0; l < order.size(); ++l) {
      const int j = order[l];
      if (!costs(item(j))) continue;
      for (; !ends.empty() && ends.begin()->first <= item(j).first; ends.erase(ends.begin()))
        alive.erase({offset(order[ends.begin()->second]), ends.begin()->second});
      for (auto at = alive.lower_bound({offset(j) - largest, 0}); at != alive.end(); ++at) {
        if (at->first >= offset(j) + item(j).size) break;
        if (at->first + item(order[at->second]).size > offset(j)) met.emplace_back(at->second, l);
      }
      alive.emplace(offset(j), l);
      ends.emplace(item(j).end, l);
    }
    std::ranges::sort(met);
    std::vector<std::pair<int, int>> pairs;
    for (const auto& [k, l] : met) pairs.emplace_back(order[k], order[l]);
    return pairs;
  }

  void check_pairs() {
    for (const Pair& p : problem_.pairs) {
      const Bytes difference = offset(p.b) - offset(p.a);
      for (const Forbidden& f : p.forbidden) {
        if (f.lo < difference && difference < f.hi) {
          add(Law::forbidden_difference, p.a, p.b,
              quoted(problem_, p.b) + " lies " + std::to_string(difference) + " from " + quoted(problem_, p.a) +
                  ", which is forbidden");
        }
      }
    }
  }

  void check_arena() {
    Bytes top = 0;
    for (int i = 0; i < static_cast<int>(problem_.items.size()); ++i) {
      if (costs(item(i))) top = std::max(top, offset(i) + item(i).size);
    }
    if (plan_.arena != top)
      add(Law::arena, -1, -1, "the arena is " + std::to_string(top) + ", not " + std::to_string(plan_.arena));
    if (problem_.capacity && top > *problem_.capacity) add(Law::capacity, -1, -1, "the arena exceeds the capacity");
    const bool claims = plan_.proof == Proof::optimal && plan_.lower_bound != plan_.arena;
    if (plan_.lower_bound > top || claims) {
      add(Law::bound, -1, -1,
          "the lower bound is " + std::to_string(plan_.lower_bound) + ", the arena " + std::to_string(top));
    }
  }

  const Problem& problem_;
  const Plan& plan_;
  std::vector<Violation> violations_;
};

}  // namespace

std::vector<Violation> validate(const Problem& problem, const Plan& plan) { return Validator(problem, plan).run(); }

}  // namespace tarn::planner
