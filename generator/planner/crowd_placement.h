// Placement of items of any kind, one after the other.
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "planner/conflicts.h"
#include "planner/overlap_index.h"
#include "planner/phases.h"
#include "planner/placement.h"
#include "planner/problem.h"
#include "support/progress.h"

namespace tarn::planner {

class CrowdPlacement {
 public:
  CrowdPlacement(const Problem& problem, const OverlapIndex& index) : problem_(problem), index_(index), pairs_of_(problem.items.size()) {
    for (size_t p = 0; p < problem.pairs.size(); ++p) {
      pairs_of_[Z(problem.pairs[p].a)].push_back(static_cast<int>(p));
      pairs_of_[Z(problem.pairs[p].b)].push_back(static_cast<int>(p));
    }
  }

  std::vector<Offset> run(const std::vector<int>& order, Fit fit) {
    start();
    return go_on(order, fit);
  }

  // Around those that have their offsets already.
  std::vector<Offset> run_around(const std::vector<Offset>& placed, const std::vector<int>& order, Fit fit) {
    offsets_ = placed;
    return go_on(order, fit);
  }

  std::vector<Offset> go_on(const std::vector<int>& order, Fit fit) {
    for (int i : order) {
      if (offsets_[Z(i)] == kUnplaced) offsets_[Z(i)] = find(i, fit, 0);
    }
    return offsets_;
  }

  std::vector<Offset> run_apart() {
    start();
    Offset top = 0;
    for (const Item& item : problem_.items) {
      if (item.offset) top = std::max(top, *item.offset + item.size);
    }
    for (size_t i = 0; i < problem_.items.size(); ++i) {
      if (offsets_[i] != kUnplaced) continue;
      const bool alive = is_alive(problem_.items[i]);
      offsets_[i] = find(static_cast<int>(i), Fit::lowest, alive ? top : 0);
      if (alive) top = offsets_[i] + problem_.items[i].size;
    }
    return offsets_;
  }

  uint64_t steps() const { return steps_; }
  uint64_t visits() const { return visits_; }

 private:
  static size_t Z(int i) { return static_cast<size_t>(i); }
  void start() {
    offsets_.assign(problem_.items.size(), kUnplaced);
    for (size_t i = 0; i < problem_.items.size(); ++i) {
      if (problem_.items[i].offset) offsets_[i] = *problem_.items[i].offset;
    }
  }

  bool paired(int i, int j) const {
    const auto has = [&](int p) { return problem_.pairs[Z(p)].a == j || problem_.pairs[Z(p)].b == j; };
    return std::any_of(pairs_of_[Z(i)].begin(), pairs_of_[Z(i)].end(), has);
  }

  Offset find(int i, Fit fit, Offset least) {
    ++steps_;
    note_some_progress("packing, placements", steps_);
    blocked_.clear();
    const Item& self = problem_.items[Z(i)];
    const bool has_pairs = !pairs_of_[Z(i)].empty();
    if (index_.rank_of(i) >= 0) {
      index_.for_each(index_.rank_of(i), [&](int rank) {
        ++visits_;
        const int j = index_.item_of(rank);
        const Offset at = offsets_[Z(j)];
        if (at == kUnplaced || (has_pairs && paired(i, j))) return;
        const Item& other = problem_.items[Z(j)];
        if (is_whole(self) && is_whole(other)) {
          blocked_.push_back({at - self.size, at + other.size});
        } else {
          for (const Forbidden& f : forbidden_by_lives(other, self)) blocked_.push_back({at + f.lo, at + f.hi});
        }
      });
    }
    for (int p : pairs_of_[Z(i)]) {
      const Pair& pair = problem_.pairs[Z(p)];
      const Offset at = offsets_[Z(pair.a == i ? pair.b : pair.a)];
      if (at == kUnplaced) continue;
      for (const Forbidden& f : pair.forbidden) blocked_.push_back(pair.b == i ? Blocked{at + f.lo, at + f.hi} : Blocked{at - f.hi, at - f.lo});
    }
    return find_free(blocked_, self.alignment, fit, least);
  }

  const Problem& problem_;
  const OverlapIndex& index_;
  std::vector<std::vector<int>> pairs_of_;
  std::vector<Offset> offsets_;
  std::vector<Blocked> blocked_;
  uint64_t steps_ = 0, visits_ = 0;
};

}  // namespace tarn::planner
