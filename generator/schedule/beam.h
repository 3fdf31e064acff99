// Beam search over the same moves: good orders fast, no proof.
#pragma once
#include <algorithm>
#include <vector>

#include "schedule/moves.h"
#include "schedule/state_table.h"

namespace tarn::schedule {

template <int W>
struct BeamItem {
  State<W> state;  // closed
  Move<W> move;    // that led to it
  int parent = -1;
  std::vector<int> pending;
};

// The order that ends in item `at_end` of the last layer.
template <int W>
std::vector<int> beam_order(Mover<W>& mover, const std::vector<std::vector<BeamItem<W>>>& layers, int at_end) {
  std::vector<const Move<W>*> moves;
  int item = at_end;
  for (size_t layer = layers.size() - 1; layer > 0; --layer) {
    moves.push_back(&at(layers[layer], item).move);
    item = at(layers[layer], item).parent;
  }
  std::vector<int> order;
  State<W> state = mover.root();
  mover.start(state);
  mover.close(state, &order);
  for (size_t i = moves.size(); i-- > 0;) {
    mover.run(state, *moves[i], &order);
    mover.close(state, &order);
  }
  mover.finish(state, &order);
  return order;
}

// An order whose steps need at most `top`, keeping the `width` states with the fewest live bytes after each move.
// Empty when it fails, or when `words` are used up.
template <int W>
std::vector<int> beam_search(const SearchGraph<W>& search_graph, Bytes top, int width, int64_t& words) {
  const int64_t most_words = words;
  Mover<W> mover(search_graph, top);
  std::vector<std::vector<BeamItem<W>>> layers(1);
  State<W> root = mover.root();
  mover.start(root);
  if (!mover.close(root, nullptr)) {
    std::vector<int> order;
    mover.start(root = mover.root());
    mover.close(root, &order);
    return mover.finish(root, &order) ? order : std::vector<int>{};
  }
  layers[0].push_back({root, {}, -1, mover.pending()});
  StateTable<W> seen;
  std::vector<Move<W>> moves;
  while (!layers.back().empty() && words > 0) {
    std::vector<BeamItem<W>>& layer = layers.back();
    std::vector<BeamItem<W>> next;
    seen.clear();
    for (int i = 0; i < count_of(layer); ++i) {
      BeamItem<W>& item = at(layer, i);
      State<W> state = item.state;
      mover.start(item.pending);
      mover.close(state, nullptr);
      moves = mover.moves();
      for (const Move<W>& move : moves) {
        // A wide graph has a thousand moves, each of a million words: too many to be counted layer by layer.
        words = most_words - mover.words();
        if (words <= 0) return {};
        mover.start(item.pending);
        BeamItem<W> child{item.state, move, i, {}};
        mover.run(child.state, move, nullptr);
        if (!mover.close(child.state, nullptr)) {
          if (!mover.finish(child.state, nullptr)) continue;
          layers.push_back({child});
          return beam_order(mover, layers, 0);
        }
        if (!seen.insert(child.state.done)) continue;
        child.pending = mover.pending();
        next.push_back(std::move(child));
      }
      item.pending = {};
    }
    std::stable_sort(next.begin(), next.end(),
                     [](const BeamItem<W>& a, const BeamItem<W>& b) { return a.state.live < b.state.live; });
    if (count_of(next) > width) next.erase(next.begin() + width, next.end());
    layers.push_back(std::move(next));
    words = most_words - mover.words();
  }
  return {};
}

}  // namespace tarn::schedule
