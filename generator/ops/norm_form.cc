// Fixed-point forms of normalisations.
//
// note [norm form]: with d = count * code - sum the result is d / sqrt(V + E) * g + b: V the variance of d, E = epsilon
// * count^2 / x_scale^2, g and b scale and bias in steps of the output. |d| / sqrt(V) is below sqrt(count), so it has
// z_bits = 28 - ceil(log2(count) / 2) fractional bits in a word: an error of 2^-z_bits. hi32(z * g) has `post` of them
// and stays below 2^27.
//
// note [short steps]: numbers that float32 has as nearly as it can of multiples of y_scale / 2^n are meant as these. So
// g and b of the channels differ by multiples of a power of two and 16 bits tell each (program/spread_forms.h), as
// `tarn quantize` chooses them.
#include "ops/norm_form.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tarn::ops {

namespace {

constexpr int64_t kLongestVector = (1 << 15) - 1;
constexpr int kLeastPost = 12, kMostPost = 21;

// In steps of the output.
std::vector<double> in_steps(const std::vector<double>& numbers, double y_scale) {
  std::vector<double> steps;
  for (double v : numbers) steps.push_back(v / y_scale);
  for (int places = 0; places < 16; ++places) {
    const auto is_short = [&](double v) {
      const double k = std::nearbyint(std::ldexp(v, places));
      return std::abs(k) < 32768 && std::abs(std::ldexp(v, places) - k) <= std::ldexp(std::abs(k), -23);
    };
    if (!std::all_of(steps.begin(), steps.end(), is_short)) continue;
    for (double& v : steps) v = std::ldexp(std::nearbyint(std::ldexp(v, places)), -places);
    break;
  }
  return steps;
}

double largest(const std::vector<double>& numbers) {
  double most = 0;
  for (double v : numbers) most = std::max(most, std::isfinite(v) ? std::abs(v) : HUGE_VAL);
  return most;
}

// What is added before the shift: the bias, the zero point and half a step. Where the bias alone lies between two codes
// the even one is meant.
int32_t rounded_bias(double steps, int64_t zero, int post) {
  const double one = std::ldexp(1.0, post);
  int64_t v = std::llround(steps * one) + static_cast<int64_t>(one / 2);
  if ((v >> post) > std::llrint(steps)) --v;
  return static_cast<int32_t>(v + zero * static_cast<int64_t>(one));
}

}  // namespace

std::optional<NormForm> norm_form(const NormNumbers& numbers) {
  const int64_t count = numbers.count;
  if (count < 1 || count > kLongestVector || !(numbers.x_scale > 0) || !(numbers.y_scale > 0)) return {};
  NormForm form;
  const int log = static_cast<int>(std::bit_width(static_cast<uint64_t>(count - 1)));
  form.z_bits = 28 - (log + 1) / 2;

  const double n = static_cast<double>(count);
  const double epsilon = numbers.epsilon * n * n / (numbers.x_scale * numbers.x_scale), most = n * n * 16384 + epsilon;
  // A root above 2^(z_bits + 1) would need a shift to the right.
  if (!(epsilon >= 0) || most > std::ldexp(1.0, 2 * form.z_bits + 2)) return {};
  form.room = (62 - (std::ilogb(most) + 1)) & ~1;
  form.epsilon = static_cast<uint64_t>(std::ldexp(epsilon, form.room));

  const std::vector<double> scale = in_steps(numbers.scale, numbers.y_scale),
                            bias = in_steps(numbers.bias, numbers.y_scale);
  const double g = largest(scale), b = largest(bias);
  if (!(g < 1e9) || !(b < 1e9)) return {};
  // g * 2^bits stays below 2^31, and a bias below 2^29.
  int bits = kMostPost + 32 - form.z_bits;
  while (g * std::ldexp(1.0, bits) >= 2147483647.0 || b * std::ldexp(1.0, form.z_bits + bits - 32) >= 536870912.0)
    --bits;
  form.post = form.z_bits + bits - 32;
  if (form.post < kLeastPost) return {};
  for (double v : scale) form.scale.push_back(static_cast<int32_t>(std::llround(std::ldexp(v, bits))));
  for (double v : bias) form.bias.push_back(rounded_bias(v, numbers.y_zero, form.post));
  if (form.bias.empty()) form.bias.push_back(rounded_bias(0, numbers.y_zero, form.post));
  return form;
}

}  // namespace tarn::ops
