// Families of packing problems to measure planners with. Integers only: the same problems on every machine.
#pragma once
#include <cstdint>

#include "planner/problem.h"

namespace tarn::bench {

// `count` pieces cut out of a rectangle, edge to edge: the optimum is the rectangle's height, without a byte wasted.
planner::Problem guillotine(int count, uint64_t seed);

// Buffers of a convolutional network: layers in a row with branches that are added or joined, strides that shrink.
planner::Problem cnn_like(int count, uint64_t seed);

// Uniform starts, exponential lives of mean `mean_life` in 2 * count instants, sizes log-uniform over a factor 1024.
planner::Problem uniform(int count, uint64_t seed, int64_t mean_life);

// As uniform, but all starts fall into `bursts` short stretches.
planner::Problem bursty(int count, uint64_t seed, int64_t mean_life, int bursts);

// As uniform, but sizes have a heavy tail: half as many for each doubling, over a factor 2^20.
planner::Problem heavy_tailed(int count, uint64_t seed, int64_t mean_life);

// Lives nested like calls: a random tree walked in depth first order, each node alive during its subtree.
planner::Problem nested(int count, uint64_t seed);

}  // namespace tarn::bench
