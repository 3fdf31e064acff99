#include "emit/literals.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "support/check.h"

namespace tarn::emit {

namespace {

constexpr int kLineWidth = 116;

void append_number(std::string& out, int64_t value) {
  char digits[24];
  char *const end = digits + sizeof digits, *first = end;
  uint64_t rest = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  do {
    *--first = static_cast<char>('0' + rest % 10);
    rest /= 10;
  } while (rest != 0);
  if (value < 0) *--first = '-';
  out.append(first, end);
}

// A finite number given by its fields; `bits` is the width of the fraction, a multiple of 4.
void append_hex(std::string& out, bool negative, uint64_t fraction, int exponent, int bits, bool subnormal) {
  if (negative) out += '-';
  if (fraction == 0 && subnormal) {
    out += "0.0";
    return;
  }
  if (subnormal) {
    // Shift until the leading one stands before the point.
    while ((fraction >> bits) == 0) {
      fraction <<= 1;
      --exponent;
    }
    fraction &= (uint64_t{1} << bits) - 1;
  }
  out += "0x1";
  if (fraction != 0) {
    out += '.';
    for (int at = bits - 4; fraction != 0; at -= 4) {
      out += "0123456789abcdef"[(fraction >> at) & 15];
      fraction &= (uint64_t{1} << at) - 1;
    }
  }
  out += 'p';
  append_number(out, exponent);
}

void append_float(std::string& out, float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const bool negative = bits >> 31;
  const uint32_t exponent = (bits >> 23) & 255, fraction = bits & 0x7FFFFF;
  if (exponent == 255) {
    out += fraction != 0 ? "TARN_NAN_F" : negative ? "-TARN_INF_F" : "TARN_INF_F";
    return;
  }
  append_hex(out, negative, uint64_t{fraction} << 1, exponent == 0 ? -126 : static_cast<int>(exponent) - 127, 24,
             exponent == 0);
  out += 'f';
}

// In few characters, 16 with sign and comma at most: a whole number of units of its last place.
void append_short_float(std::string& out, float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const uint32_t exponent = (bits >> 23) & 255, fraction = bits & 0x7FFFFF;
  uint32_t whole = exponent == 0 ? fraction : fraction | 0x800000;
  if (exponent == 255 || whole == 0) return append_float(out, value);
  const int zeros = std::countr_zero(whole);
  whole >>= zeros;
  if (bits >> 31) out += '-';
  out += "0x";
  for (int at = (std::bit_width(whole) - 1) / 4 * 4; at >= 0; at -= 4) out += "0123456789abcdef"[(whole >> at) & 15];
  out += 'p';
  append_number(out, (exponent == 0 ? 1 : static_cast<int>(exponent)) - 150 + zeros);
  out += 'f';
}

void append_double(std::string& out, double value) {
  const auto bits = std::bit_cast<uint64_t>(value);
  const bool negative = bits >> 63;
  const uint64_t exponent = (bits >> 52) & 2047, fraction = bits & 0xFFFFFFFFFFFFF;
  if (exponent == 2047) {
    out += fraction != 0 ? "TARN_NAN_D" : negative ? "-TARN_INF_D" : "TARN_INF_D";
    return;
  }
  append_hex(out, negative, fraction, exponent == 0 ? -1022 : static_cast<int>(exponent) - 1023, 52, exponent == 0);
}

void append_int(std::string& out, int64_t value, bool wide) {
  // The most negative numbers have no literal of their own.
  if (value == INT64_MIN) {
    out += "(-9223372036854775807LL - 1LL)";
  } else if (value == INT32_MIN && !wide) {
    out += "(-2147483647 - 1)";
  } else {
    append_number(out, value);
    if (wide) out += "LL";
  }
}

template <class T>
T element(std::span<const uint8_t> bytes, size_t index) {
  T value;
  std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

}  // namespace

std::string float_literal(float value) {
  std::string out;
  append_float(out, value);
  return out;
}

std::string double_literal(double value) {
  std::string out;
  append_double(out, value);
  return out;
}

std::string int_literal(int64_t value, bool wide) {
  std::string out;
  append_int(out, value, wide);
  return out;
}

namespace {

// Quantised weights come by the million: what each byte is written as, comma and all.
struct ByteText {
  char text[8] = {};
  int length = 0;
};

std::array<ByteText, 256> byte_texts() {
  std::array<ByteText, 256> all;
  for (int b = 0; b < 256; ++b) {
    std::string text;
    append_number(text, static_cast<int64_t>(static_cast<int8_t>(b)));
    text += ',';
    ByteText& entry = all[static_cast<size_t>(b)];
    entry.length = static_cast<int>(text.copy(entry.text, sizeof entry.text));
  }
  return all;
}

void append_bytes(std::string& out, std::span<const uint8_t> bytes, int& column) {
  static const std::array<ByteText, 256> texts = byte_texts();
  constexpr size_t kAtOnce = 512;
  for (size_t first = 0; first < bytes.size(); first += kAtOnce) {
    char buffer[kAtOnce * 6 + 8];
    size_t length = 0;
    for (const uint8_t byte : bytes.subspan(first, std::min(kAtOnce, bytes.size() - first))) {
      const ByteText& entry = texts[byte];
      std::memcpy(buffer + length, entry.text, sizeof entry.text);
      length += static_cast<size_t>(entry.length);
      column += entry.length;
      if (column > kLineWidth) {
        buffer[length++] = '\n';
        column = 0;
      }
    }
    out.append(buffer, length);
  }
}

}  // namespace

void append_elements(std::string& out, DType dtype, std::span<const uint8_t> bytes, int& column) {
  if (dtype == DType::int8) return append_bytes(out, bytes, column);
  const size_t size = bits_of(dtype) < 8 ? 1 : static_cast<size_t>(bits_of(dtype) / 8);
  for (size_t i = 0; i < bytes.size() / size; ++i) {
    const size_t before = out.size();
    switch (dtype) {
      case DType::float32: append_short_float(out, element<float>(bytes, i)); break;
      case DType::float64: append_double(out, element<double>(bytes, i)); break;
      case DType::int16: append_int(out, element<int16_t>(bytes, i), false); break;
      case DType::int32: {
        const auto value = element<int32_t>(bytes, i);
        if (value == INT32_MIN) out += "INT32_MIN";  // of stdint.h, shorter than a sum
        else append_int(out, value, false);
        break;
      }
      case DType::int64: append_int(out, element<int64_t>(bytes, i), true); break;
      case DType::uint32:
        append_number(out, element<uint32_t>(bytes, i));
        out += 'u';
        break;
      case DType::uint64: {
        const auto value = element<uint64_t>(bytes, i);
        out += std::to_string(value) + "ULL";
        break;
      }
      default:
        if (size == 2) append_number(out, element<uint16_t>(bytes, i));
        else append_number(out, bytes[i]);
    }
    out += ',';
    column += static_cast<int>(out.size() - before);
    if (column > kLineWidth) {
      out += '\n';
      column = 0;
    }
  }
}

}  // namespace tarn::emit
