// A set of sets of operators, stored whole: two that share a hash are still told apart.
#pragma once
#include <cstdint>
#include <vector>

#include "schedule/bits.h"

namespace tarn::schedule {

template <int W>
class StateTable {
 public:
  bool contains(const Bits<W>& set) const { return slots_[find(set)] != 0; }

  bool insert(const Bits<W>& set) {  // false when it was there
    size_t slot = find(set);
    if (slots_[slot] != 0) return false;
    if (2 * (sets_.size() + 1) > slots_.size()) {
      grow();
      slot = find(set);
    }
    sets_.push_back(set);
    slots_[slot] = static_cast<uint32_t>(sets_.size());
    return true;
  }
  size_t size() const { return sets_.size(); }
  void clear() {
    sets_.clear();
    slots_.assign(kFirstSlots, 0);
  }

 private:
  static constexpr size_t kFirstSlots = 256;  // powers of two

  size_t find(const Bits<W>& set) const {
    const size_t mask = slots_.size() - 1;
    size_t slot = set.hash() & mask;
    while (slots_[slot] != 0 && !(sets_[slots_[slot] - 1] == set)) slot = (slot + 1) & mask;
    return slot;
  }
  void grow() {
    slots_.assign(2 * slots_.size(), 0);
    for (size_t i = 0; i < sets_.size(); ++i) slots_[find(sets_[i])] = static_cast<uint32_t>(i + 1);
  }

  std::vector<Bits<W>> sets_;
  std::vector<uint32_t> slots_ = std::vector<uint32_t>(kFirstSlots, 0);
};

}  // namespace tarn::schedule
