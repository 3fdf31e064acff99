// Placing items one after the other: where may the next one go?
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "planner/conflicts.h"
#include "planner/problem.h"

namespace tarn::planner {

constexpr Offset kUnplaced = -1;

enum class Fit {
  lowest,   // the lowest allowed offset
  snuggest  // the smallest free gap that holds the item; above everything else if there is none
};

// An open interval of offsets.
struct Blocked {
  Offset lo, hi;
};

// The offset that `fit` asks for, a multiple of `alignment`, at or above `least`, in none of the intervals (which may
// be put in another order or dropped).
Offset find_free(std::vector<Blocked>& blocked, Bytes alignment, Fit fit, Offset least);

// Offsets of some items of a problem, all in accordance with each other. Fixed items are placed from the beginning.
class Placement {
 public:
  Placement(const Problem& problem, const ConflictGraph& conflicts);

  // The allowed offset of an unplaced item, given those placed.
  Offset find(int item, Fit fit, Offset least = 0);
  void place(int item, Offset at) { offsets_[static_cast<size_t>(item)] = at; }
  void remove(int item);  // unless it is fixed
  void remove_all();

  // Conflicts looked at so far.
  uint64_t looks() const { return looks_; }

  Offset at(int item) const { return offsets_[static_cast<size_t>(item)]; }
  const std::vector<Offset>& offsets() const { return offsets_; }
  std::vector<Offset>& offsets() { return offsets_; }

 private:
  const Problem& problem_;
  const ConflictGraph& conflicts_;
  std::vector<Offset> offsets_;
  std::vector<Blocked> blocked_;
  uint64_t looks_ = 0;
};

// The end of the topmost item that is ever alive.
Bytes arena_of(const Problem& problem, const std::vector<Offset>& offsets);

// Two fixed items that forbid each other, if there are such.
std::optional<std::pair<int, int>> fixed_collision(const Problem& problem);

}  // namespace tarn::planner
