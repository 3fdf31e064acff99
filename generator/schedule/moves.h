// From one set of finished operators to the next: minimal freeing sets as moves, and safe moves run at once.
// The facts F1 to F3 of least_peak.md are what makes these moves enough.
#pragma once
#include <algorithm>
#include <vector>

#include "schedule/search_graph.h"

namespace tarn::schedule {

template <int W>
struct State {
  Bits<W> done;
  Bytes live = 0;
};

template <int W>
struct Move {
  Bits<W> add;
  int last = 0;  // operator of `add` to run last, the others in ascending order
  Bytes peak = 0, net = 0;
};

template <int W>
class Mover {
 public:
  Mover(const SearchGraph<W>& search_graph, Bytes top)
      : search_graph_(search_graph), top_(top), missing_in_(search_graph.events.size(), 0) {}

  State<W> root() const { return {{}, search_graph_.start}; }

  // Takes note of the events that have not happened in `state`. To be called before `close`.
  void start(const State<W>& state) {
    pending_.clear();
    for (int e = 0; e < count_of(search_graph_.events); ++e) {
      if (!at(search_graph_.events, e).need.within(state.done)) pending_.push_back(e);
    }
  }
  void start(const std::vector<int>& pending) { pending_ = pending; }
  const std::vector<int>& pending() const { return pending_; }

  // Runs `move`; what dies by it is taken off `live` by the next `close`.
  void run(State<W>& state, const Move<W>& move, std::vector<int>* order) const {
    state.done |= move.add;
    state.live += search_graph_.born_in(move.add);
    if (!order) return;
    move.add.each([&](int v) {
      if (v != move.last) order->push_back(v);
    });
    order->push_back(move.last);
  }

  // Runs safe moves until there is none. True when events are left: then `moves` are all that need to be tried.
  bool close(State<W>& state, std::vector<int>* order);
  const std::vector<Move<W>>& moves() const { return moves_; }

  // After `close` has said that no event is left: the remaining operators, in any order. True when they fit.
  bool finish(const State<W>& state, std::vector<int>* order) {
    const Bits<W> rest = search_graph_.all.minus(state.done);
    const Bytes peak = state.live + search_graph_.born_in(rest);
    if (!fits(peak)) return false;
    if (order) rest.each([&](int v) { order->push_back(v); });
    return true;
  }

  // Least peak met so far that was too high: with any top below it the same moves would have been found.
  Bytes next_top() const { return next_top_; }
  Bytes top() const { return top_; }

  // Words of sets looked at so far, the measure of work that the limits count in.
  int64_t words() const { return words_; }
  uint64_t safe_moves() const { return safe_moves_; }  // that were run without alternatives

 private:
  struct Kept {  // a minimal set
    Bits<W> add;
    Bytes freed;
  };
  // Of a kept set, in a list of their own: nearly all comparisons of sets end here.
  struct Outline {
    uint64_t folded;  // its words joined: a set within another one has no bit there that the other has not
    int count;
  };
  bool fits(Bytes peak) {
    if (peak <= top_) return true;
    next_top_ = std::min(next_top_, peak);
    return false;
  }
  void find_minimal_sets(State<W>& state);
  void keep_if_minimal(const Event<W>& event, const Bits<W>& add);
  Move<W> price(const State<W>& state, const Kept& kept) const;
  bool run_safe(State<W>& state, std::vector<int>* order);
  void add_takers(const State<W>& state);

