// Where segments end: the cuts for which the most that any segment has alive is least.
#pragma once
#include <cstdint>
#include <vector>

#include "stream/network/net.h"

namespace tarn::stream {

// note [segment cuts]: what a segment [i, j) has alive depends on i and j alone, because everything before it is
// finished and what crosses its ends is resident. The best cuts are therefore a path from 0 to the end whose greatest
// edge is least: exact for segments of consecutive nodes in the given order, line by line, up to the length that
// `work_limit` allows. Cuts that more bytes cross than a path that is known already needs are passed over.
struct SegmentCuts {
  std::vector<bool> by_lines;  // lines counted as they live
  std::vector<bool> by_rings;  // rings counted whole
  int64_t lines_bound = 0;     // of by_lines
  uint64_t work = 0;           // steps looked at
  bool complete = false;       // no segments were left out for want of work
};

// `most`: paths that need more bytes are of no use.
SegmentCuts find_segment_cuts(const Net& net, uint64_t work_limit, int64_t most = INT64_MAX);

}  // namespace tarn::stream
