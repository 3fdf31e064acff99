#include "planner/window_nogoods.h"

#include <algorithm>

namespace tarn::planner {

void WindowNogoods::add(int first, int last, uint64_t key, uint64_t pick) {
  const size_t slot = key & (table_.size() - 1);
  table_[slot] = {key, first, last};
  tags_[slot] = tag(key);
  const auto known = position_.find({first, last});
  if (known != position_.end()) {
    ++windows_[known->second].uses;
    return;
  }
  size_t at = windows_.size();
  if (windows_.size() < kMostWindows) {
    windows_.emplace_back();
  } else {
    const size_t one = pick % kMostWindows, other = (pick >> 32) % kMostWindows;
    at = windows_[other].uses < windows_[one].uses ? other : one;
    position_.erase({windows_[at].first, windows_[at].last});
  }
  windows_[at] = {first, last, 1};
  position_[{first, last}] = at;
}

void WindowNogoods::clear() {
  std::fill(table_.begin(), table_.end(), Entry{});
  std::fill(tags_.begin(), tags_.end(), uint16_t{0});
  windows_.clear();
  position_.clear();
}

}  // namespace tarn::planner
