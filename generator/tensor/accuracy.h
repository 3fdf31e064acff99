// How exactly the way a value is computed determines it: what a comparison with another implementation may ask for.
#pragma once
#include <algorithm>

namespace tarn {

struct Accuracy {
  // The largest epsilon (distance from 1 to the next number) of the 16-bit float types that it passed through; 0: none.
  double epsilon = 0;
  // Sums of floats on the way were rounded to codes of so many bits (the fewest): the order of a summation decides near
  // a tie, and a code that is off by one spreads. 0: none were; codes of integer arithmetic are exact.
  int code_bits = 0;
  bool operator==(const Accuracy&) const = default;
};

inline Accuracy coarser(const Accuracy& a, const Accuracy& b) {
  Accuracy both{std::max(a.epsilon, b.epsilon), std::max(a.code_bits, b.code_bits)};
  if (a.code_bits > 0 && b.code_bits > 0) both.code_bits = std::min(a.code_bits, b.code_bits);
  return both;
}

}  // namespace tarn
