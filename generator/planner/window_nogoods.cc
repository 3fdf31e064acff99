#include "planner/window_nogoods.h"

namespace tarn::planner {

void WindowNogoods::add(int first, int last, uint64_t key, uint64_t pick) {
  table_[key & (table_.size() - 1)] = {key, first, last};
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
  for (Entry& e : table_) e = {};
  windows_.clear();
  position_.clear();
}

}  // namespace tarn::planner
