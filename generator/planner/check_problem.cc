#include <algorithm>
#include <string>

#include "planner/validate.h"

namespace tarn::planner {

namespace {

// All arithmetic of the planner stays within 64 bits below this.
constexpr Bytes kMostBytes = int64_t{1} << 60;

bool sane(Bytes value) { return value >= -kMostBytes && value <= kMostBytes; }

std::string fault_of(const Item& item) {
  if (item.size < 0) return "its size is negative";
  if (item.end < item.first) return "it ends before it begins";
  if (item.first < -2 * kMostBytes || item.end > 2 * kMostBytes + 1) return "its life is beyond 2^61";
  if (item.alignment < 1) return "its alignment is below 1";
  if (!sane(item.size) || !sane(item.alignment) || !sane(item.offset.value_or(0)))
    return "its size, alignment or offset is beyond 2^60";
  if (item.offset && *item.offset < 0) return "its offset is negative";
  if (item.offset && *item.offset % item.alignment != 0) return "its offset is no multiple of its alignment";
  Instant last = item.first;
  for (const Gap& gap : item.gaps) {
    if (gap.first < last || gap.end < gap.first || gap.end > item.end)
      return "its gaps are not ascending, disjoint and within its life";
    last = gap.end;
    if (gap.window_first.has_value() != gap.window_end.has_value()) return "the window of a gap has only one end";
    if (gap.window_first &&
        (*gap.window_first < 0 || *gap.window_end < *gap.window_first || *gap.window_end > item.size)) {
      return "the window of a gap is not within the item";
    }
  }
  return {};
}

std::string fault_of(const Problem& problem, const Pair& pair) {
  const auto count = static_cast<int>(problem.items.size());
  if (pair.a < 0 || pair.b < 0 || pair.a >= count || pair.b >= count || pair.a == pair.b)
    return "its items are no two items of the problem";
  Bytes last = -kMostBytes;
  for (const Forbidden& f : pair.forbidden) {
    if (!sane(f.lo) || !sane(f.hi)) return "an interval is beyond 2^60";
    if (f.lo < last || f.hi < f.lo) return "its intervals are not ascending and disjoint";
    last = f.hi;
  }
  return {};
}

// Could a plan that stacks everything leave 2^60?
bool fits_arithmetic(const Problem& problem) {
  Bytes total = 0;
  const auto add = [&](Bytes bytes) { total = std::min(kMostBytes + 1, total + std::min(bytes, kMostBytes + 1)); };
  for (const Item& item : problem.items) {
    add(item.size);
    add(item.alignment);
    add(item.offset.value_or(0));
  }
  for (const Pair& pair : problem.pairs) {
    for (const Forbidden& f : pair.forbidden) {
      add(std::max<Bytes>({f.hi, -f.lo, 0}));
    }
  }
  return total <= kMostBytes;
}

}  // namespace

std::vector<std::string> check_problem(const Problem& problem) {
  std::vector<std::string> faults;
  for (const Item& item : problem.items) {
    const std::string fault = fault_of(item);
    if (!fault.empty()) faults.push_back("item '" + item.id + "': " + fault);
  }
  std::vector<std::pair<int, int>> seen;
  for (size_t i = 0; i < problem.pairs.size(); ++i) {
    const Pair& pair = problem.pairs[i];
    const std::string fault = fault_of(problem, pair);
    if (!fault.empty()) faults.push_back("pair " + std::to_string(i) + ": " + fault);
    seen.push_back(std::minmax(pair.a, pair.b));
  }
  std::sort(seen.begin(), seen.end());
  if (std::adjacent_find(seen.begin(), seen.end()) != seen.end()) faults.push_back("a pair of items is listed twice");
  if (problem.capacity && *problem.capacity < 0) faults.push_back("the capacity is negative");
  if (problem.known_bound < 0 || !sane(problem.known_bound)) faults.push_back("the known bound is out of range");
  if (faults.empty() && !fits_arithmetic(problem)) faults.push_back("the sizes add up to more than 2^60 bytes");
  return faults;
}

}  // namespace tarn::planner
