// The least arena by trying every offset of every item: for problems of a few items.
#pragma once
#include <algorithm>
#include <vector>

#include "planner/conflicts.h"
#include "planner/problem.h"

namespace tarn::planner::test {

inline constexpr Bytes kTooMuch = 44;

// The least arena below kTooMuch by trying all offsets; kTooMuch if there is none.
class BruteForce {
 public:
  explicit BruteForce(const Problem& problem) : problem_(problem), offsets_(problem.items.size()) { place(0, 0); }
  Bytes least() const { return least_; }

 private:
  std::vector<Forbidden> between(size_t a, size_t b) const {
    for (const Pair& p : problem_.pairs) {
      if (static_cast<size_t>(p.a) == a && static_cast<size_t>(p.b) == b) return p.forbidden;
      if (static_cast<size_t>(p.a) != b || static_cast<size_t>(p.b) != a) continue;
      std::vector<Forbidden> mirrored;
      for (const Forbidden& f : p.forbidden) mirrored.push_back({-f.hi, -f.lo});
      return mirrored;
    }
    return forbidden_by_lives(problem_.items[a], problem_.items[b]);
  }

  bool agrees(size_t k) const {
    for (size_t j = 0; j < k; ++j) {
      const Bytes d = offsets_[k] - offsets_[j];
      for (const Forbidden& f : between(j, k)) {
        if (f.lo < d && d < f.hi) return false;
      }
    }
    return true;
  }

  void place(size_t k, Bytes top) {
    if (top >= least_) return;
    if (k == offsets_.size()) {
      least_ = top;
      return;
    }
    const Item& item = problem_.items[k];
    const Offset first = item.offset.value_or(0);
    for (Offset at = first; at + item.size < least_ && (!item.offset || at == first); at += item.alignment) {
      offsets_[k] = at;
      if (agrees(k)) place(k + 1, std::max(top, at + item.size));
    }
  }

  const Problem& problem_;
  std::vector<Offset> offsets_;
  Bytes least_ = kTooMuch;
};

// Some of the items and what holds between them.
inline Problem part_of(const Problem& problem, const std::vector<int>& some, int without) {
  Problem part;
  std::vector<int> position(problem.items.size(), -1);
  for (int i : some) {
    if (i == without) continue;
    position[static_cast<size_t>(i)] = static_cast<int>(part.items.size());
    part.items.push_back(problem.items[static_cast<size_t>(i)]);
  }
  for (const Pair& p : problem.pairs) {
    const int a = position[static_cast<size_t>(p.a)], b = position[static_cast<size_t>(p.b)];
    if (a >= 0 && b >= 0) part.pairs.push_back({a, b, p.forbidden});
  }
  return part;
}

}  // namespace tarn::planner::test
