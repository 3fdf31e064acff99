// Placement of items of any kind, one after the other.
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "planner/conflicts.h"
#include "planner/index.h"
#include "planner/overlap_index.h"
#include "planner/phases.h"
#include "planner/placement.h"
#include "planner/problem.h"
#include "support/progress.h"

namespace tarn::planner {

class LargePlacement {
 public:
  LargePlacement(const Problem& problem, const OverlapIndex& index) : problem_(problem), index_(index) {
    if (!problem.pairs.empty()) pairs_of_.resize(problem.items.size());
    for (size_t p = 0; p < problem.pairs.size(); ++p) {
      pairs_of_[Z(problem.pairs[p].a)].push_back(static_cast<int>(p));
      pairs_of_[Z(problem.pairs[p].b)].push_back(static_cast<int>(p));
    }
    neighbours_.resize(Z(index.count()));
    for (int r = 0; r < index.count(); ++r) {
      const Item& item = problem.items[Z(index.item_of(r))];
      neighbours_[Z(r)] = {kUnplaced, is_whole(item) ? item.size : -1};
    }
  }

  std::vector<Offset> run(const std::vector<int>& order, Fit fit) {
    start();
    return go_on(order, fit);
  }

  // Around those that have their offsets already.
  std::vector<Offset> run_around(const std::vector<Offset>& placed, const std::vector<int>& order, Fit fit) {
    offsets_ = placed;
    tell_neighbours();
    return go_on(order, fit);
  }

  std::vector<Offset> go_on(const std::vector<int>& order, Fit fit) {
    for (int i : order) {
      if (offsets_[Z(i)] == kUnplaced) place(i, find(i, fit, 0));
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
      place(static_cast<int>(i), find(static_cast<int>(i), Fit::lowest, alive ? top : 0));
      if (alive) top = offsets_[i] + problem_.items[i].size;
    }
    return offsets_;
  }

  uint64_t steps() const { return steps_; }
  uint64_t visits() const { return visits_; }

 private:
  void start() {
    offsets_.assign(problem_.items.size(), kUnplaced);
    for (size_t i = 0; i < problem_.items.size(); ++i) {
      if (problem_.items[i].offset) offsets_[i] = *problem_.items[i].offset;
    }
    tell_neighbours();
  }

  void tell_neighbours() {
    for (int r = 0; r < index_.count(); ++r) neighbours_[Z(r)].at = offsets_[Z(index_.item_of(r))];
  }

  void place(int i, Offset at) {
    offsets_[Z(i)] = at;
    if (const int rank = index_.rank_of(i); rank >= 0) neighbours_[Z(rank)].at = at;
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
    const bool has_pairs = !pairs_of_.empty() && !pairs_of_[Z(i)].empty(), whole = is_whole(self);
    if (index_.rank_of(i) >= 0) {
      index_.for_each(index_.rank_of(i), [&](int rank) {
        ++visits_;
        const auto [at, size] = neighbours_[Z(rank)];
        if (at == kUnplaced || (has_pairs && paired(i, index_.item_of(rank)))) return;
        if (size >= 0 && whole) {
          blocked_.push_back({at - self.size, at + size});
        } else {
          for (const Forbidden& f : forbidden_by_lives(problem_.items[Z(index_.item_of(rank))], self))
            blocked_.push_back({at + f.lo, at + f.hi});
        }
      });
    }
    for (size_t k = 0; has_pairs && k < pairs_of_[Z(i)].size(); ++k) {
      const int p = pairs_of_[Z(i)][k];
      const Pair& pair = problem_.pairs[Z(p)];
      const Offset at = offsets_[Z(pair.a == i ? pair.b : pair.a)];
      if (at == kUnplaced) continue;
      for (const Forbidden& f : pair.forbidden)
        blocked_.push_back(pair.b == i ? Blocked{at + f.lo, at + f.hi} : Blocked{at - f.hi, at - f.lo});
    }
    return find_free(blocked_, self.alignment, fit, least);
  }

  const Problem& problem_;
  const OverlapIndex& index_;
  std::vector<std::vector<int>> pairs_of_;  // by item; none without pairs
  std::vector<Offset> offsets_;
  // By rank, close together for those that meet: where an item is, and its size (-1: it has gaps).
  struct Neighbour {
    Offset at = kUnplaced;
    Bytes size = -1;
  };
  std::vector<Neighbour> neighbours_;
  std::vector<Blocked> blocked_;
  uint64_t steps_ = 0, visits_ = 0;
};

}  // namespace tarn::planner
