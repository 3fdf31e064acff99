#include "requant/thresholds.h"

#include <utility>

#include "support/check.h"

namespace tarn::requant {

Thresholds::Stretch Thresholds::code_at(int64_t accumulator) const {
  const auto next = std::upper_bound(at.begin(), at.end(), accumulator, [](int64_t a, const Threshold& t) { return a < t.accumulator; });
  const int64_t end = next == at.end() ? INT64_MAX : next->accumulator;
  // Only the first one may be without an accumulator below it.
  const bool begun = next != at.begin() && std::prev(next)->from_below;
  return {begun ? std::max(first_code, std::prev(next)->code) : first_code, end};
}

namespace {

void set_slope(Thresholds& t) {
  const auto inner = [](const Threshold& at) { return at.from_below && at.from_above; };
  const auto low = std::find_if(t.at.begin(), t.at.end(), inner);
  t.constant = low == t.at.end();
  if (!t.at.empty()) t.most_code = std::max(std::abs(t.at.front().code), std::abs(t.at.back().code));
  if (t.constant) return;
  const auto high = std::find_if(t.at.rbegin(), t.at.rend(), inner);
  if (high->accumulator <= low->accumulator) return;
  t.slope = static_cast<double>(high->code - low->code) / static_cast<double>(high->accumulator - low->accumulator);
}

constexpr size_t kMostThresholds = 258;

// Appends the corners of a convex chain over the thresholds of one parity; `above`: corners lie below the chords between others,
// of those that are begun from below; else above, of the reachable ones.
template <bool above>
void add_corners(const std::vector<Threshold>& at, int parity, std::vector<Corner>& corners) {
  int64_t accumulators[kMostThresholds], codes[kMostThresholds];
  size_t count = 0;
  for (const Threshold& threshold : at) {
    if ((threshold.code & 1) != parity || !(above ? threshold.from_below : threshold.from_above)) continue;
    const int64_t accumulator = threshold.accumulator, code = threshold.code;
    if (count > 0 && accumulators[count - 1] == accumulator) {
      if (above) continue;  // codes ascend
      --count;
    }
    while (count >= 2) {
      const size_t x = count - 2, y = count - 1;
      const int64_t before = (codes[y] - codes[x]) * (accumulator - accumulators[y]);
      const int64_t behind = (code - codes[y]) * (accumulators[y] - accumulators[x]);
      if (above ? before < behind : before > behind) break;
      --count;
    }
    accumulators[count] = accumulator;
    codes[count++] = code;
  }
  corners.reserve(corners.size() + count);
  for (size_t i = 0; i < count; ++i) corners.push_back({accumulators[i], codes[i]});
}

// Even and odd codes may begin at different distances from their multiples: each has chains of its own.
void find_corners(Thresholds& t) {
  TARN_CHECK(t.at.size() <= kMostThresholds);
  for (int parity : {0, 1}) {
    add_corners<true>(t.at, parity, t.tight_above);
    add_corners<false>(t.at, parity, t.tight_below);
  }
}

}  // namespace

std::optional<Thresholds> find_thresholds(const Steps& steps, int32_t lo, int32_t hi) {
  Thresholds t;
  t.falling = steps.value(steps.first) > steps.value(steps.last);
  auto value = [&](int64_t a) { return steps.value(t.falling ? -a : a); };
  t.first = t.falling ? -steps.last : steps.first;
  t.last = t.falling ? -steps.first : steps.last;
  const int32_t first = value(t.first), last = value(t.last);
  if (last - first > 255) return {};
  t.first_code = first;
  t.at.reserve(static_cast<size_t>(last - first) + 2);
  // The line must not leave the code of either end, unless the clamp brings it back.
  if (first > lo) t.at.push_back({t.first, first, false, true});
  // Of the last two strides the shorter one: strides of a line differ by one, and a guess that is too low by one costs nothing.
  int64_t guess = t.first, stride = 1, stride_before = 1;
  for (int32_t k = first + 1; k <= last; ++k) {
    const int64_t from = t.at.empty() ? t.first : std::max(t.first, t.at.back().accumulator);
    const int64_t found = first_not([&](int64_t a) { return value(a) < k; }, guess, from, t.last);
    stride_before = std::exchange(stride, std::max<int64_t>(1, found - from));
    guess = found + std::min(stride, stride_before);
    t.at.push_back({found, k, true, true});
  }
  if (last < hi) t.at.push_back({t.last + 1, last + 1, true, false});
  find_corners(t);
  set_slope(t);
  return t;
}

}  // namespace tarn::requant
