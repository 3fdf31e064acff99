#include "passes/integer/wide.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tarn::passes::integer {

namespace {

constexpr int kMostShift = 56;
constexpr double kMostError = 1.0 / 128;  // codes
constexpr double kFarthest = 131072;      // codes: twice their range

// The code of a bound, which QuantizeLinear rounds as it does every number.
int32_t bound_code(double number, const Codes& y) {
  const double lowest = -y.half(), scaled = std::nearbyint(number / static_cast<double>(y.scale)) + y.signed_zero();
  return static_cast<int32_t>(std::clamp(scaled, lowest, lowest + 2 * y.half() - 1));
}

}  // namespace

std::optional<Line> line_of(const Chain& chain, size_t channel) {
  Line line;
  line.lo = -std::numeric_limits<double>::infinity();
  line.hi = std::numeric_limits<double>::infinity();
  auto scale = [&line](double by) {
    line.slope *= by;
    line.offset *= by;
    line.lo *= by;
    line.hi *= by;
    if (by < 0) std::swap(line.lo, line.hi);
  };
  auto move = [&line](double by) {
    line.offset += by;
    line.lo += by;
    line.hi += by;
  };
  auto clip = [&line](double lo, double hi) {
    line.lo = std::clamp(line.lo, lo, hi);
    line.hi = std::clamp(line.hi, lo, hi);
  };
  for (const Step& step : chain.steps) {
    const double c = step.operand.empty() ? 0 : static_cast<double>(step.operand[step.per_channel() ? channel : 0]);
    if (step.whole || !std::isfinite(c)) return {};
    switch (step.op) {
      case Step::Op::mul:
        if (c == 0) return {};
        scale(c);
        break;
      case Step::Op::divide:
        if (c == 0) return {};
        scale(1 / c);
        break;
      case Step::Op::add: move(c); break;
      case Step::Op::subtract: move(-c); break;
      case Step::Op::subtract_from:
        scale(-1);
        move(c);
        break;
      case Step::Op::relu: clip(0, std::numeric_limits<double>::infinity()); break;
      case Step::Op::clip: clip(static_cast<double>(step.lo), static_cast<double>(step.hi)); break;
      case Step::Op::leak:
      case Step::Op::other: return {};
    }
  }
  return line;
}

CodeBounds bounds_of(const Line& line, const Codes& y) { return {bound_code(line.lo, y), bound_code(line.hi, y)}; }

std::optional<WideForm> wide_form(double slope, double offset, int64_t begin, int64_t most, int32_t zero) {
  const double reach = static_cast<double>(most) + std::fabs(static_cast<double>(begin));
  const double height = std::fabs(offset) + std::fabs(static_cast<double>(zero)) + 1;
  if (!std::isfinite(slope) || !std::isfinite(offset) || slope == 0) return {};
  for (int shift = kMostShift; shift > 0; --shift) {
    const double m = std::nearbyint(std::ldexp(slope, shift));
    if (std::fabs(m) >= 0x1p31 || std::fabs(m) * reach + std::ldexp(height, shift) >= 0x1p62) continue;
    // Sums that are farther away than all codes need no exactness.
    const double seen = std::min(reach, (kFarthest + std::fabs(offset)) / std::fabs(slope));
    if (std::fabs(std::ldexp(slope, shift) - m) * seen > std::ldexp(kMostError, shift)) return {};
    WideForm form;
    form.m = static_cast<int64_t>(m);
    form.shift = shift;
    form.c = begin * form.m + static_cast<int64_t>(std::nearbyint(std::ldexp(offset, shift))) +
             zero * (int64_t{1} << shift) + (int64_t{1} << (shift - 1));
    return form;
  }
  return {};
}

void set_wide(Node& node, const CodeBounds& bounds, int32_t zero, const std::vector<WideForm>& forms, int64_t near) {
  node.attributes["codes"] = std::vector<int64_t>{bounds.lo, bounds.hi, zero & 1, near};
  std::vector<int64_t> numbers;
  for (const WideForm& form : forms) {
    const auto c = static_cast<uint64_t>(form.c);
    numbers.insert(numbers.end(), {form.m, form.shift, static_cast<int32_t>(static_cast<uint32_t>(c)),
                                   static_cast<int32_t>(static_cast<uint32_t>(c >> 32))});
  }
  node.attributes["forms"] = Constant::ints(DType::int32, Shape{static_cast<int64_t>(forms.size()), 4}, numbers);
  node.attributes["form"] = std::string("16 bits: nearest, ties to even");
}

}  // namespace tarn::passes::integer
