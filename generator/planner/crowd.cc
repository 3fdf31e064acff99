// note [ejection]: all items whose end lies above a capacity a little below the best arena known are taken out and queued,
// the heaviest first. Each goes into the snuggest gap, or where what is in its way weighs least; that is taken out and
// queued in its turn, and becomes heavier each time. When the queue runs empty the capacity is met. This only ever looks
// at the items that meet one item in time.
//
// note [hot]: what decides the arena is the few instants at which most is alive. The items of those are packed by the exact
// engine first, at the bound; then those of more and more instants, for as long as that succeeds quickly. The rest finds
// room around them.
#include "planner/crowd.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <utility>

#include "planner/bounds.h"
#include "planner/conflicts.h"
#include "planner/decide.h"
#include "planner/greedy.h"
#include "planner/overlap_index.h"
#include "planner/phases.h"
#include "planner/placement.h"
#include "planner/random.h"
#include "planner/split.h"
#include "support/checked.h"
#include "support/progress.h"

namespace tarn::planner {

namespace {

size_t Z(int i) { return static_cast<size_t>(i); }

// Placement of items of any kind, one after the other.
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
      weight_[Z(r)] = static_cast<double>(size_[Z(r)]) * std::sqrt(static_cast<double>(index.last(r) - index.first(r) + 1));
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
    Bytes best_room = INT64_MAX;
    const auto consider = [&](Offset until) {
      if (until - end >= size && until - end < best_room) {
        best_room = until - end;
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
    // Right below the beginning of an item, or at the top.
    sum = 0;
    size_t gone = 0;
    for (size_t k = 0; k <= count; ++k) {
      const Offset at = (k < count ? by_first_[k].first : capacity) - size;
      if (at >= 0 && at + size <= capacity) {
        while (gone < count && by_end_[gone].end <= at) sum -= cost(by_end_[gone++].rank);
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

// Size times a power of the life in sections: `eighths` of the exponent. Roots are exact on every machine.
std::vector<int> order_by_weight(const Problem& problem, const OverlapIndex& index, int eighths) {
  std::vector<double> key(problem.items.size(), 0);
  for (size_t i = 0; i < key.size(); ++i) {
    const int r = index.rank_of(static_cast<int>(i));
    if (r < 0) continue;
    const double half = std::sqrt(static_cast<double>(index.last(r) - index.first(r) + 1)), quarter = std::sqrt(half), eighth = std::sqrt(quarter);
    key[i] = static_cast<double>(problem.items[i].size) * ((eighths & 4) != 0 ? half : 1) * ((eighths & 2) != 0 ? quarter : 1) *
             ((eighths & 1) != 0 ? eighth : 1);
  }
  std::vector<int> order(problem.items.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int x, int y) { return key[Z(x)] != key[Z(y)] ? key[Z(x)] > key[Z(y)] : x < y; });
  return order;
}

bool is_plain(const Problem& problem, Bytes unit) {
  return problem.pairs.empty() && std::all_of(problem.items.begin(), problem.items.end(), [&](const Item& item) {
    return !is_alive(item) || (is_whole(item) && !item.offset && item.alignment == unit);
  });
}

// Bytes alive in each section.
std::vector<Bytes> loads_of(const Problem& problem, const OverlapIndex& index) {
  int sections = 0;
  for (int r = 0; r < index.count(); ++r) sections = std::max(sections, index.last(r) + 1);
  std::vector<Bytes> loads(Z(sections) + 1, 0);
  for (int r = 0; r < index.count(); ++r) {
    loads[Z(index.first(r))] += problem.items[Z(index.item_of(r))].size;
    loads[Z(index.last(r)) + 1] -= problem.items[Z(index.item_of(r))].size;
  }
  std::partial_sum(loads.begin(), loads.end(), loads.begin());
  return loads;
}

// The items alive in a section with at least `least` bytes.
std::vector<int> items_of_hot(const OverlapIndex& index, const std::vector<Bytes>& loads, Bytes least) {
  std::vector<int> before(loads.size() + 1, 0);  // hot sections before each
  for (size_t s = 0; s < loads.size(); ++s) before[s + 1] = before[s] + (loads[s] >= least ? 1 : 0);
  std::vector<int> items;
  for (int r = 0; r < index.count(); ++r) {
    if (before[Z(index.last(r)) + 1] > before[Z(index.first(r))]) items.push_back(index.item_of(r));
  }
  std::sort(items.begin(), items.end());
  return items;
}

// Offsets of the hottest items within `goal`, the others unplaced: see note [hot]. Empty when nothing was found.
std::vector<Offset> pack_hot(const Problem& problem, const OverlapIndex& index, Bytes goal, int effort, uint64_t& steps) {
  constexpr size_t kMostItems = 12'000, kMostMeetings = 6'000'000;
  constexpr int64_t kMostAlive = 400;  // where more meet, a packed part leaves too little room for the rest
  const std::vector<Bytes> loads = loads_of(problem, index);
  int64_t lives = 0;
  for (int r = 0; r < index.count(); ++r) lives += index.last(r) - index.first(r) + 1;
  if (lives / static_cast<int64_t>(loads.size()) > kMostAlive) return {};
  const Bytes most = *std::max_element(loads.begin(), loads.end());
  std::vector<Offset> placed;
  size_t packed = 0;
  for (const Bytes percent : {98, 95, 90, 80, 60, 0}) {
    const std::vector<int> items = items_of_hot(index, loads, most / 100 * percent);
    if (items.size() > kMostItems) break;
    if (items.size() == packed) continue;
    const Problem hot = restrict_to(problem, items);
    size_t meetings = 0;
    for (int i : items) index.for_each(index.rank_of(i), [&](int) { ++meetings; });
    if (meetings > kMostMeetings) break;
    const ConflictGraph conflicts = ConflictGraph::build(hot);
    Decision decision;
    // Where the bound is out of reach, a little more must do.
    for (int more = 0; more < (percent >= 90 ? 4 : 1) && decision.verdict != Verdict::found; ++more) {
      if (more > 0) goal += goal / 400 << (more - 1);
      decision = decide(hot, conflicts, goal, uint64_t{20'000} << (3 * effort) >> 2);
      steps += decision.nodes;
    }
    if (decision.verdict != Verdict::found) break;
    packed = items.size();
    placed.assign(problem.items.size(), kUnplaced);
    for (size_t k = 0; k < items.size(); ++k) placed[Z(items[k])] = decision.offsets[k];
  }
  return placed;
}

// `meetings`: of an item with others, on average. Lowers the arena until `goal` is met or the visits are used up.
void eject_towards(const Problem& problem, const OverlapIndex& index, Bytes goal, uint64_t meetings, uint64_t visit_limit,
                   CrowdPlan& plan) {
  const Bytes unit = common_alignment(problem);
  Ejection ejection(problem, index, unit);
  std::vector<Offset> offsets(Z(index.count()));
  Bytes top = 0;
  for (int r = 0; r < index.count(); ++r) {
    offsets[Z(r)] = plan.offsets[Z(index.item_of(r))] / unit;
    top = std::max(top, offsets[Z(r)] + ejection.size(r));
  }
  const Bytes bound = ceil_div(goal, unit);
  int64_t sixteenths = meetings > 800 ? 3 : 8;  // of the gap to win at once
  // Where many items meet, each displaces more of them, and it takes longer until all have found a place.
  const uint64_t step_base = 1000 + static_cast<uint64_t>(index.count()) / 4 * (1 + meetings / 1000);
  uint64_t step_limit = step_base;
  while (top > bound && ejection.visits() < visit_limit) {
    const Bytes capacity = std::max(bound, top - std::max<Bytes>(1, (top - bound) * sixteenths / 16));
    const uint64_t per_step = ejection.steps() == 0 ? 100 : ejection.visits() / ejection.steps() + 1;
    const uint64_t limit = std::min(step_limit, (visit_limit - ejection.visits()) / per_step + 1);
    if (ejection.run(offsets, capacity, limit)) {
      top = 0;
      for (int r = 0; r < index.count(); ++r) top = std::max(top, offsets[Z(r)] + ejection.size(r));
      sixteenths = std::min<int64_t>(12, sixteenths + (sixteenths + 2) / 3);
      step_limit = step_base;
    } else {
      ejection.forget();
      if (sixteenths > 1) {
        sixteenths /= 2;
      } else {
        sixteenths = 4;
        step_limit += step_limit / 2;
      }
    }
  }
  plan.steps += ejection.steps();
  for (int r = 0; r < index.count(); ++r) plan.offsets[Z(index.item_of(r))] = offsets[Z(r)] * unit;
  plan.arena = arena_of(problem, plan.offsets);
}

}  // namespace

CrowdPlan place_crowd(const Problem& problem, Strategy strategy) {
  const OverlapIndex index(problem);
  CrowdPlacement placement(problem, index);
  CrowdPlan plan;
  if (strategy == Strategy::naive) plan.offsets = placement.run_apart();
  else plan.offsets = placement.run(greedy_order(problem, strategy), greedy_fit(strategy));
  plan.arena = arena_of(problem, plan.offsets);
  plan.steps = placement.steps();
  return plan;
}

CrowdPlan pack_crowd(const Problem& problem, Bytes goal, int effort) {
  const OverlapIndex index(problem);
  CrowdPlacement placement(problem, index);
  CrowdPlan best;
  best.arena = INT64_MAX;
  const uint64_t visit_base = uint64_t{11'000'000} << (3 * effort);
  uint64_t pass = 0;
  std::vector<Offset> hot;
  if (is_plain(problem, common_alignment(problem))) hot = pack_hot(problem, index, goal, effort, best.steps);
  for (const int eighths : {0, 3, 2, 4, 1}) {
    if (best.arena <= goal || (pass > 0 && placement.visits() + pass > visit_base)) break;
    const std::vector<int> order = order_by_weight(problem, index, eighths);
    std::vector<Offset> offsets = hot.empty() ? placement.run(order, Fit::lowest) : placement.run_around(hot, order, Fit::lowest);
    if (pass == 0) pass = placement.visits();
    const Bytes arena = arena_of(problem, offsets);
    if (arena < best.arena) {
      best.arena = arena;
      best.offsets = std::move(offsets);
    }
  }
  best.steps += placement.steps();
  if (best.arena > goal && is_plain(problem, common_alignment(problem))) {
    eject_towards(problem, index, goal, pass / problem.items.size(), visit_base + pass, best);
  }
  return best;
}

}  // namespace tarn::planner
