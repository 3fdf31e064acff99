// The order of steps on demand: before a line is made, the missing lines that it needs are made. Each memory then holds
// the fewest lines that this order of results allows (for chains: see doc/streaming.md).
#pragma once
#include <vector>

#include "stream/network/net.h"

namespace tarn::stream {

// The longest segment; making a line asks for others to this depth at most.
constexpr size_t kLongestSegment = 400;

// By node: how many of its steps are done.
using Progress = std::vector<int64_t>;

// Appends the steps of nodes [first, end), all nodes before them being done, and brings `progress` up to date.
void pull_segment(const Net& net, size_t first, size_t end, Progress& progress, std::vector<Step>& steps);

// cuts[k]: a segment ends before node k. The steps of all segments. Segments are cut where they grow too long.
std::vector<Step> pull_all(const Net& net, const std::vector<bool>& cuts);

}  // namespace tarn::stream
