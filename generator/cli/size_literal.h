// Sizes as people write them: 65536, 64K, 1.5M (K = 1024).
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace tarn::cli {

// Bytes; empty for anything that is no size, is negative, no whole number of bytes, or does not fit 64 bits.
std::optional<int64_t> parse_size(std::string_view text);
// Hz, at least 1: 16000000, 168M, 1.5MHz (M = 1000000); empty for anything else.
std::optional<int64_t> parse_frequency(std::string_view text);
// Nanoseconds, at least 1: 50ms, 800us, 1.5s; empty for anything else.
std::optional<int64_t> parse_duration(std::string_view text);
// A whole number with an optional minus sign, nothing else.
std::optional<int64_t> parse_integer(std::string_view text);

}  // namespace tarn::cli
