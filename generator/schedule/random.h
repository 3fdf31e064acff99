// Pseudo-random numbers that are the same on every machine: splitmix64 (Steele, Lea, Flood 2014).
#pragma once
#include <cstdint>

namespace tarn::schedule {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t x = state_ += 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
  }
  int below(int count) { return static_cast<int>(next() % static_cast<uint64_t>(count)); }  // count > 0

 private:
  uint64_t state_;
};

}  // namespace tarn::schedule
