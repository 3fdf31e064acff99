// note [differences]: two items forbid k intervals of the difference of their offsets; k + 1 stretches between and around
// the intervals stay allowed. Once each pair has chosen a stretch, what is left is a system of difference constraints,
// whose least solution follows by propagation: least_ is that solution for the choices made so far. If it violates no
// pair it is an answer; else a violated pair must choose whether to lie before or behind the interval it violates. This
// is complete for every list of intervals and every alignment, because propagation never raises an item further than
// all solutions of the choices do. The arena's end is an upper end of every offset, so that choices fail early.
#include "planner/difference_search.h"
#include "support/progress.h"

#include <algorithm>
#include <limits>

namespace tarn::planner {

namespace {
constexpr Bytes kFar = INT64_MAX / 4;

Offset up_to(Offset offset, Bytes step) { return step == 1 ? offset : (offset + step - 1) / step * step; }
Offset down_to(Offset offset, Bytes step) { return step == 1 || offset < 0 ? offset : offset / step * step; }
}  // namespace

DifferenceSearch::DifferenceSearch(DifferenceProblem problem) : problem_(std::move(problem)) {
  const size_t n = problem_.items.size();
  pairs_of_.resize(n);
  aparts_of_.resize(n);
  queued_.assign(n, 0);
  apart_queued_.assign(problem_.aparts.size(), 0);
  pair_weight_.assign(problem_.pairs.size(), 1);
  apart_weight_.assign(problem_.aparts.size(), 1);
  for (size_t p = 0; p < problem_.pairs.size(); ++p) {
    pairs_of_[Z(problem_.pairs[p].a)].push_back(static_cast<int>(p));
    pairs_of_[Z(problem_.pairs[p].b)].push_back(static_cast<int>(p));
  }
  for (size_t c = 0; c < problem_.aparts.size(); ++c) {
    for (const Body& body : problem_.aparts[c]) {
      aparts_of_[Z(body.a)].push_back(static_cast<int>(c));
      if (body.b >= 0) aparts_of_[Z(body.b)].push_back(static_cast<int>(c));
    }
  }
}

// Stretch s lies between the end of interval s - 1 and the beginning of interval s.
Bytes DifferenceSearch::low_end(int pair, int stretch) const {
  return stretch == 0 ? -kFar : problem_.pairs[Z(pair)].forbidden[Z(stretch - 1)].hi;
}
Bytes DifferenceSearch::high_end(int pair, int stretch) const {
  const auto& forbidden = problem_.pairs[Z(pair)].forbidden;
  return Z(stretch) == forbidden.size() ? kFar : forbidden[Z(stretch)].lo;
}

void DifferenceSearch::touch(int item) {
  if (!queued_[Z(item)]) {
    queued_[Z(item)] = 1;
    queue_.push_back(item);
  }
  for (int c : aparts_of_[Z(item)]) {
    if (!apart_queued_[Z(c)]) {
      apart_queued_[Z(c)] = 1;
      apart_queue_.push_back(c);
    }
  }
}

bool DifferenceSearch::raise(int item, Offset to) {
  to = up_to(to, problem_.items[Z(item)].step);
  if (to <= least_[Z(item)]) return true;
  trail_.push_back({Undo::What::least, item, least_[Z(item)], {}});
  least_[Z(item)] = to;
  touch(item);
  return to <= most_[Z(item)];
}

bool DifferenceSearch::lower(int item, Offset to) {
  to = down_to(to, problem_.items[Z(item)].step);
  if (to >= most_[Z(item)]) return true;
  trail_.push_back({Undo::What::most, item, most_[Z(item)], {}});
  most_[Z(item)] = to;
  touch(item);
  return to >= least_[Z(item)];
}

bool DifferenceSearch::narrow(int pair, Choice to) {
  trail_.push_back({Undo::What::choice, pair, 0, choices_[Z(pair)]});
  choices_[Z(pair)] = to;
  return to.first <= to.last;
}

// Drops the outer stretches that are out of reach, and applies what the rest has in common.
bool DifferenceSearch::settle(int pair) {
  const int a = problem_.pairs[Z(pair)].a, b = problem_.pairs[Z(pair)].b;
  ++ticks_;
  Choice left = choices_[Z(pair)];
  const Bytes smallest = least_[Z(b)] - most_[Z(a)], greatest = most_[Z(b)] - least_[Z(a)];
  while (left.first <= left.last && high_end(pair, left.first) < smallest) ++left.first;
  while (left.first <= left.last && low_end(pair, left.last) > greatest) --left.last;
  if (left.first != choices_[Z(pair)].first || left.last != choices_[Z(pair)].last) {
    if (!narrow(pair, left)) return false;
  }
  const Bytes lo = low_end(pair, left.first), hi = high_end(pair, left.last);
  if (lo > -kFar && (!raise(b, least_[Z(a)] + lo) || !lower(a, most_[Z(b)] - lo))) return false;
  if (hi < kFar && (!raise(a, least_[Z(b)] - hi) || !lower(b, most_[Z(a)] + hi))) return false;
  return true;
}

// Bodies that lie within a stretch of addresses must fit there together.
bool DifferenceSearch::settle_apart(const Apart& apart, size_t index) {
  struct Span {
    Offset first, end;
    Bytes length;
  };
  ticks_ += apart.size() * apart.size() / 4 + 1;
  static thread_local std::vector<Span> spans;
  spans.clear();
  for (const Body& body : apart) {
    Offset first = least_[Z(body.a)], end = most_[Z(body.a)] + problem_.items[Z(body.a)].size;
    if (body.b >= 0) {
      first = std::min(first, least_[Z(body.b)]);
      end = std::max(end, most_[Z(body.b)] + problem_.items[Z(body.b)].size);
    }
    spans.push_back({first, end, body.length});
  }
  std::sort(spans.begin(), spans.end(), [](const Span& x, const Span& y) { return x.end < y.end; });
  for (const Span& from : spans) {
    Bytes sum = 0;
    for (const Span& s : spans) {
      if (s.first < from.first) continue;
      sum += s.length;
      if (from.first + sum > s.end) {
        apart_weight_[index] += 1;
        return false;
      }
    }
  }
  return true;
}

bool DifferenceSearch::propagate() {
  bool good = true;
  while (good && (!queue_.empty() || !apart_queue_.empty())) {
    if (!queue_.empty()) {
      const int item = queue_.back();
      queue_.pop_back();
      queued_[Z(item)] = 0;
      for (int p : pairs_of_[Z(item)]) {
        if (!settle(p)) {
          pair_weight_[Z(p)] += 1;
          good = false;
          break;
        }
      }
    } else {
      const int c = apart_queue_.back();
      apart_queue_.pop_back();
      apart_queued_[Z(c)] = 0;
      good = settle_apart(problem_.aparts[Z(c)], Z(c));
    }
  }
  if (!good) clear_queues();
  return good;
}

void DifferenceSearch::clear_queues() {
  for (int i : queue_) queued_[Z(i)] = 0;
  for (int c : apart_queue_) apart_queued_[Z(c)] = 0;
  queue_.clear();
  apart_queue_.clear();
}

bool DifferenceSearch::choose(int pair, Choice choice) {
  if (narrow(pair, choice) && settle(pair)) return propagate();
  pair_weight_[Z(pair)] += 1;
  clear_queues();
  return false;
}

void DifferenceSearch::undo(size_t first) {
  while (trail_.size() > first) {
    const Undo& u = trail_.back();
    switch (u.what) {
      case Undo::What::least: least_[Z(u.index)] = u.value; break;
      case Undo::What::most: most_[Z(u.index)] = u.value; break;
      case Undo::What::choice: choices_[Z(u.index)] = u.choice; break;
    }
    trail_.pop_back();
  }
}

// Of the pairs that the least offsets violate, the one that leaves least room; -1: none is violated.
int DifferenceSearch::pick_pair() const {
  int best = -1;
  double best_score = 0;
  for (size_t p = 0; p < problem_.pairs.size(); ++p) {
    const Choice& c = choices_[p];
    if (c.first == c.last) continue;
    const FreePair& pair = problem_.pairs[p];
    const Bytes d = least_[Z(pair.b)] - least_[Z(pair.a)];
    for (int k = c.first; k < c.last; ++k) {
      const Forbidden& f = pair.forbidden[Z(k)];
      if (d <= f.lo || d >= f.hi) continue;
      const Bytes room_above = most_[Z(pair.b)] - least_[Z(pair.a)] - f.hi;
      const Bytes room_below = most_[Z(pair.a)] - least_[Z(pair.b)] + f.lo;
      const double room = static_cast<double>(std::min(room_above, room_below)) + 0.25 * static_cast<double>(std::max(room_above, room_below)) + 1;
      const double score = room / pair_weight_[p];
      if (best < 0 || score < best_score) {
        best = static_cast<int>(p);
        best_score = score;
      }
    }
  }
  return best;
}

bool DifferenceSearch::decide(int p) {
  const FreePair& pair = problem_.pairs[Z(p)];
  const Choice c = choices_[Z(p)];
  const Bytes d = least_[Z(pair.b)] - least_[Z(pair.a)];
  int k = c.first;
  while (d <= pair.forbidden[Z(k)].lo || d >= pair.forbidden[Z(k)].hi) ++k;
  const Forbidden& f = pair.forbidden[Z(k)];
  const Choice below{c.first, k}, above{k + 1, c.last};
  const Bytes room_above = most_[Z(pair.b)] - least_[Z(pair.a)] - f.hi, room_below = most_[Z(pair.a)] - least_[Z(pair.b)] + f.lo;
  const bool up = room_above > room_below;
  decisions_.push_back({p, up ? below : above, trail_.size(), false});
  return choose(p, up ? above : below);
}

// Takes back decisions until an alternative holds; false: there is none.
bool DifferenceSearch::backtrack() {
  while (!decisions_.empty()) {
    Decision& last = decisions_.back();
    undo(last.undo_first);
    if (last.last) {
      decisions_.pop_back();
      continue;
    }
    last.last = true;
    if (choose(last.pair, last.other)) return true;
  }
  return false;
}

Verdict DifferenceSearch::run(uint64_t work_limit) {
  const uint64_t limit = ticks_ + work_limit * kTicksPerUnit;
  const size_t n = problem_.items.size();
  least_.resize(n);
  most_.resize(n);
  trail_.clear();
  decisions_.clear();
  choices_.clear();
  for (const FreePair& pair : problem_.pairs) choices_.push_back({0, static_cast<int>(pair.forbidden.size())});
  for (size_t i = 0; i < n; ++i) {
    const FreeItem& item = problem_.items[i];
    least_[i] = up_to(item.least, item.step);
    most_[i] = down_to(item.most, item.step);
    if (least_[i] > most_[i]) return Verdict::refuted;
  }
  for (size_t i = 0; i < n; ++i) touch(static_cast<int>(i));
  if (!propagate()) return Verdict::refuted;
  for (;;) {
    const int pair = pick_pair();
    if (pair < 0) return Verdict::found;
    ++nodes_;
    note_some_progress("packing, nodes", nodes_);
    ticks_ += problem_.pairs.size() / 4 + 1;
    if (ticks_ > limit) return Verdict::out_of_nodes;
    if (!decide(pair) && !backtrack()) return Verdict::refuted;
  }
}

}  // namespace tarn::planner
