// note [differences]: two items forbid k intervals of the difference of their offsets; k + 1 gaps between and
// around the intervals stay allowed. Once each pair has chosen a gap, what is left is a system of difference
// constraints, whose least solution follows by propagation: `least` is that solution for the choices made so far. If it
// violates no pair it is an answer; else a violated pair must choose whether to lie before or behind the interval it
// violates. This is complete for every list of intervals and every alignment, because propagation never raises an item
// further than all solutions of the choices do. The arena's end is an upper end of every offset, so that choices fail
// early.
#include "planner/difference_search.h"

#include <algorithm>
#include <bit>

#include "support/progress.h"

namespace tarn::planner {

namespace {
constexpr Bytes kFar = INT64_MAX / 4;

Offset up_to(Offset offset, Bytes step) { return step == 1 ? offset : (offset + step - 1) / step * step; }
Offset down_to(Offset offset, Bytes step) { return step == 1 || offset < 0 ? offset : offset / step * step; }

// Where the pairs and aparts of each item stand.
template <class Member>
std::vector<std::vector<int>> lists_of(size_t items, size_t count, const Member& members) {
  std::vector<std::vector<int>> lists(items);
  for (size_t k = 0; k < count; ++k) {
    members(k, [&](int item) { lists[static_cast<size_t>(item)].push_back(static_cast<int>(k)); });
  }
  return lists;
}

}  // namespace

DifferenceSearch::Lists::Lists(const std::vector<std::vector<int>>& lists) {
  for (const std::vector<int>& list : lists) {
    first.push_back(numbers.size());
    numbers.insert(numbers.end(), list.begin(), list.end());
  }
  first.push_back(numbers.size());
}

DifferenceSearch::DifferenceSearch(DifferenceProblem problem)
    : problem_(std::move(problem)),
      pairs_of_(lists_of(problem_.items.size(), problem_.pairs.size(),
                         [&](size_t p, const auto& add) { add(problem_.pairs[p].a), add(problem_.pairs[p].b); })),
      aparts_of_(lists_of(problem_.items.size(), problem_.aparts.size(), [&](size_t c, const auto& add) {
        for (const Body& body : problem_.aparts[c]) {
          add(body.a);
          if (body.b >= 0) add(body.b);
        }
      })) {
  queued_.assign(problem_.items.size(), 0);
  apart_queued_.assign(problem_.aparts.size(), 0);
  pair_weight_.assign(problem_.pairs.size(), 1);
}

void DifferenceSearch::touch(int item) {
  if (!queued_[Z(item)]) {
    queued_[Z(item)] = 1;
    queue_.push_back(item);
  }
  for (const int* c = aparts_of_.begin(item); c != aparts_of_.end(item); ++c) {
    if (!apart_queued_[Z(*c)]) {
      apart_queued_[Z(*c)] = 1;
      apart_queue_.push_back(*c);
    }
  }
}

bool DifferenceSearch::raise(int item, Offset to) {
  Span& span = spans_[Z(item)];
  if (to <= span.least) return true;
  to = up_to(to, span.step);
  trail_.push_back({Undo::What::least, item, span.least, {}});
  span.least = to;
  touch(item);
  return to <= span.most;
}

bool DifferenceSearch::lower(int item, Offset to) {
  Span& span = spans_[Z(item)];
  if (to >= span.most) return true;
  to = down_to(to, span.step);
  trail_.push_back({Undo::What::most, item, span.most, {}});
  span.most = to;
  touch(item);
  return to >= span.least;
}

// Gap s lies between the end of interval s - 1 and the beginning of interval s.
void DifferenceSearch::set_choice(int pair, GapsLeft to) {
  PairState& state = pairs_[Z(pair)];
  const auto low_end = [&](int gap) { return gap == 0 ? -kFar : state.forbidden[gap - 1].hi; };
  const auto high_end = [&](int gap) { return Z(gap) == state.count ? kFar : state.forbidden[gap].lo; };
  state.choice = to;
  const uint64_t bit = uint64_t{1} << (pair & 63);
  uint64_t& word = open_[Z(pair) >> 6];
  word = to.first < to.last ? word | bit : word & ~bit;
  if (to.first > to.last) return;
  state.lo = low_end(to.first);
  state.hi = high_end(to.last);
  state.first_hi = high_end(to.first);
  state.last_lo = low_end(to.last);
}

bool DifferenceSearch::narrow(int pair, GapsLeft to) {
  trail_.push_back({Undo::What::choice, pair, 0, pairs_[Z(pair)].choice});
  set_choice(pair, to);
  return to.first <= to.last;
}

// Drops the outer gaps that are out of reach, and applies what the rest has in common.
bool DifferenceSearch::settle(int pair) {
  const PairState& state = pairs_[Z(pair)];
  const int a = state.a, b = state.b;
  const Span &x = spans_[Z(a)], &y = spans_[Z(b)];
  ++ticks_;
  const Bytes smallest = y.least - x.most, greatest = y.most - x.least;
  if (state.first_hi < smallest || state.last_lo > greatest) {
    GapsLeft left = state.choice;
    while (Z(left.first) < state.count && state.forbidden[left.first].lo < smallest) ++left.first;
    while (left.last > 0 && state.forbidden[left.last - 1].hi > greatest) --left.last;
    if (!narrow(pair, left)) return false;
  }
  const Bytes lo = state.lo, hi = state.hi;
  if (lo > -kFar && (!raise(b, x.least + lo) || !lower(a, y.most - lo))) return false;
  return hi == kFar || (raise(a, y.least - hi) && lower(b, x.most + hi));
}

// Bodies that lie within a range of addresses must fit there together.
bool DifferenceSearch::settle_apart(int index) {
  const Apart& apart = problem_.aparts[Z(index)];
  ticks_ += apart.size() * apart.size() / 4 + 1;
  ranges_.clear();
  for (const Body& body : apart) {
    const Span& a = spans_[Z(body.a)];
    AddressRange range{a.least, a.most + a.size, body.length};
    if (body.b >= 0) {
      const Span& b = spans_[Z(body.b)];
      range.first = std::min(range.first, b.least);
      range.end = std::max(range.end, b.most + b.size);
    }
    // By end; they are few.
    size_t at = ranges_.size();
    ranges_.push_back(range);
    for (; at > 0 && ranges_[at - 1].end > range.end; --at) ranges_[at] = ranges_[at - 1];
    ranges_[at] = range;
  }
  Offset done = -1;  // often many begin at the arena's beginning
  for (const AddressRange& from : ranges_) {
    if (from.first == done) continue;
    done = from.first;
    Offset reached = from.first;
    for (const AddressRange& s : ranges_) {
      reached += s.first < from.first ? 0 : s.length;
      if (s.first >= from.first && reached > s.end) return false;
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
      for (const int* p = pairs_of_.begin(item); p != pairs_of_.end(item); ++p) {
        if (!settle(*p)) {
          pair_weight_[Z(*p)] += 1;
          good = false;
          break;
        }
      }
    } else {
      const int c = apart_queue_.back();
      apart_queue_.pop_back();
      apart_queued_[Z(c)] = 0;
      good = settle_apart(c);
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

bool DifferenceSearch::choose(int pair, GapsLeft choice) {
  if (narrow(pair, choice) && settle(pair)) return propagate();
  pair_weight_[Z(pair)] += 1;
  clear_queues();
  return false;
}

void DifferenceSearch::undo(size_t first) {
  while (trail_.size() > first) {
    const Undo& u = trail_.back();
    switch (u.what) {
      case Undo::What::least: spans_[Z(u.index)].least = u.value; break;
      case Undo::What::most: spans_[Z(u.index)].most = u.value; break;
      case Undo::What::choice: set_choice(u.index, u.choice); break;
    }
    trail_.pop_back();
  }
}

// Of the pairs that the least offsets violate, the one that leaves least room; -1: none is violated.
int DifferenceSearch::pick_pair() const {
  int best = -1;
  double best_score = 0;
  for (size_t word = 0; word < open_.size(); ++word) {
    for (uint64_t left = open_[word]; left != 0; left &= left - 1) {
      const size_t p = word * 64 + static_cast<size_t>(std::countr_zero(left));
      const PairState& pair = pairs_[p];
      const Span &x = spans_[Z(pair.a)], &y = spans_[Z(pair.b)];
      const Bytes d = y.least - x.least;
      if (d <= pair.first_hi || d >= pair.last_lo) continue;
      for (int k = pair.choice.first; k < pair.choice.last; ++k) {
        const Forbidden& f = pair.forbidden[k];
        if (d <= f.lo || d >= f.hi) continue;
        const Bytes slack_above = y.most - x.least - f.hi, slack_below = x.most - y.least + f.lo;
        const double slack = static_cast<double>(std::min(slack_above, slack_below)) +
                             0.25 * static_cast<double>(std::max(slack_above, slack_below)) + 1;
        const double score = slack / pair_weight_[p];
        if (best < 0 || score < best_score) {
          best = static_cast<int>(p);
          best_score = score;
        }
      }
    }
  }
  return best;
}

bool DifferenceSearch::decide(int p) {
  const PairState& pair = pairs_[Z(p)];
  const Span &x = spans_[Z(pair.a)], &y = spans_[Z(pair.b)];
  const GapsLeft c = pair.choice;
  const Bytes d = y.least - x.least;
  int k = c.first;
  while (d >= pair.forbidden[k].hi) ++k;  // pick_pair() has seen that one is violated: those before it end below d
  const Forbidden& f = pair.forbidden[k];
  const GapsLeft below{c.first, k}, above{k + 1, c.last};
  const Bytes slack_above = y.most - x.least - f.hi, slack_below = x.most - y.least + f.lo;
  const bool up = slack_above > slack_below;
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
  trail_.clear();
  decisions_.clear();
  spans_.clear();
  for (const FreeItem& item : problem_.items) {
    spans_.push_back({up_to(item.least, item.step), down_to(item.most, item.step), item.size, item.step});
    if (spans_.back().least > spans_.back().most) return Verdict::refuted;
  }
  pairs_.clear();
  open_.assign(problem_.pairs.size() / 64 + 1, 0);
  for (const FreePair& pair : problem_.pairs) {
    pairs_.push_back({.a = pair.a, .b = pair.b, .forbidden = pair.forbidden.data(), .count = pair.forbidden.size()});
    set_choice(static_cast<int>(pairs_.size()) - 1, {0, static_cast<int>(pair.forbidden.size())});
  }
  for (size_t i = 0; i < spans_.size(); ++i) touch(static_cast<int>(i));
  if (!propagate()) return Verdict::refuted;
  for (;;) {
    const int pair = pick_pair();
    if (pair < 0) break;
    ++nodes_;
    note_some_progress("packing, nodes", nodes_);
    ticks_ += problem_.pairs.size() / 4 + 1;
    if (ticks_ > limit) return Verdict::out_of_nodes;
    if (!decide(pair) && !backtrack()) return Verdict::refuted;
  }
  offsets_.clear();
  for (const Span& span : spans_) offsets_.push_back(span.least);
  return Verdict::found;
}

}  // namespace tarn::planner
