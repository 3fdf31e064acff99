#include "requant/thresholds.h"

namespace tarn::requant {

Thresholds::Stretch Thresholds::code_at(int64_t accumulator) const {
  const auto next = std::upper_bound(at.begin(), at.end(), accumulator, [](int64_t a, const Threshold& t) { return a < t.accumulator; });
  const int64_t end = next == at.end() ? INT64_MAX : next->accumulator;
  // Only the first one may be without an accumulator below it.
  const bool begun = next != at.begin() && std::prev(next)->from_below;
  return {begun ? std::max(first_code, std::prev(next)->code) : first_code, end};
}

double Thresholds::slope() const {
  const auto inner = [](const Threshold& t) { return t.from_below && t.from_above; };
  const auto first = std::find_if(at.begin(), at.end(), inner);
  const Threshold* low = first == at.end() ? nullptr : &*first;
  const Threshold* high = low ? &*std::find_if(at.rbegin(), at.rend(), inner) : nullptr;
  if (!low || high->accumulator <= low->accumulator) return 0;
  return static_cast<double>(high->code - low->code) / static_cast<double>(high->accumulator - low->accumulator);
}

namespace {

// Adds i to the corners of a convex chain of (accumulator, code); `side` is 1 where corners lie below the chords between
// others, -1 where above.
void add_corner(const std::vector<Threshold>& at, std::vector<size_t>& chain, size_t first_of_chain, size_t i, int64_t side) {
  if (chain.size() > first_of_chain && at[chain.back()].accumulator == at[i].accumulator) {
    if (side == 1) return;  // codes ascend
    chain.pop_back();
  }
  while (chain.size() >= first_of_chain + 2) {
    const Threshold &x = at[chain[chain.size() - 2]], &y = at[chain.back()], &z = at[i];
    const int64_t before = (y.code - x.code) * (z.accumulator - y.accumulator), behind = (z.code - y.code) * (y.accumulator - x.accumulator);
    if ((before - behind) * side < 0) break;
    chain.pop_back();
  }
  chain.push_back(i);
}

// Even and odd codes may begin at different distances from their multiples: each has chains of its own.
void find_corners(Thresholds& t) {
  for (int parity : {0, 1}) {
    const size_t above = t.tight_above.size(), below = t.tight_below.size();
    for (size_t i = 0; i < t.at.size(); ++i) {
      if ((t.at[i].code & 1) != parity) continue;
      if (t.at[i].from_below) add_corner(t.at, t.tight_above, above, i, 1);
      if (t.at[i].from_above) add_corner(t.at, t.tight_below, below, i, -1);
    }
  }
}

}  // namespace

std::optional<Thresholds> find_thresholds(const Steps& steps, int32_t lo, int32_t hi) {
  Thresholds t;
  t.falling = steps.value(steps.first) > steps.value(steps.last);
  auto value = [&](int64_t a) { return steps.value(t.falling ? -a : a); };
  t.first = t.falling ? -steps.last : steps.first;
  t.last = t.falling ? -steps.first : steps.last;
  const int32_t first = value(t.first), last = value(t.last);
  if (last - first > 255) return {};
  t.first_code = first;
  t.at.reserve(static_cast<size_t>(last - first) + 2);
  // The line must not leave the code of either end, unless the clamp brings it back.
  if (first > lo) t.at.push_back({t.first, first, false, true});
  int64_t guess = t.first, stride = 1;
  for (int32_t k = first + 1; k <= last; ++k) {
    const int64_t from = t.at.empty() ? t.first : std::max(t.first, t.at.back().accumulator);
    const int64_t found = first_not([&](int64_t a) { return value(a) < k; }, guess, from, t.last);
    stride = std::max<int64_t>(1, found - from);
    guess = found + stride;
    t.at.push_back({found, k, true, true});
  }
  if (last < hi) t.at.push_back({t.last + 1, last + 1, true, false});
  find_corners(t);
  return t;
}

}  // namespace tarn::requant
