// Equalisation across layers: a channel of a tensor between two layers may be made larger or smaller - the weights that
// make it are divided, those that read it multiplied - so that all channels fill the one range of its codes. After
// M. Nagel et al., Data-Free Quantization Through Weight Equalization and Bias Correction, ICCV 2019.
#pragma once
#include <map>
#include <vector>

#include "graph/graph.h"
#include "quantize/network.h"

namespace tarn::quantize {

// Tensors between layers that make a channel and those that read it, with only operators between that a positive factor
// passes through.
struct Joint {
  size_t maker = 0;                    // the layer's node
  std::vector<size_t> readers;         // layers' nodes
  std::vector<graph::ValueId> values;  // between them, in order
  std::vector<int64_t> inner;          // by value: numbers of a channel that lie beside each other
  int64_t channels = 0;
};
std::vector<Joint> find_joints(const graph::Graph& graph, const std::vector<size_t>& layers);

// What a channel of a joint's last value takes.
struct ChannelStatistics {
  std::vector<double> most, square;  // largest magnitude; sum of squares
  std::vector<double> most_of[2];    // of every second sample
  double count = 0;                  // numbers of each channel
  size_t samples = 0;
  void add(const Joint& joint, const std::vector<float>& values);
};

// The factors that make the noise at the readers' sums least, by channel: the values are divided by them. All 1 where
// nothing is gained. Channels that all fill the range are all cut off by the next sample that takes more: what each
// half of the samples cuts off of the other is counted.
std::vector<float> choose_factors(const graph::Graph& graph, const Joint& joint, const ChannelStatistics& seen);

// Puts them into the weights.
void apply_factors(graph::Graph& graph, const Joint& joint, const std::vector<float>& factors);

}  // namespace tarn::quantize
