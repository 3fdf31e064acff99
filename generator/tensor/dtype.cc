#include "tensor/dtype.h"

#include "support/check.h"

namespace tarn {

namespace {

struct Row {
  DType type;
  int onnx;
  int bits;
  const char* name;
  const char* c;
};

constexpr Row kRows[] = {
    {DType::undefined, 0, 0, "undefined", "void"},
    {DType::float32, 1, 32, "float32", "float"},
    {DType::float64, 11, 64, "float64", "double"},
    {DType::float16, 10, 16, "float16", "uint16_t"},
    {DType::bfloat16, 16, 16, "bfloat16", "uint16_t"},
    {DType::int8, 3, 8, "int8", "int8_t"},
    {DType::int16, 5, 16, "int16", "int16_t"},
    {DType::int32, 6, 32, "int32", "int32_t"},
    {DType::int64, 7, 64, "int64", "int64_t"},
    {DType::uint8, 2, 8, "uint8", "uint8_t"},
    {DType::uint16, 4, 16, "uint16", "uint16_t"},
    {DType::uint32, 12, 32, "uint32", "uint32_t"},
    {DType::uint64, 13, 64, "uint64", "uint64_t"},
    {DType::boolean, 9, 8, "bool", "uint8_t"},
    {DType::int4, 22, 4, "int4", "uint8_t"},
    {DType::uint4, 21, 4, "uint4", "uint8_t"},
    {DType::int2, 26, 2, "int2", "uint8_t"},
    {DType::uint2, 25, 2, "uint2", "uint8_t"},
    {DType::float8e4m3fn, 17, 8, "float8e4m3fn", "uint8_t"},
    {DType::float8e4m3fnuz, 18, 8, "float8e4m3fnuz", "uint8_t"},
    {DType::float8e5m2, 19, 8, "float8e5m2", "uint8_t"},
    {DType::float8e5m2fnuz, 20, 8, "float8e5m2fnuz", "uint8_t"},
    {DType::float8e8m0, 24, 8, "float8e8m0", "uint8_t"},
    {DType::float4e2m1, 23, 4, "float4e2m1", "uint8_t"},
    {DType::complex64, 14, 64, "complex64", "float"},
    {DType::complex128, 15, 128, "complex128", "double"},
    {DType::string, 8, 0, "string", "char"},
};

const Row& row(DType type) {
  for (const Row& r : kRows) {
    if (r.type == type) return r;
  }
  TARN_FAIL("unknown element type");
}

}  // namespace

std::string to_string(DType type) { return row(type).name; }

std::optional<DType> dtype_from_onnx(int number) {
  for (const Row& r : kRows) {
    if (r.onnx == number && number != 0) return r.type;
  }
  return {};
}

int to_onnx(DType type) { return row(type).onnx; }
const char* c_type(DType type) { return row(type).c; }
int bits_of(DType type) { return row(type).bits; }

bool is_float(DType type) {
  switch (type) {
    case DType::float32:
    case DType::float64:
    case DType::float16:
    case DType::bfloat16:
    case DType::float8e4m3fn:
    case DType::float8e4m3fnuz:
    case DType::float8e5m2:
    case DType::float8e5m2fnuz:
    case DType::float8e8m0:
    case DType::float4e2m1: return true;
    default: return false;
  }
}

bool is_integer(DType type) {
  return (type >= DType::int8 && type <= DType::uint64) || (type >= DType::int4 && type <= DType::uint2);
}

bool is_signed(DType type) {
  return is_float(type) || (type >= DType::int8 && type <= DType::int64) || type == DType::int4 || type == DType::int2;
}

int64_t bytes_for(DType type, int64_t count) {
  const int64_t bits = bits_of(type);
  return bits >= 8 ? count * (bits / 8) : (count * bits + 7) / 8;
}

}  // namespace tarn
