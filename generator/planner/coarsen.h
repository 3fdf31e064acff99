// Blocks joined into larger ones before a search: fewer choices, and a packing of the large ones is a packing of all.
// See note [seams] in coarsen.cc.
#pragma once
#include <cstdint>
#include <vector>

#include "planner/random.h"
#include "planner/valley_search.h"

namespace tarn::planner {

// What is joined, besides what every packing holds together: what often fits together. If the joined blocks cannot be
// packed, that says nothing.
struct Joining {
  int chance = 16;       // in 16, that two blocks alive at the same time are stacked
  int least_length = 1;  // of such blocks, in sections
  Bytes least_share =
      0;  // blocks below a `least_share`th of the capacity are not joined for their equal size; 0: all are
  bool sums_first = false;  // what is as large as two others together is tried before stacks
  uint64_t seed = 0;        // of what chance chooses
};

// A few of the likely joints.
Joining draw_joining(Random& random);

struct CoarseStrip {
  struct Member {
    int block = 0;    // of the strip that was coarsened
    Bytes above = 0;  // its bottom, above that of the joined block
  };
  Strip strip;
  std::vector<std::vector<Member>> members;  // of each block of `strip`
};

CoarseStrip coarsen(const Strip& strip, const Joining& joining);

// The offsets of the blocks that were joined, from those of the joined blocks.
std::vector<Offset> refine(const CoarseStrip& coarse, const std::vector<Offset>& offsets);

}  // namespace tarn::planner
