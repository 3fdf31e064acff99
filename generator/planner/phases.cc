#include "planner/phases.h"

#include <algorithm>

namespace tarn::planner {

std::vector<Phase> phases_of(const Item& item) {
  std::vector<Phase> phases;
  if (!is_alive(item)) return phases;
  Instant at = item.first;
  for (const Gap& gap : item.gaps) {
    if (at < gap.first) phases.push_back({at, gap.first, 0, item.size});
    const Bytes lo = gap.window_first.value_or(0), hi = gap.window_end.value_or(0);
    if (lo < hi && gap.first < gap.end) phases.push_back({gap.first, gap.end, lo, hi});
    at = std::max(at, gap.end);
  }
  if (at < item.end) phases.push_back({at, item.end, 0, item.size});
  return phases;
}

}  // namespace tarn::planner
