// What quantisation costs: the network before and after, on the same samples.
#pragma once
#include "quantize/network.h"
#include "quantize/quantize.h"
#include "tensor/weight_type.h"

namespace tarn::quantize {

// A value of the float graph, and what stands for it in the quantised one.
struct Watched {
  graph::ValueId before, after;
  // Rows of so many scores go to a Softmax: they are compared below their largest, as far down as their share counts.
  int64_t scores = 0;
};

struct Noise {
  double signal = 0, noise = 0;
  double worst_db = 0;
  size_t worst_sample = 0, agreeing = 0, samples = 0;
  double db() const;
};

// By watched value. Runs both networks on all samples.
Result<std::vector<Noise>> measure_noise(const Network& before, const Network& after,
                                         const std::vector<Watched>& watched, const std::vector<Sample>& samples);

// How often both have the largest element of the value at the label; a label for each sample. Runs both on all samples.
Result<Accuracy> measure_accuracy(const Network& before, const Network& after, const Watched& output,
                                  const std::vector<Sample>& samples, const std::vector<size_t>& labels);

// Rules by which layers that compute in floats keep the codes that the model has of their weights.
std::vector<WeightRule> model_codes(const std::vector<std::string>& layers);

// A file, or `bytes` in its place, planned as `tarn generate` does for `target`; it keeps the codes of the weights of
// `recurrent` layers.
struct PlanRequest {
  std::string path;
  std::shared_ptr<const std::string> bytes;
  std::map<std::string, int64_t> dims;
  std::vector<std::string> recurrent;
  std::string target;
};
// `floats`, where asked for: name and operator of what is planned in floats.
Result<Footprint> measure_plan(const PlanRequest& request,
                               std::vector<std::pair<std::string, std::string>>* floats = nullptr);

}  // namespace tarn::quantize
