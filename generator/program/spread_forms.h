// Forms of constants that fewer numbers tell, and what the kernels that spread them out make of these.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "program/program.h"

namespace tarn::program {

// exp(-d * step) * one for d = 0..255, as products of one of 16 numbers and one of 15: within one unit of the nearest
// numbers, the first of them exactly `one`, which is at most 2^31.
Weight::Spread exponentials(double step, int64_t one);
// 256 codes of 8 bits of which each is little more or less than the one before it; nothing where they take too much.
std::optional<Weight::Spread> code_differences(std::span<const int64_t> codes);
// Numbers that are ones of at most 16 bits times a power of two, and a constant; nothing where they are not.
std::optional<Weight::Spread> short_numbers(std::span<const int32_t> numbers);

// Bytes of weights of which no two differ by more than 4 bits tell, as they are stored; nothing where they do, or are
// not there.
std::optional<Weight::Spread> narrow_bytes(const Weight& weight);

// What tarn_int_spread_exponentials, tarn_int_spread_codes and tarn_int_spread_shorts make: only of the forms above.
std::vector<int64_t> spread_numbers(const Weight::Spread& spread);

// What is stored of them.
DType stored_dtype(const Weight::Spread& spread);
int64_t stored_count(const Weight::Spread& spread);
int64_t stored_bytes(const Weight::Spread& spread);
std::vector<uint8_t> stored_numbers(const Weight::Spread& spread);
// The same of narrow bytes that `write` gives.
void write_narrow(const Weight::Spread& spread, const decltype(Weight::write)& write,
                  const std::function<void(std::span<const uint8_t>)>& sink);

const char* spreading_kernel(const Weight::Spread& spread);
// The whole numbers that decide how long a call of it takes, by the names of its parameters.
std::map<std::string, int64_t> spread_parameters(const Weight::Spread& spread);
// About as many instructions as it takes for `count` numbers.
int64_t spreading_instructions(const Weight::Spread& spread, int64_t count);

}  // namespace tarn::program
