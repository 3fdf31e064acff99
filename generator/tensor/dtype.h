// Element types: names, sizes, and how they are spelled in ONNX, in reports and in C.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace tarn {

// The order follows TensorProto.DataType where it has a number; `string` is carried for the day it is lowered.
enum class DType : uint8_t {
  undefined,
  float32,
  float64,
  float16,
  bfloat16,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  boolean,
  int4,
  uint4,
  int2,
  uint2,
  float8e4m3fn,
  float8e4m3fnuz,
  float8e5m2,
  float8e5m2fnuz,
  float8e8m0,
  float4e2m1,
  complex64,
  complex128,
  string
};

std::string to_string(DType);               // "float32", "bool", ...: the names of the report
std::optional<DType> dtype_from_onnx(int);  // TensorProto.DataType
int to_onnx(DType);
const char* c_type(DType);  // "float", "int8_t"; "uint16_t" for 16-bit floats, "uint8_t" for packed types
int bits_of(DType);         // per element as ONNX stores it; 0 for string and undefined
bool is_float(DType);       // any floating-point type, 8-bit and 4-bit ones too
bool is_integer(DType);     // signed or unsigned, 4- and 2-bit ones too; not bool
bool is_signed(DType);      // integers below zero, and floats
inline bool is_packed(DType t) { return bits_of(t) > 0 && bits_of(t) < 8; }

// Bytes that `count` elements take: packed types share bytes over the whole tensor. `count` >= 0.
int64_t bytes_for(DType, int64_t count);

}  // namespace tarn
