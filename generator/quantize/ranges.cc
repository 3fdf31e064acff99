#include "quantize/ranges.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>

#include "quantize/logarithm.h"
#include "quantize/tuning.h"

namespace tarn::quantize {

std::optional<RangeMethod> range_method(std::string_view name) {
  if (name == "auto") return RangeMethod::automatic;
  if (name == "minmax") return RangeMethod::minmax;
  if (name == "percentile") return RangeMethod::percentile;
  if (name == "mse") return RangeMethod::mse;
  if (name == "entropy") return RangeMethod::entropy;
  return {};
}

void Observed::add(std::span<const float> values) {
  std::optional<Range> own;
  for (const float v : values) {
    if (!std::isfinite(v)) {
      if (v < 0) minus_infinite_ = true;
      else finite_ = false;
      continue;
    }
    if (!own) own = {v, v};
    own->lo = std::min(own->lo, v);
    own->hi = std::max(own->hi, v);
  }
  if (own) {
    lo_ = any_ ? std::min(lo_, own->lo) : own->lo;
    hi_ = any_ ? std::max(hi_, own->hi) : own->hi;
    any_ = true;
    least_.push_back(own->lo);
    greatest_.push_back(own->hi);
    largest_ = std::max(largest_, values.size());
  }
  // An odd stride walks over all channels of an image.
  const size_t of_a_run = most_ / kRunsAtLeast, stride = values.size() <= of_a_run ? 1 : (values.size() / of_a_run) | 1;
  for (size_t i = 0; i < values.size(); i += stride) {
    if (std::isfinite(values[i])) values_.push_back(values[i]);
  }
  // Every second one goes when there are too many: early and late samples count alike.
  if (values_.size() <= 2 * most_) return;
  for (size_t i = 0; 2 * i < values_.size(); ++i) values_[i] = values_[2 * i];
  values_.resize((values_.size() + 1) / 2);
}

void Observed::add(const Observed& other) {
  if (other.any_) {
    lo_ = any_ ? std::min(lo_, other.lo_) : other.lo_;
    hi_ = any_ ? std::max(hi_, other.hi_) : other.hi_;
    any_ = true;
  }
  finite_ = finite_ && other.finite_;
  minus_infinite_ = minus_infinite_ || other.minus_infinite_;
  values_.insert(values_.end(), other.values_.begin(), other.values_.end());
  least_.insert(least_.end(), other.least_.begin(), other.least_.end());
  greatest_.insert(greatest_.end(), other.greatest_.begin(), other.greatest_.end());
  largest_ = std::max(largest_, other.largest_);
}

void Observed::raise(float floor) {
  minus_infinite_ = false;
  floor = std::min(floor, hi_);
  lo_ = std::max(lo_, floor);
  for (float& v : values_) v = std::max(v, floor);
  for (float& v : least_) v = std::max(v, floor);
}

namespace {

// How far beyond the greatest of some runs' extremes the end of a range belongs. Those of further runs are taken to
// fall off exponentially, at the rate at which the upper quarter of those that were seen does, so that with n runs one
// in n + 1 goes beyond: what is cut off of it is weighed against the wider steps that all numbers have. Both are
// squares: 2 rate^2 exp(-h / rate) / (n + 1) + numbers (width + h)^2 / (12 steps^2) is least at h. Extremes of runs
// that have little in common do not fall off so slowly as they are spread: h is at most as long as the upper quarter.
double reach_of(std::vector<float> extremes, double numbers, double width, double steps) {
  const size_t n = extremes.size(), upper = std::max<size_t>(1, n / 4);
  if (n < 2) return 0;
  std::sort(extremes.begin(), extremes.end(), std::greater<>());
  const auto beyond = [&](size_t i) { return static_cast<double>(extremes[i]) - static_cast<double>(extremes[upper]); };
  double rate = 0;
  for (size_t i = 0; i < upper; ++i) rate += beyond(i) / static_cast<double>(upper);
  const double ratio = 12 * steps * steps * rate / (static_cast<double>(n + 1) * numbers * width);
  return ratio > 1 ? std::min(beyond(0), rate * natural_log(ratio)) : 0;
}

}  // namespace

Range Observed::expected(int bits) const {
  const double width = std::max(0.0, static_cast<double>(hi_)) - std::min(0.0, static_cast<double>(lo_)),
               steps = static_cast<double>((int64_t{1} << bits) - 1), numbers = static_cast<double>(largest_);
  if (!(width > 0) || numbers == 0) return extremes();
  std::vector<float> below;
  for (const float v : least_) below.push_back(-v);
  return {static_cast<float>(static_cast<double>(lo_) - reach_of(below, numbers, width, steps)),
          static_cast<float>(static_cast<double>(hi_) + reach_of(greatest_, numbers, width, steps))};
}

std::vector<int64_t> Observed::histogram(size_t bars) const {
  std::vector<int64_t> counts(bars, 0);
  const double width = (static_cast<double>(hi_) - static_cast<double>(lo_)) / static_cast<double>(bars);
  for (const float v : values_) {
    const double at = width > 0 ? (static_cast<double>(v) - static_cast<double>(lo_)) / width : 0;
    ++counts[static_cast<size_t>(std::clamp(at, 0.0, static_cast<double>(bars - 1)))];
  }
  return counts;
}

int32_t Codes::code(float v) const {
  const double q = std::nearbyint(static_cast<double>(v / scale)) + zero;
  return static_cast<int32_t>(std::clamp(q, static_cast<double>(least()), static_cast<double>(most())));
}

float scale_above(double value) {
  constexpr int kBits = 16;
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return static_cast<float>(std::ldexp(std::ceil(std::ldexp(fraction, kBits)), exponent - kBits));
}

Codes codes_of(const Range& range, const CodeOptions& options) {
  const double lo = std::min(0.0, static_cast<double>(range.lo)), hi = std::max(0.0, static_cast<double>(range.hi));
  Codes codes{1, 0, options.bits};
  const double steps = static_cast<double>((int64_t{1} << options.bits) - 1);
  const double most = std::max(-lo, hi);
  if (!(most > 1e-30)) return codes;  // nothing but 0
  if (options.symmetric) {
    codes.scale = scale_above(most / codes.most());
    return codes;
  }
  codes.scale = scale_above((hi - lo) / steps);
  codes.zero = static_cast<int32_t>(std::clamp(std::nearbyint(codes.least() - lo / static_cast<double>(codes.scale)),
                                               static_cast<double>(codes.least()), static_cast<double>(codes.most())));
  return codes;
}

std::vector<double> quantisation_errors(std::span<const float> values, std::span<const Codes> some) {
  constexpr size_t kLanes = 8;  // are summed beside each other: none waits for another
  // A double between least and most that this is added to has no bits left for fractions: it is rounded, half to even.
  constexpr double kRoundsWhenAdded = 0x1.8p52;
  std::vector<double> errors;
  for (size_t first = 0; first < some.size(); first += kLanes) {
    const size_t count = std::min(kLanes, some.size() - first);
    double inverse[kLanes] = {}, least[kLanes] = {}, most[kLanes] = {}, sums[kLanes] = {};
    for (size_t l = 0; l < count; ++l) {
      const Codes& codes = some[first + l];
      inverse[l] = 1 / static_cast<double>(codes.scale);
      least[l] = codes.least() - codes.zero;
      most[l] = codes.most() - codes.zero;
    }
    for (const float v : values) {
      for (size_t l = 0; l < kLanes; ++l) {
        const double u = static_cast<double>(v) * inverse[l], up = u < least[l] ? least[l] : u,
                     within = up < most[l] ? up : most[l], q = (within + kRoundsWhenAdded) - kRoundsWhenAdded;
        sums[l] += (u - q) * (u - q);
      }
    }
    for (size_t l = 0; l < count; ++l) {
      const auto scale = static_cast<double>(some[first + l].scale);
      errors.push_back(values.empty() ? 0 : sums[l] * scale * scale / static_cast<double>(values.size()));
    }
  }
  return errors;
}

double quantisation_error(std::span<const float> values, const Codes& codes) {
  return quantisation_errors(values, {&codes, 1})[0];
}

namespace {

Range kept(const std::vector<float>& values, double percent) {
  std::vector<float> sorted = values;
  const auto cut = static_cast<size_t>(static_cast<double>(sorted.size()) * (1 - percent / 100) / 2);
  const auto lo = sorted.begin() + static_cast<std::ptrdiff_t>(cut),
             hi = sorted.end() - 1 - static_cast<std::ptrdiff_t>(cut);
  std::nth_element(sorted.begin(), lo, sorted.end());
  const float least = *lo;
  std::nth_element(sorted.begin(), hi, sorted.end());
  return {least, *hi};
}

// Shares of both ends of what was seen.
struct Ends {
  double lo = 1, hi = 1;
};

std::vector<double> errors_of(const Observed& observed, const std::vector<Ends>& some, const CodeOptions& options) {
  const Range all = observed.extremes();
  std::vector<Codes> codes;
  for (const Ends& ends : some)
    codes.push_back(codes_of({static_cast<float>(ends.lo * static_cast<double>(all.lo)),
                              static_cast<float>(ends.hi * static_cast<double>(all.hi))},
                             options));
  return quantisation_errors(observed.values(), codes);
}

// Both ends are drawn in together.
Ends drawn_in(const Observed& observed, const CodeOptions& options, double& error) {
  std::vector<Ends> some{{1, 1}};
  for (double part = 0.96; part > 0.2; part *= 0.96) some.push_back({part, part});
  const std::vector<double> errors = errors_of(observed, some, options);
  const auto least = std::min_element(errors.begin(), errors.end());
  error = *least;
  return some[static_cast<size_t>(least - errors.begin())];
}

// Then each alone, as long as the error falls.
Range least_error(const Observed& observed, const CodeOptions& options) {
  double least = 0;
  Ends ends = drawn_in(observed, options, least);
  for (double step : {0.1, 0.03, 0.01}) {
    const Ends moves[] = {{-step, 0.0}, {step, 0.0}, {0.0, -step}, {0.0, step}};
    for (bool better = true; better;) {
      better = false;
      for (size_t next = 0; next < std::size(moves);) {
        std::vector<Ends> some;  // moves from `next` on
        std::vector<size_t> after;
        for (size_t i = next; i < std::size(moves); ++i) {
          const double lo = ends.lo + moves[i].lo, hi = ends.hi + moves[i].hi;
          if (lo < 0.05 || hi < 0.05 || lo > 1.1 || hi > 1.1) continue;
          some.push_back({lo, hi});
          after.push_back(i + 1);
        }
        const std::vector<double> errors = errors_of(observed, some, options);
        const auto less = std::find_if(errors.begin(), errors.end(), [&](double e) { return e < least; });
        if (less == errors.end()) break;
        // The others start from there.
        const auto taken = static_cast<size_t>(less - errors.begin());
        least = *less;
        ends = some[taken];
        next = after[taken];
        better = true;
      }
    }
  }
  const Range all = observed.extremes();
  return {static_cast<float>(ends.lo * static_cast<double>(all.lo)),
          static_cast<float>(ends.hi * static_cast<double>(all.hi))};
}

// The part whose distribution over the codes tells most of that over all (Kullback-Leibler divergence, as TensorRT's
// calibrator does): bins are merged into as many as there are codes and spread out again.
Range least_divergence(const Observed& observed, const CodeOptions& options) {
  const Range all = observed.extremes();
  const double lo = std::min(0.0f, all.lo), hi = std::max(0.0f, all.hi), width = (hi - lo) / static_cast<double>(kBins);
  if (!(width > 0)) return all;
  std::vector<double> bins(kBins, 0);
  for (const float v : observed.values())
    ++bins[std::min(kBins - 1, static_cast<size_t>(std::max(0.0, (static_cast<double>(v) - lo) / width)))];
  const size_t zero = std::min(kBins - 1, static_cast<size_t>(-lo / width)), codes = size_t{1} << options.bits;
  double best = std::numeric_limits<double>::infinity();
  Range chosen{static_cast<float>(lo), static_cast<float>(hi)};
  for (int part = 128; part >= 16; part -= 2) {
    // Both ends keep their ratio, so that a one-sided tensor stays one.
    const size_t first = zero - zero * static_cast<size_t>(part) / 128,
                 end = zero + (kBins - zero) * static_cast<size_t>(part) / 128;
    if (end - first < codes) break;
    std::vector<double> p(bins.begin() + static_cast<std::ptrdiff_t>(first),
                          bins.begin() + static_cast<std::ptrdiff_t>(end));
    std::vector<double> q(p.size(), 0);
    for (size_t c = 0; c < codes; ++c) {
      const size_t from = c * p.size() / codes, to = (c + 1) * p.size() / codes;
      double sum = 0, filled = 0;
      for (size_t i = from; i < to; ++i) sum += p[i], filled += p[i] > 0 ? 1 : 0;
      for (size_t i = from; i < to; ++i) q[i] = p[i] > 0 ? sum / filled : 0;
    }
    for (size_t i = 0; i < first; ++i) p.front() += bins[i];
    for (size_t i = end; i < kBins; ++i) p.back() += bins[i];
    double total_p = 0, total_q = 0, divergence = 0;
    for (size_t i = 0; i < p.size(); ++i) total_p += p[i], total_q += q[i];
    for (size_t i = 0; i < p.size() && total_q > 0; ++i) {
      if (p[i] > 0) divergence += p[i] / total_p * natural_log(p[i] / total_p / std::max(q[i] / total_q, 1e-9));
    }
    if (total_q > 0 && divergence < best) {
      best = divergence;
      chosen = {static_cast<float>(lo + static_cast<double>(first) * width),
                static_cast<float>(lo + static_cast<double>(end) * width)};
    }
  }
  return chosen;
}

}  // namespace

Range find_range(const Observed& observed, RangeMethod method, const CodeOptions& options) {
  Range range = observed.extremes();
  if (!observed.values().empty() && !observed.constant()) {
    if (method == RangeMethod::percentile) range = kept(observed.values(), options.percentile);
    if (method == RangeMethod::mse) range = least_error(observed, options);
    if (method == RangeMethod::entropy) range = least_divergence(observed, options);
    if (options.expected) {
      const Range all = observed.extremes(), expected = observed.expected(options.bits);
      if (expected.lo < all.lo) range.lo = expected.lo;
      if (expected.hi > all.hi) range.hi = expected.hi;
    }
  }
  return {std::min(0.0f, range.lo), std::max(0.0f, range.hi)};
}

}  // namespace tarn::quantize
