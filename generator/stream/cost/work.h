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

constexpr uint64_t kCutCost = 25;       // of looking at a step of a segment
constexpr uint64_t kStepCost = 20;      // of a step in its place among the others
constexpr uint64_t kTouchCost = 5;      // of a line that a step reads or makes
constexpr uint64_t kMeetCost = 20;      // of what a line of one memory means for another one
constexpr uint64_t kConflictCost = 50;  // of an interval in a graph of conflicts, when that is built
constexpr uint64_t kPlaceCost = 8;      // of the same, looked at when an item is placed

}  // namespace tarn::stream
