#include "program/spread_forms.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "support/check.h"

namespace tarn::program {

namespace {

using SpreadForm = Weight::Spread::Form;

constexpr int kRows = 16, kCodes = 256;
constexpr int kWord = 32;

int32_t word(int64_t bits) { return static_cast<int32_t>(static_cast<uint32_t>(bits)); }
int64_t unsigned_of(int32_t bits) { return int64_t{static_cast<uint32_t>(bits)}; }

std::vector<int64_t> spread_exponentials(const std::vector<int32_t>& own) {
  std::vector<int64_t> numbers;
  for (size_t row = 0; row < kRows; ++row) {
    const auto first = static_cast<uint64_t>(unsigned_of(own[row]));
    numbers.push_back(static_cast<int64_t>(first));
    for (size_t at = kRows; at < own.size(); ++at)
      numbers.push_back(static_cast<int64_t>((first * static_cast<uint64_t>(unsigned_of(own[at])) + 0x80000000U) >> 32));
  }
  return numbers;
}

std::vector<int64_t> spread_codes(const Weight::Spread& spread) {
  std::vector<int64_t> codes;
  int64_t code = spread.c;
  for (const int32_t stored : spread.own) {
    for (int at = 0; at < kWord; at += spread.bits) {
      codes.push_back(code);
      code += spread.m + ((unsigned_of(stored) >> at) & ((int64_t{1} << spread.bits) - 1));
    }
  }
  return codes;
}

}  // namespace

Weight::Spread exponentials(double step, int64_t one) {
  Weight::Spread spread{.form = SpreadForm::exponentials};
  for (int row = 0; row < kRows; ++row)
    spread.own.push_back(word(std::llround(std::exp(-row * kRows * step) * static_cast<double>(one))));
  for (int at = 1; at < kRows; ++at)
    spread.own.push_back(word(std::min(std::llround(std::ldexp(std::exp(-at * step), 32)), 0xffffffffLL)));
  return spread;
}

std::optional<Weight::Spread> code_differences(std::span<const int64_t> codes) {
  if (codes.size() != kCodes) return {};
  int64_t least = codes[1] - codes[0], most = least;
  for (size_t i = 1; i < codes.size(); ++i) {
    least = std::min(least, codes[i] - codes[i - 1]);
    most = std::max(most, codes[i] - codes[i - 1]);
  }
  // As many as fill words: 1, 2 or 4.
  const auto needed = std::max(1, static_cast<int32_t>(std::bit_width(static_cast<uint64_t>(most - least))));
  const auto bits = static_cast<int32_t>(std::bit_ceil(static_cast<uint32_t>(needed)));
  if (bits > 4) return {};
  Weight::Spread spread{.form = SpreadForm::codes, .m = static_cast<int32_t>(least), .c = static_cast<int32_t>(codes[0])};
  spread.bits = bits;
  spread.own.resize(static_cast<size_t>(kCodes * bits / kWord));
  for (size_t i = 0; i + 1 < codes.size(); ++i) {
    const size_t at = i * static_cast<size_t>(bits);
    int32_t& stored = spread.own[at / kWord];
    stored = word(unsigned_of(stored) | (codes[i + 1] - codes[i] - least) << at % kWord);
  }
  return spread;
}

std::optional<Weight::Spread> short_numbers(std::span<const int32_t> numbers) {
  if (numbers.empty()) return {};
  const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
  uint64_t differing = 0;
  for (const int32_t number : numbers) differing |= static_cast<uint64_t>(int64_t{number} - *least);
  const int shift = differing == 0 ? 0 : std::countr_zero(differing);
  if ((int64_t{*most} - *least) >> shift > UINT16_MAX) return {};
  // Where there are few, as they were before they were moved: their own sign, not the least's.
  const int64_t apart = int64_t{1} << shift;
  const int64_t rest = int64_t{*least} - (int64_t{*least} >> shift) * apart;
  const bool centred = (*least >> shift) >= INT16_MIN && (*most >> shift) <= INT16_MAX;
  const int64_t constant = centred ? rest : int64_t{*least} + 32768 * apart;
  if (constant != static_cast<int32_t>(constant)) return {};
  Weight::Spread spread{.form = SpreadForm::shorts, .c = static_cast<int32_t>(constant)};
  spread.bits = shift;
  for (const int32_t number : numbers)
    spread.own.push_back(static_cast<int32_t>((int64_t{number} - constant) >> shift));
  return spread;
}

std::vector<int64_t> spread_numbers(const Weight::Spread& spread) {
  if (spread.form == SpreadForm::exponentials) return spread_exponentials(spread.own);
  if (spread.form == SpreadForm::codes) return spread_codes(spread);
  TARN_CHECK(spread.form == SpreadForm::shorts);
  std::vector<int64_t> numbers;
  for (const int32_t own : spread.own) numbers.push_back(int64_t{own} * (int64_t{1} << spread.bits) + spread.c);
  return numbers;
}

DType stored_dtype(const Weight::Spread& spread) {
  if (spread.form == SpreadForm::shorts) return DType::int16;
  return spread.form == SpreadForm::exponentials || spread.form == SpreadForm::codes ? DType::uint32 : DType::int32;
}

int64_t stored_bytes(const Weight::Spread& spread) {
  return bytes_for(stored_dtype(spread), static_cast<int64_t>(spread.own.size()));
}

std::vector<uint8_t> stored_numbers(const Weight::Spread& spread) {
  const int places = bits_of(stored_dtype(spread));
  std::vector<uint8_t> bytes;
  for (const int32_t number : spread.own) {
    for (int shift = 0; shift < places; shift += 8)
      bytes.push_back(static_cast<uint8_t>(static_cast<uint32_t>(number) >> shift));
  }
  return bytes;
}

const char* spreading_kernel(const Weight::Spread& spread) {
  switch (spread.form) {
    case SpreadForm::factors: return "tarn_int_spread_factors";
    case SpreadForm::exponentials: return "tarn_int_spread_exponentials";
    case SpreadForm::codes: return "tarn_int_spread_codes";
    case SpreadForm::shorts: return "tarn_int_spread_shorts";
    default: return "tarn_int_spread";
  }
}

int64_t spreading_instructions(const Weight::Spread& spread, int64_t count) {
  switch (spread.form) {
    case SpreadForm::factors: return 14 * count / 3;
    case SpreadForm::exponentials: return 8 * count;
    case SpreadForm::codes: return 6 * count;
    case SpreadForm::shorts: return 6 * count;
    default: return 7 * count / 3;
  }
}

}  // namespace tarn::program
