// From the numbers that a tensor took to the scale and zero point of its codes.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quantize/tuning.h"

namespace tarn::quantize {

// automatic: the one of the others, tensor by tensor, that does least to the outputs.
enum class RangeMethod { automatic, minmax, percentile, mse, entropy };
std::optional<RangeMethod> range_method(std::string_view name);

struct Range {
  float lo = 0, hi = 0;
  bool operator==(const Range&) const = default;
};

// What was seen of a tensor: its extremes, and some of its numbers, spread evenly.
class Observed {
 public:
  Observed() = default;
  explicit Observed(size_t most_values) : most_(most_values) {}  // about so many are kept
  void add(std::span<const float> values);
  void add(const Observed& other);  // one that shares the scale
  void raise(float floor);          // numbers below it are as good as it
  Range extremes() const { return {lo_, hi_}; }
  bool constant() const { return lo_ == hi_; }
  bool finite() const { return finite_ && !minus_infinite_; }
  const std::vector<float>& values() const { return values_; }
  // The extremes, and beyond them where it pays so many codes that other runs' extremes are spread as those that were
  // seen: in tensors of few numbers.
  Range expected(int bits) const;
  std::vector<int64_t> histogram(size_t bars) const;  // of the numbers that were kept, evenly between the extremes

 private:
  float lo_ = 0, hi_ = 0;
  bool any_ = false, finite_ = true, minus_infinite_ = false;
  size_t most_ = kMostValues;
  std::vector<float> values_;
  std::vector<float> least_, greatest_;  // of each run
  size_t largest_ = 0;                   // numbers of a run
};

struct CodeOptions {
  int bits = 8;
  bool symmetric = false;     // the zero point is 0
  double percentile = 99.99;  // of the numbers that are kept, for RangeMethod::percentile
  bool expected = false;      // ends reach as far as runs that were not seen will, where it pays
};

// Always holds 0: padding must be exact.
Range find_range(const Observed& observed, RangeMethod method, const CodeOptions& options);

// number = scale * (code - zero), codes of `bits` with sign.
struct Codes {
  float scale = 1;
  int32_t zero = 0;
  int bits = 8;
  int32_t least() const { return -(1 << (bits - 1)); }
  int32_t most() const { return (1 << (bits - 1)) - 1; }
  int32_t code(float v) const;
  float number(int32_t code) const { return static_cast<float>(code - zero) * scale; }
};

// The least number of 16 significant bits that is no less: times a weight's scale of 8 such bits it is one that float32
// holds, so that kernels may tell a layer's scales in few bytes (requant/factors.h).
float scale_above(double value);
Codes codes_of(const Range& range, const CodeOptions& options);

// The mean square of what quantising takes from the numbers.
double quantisation_error(std::span<const float> values, const Codes& codes);
// The same by each of some codes.
std::vector<double> quantisation_errors(std::span<const float> values, std::span<const Codes> some);

}  // namespace tarn::quantize
