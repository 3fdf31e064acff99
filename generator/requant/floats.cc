#include "requant/floats.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "requant/factors.h"
#include "requant/lines.h"

namespace tarn::requant {

namespace {

// A float32 of the kernels: whole numbers of 24 bits and an exponent.
struct Float {
  int64_t mantissa = 0;
  int exponent = 0;
};

// To 24 bits, ties to even; it has no fewer.
void round(Float& v) {
  int places = 0;
  while (v.mantissa >> places >= int64_t{1} << 24) ++places;
  const int64_t half = (int64_t{1} << places) >> 1, odd = (v.mantissa >> places) & 1;
  if (places > 0) v.mantissa = (v.mantissa + half - 1 + odd) >> places;
  v.exponent += places;
}

// The float32 nearest to m * unit, as a mantissa of 24 bits and what its exponent is over the unit's.
Float scale_of(const Form& form, int64_t m) {
  Float scale{m * form.unit, form.pre - form.post - 32};
  round(scale);
  return scale;
}

}  // namespace

int64_t code_beside(const Form& form, int64_t step, int64_t accumulator, int64_t m) {
  const int64_t odd = 2 * (step - form.zero) - 1, size = std::abs(odd);
  const Float scale = scale_of(form, m);
  Float v{2 * (odd < 0 ? -accumulator : accumulator) * scale.mantissa, scale.exponent - 1};
  round(v);
  const auto bits = static_cast<int>(std::bit_width(static_cast<uint64_t>(size)));
  const Wide off = (static_cast<Wide>(v.mantissa) << (v.exponent + 26 - bits)) -
                   (static_cast<Wide>(size * form.unit) << (25 - bits));
  const bool over = off > form.unit, under = off < -form.unit || (size == 1 && 2 * off < -form.unit);
  if (!over && !under) return (step - form.zero) % 2 == 0 ? step : step - 1;
  return over == (odd > 0) ? step : step - 1;
}

namespace {

// Whether all accumulators at which a closer look is taken get their code; note [corrected line] says why that is all.
bool right_in_zones(const Form& form, size_t channel, const Line& line, const Thresholds& t) {
  constexpr int64_t kMost = int64_t{1} << 24;
  // choose_shifts() leaves 31 bits to either factor.
  const int64_t step = line.m * (int64_t{1} << form.pre);
  for (size_t i = 0; i < t.begins.size(); ++i) {
    const int64_t begin = begin_of(form, t.least_code + static_cast<int64_t>(i)), product = t.begins[i] * step;
    // Nearly always the zone lies between two accumulators.
    if (line.c + (product >> 32) >= begin + form.half_zone &&
        line.c + ((product - step) >> 32) < begin - form.half_zone)
      continue;
    int64_t a = reaches(form, line, begin - form.half_zone, t.begins[i], t.first, t.last);
    const int64_t end = reaches(form, line, begin + form.half_zone, t.begins[i], t.first, t.last);
    if (a < end && (a <= -kMost || end > kMost)) return false;
    const bool positive = t.least_code + static_cast<int64_t>(i) > form.zero;  // the number at the step
    for (; a < end; ++a) {
      if (a == 0 || (a > 0) != positive) return false;
      if (evaluate(form, channel, a) != t.code_at(a).code) return false;
    }
  }
  return true;
}

// Whether a channel with one code has it at all of its accumulators, on a line that is not its own.
bool keeps_code(const Form& form, size_t channel, const Line& line, const Thresholds& t) {
  constexpr int64_t kFew = 4096;
  if (line.m == 0) return evaluate(form, channel, t.first) == t.first_code;
  const auto at = [&](int64_t a) { return line.c + high_word(a, form.pre, line.m); };
  if (t.first_code == form.lo && at(t.last) + form.half_zone < begin_of(form, int64_t{form.lo} + 1)) return true;
  if (t.first_code == form.hi && at(t.first) - form.half_zone >= begin_of(form, form.hi)) return true;
  if (t.last - t.first >= kFew) return false;
  for (int64_t a = t.first; a <= t.last; ++a) {
    if (evaluate(form, channel, a) != t.first_code) return false;
  }
  return true;
}

// Whether the channel's m tells the 24 bits of its scale.
bool tells(const Form& form, int64_t m, float scale, float unit) {
  int exponent = 0;
  std::frexp(unit, &exponent);
  const Float told = scale_of(form, m);
  return std::ldexp(static_cast<double>(told.mantissa), told.exponent + exponent - 24) == static_cast<double>(scale);
}

bool set_unit(Form& form, const Floats& floats) {
  int exponent = 0;
  form.unit = static_cast<int32_t>(std::ldexp(std::frexp(floats.unit, &exponent), 24));
  form.zero = floats.zero;
  return std::isnormal(floats.unit) && floats.unit > 0;
}

// With these lines: how wide the zone is, and whether all of it is right.
std::optional<Form> fit_lines(Form form, const std::vector<Thresholds>& all, const std::vector<Line>& lines,
                              const Floats& floats) {
  int64_t farthest = 1;
  for (size_t i = 0; i < all.size(); ++i) {
    form.channels.push_back({static_cast<int32_t>(lines[i].m), static_cast<int32_t>(lines[i].c), {}});
    if (all[i].constant) continue;
    if (!tells(form, lines[i].m, floats.scales[i], floats.unit)) return {};
    const std::optional<Outcome> outcome = compare(form, lines[i], all[i]);
    if (!outcome) return {};
    farthest = std::max(farthest, outcome->farthest);
  }
  while (form.half_zone < farthest) form.half_zone = std::max(1, 2 * form.half_zone);
  if (form.half_zone > 1 << std::max(0, form.post - 4)) return {};
  form.mask = (1 << form.post) - 2 * form.half_zone;
  for (Channel& channel : form.channels) channel.c += form.half_zone;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!(all[i].constant ? keeps_code(form, i, lines[i], all[i]) : right_in_zones(form, i, lines[i], all[i])))
      return {};
  }
  return form;
}

}  // namespace

