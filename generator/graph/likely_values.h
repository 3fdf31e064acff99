// A guess, for TIME, of what values a network's tensors will hold: some functions take a shorter way for small numbers,
// and software computes with zeros at once. It follows means and variances through the layers, whose weights are known.
#pragma once
#include <array>
#include <optional>
#include <vector>

#include "graph/graph.h"

namespace tarn::graph {

// Of each channel, or one for all: numbers of a normal distribution, of which those below `floor` were put there.
struct LikelyValues {
  std::vector<double> mean = {0}, variance = {1};
  std::optional<double> floor = {};
};

// By value. What comes from outside is taken to be of mean 0 and variance 1, and so is what is not followed.
std::vector<LikelyValues> likely_values(const Graph& graph);

// The share of the values at most this large.
double share_up_to(const LikelyValues& values, double bound);
// The share that `floor` has cut: with a floor of zero these are zeros.
double share_cut(const LikelyValues& values);

}  // namespace tarn::graph
