// Depth-first search for an order within a given top: finds one, proves that there is none, or runs out of states.
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "schedule/least_live.h"
#include "schedule/moves.h"
#include "schedule/random.h"
#include "schedule/set_search.h"
#include "schedule/state_table.h"
#include "support/progress.h"

namespace tarn::schedule {

template <int W>
class Exhaust {
 public:
  Exhaust(const OrderGraph& graph, const SearchGraph<W>& search_graph, const SearchFeatures& features)
      : search_graph_(search_graph), features_(features), least_(graph), sides_(graph.operators.size()) {}

  // See set_search.h. With `random`, children come in an order that is its own each time, those with fewer live bytes
  // more likely first.
  Exhausted search(Bytes top, int64_t& words, Random* random = nullptr);

 private:
  static constexpr size_t kMostSets = (size_t{1} << 29) / (8 * W + 8);  // half a gigabyte

  struct Child {
    State<W> state;  // closed
    Move<W> move;
    Bytes rank = 0;  // lower first
  };
  struct Frame {
    State<W> state;  // closed, nothing safe left to do
    std::vector<int> pending;
    std::vector<Child> children;
    size_t next = 0, chosen = 0;
  };
  enum class Opened { deeper, finished };

  Opened open(Mover<W>& mover, const State<W>& state);
  bool is_valley(const State<W>& from, const State<W>& to);
  void drop_alternatives(const State<W>& valley);
  void replay(Mover<W>& mover, std::vector<int>& order) const;

  const SearchGraph<W>& search_graph_;
  SearchFeatures features_;
  Random* random_ = nullptr;
  LeastLive least_;
  std::vector<Side> sides_;
  StateTable<W> failed_;
  SearchUse use_;
  std::vector<Frame> path_;
};

// Has no set of finished operators between the two, both included, fewer live bytes than the second?
template <int W>
bool Exhaust<W>::is_valley(const State<W>& from, const State<W>& to) {
  if (to.live > from.live) return false;  // as the cut would say
  for (int v = 0; v < search_graph_.count; ++v) {
    at(sides_, v) = from.done.test(v) ? Side::done : to.done.test(v) ? Side::either : Side::waiting;
  }
  int64_t work = int64_t{1} << 40;
  return least_.between(sides_, to.live, work) >= to.live;
}

// By F4 the frames to which `valley` is a valley need no other child than the one that leads to it.
template <int W>
void Exhaust<W>::drop_alternatives(const State<W>& valley) {
  if (!features_.valley_jumps) return;
  for (size_t i = path_.size(); i-- > 0;) {
    Frame& frame = path_[i];
    if (!is_valley(frame.state, valley)) return;
    use_.valley_jumps += frame.children.size() - frame.next;
    frame.next = frame.children.size();
  }
}

// Makes a frame of `state`: closes its children, the one with the fewest live bytes first.
template <int W>
typename Exhaust<W>::Opened Exhaust<W>::open(Mover<W>& mover, const State<W>& state) {
  drop_alternatives(state);
  Frame frame{state, {}, {}, 0, 0};
  mover.start(state);
  State<W> same = state;
  mover.close(same, nullptr);
  frame.pending = mover.pending();
  for (const Move<W>& move : mover.moves()) frame.children.push_back({state, move, 0});
  size_t n = 0;
  for (size_t i = 0; i < frame.children.size(); ++i) {
    Child& child = frame.children[i];
    mover.start(frame.pending);
    mover.run(child.state, child.move, nullptr);
    const Bits<W> raw = child.state.done;
    if (child.move.add.count() > 1) ++use_.freeing_sets;
    if (failed_.contains(raw)) {
      ++use_.known_failures;
      continue;
    }
    if (!mover.close(child.state, nullptr)) {
      if (!mover.finish(child.state, nullptr)) continue;
      frame.children = {child};
      path_.push_back(std::move(frame));
      return Opened::finished;
    }
    if (failed_.contains(child.state.done)) {
      failed_.insert(raw);
      ++use_.known_failures;
      if (features_.valley_jumps && is_valley(state, child.state)) {
        use_.valley_jumps += frame.children.size() - 1;
        frame.children.clear();
        n = 0;
        break;
      }
      continue;
    }
    frame.children[n++] = child;
  }
  frame.children.resize(n);
  for (Child& child : frame.children) child.rank = child.state.live;
  if (random_) {
    for (Child& child : frame.children) child.rank += child.rank / 32 * random_->below(8);
  }
  std::stable_sort(frame.children.begin(), frame.children.end(),
                   [](const Child& a, const Child& b) { return a.rank < b.rank; });
  path_.push_back(std::move(frame));
  return Opened::deeper;
}

template <int W>
void Exhaust<W>::replay(Mover<W>& mover, std::vector<int>& order) const {
  order.clear();
  State<W> state = mover.root();
  mover.start(state);
  mover.close(state, &order);
  for (const Frame& frame : path_) {
    mover.run(state, frame.children[frame.chosen].move, &order);
    mover.close(state, &order);
  }
  mover.finish(state, &order);
}

template <int W>
Exhausted Exhaust<W>::search(Bytes top, int64_t& words, Random* random) {
  Exhausted result;
  random_ = random;
  use_ = {};
  Mover<W> mover(search_graph_, top);
  const int64_t most_words = words;
  const size_t known = failed_.size();
  path_.clear();
  State<W> root = mover.root();
  mover.start(root);
  Opened opened = Opened::deeper;
  if (!mover.close(root, nullptr)) {
    opened = mover.finish(root, nullptr) ? Opened::finished : Opened::deeper;
  } else if (!failed_.contains(root.done)) {
    ++result.states;
    opened = open(mover, root);
  }
  while (opened != Opened::finished && !path_.empty()) {
    Frame& frame = path_.back();
    if (frame.next == frame.children.size()) {
      failed_.insert(frame.state.done);
      path_.pop_back();
      continue;
    }
    frame.chosen = frame.next++;
    const State<W> state = frame.children[frame.chosen].state;
    if (failed_.contains(state.done)) {
      ++use_.known_failures;
      drop_alternatives(state);
      continue;
    }
    words = most_words - mover.words();
    if (words <= 0 || failed_.size() >= kMostSets) return result;
    ++result.states;
    note_some_progress("ordering, states", result.states);
    opened = open(mover, state);
  }
  words = most_words - mover.words();
  use_.safe_moves = mover.safe_moves();
  result.use = use_;
  if (opened == Opened::finished) {
    result.verdict = Verdict::found;
    replay(mover, result.order);
  } else {
    result.verdict = Verdict::none;
    result.next_top = known == 0 ? mover.next_top() : top + 1;  // what failed before may fit under a higher top
  }
  return result;
}

}  // namespace tarn::schedule
