// Integer arithmetic on sizes taken from a file: nothing wraps, an overflow is an empty optional.
#pragma once
#include <cstdint>
#include <optional>

namespace tarn {

using Checked = std::optional<int64_t>;

inline Checked checked_add(Checked a, Checked b) {
  int64_t r;
  if (!a || !b || __builtin_add_overflow(*a, *b, &r)) return {};
  return r;
}
inline Checked checked_sub(Checked a, Checked b) {
  int64_t r;
  if (!a || !b || __builtin_sub_overflow(*a, *b, &r)) return {};
  return r;
}
inline Checked checked_mul(Checked a, Checked b) {
  int64_t r;
  if (!a || !b || __builtin_mul_overflow(*a, *b, &r)) return {};
  return r;
}

// Rounds up to a multiple of `unit` (> 0).
inline int64_t round_up(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }
inline int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }  // a >= 0, b > 0
inline int64_t floor_div(int64_t a, int64_t b) { return a / b - ((a % b != 0) && ((a < 0) != (b < 0))); }

}  // namespace tarn
