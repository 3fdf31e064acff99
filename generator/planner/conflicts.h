// Which offsets items forbid each other: the plain rule, gaps and pairs brought to one form.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "planner/problem.h"

namespace tarn::planner {

// Seen from an item: its offset may not lie in the open interval (offset(other) + lo, offset(other) + hi).
struct Conflict {
  int other = 0;
  Bytes lo = 0, hi = 0;
};

class ConflictGraph {
 public:
  static ConflictGraph build(const Problem& problem);

  // By other item, then ascending. Several intervals of one item are disjoint.
  std::span<const Conflict> of(int item) const {
    const auto i = static_cast<size_t>(item);
    return {conflicts_.data() + first_[i], conflicts_.data() + first_[i + 1]};
  }
  size_t size() const { return conflicts_.size(); }

 private:
  std::vector<size_t> first_;
  std::vector<Conflict> conflicts_;
};

// Two items, all of them with fixed offsets, that forbid each other.
std::optional<std::pair<int, int>> find_collision(const Problem& fixed);

// Any intervals, with those that meet as one: ascending, disjoint.
std::vector<Forbidden> join_forbidden(std::vector<Forbidden> all);

// The differences offset(b) - offset(a) that two items without a pair forbid; ascending, disjoint.
std::vector<Forbidden> forbidden_by_lives(const Item& a, const Item& b);

}  // namespace tarn::planner
