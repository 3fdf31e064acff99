// Remembers which states of a window of sections have been refuted, across the runs of a search.
// A state is hashed to 64 bits by its user; see note [window nogoods] in valley_search.cc.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace tarn::planner {

class WindowNogoods {
 public:
  struct Window {
    int first = 0, last = 0;
    uint64_t uses = 0;
  };
  // Remembers up to 2^most_bits states. Space for 2^bits is made with the first one, more as it is needed.
  WindowNogoods(int bits, int most_bits) : bits_(bits), most_bits_(most_bits) {}

  const std::vector<Window>& windows() const { return windows_; }

  bool refuted(size_t window, uint64_t key) {
    const size_t at = key & (table_.size() - 1);
    if (tags_[at] != tag(key)) return false;
    const Entry& e = table_[at];
    if (e.key != key || e.first != windows_[window].first || e.last != windows_[window].last) return false;
    windows_[window].uses += 4;
    return true;
  }

  // Stores a refuted state of sections first..last. `pick` (random) chooses what is forgotten when all places are
  // taken.
  void add(int first, int last, uint64_t key, uint64_t pick);

 private:
  static constexpr size_t kMostWindows = 400;
  struct Entry {
    uint64_t key = 0;
    int first = 0, last = -1;
  };
  static uint16_t tag(uint64_t key) { return static_cast<uint16_t>(key >> 48); }

  void grow();

  int bits_, most_bits_;
  size_t added_ = 0;
  std::vector<Entry> table_;    // empty until there is something to remember
  std::vector<uint16_t> tags_;  // of the entries; small enough to stay in the cache
  std::vector<Window> windows_;
  std::map<std::pair<int, int>, size_t> position_;
};

}  // namespace tarn::planner
