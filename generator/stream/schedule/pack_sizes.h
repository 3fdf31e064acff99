// One packing for a network at several heights: every memory in one place, with one ring, at all of them.
#pragma once
#include <string>
#include <vector>

#include "stream/schedule/search.h"

namespace tarn::stream {

// A network at one height under the cuts that all of them have.
struct SizedNet {
  const Net* net = nullptr;
  std::vector<Step> steps;
  Lives lives;  // slots: the most that any height needs, once they are packed
};

// The largest height stands last. Two memories forbid each other what they forbid at any height, so that the plan holds
// for each. The plan by heights differs in its steps and lives alone. `obstacle`: why there is none, and at which.
struct PackedSizes {
  std::vector<PackedCuts> sizes;
  std::string obstacle;
  size_t at = 0;
};
PackedSizes pack_sizes(const std::vector<bool>& cuts, std::vector<SizedNet> sizes, const SearchLimits& limits);

// The packings of the same items at several heights as one; the last gives items their lives.
Packing merge_packings(const std::vector<Packing>& packings);

}  // namespace tarn::stream