  const SearchGraph<W>& search_graph_;
  Bytes top_, next_top_ = kUnboundedTop;
  std::vector<int> pending_, wanted_;  // events; of them, those with takers
  std::vector<uint32_t> missing_in_;   // by event: the last scan that found it missing
  uint32_t scan_ = 0;
  std::vector<Kept> kept_;
  std::vector<Outline> outlines_;  // of kept_
  int64_t words_ = 0;
  uint64_t safe_moves_ = 0;
  std::vector<Move<W>> moves_;
  static constexpr Bytes kUnboundedTop = Bytes{1} << 62;
};

template <int W>
void Mover<W>::keep_if_minimal(const Event<W>& event, const Bits<W>& add) {
  const Outline own = {add.folded(), add.count()};
  words_ += W + 2 * count_of(kept_);  // an outline has two
  size_t n = 0;
  for (size_t i = 0; i < kept_.size(); ++i) {
    const Outline& other = outlines_[i];
    if (other.count <= own.count) {
      if ((other.folded & ~own.folded) == 0 &&
          kept_[i].add.within(add)) {  // then none of those before has been dropped
        if (other.count == own.count) kept_[i].freed += event.bytes;
        return;
      }
    } else if ((own.folded & ~other.folded) == 0 && add.within(kept_[i].add)) {
      continue;
    }
    if (n != i) kept_[n] = kept_[i], outlines_[n] = other;
    ++n;
  }
  kept_.resize(n);
  outlines_.resize(n);
  kept_.push_back({add, event.bytes});
  outlines_.push_back(own);
}

// The minimal sets among what the pending events still need; events that have happened are taken off the list.
template <int W>
void Mover<W>::find_minimal_sets(State<W>& state) {
  kept_.clear();
  wanted_.clear();
  ++scan_;
  words_ += W * count_of(pending_) + 16;
  size_t n = 0;
  for (int e : pending_) {
    const Event<W>& event = at(search_graph_.events, e);
    bool behind = false;
    for (int i = 0; i < event.earlier_count && !behind; ++i) {
      const auto& [other, witness] = at(event.earlier, i);
      behind = at(missing_in_, other) == scan_ && !state.done.test(witness);
    }
    const Bits<W> add = behind ? Bits<W>{} : event.need.minus(state.done);
    if (!behind && add.empty()) {
      state.live -= event.bytes;
      continue;
    }
    at(missing_in_, e) = scan_;
    pending_[n++] = e;
    if (!event.takers.empty()) wanted_.push_back(e);
    if (!behind) keep_if_minimal(event, add);
  }
  pending_.resize(n);
}

template <int W>
Move<W> Mover<W>::price(const State<W>& state, const Kept& kept) const {
  Move<W> move{kept.add, -1, 0, 0};
  const Bytes born = search_graph_.born_in(kept.add);
  Bytes extra = 0;
  if (kept.add.meets(search_graph_.special)) {
    Bits<W> done = state.done;
    done |= kept.add;
    kept.add.each([&](int v) {
      if (at(search_graph_.after, v).meets(kept.add)) return;
      const Bytes own = search_graph_.extra(v, done);
      if (move.last < 0 || own < extra) move.last = v, extra = own;
    });
  } else {
    kept.add.each([&](int v) { move.last = v; });
  }
  move.peak = state.live + born + extra;
  move.net = born - kept.freed;
  return move;
}

// Runs one safe move, or every safe one of a single operator: having run one makes the others only cheaper, and there
// is nothing strictly between before and after a single operator.
template <int W>
bool Mover<W>::run_safe(State<W>& state, std::vector<int>* order) {
  bool ran = false;
  const Move<W>* best = nullptr;
  moves_.clear();
  for (const Kept& k : kept_) moves_.push_back(price(state, k));
  words_ += (W + 4) * count_of(kept_);
  for (const Move<W>& m : moves_) {
    if (!fits(m.peak) || m.net > 0 || !search_graph_.safe_moves) continue;
    if (m.add.count() == 1) {
      run(state, m, order);
      ++safe_moves_;
      ran = true;
    } else if (!best || m.net < best->net) {
      best = &m;
    }
  }
  if (ran || !best) return ran;
  run(state, *best, order);
  ++safe_moves_;
  return true;
}

// A set that makes a giver die is tried too when it is not minimal, with the taker last, if nothing happens before it.
template <int W>
void Mover<W>::add_takers(const State<W>& state) {
  for (int e : wanted_) {
    const Event<W>& event = at(search_graph_.events, e);
    const Bits<W> add = event.need.minus(state.done);
    Bits<W> done = state.done;
    done |= add;
    Move<W> best{add, -1, 0, 0};
    Bytes extra = 0;
    for (int v : event.takers) {
      if (!add.test(v) || at(search_graph_.after, v).meets(add)) continue;
      const bool quiet = std::all_of(kept_.begin(), kept_.end(), [&](const Kept& k) {
        return k.add.test(v) ? !(k.add == add) : !k.add.within(add);
      });
      if (!quiet) continue;
      const Bytes own = search_graph_.extra(v, done);
      if (best.last < 0 || own < extra) best.last = v, extra = own;
    }
    if (best.last < 0) continue;
    best.peak = state.live + search_graph_.born_in(add) + extra;
    if (fits(best.peak)) moves_.push_back(best);
  }
}

template <int W>
bool Mover<W>::close(State<W>& state, std::vector<int>* order) {
  do {
    find_minimal_sets(state);
    if (kept_.empty()) return false;
  } while (run_safe(state, order));
  std::erase_if(moves_, [&](const Move<W>& m) { return m.peak > top_; });
  add_takers(state);
  return true;
}

}  // namespace tarn::schedule
