// Numbers as C spells them, exactly.
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "tensor/dtype.h"

namespace tarn::emit {

// Hexadecimal floating constants, "0x1.8p-1f"; zeros keep their sign; infinities and NaN are macros of tarn.h.
std::string float_literal(float value);
std::string double_literal(double value);
std::string int_literal(int64_t value, bool wide = false);  // wide: with the suffix of 64-bit constants where needed

// Appends `count` stored elements as a comma-separated list, several to a line.
void append_elements(std::string& out, DType dtype, std::span<const uint8_t> bytes, int& column);

}  // namespace tarn::emit
