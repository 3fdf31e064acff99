#include "quantize/common_error.h"

#include <algorithm>

#include "quantize/tuning.h"

namespace tarn::quantize {

namespace {

// The mean of the errors of all parts but one, the less of it the less sure it is.
std::vector<double> correction(const std::vector<std::vector<double>>& errors, size_t parts, size_t without) {
  const size_t channels = errors[0].size();
  std::vector<double> mean(channels, 0), square(channels, 0);
  double count = 0;
  for (size_t s = 0; s < errors.size(); ++s) {
    if (s % parts == without) continue;
    ++count;
    for (size_t c = 0; c < channels; ++c) mean[c] += errors[s][c], square[c] += errors[s][c] * errors[s][c];
  }
  for (size_t c = 0; c < channels; ++c) {
    mean[c] /= count;
    const double about = std::max(0.0, square[c] / count - mean[c] * mean[c]) / std::max(1.0, count - 1);
    mean[c] *= mean[c] != 0 ? std::max(0.0, 1 - about / (mean[c] * mean[c])) : 0;
  }
  return mean;
}

}  // namespace

std::vector<double> common_error(const std::vector<std::vector<double>>& errors) {
  const size_t parts = std::min(kParts, errors.size());
  double gain = 0;
  for (size_t part = 0; part < parts && parts > 1; ++part) {
    const std::vector<double> by = correction(errors, parts, part);
    for (size_t s = part; s < errors.size(); s += parts) {
      for (size_t c = 0; c < by.size(); ++c) gain += by[c] * (2 * errors[s][c] - by[c]);
    }
  }
  if (gain > 0) return correction(errors, parts, parts);
  return std::vector<double>(errors.empty() ? 0 : errors[0].size(), 0);
}

}  // namespace tarn::quantize
