// Where each code of a step function begins.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "requant/requant.h"

namespace tarn::requant {

struct Threshold {
  int64_t accumulator = 0;  // the least one with this code or a higher one
  int32_t code = 0;
  bool from_below = true;  // the accumulator before it is reachable and has a lower code
  bool from_above = true;  // the accumulator is reachable
};

struct Corner {
  int64_t accumulator = 0;
  int64_t code = 0;
};

// A falling function is seen from the other side: accumulators are negated.
struct Thresholds {
  bool falling = false;
  int64_t first = 0, last = 0;  // reachable, negated when falling
  int32_t first_code = 0;
  // Where code least_code and each one after it begin, without the ends that the clamp hides. Only the first one may be
  // without an accumulator below it, and only the last one beyond those that are reachable.
  std::vector<int64_t> begins;
  int32_t least_code = 0;
  bool open_below = false, open_above = false;
  // Of a line t = c + accumulator * m that makes code k begin at k * s + d(k & 1): the thresholds of which one sets the
  // greatest c, and the least c, for any m, s and d. The corners of the convex hulls of even and of odd codes.
  std::vector<Corner> tight_above, tight_below;
  bool constant = true;   // one code everywhere
  int32_t most_code = 0;  // the largest magnitude
  double slope = 0;       // codes per accumulator; 0 when there are too few to tell

  struct CodeRange {
    int32_t code = 0;
    int64_t end = 0;  // no accumulator from the one asked for up to here has another code
  };
  CodeRange code_at(int64_t accumulator) const;
  Threshold at(size_t i) const {
    return {begins[i], least_code + static_cast<int32_t>(i), !open_below || i > 0,
            !open_above || i + 1 < begins.size()};
  }
};

// The least x in [first, end] for which below(x) is false; below is true up to some x and false from it on, and counts
// as false at `end`. Looks around `guess` first.
template <class Below>
int64_t first_not(const Below& below, int64_t guess, int64_t first, int64_t end) {
  guess = std::clamp(guess, first, end);
  int64_t low = first, high = end;  // below(low - 1) holds or low == first; !below(high) or high == end
  if (guess < end && below(guess)) {
    low = guess + 1;
    for (int64_t reach = 1; low < end; reach *= 2) {
      const int64_t next = std::min(end, low + reach - 1);
      if (next == end || !below(next)) {
        high = next;
        break;
      }
      low = next + 1;
    }
  } else {
    high = guess;
    for (int64_t reach = 1; high > first; reach *= 2) {
      const int64_t next = std::max(first, high - reach);
      if (below(next)) {
        low = next + 1;
        break;
      }
      high = next;
    }
  }
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (below(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Nothing when the function is not monotone at its ends or has more than 256 codes. lo, hi: the clamp.
std::optional<Thresholds> find_thresholds(const Steps& steps, int32_t lo, int32_t hi);

}  // namespace tarn::requant
