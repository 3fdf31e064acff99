// How good estimates of cycles were found to be: beside published measurements on boards, by
// tests/bench/time/published.py.
#pragma once
#include <string>

namespace tarn::timing {

struct Published {
  const char* target;
  const char* board;
  int measurements;
  double mean_error, worst_error;  // percent: the geometric mean, with its sign, and the furthest off
};

// Null for cores whose estimates were compared with no board.
inline const Published* published(const std::string& target) {
  static constexpr Published all[] = {{"cortex-m4", "NUCLEO-L4R5ZI", 4, -4.3, 5.8},
                                      {"cortex-m33", "nRF5340-DK", 4, -6.8, 11.7}};
  for (const Published& one : all) {
    if (target == one.target) return &one;
  }
  return nullptr;
}

// What the cycles of a core are told by (verify/core_timing.h).
inline const char* cycles_basis(const std::string& target) {
  const bool manual = target == "cortex-m0" || target == "cortex-m3" || target == "cortex-m4";
  return manual ? "the timings of the core's reference manual" : "a model, as the core's timings are not published";
}

}  // namespace tarn::timing