std::optional<Form> fit_floats(Form form, const std::vector<Thresholds>& all, const Floats& floats) {
  if (!set_unit(form, floats)) return {};
  std::vector<Line> lines;
  for (size_t i = 0; i < all.size(); ++i) {
    const Thresholds& t = all[i];
    const auto scale = static_cast<double>(floats.scales[i]);
    const double m =
        std::nearbyint(scale / static_cast<double>(floats.unit) * std::ldexp(1.0, 32 + form.post - form.pre));
    if (!(m >= 0 && m <= static_cast<double>(kLargest)) || t.falling) return {};
    const std::optional<Line> line = t.constant ? constant_line(form, t) : line_of(form, t, static_cast<int64_t>(m));
    if (!line) return {};
    lines.push_back(*line);
  }
  return fit_lines(std::move(form), all, lines, floats);
}

constexpr int kFactorZone = 10;  // bits that the zone is narrower than a step, at least

std::optional<Form> fit_factors(Form form, const std::vector<Thresholds>& all, const Floats& floats) {
  const std::optional<Factors> factors = find_factors(floats.scales);
  const bool falls = std::any_of(all.begin(), all.end(), [](const Thresholds& t) { return t.falling; });
  if (!factors || falls || !set_unit(form, floats)) return {};
  const auto whole = [&] {
    // A multiplier counts 2^(23 - 32) of its channels' m, see note [short factors].
    return std::nearbyint(factors->common / static_cast<double>(floats.unit) *
                          std::ldexp(1.0, 32 + form.post - form.pre + 32 - kFactorShift));
  };
  while (form.post > 1 && whole() > static_cast<double>(kLargest)) --form.post;
  if (!(whole() >= 1 && whole() <= static_cast<double>(kLargest))) return {};
  form.multiplier = static_cast<int32_t>(whole());
  std::vector<Line> lines;
  const int64_t c = int64_t{floats.zero} * (int64_t{1} << form.post) + (int64_t{1} << (form.post - 1));
  for (const Factor& factor : factors->of) lines.push_back({multiplier_of(factor, form.multiplier), c, false});
  // Room is won, time must not be lost: next to no sum may lie in the zone.
  std::optional<Form> found = fit_lines(std::move(form), all, lines, floats);
  if (found && int64_t{found->half_zone} << kFactorZone > int64_t{1} << found->post) return {};
  return found;
}

}  // namespace tarn::requant
