// Conversions between stored element bits and numbers. Roundings are to nearest, ties to even, as ONNX Cast asks.
#pragma once
#include <cstdint>

#include "tensor/dtype.h"

namespace tarn {

float half_to_float(uint16_t bits);
uint16_t float_to_half(float value);
// From double in one rounding: going through float would round twice.
uint16_t double_to_half(double value);
float bfloat16_to_float(uint16_t bits);
uint16_t float_to_bfloat16(float value);
// The least bfloat16 that is not below a value of 0 or more.
double bfloat16_above(double value);

// The 8-bit and 4-bit floats. `saturate` as in ONNX Cast: out of range goes to the largest value, else to NaN or
// infinity where the type has them. float8e8m0 holds powers of two only: it rounds up, as Cast does by default, and its
// negative values are not defined by ONNX (here: those of their magnitude).
float small_float_to_float(DType type, uint8_t bits);
uint8_t float_to_small_float(DType type, float value, bool saturate);
// float8e8m0 with Cast's other round modes.
enum class PowerRounding { up, down, nearest };
uint8_t float_to_e8m0(float value, bool saturate, PowerRounding rounding);

// Element `index` of stored data of any numeric type (complex ones excepted), as a number.
double read_as_double(DType type, const void* data, int64_t index);
int64_t read_as_int(DType type, const void* data,
                    int64_t index);  // floats are truncated, saturating, NaN is 0; uint64 wraps
// Writes with the conversion of ONNX Cast. Floats to integers truncate; where ONNX leaves the result undefined, out of
// range saturates and NaN is 0, but 4- and 2-bit integers keep the low bits, as ONNX's own test data has it. Small
// floats saturate.
void write_double(DType type, void* data, int64_t index, double value);
void write_int(DType type, void* data, int64_t index, int64_t value);  // keeps the low bits; bool: value != 0

// The float32 values of elements [first, first + count), the fast way for weights.
void read_as_floats(DType type, const void* data, int64_t first, int64_t count, float* out);

}  // namespace tarn
