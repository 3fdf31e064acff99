// The effort of planning, counted and not measured, so that plans are equal on every machine. One unit is about a
// nanosecond.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>

namespace tarn::stream {

struct Work {
  uint64_t done = 0;
  uint64_t limit = std::numeric_limits<uint64_t>::max();

  bool over() const { return done >= limit; }
  uint64_t left() const { return limit - std::min(done, limit); }
  // The same with at most `share` left.
  Work part(uint64_t share) const { return {done, done + std::min(share, left())}; }
};

}  // namespace tarn::stream
