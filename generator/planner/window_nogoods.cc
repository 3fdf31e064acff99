#include "planner/window_nogoods.h"

#include <algorithm>

namespace tarn::planner {

void WindowNogoods::grow() {
  std::vector<Entry> old = std::move(table_);
  bits_ += old.empty() ? 0 : 1;
  table_.assign(size_t{1} << bits_, {});
  tags_.assign(table_.size(), 0);
  for (const Entry& e : old) {
    if (e.last < 0) continue;
    const size_t slot = e.key & (table_.size() - 1);
    table_[slot] = e;
    tags_[slot] = tag(e.key);
  }
}

void WindowNogoods::add(int first, int last, uint64_t key, uint64_t pick) {
  if (table_.empty() || (++added_ > table_.size() / 4 && bits_ < most_bits_)) grow();
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

}  // namespace tarn::planner
