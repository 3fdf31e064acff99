// What a plan costs in time and memory together, for choices that spend one on the other.
#pragma once
#include <cstdint>

namespace tarn::stream {

// A share of the time (instructions of a run) is worth the same share of the arena (bytes): of two plans the one of the
// lower price is the better bargain.
inline double price_of(int64_t time, int64_t arena) { return static_cast<double>(time) * static_cast<double>(arena); }

}  // namespace tarn::stream
