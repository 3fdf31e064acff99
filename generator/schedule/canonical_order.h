// The one order of a part of a graph that is best whatever runs beside it.
//
// A part that shares no tensor and no dependency with its surroundings except through one operator before it and one
// after it adds its live bytes to theirs. Its order can then be cut into blocks, each run without a pause: first to
// ever lower valleys, each over the lowest hill that leads lower, down to the fewest live bytes of all; from there, the
// mirror image, up to its end. See least_peak.md, F5. (For trees: Liu 1987.)
#pragma once
#include <optional>
#include <vector>

#include "schedule/order_graph.h"

namespace tarn::schedule {

struct Block {
  std::vector<int> operators;  // in the order they run
  Bytes hill = 0;              // most bytes of the part alive in one of its steps
  Bytes before = 0;            // bytes of the part alive before it
};

// `part`: operators of `graph` in a valid order, at most 64. Empty when some gift depends on the order, or when more
// than `most_states` sets of finished operators would have to be looked at.
std::optional<std::vector<Block>> canonical_order(const OrderGraph& graph, const std::vector<int>& part,
                                                  int most_states);

}  // namespace tarn::schedule
