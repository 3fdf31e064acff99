// SHA-256 (FIPS 180-4), for the fingerprint of a model in reports and headers.
#pragma once
#include <cstdint>
#include <span>
#include <string>

namespace tarn {

// 64 lower-case hexadecimal digits.
std::string sha256_hex(std::span<const uint8_t> bytes);

}  // namespace tarn
