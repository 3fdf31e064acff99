#include "requant/floats.h"

#include <bit>
#include <cmath>

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
  for (size_t i = 0; i < t.begins.size(); ++i) {
    const int64_t begin = begin_of(form, t.least_code + static_cast<int64_t>(i));
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

}  // namespace

std::optional<Form> fit_floats(Form form, const std::vector<Thresholds>& all, const Floats& floats) {
  int exponent = 0;
  form.unit = static_cast<int32_t>(std::ldexp(std::frexp(floats.unit, &exponent), 24));
  form.zero = floats.zero;
  if (!std::isnormal(floats.unit) || floats.unit < 0) return {};
  int64_t farthest = 1;
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
    form.channels.push_back({static_cast<int32_t>(line->m), static_cast<int32_t>(line->c), {}});
    if (t.constant) continue;
    const Float told = scale_of(form, line->m);
    if (std::ldexp(static_cast<double>(told.mantissa), told.exponent + exponent - 24) != scale) return {};
    const std::optional<Outcome> outcome = compare(form, *line, t);
    if (!outcome) return {};
    farthest = std::max(farthest, outcome->farthest);
  }
  while (form.half_zone < farthest) form.half_zone = std::max(1, 2 * form.half_zone);
  if (form.half_zone > 1 << std::max(0, form.post - 4)) return {};
  form.mask = (1 << form.post) - 2 * form.half_zone;
  for (Channel& channel : form.channels) channel.c += form.half_zone;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!all[i].constant && !right_in_zones(form, i, lines[i], all[i])) return {};
  }
  return form;
}

}  // namespace tarn::requant
