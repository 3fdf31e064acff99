// How much of a slow test runs: by default a part, which is printed; with TARN_CI=1 or TARN_FULL=1 all of it.
#pragma once
#include <cstdlib>
#include <iostream>

namespace tarn::sampling {

inline bool larger() {
  for (const char* name : {"TARN_CI", "TARN_FULL"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != 0) return true;
  }
  return false;
}

// Cases of a test that has `all`.
template <class Number>
Number part(Number all, Number by_default) {
  if (larger() || by_default >= all) return all;
  std::cout << by_default << " of the " << all << " cases that run with TARN_CI=1\n";
  return by_default;
}

}  // namespace tarn::sampling
