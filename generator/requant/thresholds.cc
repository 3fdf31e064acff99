#include "requant/thresholds.h"

#include <array>
#include <bit>
#include <utility>

#include "support/check.h"

namespace tarn::requant {

Thresholds::CodeRange Thresholds::code_at(int64_t accumulator) const {
  const auto next = static_cast<size_t>(std::upper_bound(begins.begin(), begins.end(), accumulator) - begins.begin());
  const int64_t end = next == begins.size() ? INT64_MAX : begins[next];
  const bool begun = next > 0 && at(next - 1).from_below;
  return {begun ? std::max(first_code, at(next - 1).code) : first_code, end};
}

namespace {

// From the first to the last threshold with reachable accumulators on both sides.
void set_slope(Thresholds& t) {
  const size_t low = t.open_below ? 1 : 0, end = t.begins.size() - (t.open_above ? 1 : 0);
  t.constant = t.begins.empty() || low >= end;
  if (!t.begins.empty()) t.most_code = std::max(std::abs(t.at(0).code), std::abs(t.at(t.begins.size() - 1).code));
  if (t.constant || t.begins[end - 1] <= t.begins[low]) return;
  t.slope = static_cast<double>(end - 1 - low) / static_cast<double>(t.begins[end - 1] - t.begins[low]);
}

constexpr size_t kMostThresholds = 258;

// Thresholds that may be corners of a chain.
struct Candidates {
  std::array<uint16_t, kMostThresholds + 1> positions = {};
  size_t count = 0;
  // Without a branch: nobody could foretell it.
  void add_if(bool condition, size_t position) {
    positions[count] = static_cast<uint16_t>(position);
    count += condition;
  }
};

// Marks numbers that are no more than the middle of the two so far from them, and those that are no less. All bits of
// a mark are set: without a branch, eight at a time.
void mark_inner(const int16_t* off, size_t count, size_t far, int16_t* above, int16_t* below) {
  for (size_t i = 0; i < count; ++i) {
    const auto bend = static_cast<int16_t>(off[i] + off[i + 2 * far] - 2 * off[i + far]);
    above[i] = static_cast<int16_t>(above[i] | (bend >= 0 ? -1 : 0));
    below[i] = static_cast<int16_t>(below[i] | (bend <= 0 ? -1 : 0));
  }
}

// Those of first, first + 2, ... before `end`. Near a line thresholds bend to and fro by one: one that is no tighter
// than the middle of two others, as far from it on both sides, is no corner.
void find_candidates(const Thresholds& t, size_t first, size_t end, Candidates& above, Candidates& below) {
  const size_t count = first < end ? (end - first + 1) / 2 : 0;
  if (count == 0) return;
  constexpr size_t kMost = kMostThresholds / 2;
  TARN_CHECK(count <= kMost);
  const int64_t* begins = t.begins.data() + first;
  const int64_t stride = count > 1 ? (begins[2 * (count - 1)] - begins[0]) / static_cast<int64_t>(count - 1) : 0;
  constexpr int64_t kSmall = 1 << 13;   // sums of four stay within 16 bits
  std::array<int16_t, kMost> off = {};  // from the line
  std::array<int16_t, kMost> inner_above = {}, inner_below = {};
  int64_t line = begins[0];
  uint64_t high = 0;
  for (size_t i = 0; i < count; ++i, line += stride) {
    const int64_t o = begins[2 * i] - line;
    high |= static_cast<uint64_t>(o + kSmall);  // below 2 * kSmall where o is small
    off[i] = static_cast<int16_t>(o);
  }
  for (const size_t far : {1U, 2U, 3U, 5U, 8U, 13U}) {
    if (high >= 2 * kSmall) break;
    if (count > 2 * far)
      mark_inner(off.data(), count - 2 * far, far, inner_above.data() + far, inner_below.data() + far);
  }
  for (size_t i = 0; i < count; ++i) {
    above.add_if(inner_above[i] == 0, first + 2 * i);
    below.add_if(inner_below[i] == 0, first + 2 * i);
  }
}

// Appends the corners of a convex chain over some thresholds; `above`: corners lie below the chords between others,
// else above.
template <bool above>
void add_corners(const Thresholds& t, const Candidates& candidates, std::vector<Corner>& corners) {
  const size_t begin = corners.size();
  corners.reserve(begin + candidates.count);
  for (size_t k = 0; k < candidates.count; ++k) {
    const size_t i = candidates.positions[k];
    const int64_t accumulator = t.begins[i], code = t.least_code + static_cast<int64_t>(i);
    if (corners.size() > begin && corners.back().accumulator == accumulator) {
      if (above) continue;  // codes ascend
      corners.pop_back();
    }
    while (corners.size() >= begin + 2) {
      const Corner &x = corners[corners.size() - 2], &y = corners.back();
      const int64_t before = (y.code - x.code) * (accumulator - y.accumulator),
                    behind = (code - y.code) * (y.accumulator - x.accumulator);
      if (above ? before < behind : before > behind) break;
      corners.pop_back();
    }
    corners.push_back({accumulator, code});
  }
}

// Even and odd codes may begin at different distances from their multiples: each has chains of its own. Thresholds that
// are open to one side belong to one of the chains only.
void find_corners(Thresholds& t) {
  const size_t size = t.begins.size();
  TARN_CHECK(size <= kMostThresholds);
  for (const int32_t parity : {0, 1}) {
    const size_t first = ((t.least_code & 1) == parity) ? 0 : 1;
    const bool starts_open = t.open_below && first == 0, ends_open = t.open_above && size > first && (size - first) % 2;
    Candidates above, below;
    below.add_if(starts_open && size > 0, 0);
    find_candidates(t, first + (starts_open ? 2 : 0), size - (t.open_above && size > 0 ? 1 : 0), above, below);
    above.add_if(ends_open, size - 1);
    add_corners<false>(t, below, t.tight_below);
    add_corners<true>(t, above, t.tight_above);
  }
}

// Where codes first + 1 to last begin, by the line that they lie near; those that begin elsewhere are looked for around
// it.
void find_along_line(const Steps& steps, int32_t last, Thresholds& t) {
  constexpr int kMost = 256;
  const int count = last - t.first_code;
  TARN_CHECK(count < kMost);
  const int32_t sign = t.falling ? -1 : 1, flip = t.falling ? -1 : 0;  // (x ^ flip) - flip is sign * x
  const double stride = sign / steps.rise, origin = (t.first_code + 0.5 - steps.code_at_0) * stride;
  const auto least = static_cast<double>(t.first + 1), most = static_cast<double>(t.last);
  int32_t at[kMost], before[kMost], codes_at[kMost], codes_before[kMost];
  // Rounded up but for fractions next to nothing: a sum this large has whole numbers in its last places.
  constexpr double kUp = 0.5 - 0x1p-20, kWhole = 0x1.8p52;
  for (int i = 0; i < count; ++i) {
    double about = origin + i * stride;
    about = about > least ? about : least;
    about = about < most ? about : most;
    const auto up = static_cast<int32_t>(std::bit_cast<int64_t>(about + kUp + kWhole));
    at[i] = (up ^ flip) - flip;
    before[i] = ((up - 1) ^ flip) - flip;
  }
  const auto some = [&](const int32_t* accumulators) { return std::span(accumulators, static_cast<size_t>(count)); };
  steps.values(some(at), codes_at);
  steps.values(some(before), codes_before);
  int bad = 0;
  const size_t done = t.begins.size();
  t.begins.resize(done + static_cast<size_t>(count));
  int64_t* begins = t.begins.data() + done;
  for (int i = 0; i < count; ++i) {
    begins[i] = int64_t{(at[i] ^ flip) - flip};
    bad |= (codes_at[i] <= t.first_code + i) | (codes_before[i] > t.first_code + i);
  }
  if (bad == 0) return;
  for (int i = 0; i < count; ++i) {
    const int32_t k = t.first_code + 1 + i;
    if (codes_at[i] >= k && codes_before[i] < k) continue;
    begins[i] = first_not([&](int64_t a) { return steps.value(sign * a) < k; }, begins[i],
                          i > 0 ? begins[i - 1] : t.first, t.last);
  }
}

// Steps whose line can be trusted to lead somewhere, in 32 bits.
bool has_line(const Steps& steps, const Thresholds& t) {
  constexpr int64_t kReach = (int64_t{1} << 31) - 4;
  return steps.values && steps.rise != 0 && (steps.rise < 0) == t.falling && t.first > -kReach && t.last < kReach;
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
  t.begins.reserve(static_cast<size_t>(last - first) + 2);
  // The line must not leave the code of either end, unless the clamp brings it back.
  t.open_below = first > lo;
  t.open_above = last < hi;
  t.least_code = t.open_below ? first : first + 1;
  if (t.open_below) t.begins.push_back(t.first);
  if (last > first && has_line(steps, t)) {
    find_along_line(steps, last, t);
  } else {
    // Of the last two strides the shorter one: strides of a line differ by one, and a guess that is too low by one
    // costs nothing.
    int64_t guess = t.first, stride = 1, stride_before = 1;
    for (int32_t k = first + 1; k <= last; ++k) {
      const int64_t from = t.begins.empty() ? t.first : t.begins.back();
      const int64_t found = first_not([&](int64_t a) { return value(a) < k; }, guess, from, t.last);
      stride_before = std::exchange(stride, std::max<int64_t>(1, found - from));
      guess = found + std::min(stride, stride_before);
      t.begins.push_back(found);
    }
  }
  if (t.open_above) t.begins.push_back(t.last + 1);
  find_corners(t);
  set_slope(t);
  return t;
}

}  // namespace tarn::requant
