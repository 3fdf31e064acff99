#include "ops/int_parts.h"

#include <algorithm>

#include "support/checked.h"

namespace tarn::ops {

Parts parts_within(int64_t most, int64_t length, int64_t outputs, int64_t run) {
  Parts best;
  const int64_t lanes = ceil_div(outputs, int64_t{2}) * 2;
  for (int64_t runs = 1; runs <= lanes / 2; ++runs) {
    const int64_t together = ceil_div(lanes, 2 * runs) * 2, early = (outputs - 1) / together * together;
    for (int64_t part = 8; part <= std::min(length, (most - 12 * together - 3 * early) / 6); part += 8) {
      // As tests/bench/time/fit.py finds them on a Cortex-M4 (generator/time/int8_parts.cc names the loops).
      // Elements that are put one by one where channels come in no fours; what begins with a part, or the rest of one;
      // its sums.
      const int64_t count = ceil_div(length, part), beginnings = count + (run % part != 0 ? ceil_div(length, run) : 0);
      const double widened = run % 4 != 0 ? 1.8 + 40.0 / static_cast<double>(run) : 1.2;
      const double each_output =
                       static_cast<double>(count) * 1.7 + static_cast<double>(length) * (part % 32 != 0 ? 0.92 : 0.86),
                   each_run = widened * static_cast<double>(length) + static_cast<double>(beginnings) * 20;
      const double instructions =
          (each_output + each_run / static_cast<double>(together) + 16) / static_cast<double>(length);
      if (instructions < best.instructions) best = {part, together, 6 * part + 12 * together + 3 * early, instructions};
    }
  }
  return best;
}

}  // namespace tarn::ops
