#include "verify/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tensor/numeric.h"

namespace tarn::verify {
namespace {

// Distance of 1 to the next larger number of the type.
double epsilon_of(DType type) {
  switch (type) {
    case DType::float16: return 0x1p-10;
    case DType::bfloat16: return 0x1p-7;
    case DType::float8e4m3fn:
    case DType::float8e4m3fnuz: return 0x1p-3;
    case DType::float8e5m2:
    case DType::float8e5m2fnuz: return 0x1p-2;
    case DType::float8e8m0: return 1;
    case DType::float4e2m1: return 0x1p-1;
    default: return 0;
  }
}

}  // namespace

namespace {

// The rule for outputs that roundings to codes may have moved.
bool moved_by_codes(DType type, double part, const uint8_t* got, const uint8_t* want, int64_t count) {
  const bool floats = is_float(type);
  double largest = 0, squares = 0, errors = 0, worst = 0;
  for (int64_t i = 0; i < count; ++i) {
    const double a = floats ? read_as_double(type, got, i) : static_cast<double>(read_as_int(type, got, i));
    const double b = floats ? read_as_double(type, want, i) : static_cast<double>(read_as_int(type, want, i));
    if (a == b || (std::isnan(a) && std::isnan(b))) {
      if (std::isfinite(b)) largest = std::max(largest, std::fabs(b)), squares += b * b;
      continue;
    }
    const double error = std::fabs(a - b);
    if (!std::isfinite(error)) return false;
    largest = std::max(largest, std::fabs(b));
    worst = std::max(worst, error);
    squares += b * b;
    errors += error * error;
  }
  if (!floats && worst <= 1) return true;
  return worst <= 2 * part * largest && errors <= part * part * squares;
}

}  // namespace

Tolerance tolerance_of(DType type, const Accuracy& accuracy) {
  if (!is_float(type)) return {};
  const double epsilon = std::max(epsilon_of(type), accuracy.epsilon);
  return {std::max(1e-3, 4 * epsilon), 1e-7, std::max(0x1p-15, epsilon)};
}

double part_moved(DType type, const Accuracy& accuracy) {
  // Positions and truth values are no codes.
  const bool may_move = is_float(type) || (is_integer(type) && bits_of(type) <= 16);
  return may_move && accuracy.code_bits > 0 ? std::ldexp(1.0, 4 - std::max(8, accuracy.code_bits)) : 0;
}

Comparison compare(const Port& port, const Output& got, const Sample::Expected& want) {
  Comparison result;
  result.name = port.name;
  const DType type = port.type.dtype;
  const int64_t count = want.shape.count();
  const auto bytes = static_cast<size_t>(bytes_for(type, count));
  result.shape_differs = got.shape.dims != want.shape.dims;
  if (result.shape_differs || got.bytes.size() != bytes || want.bytes.size() != bytes) {
    result.shape_differs = true;
    result.mismatches = std::max<int64_t>(1, count);
    return result;
  }
  const Tolerance tolerance = tolerance_of(type, port.accuracy);
  double largest = 0;
  for (int64_t i = 0; is_float(type) && i < count; ++i) {
    const double value = std::fabs(read_as_double(type, want.bytes.data(), i));
    if (std::isfinite(value)) largest = std::max(largest, value);
  }
  result.absolute = std::max(tolerance.absolute, tolerance.scaled * largest);
  for (int64_t i = 0; i < count; ++i) {
    if (!is_float(type)) {
      // A truth value is 0 or 1: memory that nobody wrote must not pass for true.
      const bool truth = type == DType::boolean;
      const int64_t a = truth ? got.bytes[static_cast<size_t>(i)] : read_as_int(type, got.bytes.data(), i),
                    b = read_as_int(type, want.bytes.data(), i);
      if (a == b) continue;
      const double difference = std::fabs(static_cast<double>(a) - static_cast<double>(b));
      result.mismatches += 1;
      result.max_abs = std::max(result.max_abs, difference);
      if (b != 0) result.max_rel = std::max(result.max_rel, difference / std::fabs(static_cast<double>(b)));
      continue;
    }
    const double a = read_as_double(type, got.bytes.data(), i), b = read_as_double(type, want.bytes.data(), i);
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    const double difference = std::fabs(a - b);
    if (!std::isfinite(difference)) {
      result.mismatches += 1;
      result.max_abs = result.max_rel = std::numeric_limits<double>::infinity();
      continue;
    }
    if (difference > result.absolute + tolerance.relative * std::fabs(b)) result.mismatches += 1;
    result.max_abs = std::max(result.max_abs, difference);
    if (std::fabs(b) > result.absolute) result.max_rel = std::max(result.max_rel, difference / std::fabs(b));
  }
  const double part = part_moved(type, port.accuracy);
  if (result.mismatches > 0 && part > 0 && moved_by_codes(type, part, got.bytes.data(), want.bytes.data(), count)) {
    result.moved = result.mismatches;
    result.code_bits = port.accuracy.code_bits;
    result.mismatches = 0;
  }
  return result;
}

void accumulate(Comparison& sum, const Comparison& more) {
  sum.max_abs = std::max(sum.max_abs, more.max_abs);
  sum.max_rel = std::max(sum.max_rel, more.max_rel);
  sum.mismatches += more.mismatches;
  sum.moved += more.moved;
  sum.code_bits = std::max(sum.code_bits, more.code_bits);
  sum.absolute = std::max(sum.absolute, more.absolute);
  sum.shape_differs = sum.shape_differs || more.shape_differs;
}

}  // namespace tarn::verify
