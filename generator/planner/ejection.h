// note [ejection]: all items whose end lies above a capacity a little below the best arena known are taken out and
// queued, the heaviest first. Each goes into the snuggest gap, or where what is in its way weighs least; that is taken
// out and queued in its turn, and becomes heavier each time. When the queue runs empty the capacity is met. This only
// ever looks at the items that meet one item in time.
#pragma once
#include <algorithm>
#include <cmath>
#include <queue>
#include <utility>
#include <vector>

#include "planner/index.h"
#include "planner/large_placement.h"
#include "planner/random.h"
#include "support/checked.h"
#include "support/progress.h"

namespace tarn::planner {

class Ejection {
 public:
  Ejection(const Problem& problem, const OverlapIndex& index, Bytes unit) : index_(index), unit_(unit) {
    const int n = index.count();
    size_.resize(Z(n));
    weight_.resize(Z(n));
    offset_.resize(Z(n));
    penalty_.assign(Z(n), 1);
    for (int r = 0; r < n; ++r) {
      size_[Z(r)] = ceil_div(problem.items[Z(index.item_of(r))].size, unit);
      // The square root is exact on every machine.
      weight_[Z(r)] =
          static_cast<double>(size_[Z(r)]) * std::sqrt(static_cast<double>(index.last(r) - index.first(r) + 1));
    }
  }

  // Brings all items below `capacity` (in units), from offsets by rank. False: gave up after `step_limit` placements.
  bool run(std::vector<Offset>& offsets, Bytes capacity, uint64_t step_limit) {
    offset_ = offsets;
    queue_ = {};
    for (int r = 0; r < index_.count(); ++r) {
      if (offset_[Z(r)] + size_[Z(r)] <= capacity) continue;
      offset_[Z(r)] = kUnplaced;
      queue_.push({weight_[Z(r)], -r});
    }
    for (uint64_t step = 0; !queue_.empty(); ++step) {
      if (step >= step_limit) return false;
      const int rank = -queue_.top().second;
      queue_.pop();
      ++steps_;
      note_some_progress("packing, placements", steps_);
      gather(rank);
      Offset at = snuggest_gap(size_[Z(rank)], capacity);
      if (at == kUnplaced) {
        at = cheapest_place(size_[Z(rank)], capacity);
        if (at == kUnplaced) return false;
        eject(at, at + size_[Z(rank)]);
      }
      offset_[Z(rank)] = at;
    }
    offsets = offset_;
    return true;
  }

  void forget() { std::fill(penalty_.begin(), penalty_.end(), 1); }
  Bytes size(int rank) const { return size_[Z(rank)]; }
  uint64_t steps() const { return steps_; }
  uint64_t visits() const { return visits_; }
  Bytes unit() const { return unit_; }

 private:
  struct Placed {
    Offset first, end;
    int rank;
  };

  void gather(int rank) {
    by_first_.clear();
    index_.for_each(rank, [&](int other) {
      ++visits_;
      const Offset at = offset_[Z(other)];
      if (at != kUnplaced) by_first_.push_back({at, at + size_[Z(other)], other});
    });
    sort(by_first_, [](const Placed& p) { return p.first; });
  }

  // By a key that is not negative; stable. Digits of eleven bits are faster than comparisons for more than a few.
  template <class Key>
  void sort(std::vector<Placed>& list, Key key) {
    if (list.size() < 150) {
      std::stable_sort(list.begin(), list.end(), [&](const Placed& x, const Placed& y) { return key(x) < key(y); });
      return;
    }
    Offset greatest = 0;
    for (const Placed& p : list) greatest = std::max(greatest, key(p));
    sorted_.resize(list.size());
    for (int shift = 0; shift < 62 && greatest >> shift > 0; shift += 11) {
      size_t first[2048] = {};
      const auto digit = [&](const Placed& p) { return static_cast<size_t>(key(p) >> shift & 2047); };
      for (const Placed& p : list) ++first[digit(p)];
      size_t before = 0;
      for (size_t& f : first) before += std::exchange(f, before);
      for (const Placed& p : list) sorted_[first[digit(p)]++] = p;
      list.swap(sorted_);
    }
  }

  Offset snuggest_gap(Bytes size, Bytes capacity) const {
    Offset end = 0, best = kUnplaced;
    Bytes best_gap = INT64_MAX;
    const auto consider = [&](Offset until) {
      if (until - end >= size && until - end < best_gap) {
        best_gap = until - end;
        best = end;
      }
    };
    for (const Placed& p : by_first_) {
      consider(p.first);
      end = std::max(end, p.end);
    }
    consider(capacity);
    return best;
  }

  double cost(int rank) const { return weight_[Z(rank)] * penalty_[Z(rank)]; }
  double blur() { return 1 + 0.05 * static_cast<double>(random_.next() & 255) / 256; }

  // The items that meet in time with the one to place may meet each other's addresses: they need not meet in time.
  Offset cheapest_place(Bytes size, Bytes capacity) {
    by_end_ = by_first_;
    sort(by_end_, [](const Placed& p) { return p.end; });
    double best = 1e300;
    Offset where = kUnplaced;
    const auto consider = [&](Offset at, double in_the_way) {
      const double value = in_the_way * blur();
      if (value < best) {
        best = value;
        where = at;
      }
    };
    const size_t count = by_first_.size();
    // Right above the end of an item.
    double sum = 0;
    size_t entered = 0;
    for (size_t left = 0; left <= count; ++left) {
      const Offset at = left == 0 ? 0 : by_end_[left - 1].end;
      if (left > 0) sum -= cost(by_end_[left - 1].rank);
      if (at + size > capacity) break;
      while (entered < count && by_first_[entered].first < at + size) sum += cost(by_first_[entered++].rank);
      if (left < count && by_end_[left].end == at) continue;
      consider(at, sum);
    }
    // Right below the beginning of an item, or at the top. Some item ends above each of these: on top of all there is
    // no room (snuggest_gap).
    sum = 0;
    size_t gone = 0;
    for (size_t k = 0; k <= count; ++k) {
      const Offset at = (k < count ? by_first_[k].first : capacity) - size;
      if (at >= 0 && at + size <= capacity) {
        while (by_end_[gone].end <= at) sum -= cost(by_end_[gone++].rank);
        consider(at, sum);
      }
      if (k < count) sum += cost(by_first_[k].rank);
    }
    return where;
  }

  void eject(Offset first, Offset end) {
    for (const Placed& p : by_first_) {
      if (p.first >= end || p.end <= first) continue;
      offset_[Z(p.rank)] = kUnplaced;
      ++penalty_[Z(p.rank)];
      queue_.push({weight_[Z(p.rank)], -p.rank});
    }
  }

  const OverlapIndex& index_;
  Bytes unit_;
  std::vector<Bytes> size_;
  std::vector<Offset> offset_;
  std::vector<double> weight_;
  std::vector<int> penalty_;
  std::priority_queue<std::pair<double, int>> queue_;
  std::vector<Placed> by_first_, by_end_, sorted_;
  Random random_{1};
  uint64_t steps_ = 0, visits_ = 0;
};

}  // namespace tarn::planner
