// Conversions between stored element bits and numbers. All roundings are to nearest, ties to even, as ONNX Cast asks.
#pragma once
#include <cstdint>

#include "tensor/dtype.h"

namespace tarn {

float half_to_float(uint16_t bits);
uint16_t float_to_half(float value);
float bfloat16_to_float(uint16_t bits);
uint16_t float_to_bfloat16(float value);
// The 8-bit and 4-bit floats. `saturate` as in ONNX Cast: out of range goes to the largest value, else to NaN or infinity.
float small_float_to_float(DType type, uint8_t bits);
uint8_t float_to_small_float(DType type, float value, bool saturate);

// Element `index` of stored data of any numeric type, as a number.
double read_as_double(DType type, const void* data, int64_t index);
int64_t read_as_int(DType type, const void* data, int64_t index);  // floats are truncated, saturating; uint64 wraps
// Writes with the conversion of ONNX Cast (floats to integers truncate; out of range saturates rather than being undefined).
void write_double(DType type, void* data, int64_t index, double value);
void write_int(DType type, void* data, int64_t index, int64_t value);  // keeps the low bits; bool: value != 0

}  // namespace tarn
