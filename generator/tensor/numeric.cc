#include "tensor/numeric.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "support/check.h"

namespace tarn {

static_assert(std::endian::native == std::endian::little, "stored data is little-endian, as in ONNX files");

namespace {

template <class T>
T load(const void* data, int64_t index) {
  T value;
  std::memcpy(&value, static_cast<const uint8_t*>(data) + index * static_cast<int64_t>(sizeof(T)), sizeof(T));
  return value;
}

template <class T>
void store(void* data, int64_t index, T value) {
  std::memcpy(static_cast<uint8_t*>(data) + index * static_cast<int64_t>(sizeof(T)), &value, sizeof(T));
}

// Packed types: low bits first, over the whole tensor.
uint8_t load_packed(DType type, const void* data, int64_t index) {
  const int bits = bits_of(type);
  const int64_t per_byte = 8 / bits;
  const int shift = static_cast<int>(index % per_byte) * bits;
  return static_cast<uint8_t>((static_cast<const uint8_t*>(data)[index / per_byte] >> shift) & ((1 << bits) - 1));
}

void store_packed(DType type, void* data, int64_t index, unsigned value) {
  const int bits = bits_of(type);
  const int64_t per_byte = 8 / bits;
  const int shift = static_cast<int>(index % per_byte) * bits;
  const unsigned mask = ((1u << bits) - 1u) << shift;
  uint8_t& byte = static_cast<uint8_t*>(data)[index / per_byte];
  byte = static_cast<uint8_t>((byte & ~mask) | ((value << shift) & mask));
}

int64_t sign_extend(uint8_t value, int bits) {
  const int64_t sign = int64_t{1} << (bits - 1);
  return (value ^ sign) - sign;
}

// Truncation toward zero, saturating at the ends of T; NaN is 0.
template <class T>
T truncate(double value) {
  if (std::isnan(value)) return 0;
  // 2^digits is exact in double even where max() is not.
  const double end = std::ldexp(1.0, std::numeric_limits<T>::digits);
  if (value >= end) return std::numeric_limits<T>::max();
  const double lowest = std::numeric_limits<T>::is_signed ? -end : 0.0;
  if (value <= lowest) return std::numeric_limits<T>::min();
  return static_cast<T>(value);
}

[[noreturn]] void no_number(DType type) { TARN_FAIL("no numbers of type " + to_string(type)); }

}  // namespace

double read_as_double(DType type, const void* data, int64_t index) {
  switch (type) {
    case DType::float32: return load<float>(data, index);
    case DType::float64: return load<double>(data, index);
    case DType::float16: return half_to_float(load<uint16_t>(data, index));
    case DType::bfloat16: return bfloat16_to_float(load<uint16_t>(data, index));
    case DType::uint64: return static_cast<double>(load<uint64_t>(data, index));
    case DType::float8e4m3fn:
    case DType::float8e4m3fnuz:
    case DType::float8e5m2:
    case DType::float8e5m2fnuz:
    case DType::float8e8m0: return small_float_to_float(type, load<uint8_t>(data, index));
    case DType::float4e2m1: return small_float_to_float(type, load_packed(type, data, index));
    default: return static_cast<double>(read_as_int(type, data, index));
  }
}

int64_t read_as_int(DType type, const void* data, int64_t index) {
  switch (type) {
    case DType::int8: return load<int8_t>(data, index);
    case DType::int16: return load<int16_t>(data, index);
    case DType::int32: return load<int32_t>(data, index);
    case DType::int64: return load<int64_t>(data, index);
    case DType::uint8: return load<uint8_t>(data, index);
    case DType::uint16: return load<uint16_t>(data, index);
    case DType::uint32: return load<uint32_t>(data, index);
    case DType::uint64: return static_cast<int64_t>(load<uint64_t>(data, index));
    case DType::boolean: return load<uint8_t>(data, index) != 0;
    case DType::int4:
    case DType::int2: return sign_extend(load_packed(type, data, index), bits_of(type));
    case DType::uint4:
    case DType::uint2: return load_packed(type, data, index);
    default:
      if (!is_float(type)) no_number(type);
      return truncate<int64_t>(read_as_double(type, data, index));
  }
}

void write_double(DType type, void* data, int64_t index, double value) {
  switch (type) {
    case DType::float32: return store(data, index, static_cast<float>(value));
    case DType::float64: return store(data, index, value);
    case DType::float16: return store(data, index, double_to_half(value));
    case DType::bfloat16: return store(data, index, float_to_bfloat16(static_cast<float>(value)));
    case DType::float8e4m3fn:
    case DType::float8e4m3fnuz:
    case DType::float8e5m2:
    case DType::float8e5m2fnuz:
    case DType::float8e8m0: return store(data, index, float_to_small_float(type, static_cast<float>(value), true));
    case DType::float4e2m1:
      return store_packed(type, data, index, float_to_small_float(type, static_cast<float>(value), true));
    case DType::int8: return store(data, index, truncate<int8_t>(value));
    case DType::int16: return store(data, index, truncate<int16_t>(value));
    case DType::int32: return store(data, index, truncate<int32_t>(value));
    case DType::int64: return store(data, index, truncate<int64_t>(value));
    case DType::uint8: return store(data, index, truncate<uint8_t>(value));
    case DType::uint16: return store(data, index, truncate<uint16_t>(value));
    case DType::uint32: return store(data, index, truncate<uint32_t>(value));
    case DType::uint64: return store(data, index, truncate<uint64_t>(value));
    case DType::boolean: return store<uint8_t>(data, index, value != 0);  // NaN is true
    case DType::int4:
    case DType::uint4:
    case DType::int2:
    case DType::uint2: return store_packed(type, data, index, static_cast<unsigned>(truncate<int64_t>(value) & 15));
    default: no_number(type);
  }
}

void write_int(DType type, void* data, int64_t index, int64_t value) {
  switch (bits_of(type)) {
    case 0: no_number(type);
    case 2: return store_packed(type, data, index, static_cast<unsigned>(value & 3));
    case 4:
      if (type == DType::float4e2m1) return write_double(type, data, index, static_cast<double>(value));
      return store_packed(type, data, index, static_cast<unsigned>(value & 15));
    default: break;
  }
  if (type == DType::boolean) return store<uint8_t>(data, index, value != 0);
  if (type == DType::float32) return store(data, index, static_cast<float>(value));
  if (is_float(type)) return write_double(type, data, index, static_cast<double>(value));
  switch (type) {
    case DType::int8:
    case DType::uint8: return store(data, index, static_cast<uint8_t>(value));
    case DType::int16:
    case DType::uint16: return store(data, index, static_cast<uint16_t>(value));
    case DType::int32:
    case DType::uint32: return store(data, index, static_cast<uint32_t>(value));
    case DType::int64:
    case DType::uint64: return store(data, index, static_cast<uint64_t>(value));
    default: no_number(type);
  }
}

void read_as_floats(DType type, const void* data, int64_t first, int64_t count, float* out) {
  if (count <= 0) return;
  if (type == DType::float32) {
    std::memcpy(out, static_cast<const uint8_t*>(data) + first * 4, static_cast<size_t>(count) * 4);
    return;
  }
  for (int64_t i = 0; i < count; ++i) out[i] = static_cast<float>(read_as_double(type, data, first + i));
}

}  // namespace tarn
