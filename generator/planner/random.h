// A small generator of pseudo-random numbers, the same on every machine and compiler (the distributions of <random>
// are not). Splitmix64: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
#pragma once
#include <cstdint>

namespace tarn::planner {

constexpr uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    const uint64_t out = mix(state_);
    state_ += 0x9e3779b97f4a7c15u;
    return out;
  }
  // A number in [0, count); count > 0. The bias of the remainder is below count / 2^64.
  int64_t below(int64_t count) { return static_cast<int64_t>(next() % static_cast<uint64_t>(count)); }

 private:
  uint64_t state_;
};

}  // namespace tarn::planner
