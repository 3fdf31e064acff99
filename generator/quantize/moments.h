// What a layer's sums see of its input: the first and second moments of the numbers under its weights.
#pragma once
#include <span>
#include <vector>

#include "graph/graph.h"
#include "quantize/ranges.h"

namespace tarn::quantize {

// A layer as rows of weights, one for each output channel.
struct LayerShape {
  bool image = false;                            // a convolution; else a matrix
  bool transposed = false;                       // ConvTranspose: rows are not dot products with windows
  int64_t groups = 1, channels = 0, length = 0;  // output channels; numbers of a row
  // Convolutions: the input and the window as depth = 1 or rows and columns.
  int64_t inputs = 0, height = 1, width = 1, out_height = 1, out_width = 1;
  int64_t kernel[2] = {1, 1}, stride[2] = {1, 1}, dilation[2] = {1, 1}, pad[2] = {0, 0};  // pads before
  int64_t batch = 1;
};
LayerShape shape_of(const graph::Graph& graph, const graph::Node& node);

// Of one group of channels: x are the numbers as they are, q as their codes tell them. Means and, about them, the
// matrices E[q q'] and E[q x'], row-major.
struct Moments {
  int64_t length = 0, count = 0;
  std::vector<double> mean_x, mean_q, qq, qx;
};

// By group. The samples are parted in two, so that what was fitted to one half can be tried on the other; neither has
// anything where there is but one window.
struct LayerMoments {
  std::vector<Moments> all, fit, held;
};

class MomentGatherer {
 public:
  // About `windows` windows are taken of each sample.
  MomentGatherer(const LayerShape& shape, const Codes& codes, int64_t windows);
  // Samples in turn go to either half; of a single one the windows do.
  void add(std::span<const float> input, bool single);
  LayerMoments finish();
  // What the matrices of such a layer take.
  static int64_t bytes(const LayerShape& shape);

 private:
  void take(size_t half, size_t group, std::span<const float> window);

  LayerShape shape_;
  Codes codes_;
  int64_t windows_;
  uint64_t drawn_ = 1;
  size_t samples_ = 0;
  std::vector<Moments> sums_[2];  // by half
  std::vector<double> x_, q_;
};

}  // namespace tarn::quantize
