// The line of one channel: the best one, or the one of a multiplier, and where it is wrong.
#pragma once
#include <algorithm>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "requant/thresholds.h"

namespace tarn::requant {

using Wide = __int128;

constexpr int64_t kLargest = (int64_t{1} << 31) - 1;

inline int64_t high_word(int64_t accumulator, int pre, int64_t m) {
  return static_cast<int64_t>((static_cast<Wide>(accumulator) * (int64_t{1} << pre) * m) >> 32);
}

// Where code k begins, as t sees it.
inline int64_t begin_of(const Form& form, int64_t k) {
  const bool odd = ((k + form.parity) & 1) != 0;
  return k * (int64_t{1} << form.post) + (odd ? form.tie : 0);
}

// The bounds as lines in m, `at_0 - slope * m`; they take 63 bits where accumulators and codes are no larger than those
// of eight-bit layers.
template <class Int>
struct Bounds {
  struct Bound {
    Int at_0 = 0, slope = 0;
  };
  std::vector<Bound> above, below;

  void take(const Form& form, const Thresholds& t) {
    above.clear();
    below.clear();
    const Int scale = Int{1} << form.pre;
    const auto begin = [&](const Corner& at) { return static_cast<Int>(begin_of(form, at.code)) * (Int{1} << 32); };
    for (const Corner& at : t.tight_above)
      above.push_back({begin(at) - 1, static_cast<Int>(at.accumulator - 1) * scale});
    for (const Corner& at : t.tight_below) below.push_back({begin(at), static_cast<Int>(at.accumulator) * scale});
  }

  // The slack at m, and at m + 1 less that at m. A side without bounds counts for nothing.
  std::pair<Wide, Wide> at(int64_t m) const {
    constexpr Int kNone = std::is_same_v<Int, int64_t> ? static_cast<Int>(INT64_MAX) : static_cast<Int>(Wide{1} << 100);
    Int high = kNone, next_high = kNone, low = -kNone, next_low = -kNone;
    for (const Bound& b : above) {
      const Int here = b.at_0 - b.slope * static_cast<Int>(m), next = here - b.slope;
      if (here < high) high = here;
      if (next < next_high) next_high = next;
    }
    for (const Bound& b : below) {
      const Int here = b.at_0 - b.slope * static_cast<Int>(m), next = here - b.slope;
      if (here > low) low = here;
      if (next > next_low) next_low = next;
    }
    const Wide slack = static_cast<Wide>(high) - low;
    return {slack, static_cast<Wide>(next_high) - next_low - slack};
  }
};

struct Line {
  int64_t m = 0, c = 0;
  bool exact = false;  // each code begins where it should
};

// One code everywhere needs no slope, and has bounds on one side at most.
Line constant_line(const Form& form, const Thresholds& t);

// With the constant that is best for m. Nothing: it is too large.
std::optional<Line> line_of(const Form& form, const Thresholds& t, int64_t m);

// `about`: a multiplier near the best one, or 0.
std::optional<Line> best_line(const Form& form, const Thresholds& t, int64_t about, Bounds<int64_t>& scratch);

// The least accumulator whose t reaches `begin`, near `guess`; within [first, last + 1].
int64_t reaches(const Form& form, const Line& line, int64_t begin, int64_t guess, int64_t first, int64_t last);

struct Outcome {
  std::vector<Exception> exceptions;
  int64_t farthest = 0;  // from its step, of t at an exceptional accumulator
};

// Compares where each code begins on the line and in truth; see note [corrected line]. Nothing: too much is wrong.
std::optional<Outcome> compare(const Form& form, const Line& line, const Thresholds& t);

}  // namespace tarn::requant
