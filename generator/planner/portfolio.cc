#include "planner/portfolio.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "planner/tuning.h"

namespace tarn::planner {

namespace {

using Key = SearchConfig::Key;
using Tie = SearchConfig::Tie;
constexpr Key kKeys[] = {Key::area, Key::busiest, Key::size, Key::width};
constexpr Tie kTies[] = {Tie::lowest, Tie::tightest, Tie::nearest, Tie::widest};

SearchConfig known_config(int run) {
  const int round = run / 4;
  SearchConfig config;
  config.key = kKeys[run % 4];
  config.tie = kTies[round];
  config.waste_weight = kWasteWeights[static_cast<size_t>(round)];
  config.height_weight = kHeightWeights[static_cast<size_t>(round)];
  config.avoid_overtopping = (run / 2) % 2 == 0;
  return config;
}

SearchConfig random_config(uint64_t r) {
  SearchConfig config;
  config.key = kKeys[r & 3];
  config.tie = kTies[r >> 2 & 3];
  config.noise = (r >> 4 & 3) != 0;
  config.waste_weight = kWasteWeights[r >> 6 & 3];
  config.height_weight = kHeightWeights[r >> 8 & 3];
  config.prefer_full_width = (r >> 10 & 1) != 0;
  config.prefer_level = (r >> 11 & 1) != 0;
  config.avoid_overtopping = (r >> 12 & 1) != 0;
  config.as_before = (r >> 13 & 1) != 0;
  return config;
}

// `config` with at most one parameter of another.
SearchConfig vary(SearchConfig config, const SearchConfig& other, uint64_t parameter) {
  config.noise = true;
  config.as_before = other.as_before;
  switch (parameter & 7) {
    case 0: config.key = other.key; break;
    case 1: config.tie = other.tie; break;
    case 2: config.waste_weight = other.waste_weight; break;
    case 3: config.height_weight = other.height_weight; break;
    case 4: config.prefer_full_width = other.prefer_full_width; break;
    case 5: config.prefer_level = other.prefer_level; break;
    case 6: config.avoid_overtopping = other.avoid_overtopping; break;
    default: break;
  }
  return config;
}

}  // namespace

Portfolio::Portfolio(bool tried) : run_(tried ? kKnownConfigs : 0) {}

SearchConfig Portfolio::next(Random& random) {
  if (run_ < kKnownConfigs) return known_config(run_++);
  const uint64_t r = random.next();
  const SearchConfig fresh = random_config(r);
  if (best_.empty() || (r >> 14 & 1) != 0) return fresh;
  return vary(best_[(r >> 15) % best_.size()].second, fresh, r >> 32);
}

void Portfolio::learn(const SearchConfig& config, double least_left) {
  if (best_.size() < kBestConfigs) {
    best_.emplace_back(least_left, config);
    return;
  }
  const auto worst =
      std::max_element(best_.begin(), best_.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
  if (least_left < worst->first) *worst = {least_left, config};
}

}  // namespace tarn::planner
