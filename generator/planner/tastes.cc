#include "planner/tastes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tarn::planner {

namespace {

using Key = ValleyTaste::Key;
using Tie = ValleyTaste::Tie;
constexpr Key kKeys[] = {Key::area, Key::busiest, Key::size, Key::width};
constexpr Tie kTies[] = {Tie::lowest, Tie::tightest, Tie::nearest, Tie::widest};
constexpr double kWaste[] = {8, 0.5, 4, 2}, kHeight[] = {10, 3, 1, 1e-6};
constexpr int kKnown = 16;   // tastes tried before random ones
constexpr size_t kBest = 4;  // tastes remembered

ValleyTaste known_taste(int run) {
  const int round = run / 4;
  ValleyTaste taste;
  taste.key = kKeys[run % 4];
  taste.tie = kTies[round];
  taste.waste_weight = kWaste[round];
  taste.height_weight = kHeight[round];
  taste.avoid_overtopping = (run / 2) % 2 == 0;
  return taste;
}

ValleyTaste random_taste(uint64_t r) {
  ValleyTaste taste;
  taste.key = kKeys[r & 3];
  taste.tie = kTies[r >> 2 & 3];
  taste.noise = (r >> 4 & 3) != 0;
  taste.waste_weight = kWaste[r >> 6 & 3];
  taste.height_weight = kHeight[r >> 8 & 3];
  taste.prefer_full_width = (r >> 10 & 1) != 0;
  taste.prefer_level = (r >> 11 & 1) != 0;
  taste.avoid_overtopping = (r >> 12 & 1) != 0;
  taste.as_before = (r >> 13 & 1) != 0;
  return taste;
}

// `taste` with at most one trait of another.
ValleyTaste vary(ValleyTaste taste, const ValleyTaste& other, uint64_t trait) {
  taste.noise = true;
  taste.as_before = other.as_before;
  switch (trait & 7) {
    case 0: taste.key = other.key; break;
    case 1: taste.tie = other.tie; break;
    case 2: taste.waste_weight = other.waste_weight; break;
    case 3: taste.height_weight = other.height_weight; break;
    case 4: taste.prefer_full_width = other.prefer_full_width; break;
    case 5: taste.prefer_level = other.prefer_level; break;
    case 6: taste.avoid_overtopping = other.avoid_overtopping; break;
    default: break;
  }
  return taste;
}

}  // namespace

Tastes::Tastes(bool tried) : run_(tried ? kKnown : 0) {}

ValleyTaste Tastes::next(Random& random) {
  if (run_ < kKnown) return known_taste(run_++);
  const uint64_t r = random.next();
  const ValleyTaste fresh = random_taste(r);
  if (best_.empty() || (r >> 14 & 1) != 0) return fresh;
  return vary(best_[(r >> 15) % best_.size()].second, fresh, r >> 32);
}

void Tastes::learn(const ValleyTaste& taste, double least_left) {
  if (best_.size() < kBest) {
    best_.emplace_back(least_left, taste);
    return;
  }
  const auto worst =
      std::max_element(best_.begin(), best_.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
  if (least_left < worst->first) *worst = {least_left, taste};
}

}  // namespace tarn::planner
