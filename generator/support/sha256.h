// SHA-256 (FIPS 180-4), for the fingerprint of a model in reports and headers.
#pragma once
#include <cstdint>
#include <span>
#include <string>

namespace tarn {

// 64 lower-case hexadecimal digits.
std::string sha256_hex(std::span<const uint8_t> bytes);

// The same without the instructions that some processors have for it.
std::string sha256_hex_portable(std::span<const uint8_t> bytes);

}  // namespace tarn
