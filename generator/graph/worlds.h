// Worlds: sample values for the sizes that are known only at run time. World 0 has the largest values; the others are
// there to see how shapes depend on each symbol: a base, and per symbol two steps away from it, and one world in which
// all symbols so far are changed together, which shows sizes that are products of two of them.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "graph/graph.h"

namespace tarn::graph {

class Worlds {
 public:
  // A new symbol that takes values up to `most`; its number.
  int add_symbol(int64_t most);

  size_t symbols() const { return largest_.size(); }
  const std::vector<int64_t>& largest() const { return largest_; }
  size_t count() const { return largest_.empty() ? 1 : 2 + 3 * largest_.size(); }
  // The world in which only this symbol is changed (step 0 or 1), and the one that changes all symbols up to it.
  static size_t stepped(size_t symbol, size_t step) { return 2 + 3 * symbol + step; }
  static size_t joint(size_t symbol) { return 4 + 3 * symbol; }
  static bool is_joint(size_t world) { return world >= 4 && (world - 4) % 3 == 0; }
  // The symbols' values in a world.
  std::vector<int64_t> values(size_t world) const;

  // Fits numbers seen in worlds 1 and up (one per world) to scale * symbol + offset with at most one symbol; empty when
  // they are not of that form. No symbol: scale 0.
  std::optional<RuntimeDim> fit(const std::vector<int64_t>& seen) const;

 private:
  std::vector<int64_t> largest_;
};

// What is known of a value in each world when it is not the same in all: sizes that a Shape operator read, and what was
// computed from them.
using SampledValues = std::map<const void*, std::map<ValueId, std::vector<std::shared_ptr<const Constant>>>>;

}  // namespace tarn::graph
