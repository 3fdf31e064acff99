// How much of a slow test runs: by default a part, which is printed; with TARN_CI=1 or TARN_FULL=1 all of it.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "sanitized.h"

namespace tarn::sampling {

inline bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != 0;
}

inline bool full() { return is_set("TARN_FULL"); }
inline bool larger() { return full() || is_set("TARN_CI"); }

// Cases of a test that has `all`. Errors of memory, which a sanitizer looks for at ten times the cost, show in fewer.
template <class Number>
Number part(Number all, Number by_default) {
  if (larger() || by_default >= all) return all;
  if (sanitized::kAddresses) by_default = std::max(Number{1}, by_default / 3);
  std::cout << by_default << " of the " << all << " cases that run with TARN_CI=1\n";
  return by_default;
}

}  // namespace tarn::sampling
