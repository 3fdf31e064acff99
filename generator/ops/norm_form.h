// What normalisations of codes are computed with: the integers of an IntLayerNorm or IntGroupNorm.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tarn::ops {

struct NormForm {
  uint64_t epsilon = 0;  // epsilon * count^2 / x_scale^2, with `room` fractional bits
  int32_t room = 0;
  int32_t z_bits = 0;  // fractional bits of a deviation over the standard deviation
  int32_t post = 0;    // fractional bits of biases
  std::vector<int32_t> scale, bias;
};

struct NormNumbers {
  int64_t count = 0;  // codes of a vector
  double epsilon = 0, x_scale = 1, y_scale = 1;
  int64_t y_zero = 0;
  std::vector<double> scale, bias;  // one number, or one for each code of a vector; `bias` may be empty
};

// Nothing where integers would be less precise than 2^-12 of a code, or do not hold the numbers.
std::optional<NormForm> norm_form(const NormNumbers& numbers);

}  // namespace tarn::ops
