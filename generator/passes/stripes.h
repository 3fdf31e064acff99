// Column stripes: the leading part of a network is run several times, each time for a range of columns of its result.
//
//   x -> conv -> conv -> t -> ...       x[:, 0:9]  -> conv -> conv -> t's columns 0..7,
//                                       x[:, 7:16] -> conv -> conv -> t's columns 8..15; t -> ...
//
// A stripe's ranges are what its part of t needs, worked out backwards: no column is missing at a seam, columns that
// two stripes need are made twice, and windows are padded where the image ends, nowhere else. Weights are shared.
#pragma once
#include <optional>
#include <vector>

#include "graph/graph.h"

namespace tarn::passes {

using graph::Graph;
using graph::ValueId;

// Where a leading part may end: images, channels last, made from inputs through windows and pixels alone, by nodes that
// make nothing for anybody else. In the order of the nodes.
std::vector<ValueId> stripe_ends(const Graph& graph);

// Multiplications that `stripes` stripes before `end` do beyond those of the graph: of layers with known weights.
// Absent: there are no such stripes.
std::optional<int64_t> extra_macs(const Graph& graph, ValueId end, int64_t stripes);

// The graph with those stripes.
std::optional<Graph> cut_into_stripes(const Graph& graph, ValueId end, int64_t stripes);

}  // namespace tarn::passes
