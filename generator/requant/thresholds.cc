#include "requant/thresholds.h"

namespace tarn::requant {

int32_t Thresholds::code_at(int64_t accumulator) const {
  int32_t code = first_code;
  for (const Threshold& t : at) {
    if (t.from_below && t.accumulator <= accumulator) code = std::max(code, t.code);
  }
  return code;
}

double Thresholds::slope() const {
  const Threshold *low = nullptr, *high = nullptr;
  for (const Threshold& t : at) {
    if (!t.from_below || !t.from_above) continue;
    if (!low) low = &t;
    high = &t;
  }
  if (!low || high->accumulator <= low->accumulator) return 0;
  return static_cast<double>(high->code - low->code) / static_cast<double>(high->accumulator - low->accumulator);
}

std::optional<Thresholds> find_thresholds(const Steps& steps, int32_t lo, int32_t hi) {
  Thresholds t;
  t.falling = steps.value(steps.first) > steps.value(steps.last);
  auto value = [&](int64_t a) { return steps.value(t.falling ? -a : a); };
  t.first = t.falling ? -steps.last : steps.first;
  t.last = t.falling ? -steps.first : steps.last;
  const int32_t first = value(t.first), last = value(t.last);
  if (last - first > 255) return {};
  t.first_code = first;
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
  return t;
}

}  // namespace tarn::requant
