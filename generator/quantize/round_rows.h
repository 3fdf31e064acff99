// Codes of rows of weights, chosen so that the rows' sums come out right rather than each weight alone.
#pragma once
#include <cstdint>
#include <vector>

#include "quantize/moments.h"
#include "quantize/weights.h"

namespace tarn::quantize {

struct Rounding {
  // How much of the seen moments counts: 0: each weight goes to its nearest code, 1: nothing but the sums that were
  // seen matter. Few samples, or samples that are alike, tell little of others.
  double trust = 0;
  bool centred = true;  // the bias takes the mean of the error
};

// Rows of weights in steps of their scale.
struct Rows {
  size_t channels = 0, length = 0, per_group = 0;
  int32_t most = 127;
  const std::vector<float>& weights;
  const std::vector<float>& scale;

  std::vector<double> wanted(size_t c) const;
  void nearest(const std::vector<double>& row, int32_t* codes) const;
};

// Rows are rounded by one half of the samples and tried on the other, with their means corrected and, as means of few
// samples may mislead, without.
Rounding choose_rounding(const Rows& rows, const LayerMoments& moments, const WeightOptions& options);

// The codes of all rows. `moments` by group; rows of groups without any go to their nearest codes.
void round_rows(const Rows& rows, const std::vector<Moments>& moments, const Rounding& rounding,
                std::vector<int32_t>& codes);

}  // namespace tarn::quantize
