#include "program/spread_forms.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "support/check.h"
#include "support/checked.h"

namespace tarn::program {

namespace {

using SpreadForm = Weight::Spread::Form;

constexpr int kRows = 16, kCodes = 256;
constexpr int kWord = 32, kMostOfCode = 5, kMostOfShort = 16, kMostOfNarrow = 4;

int32_t bits_for(int64_t most) {
  return std::max(1, static_cast<int32_t>(std::bit_width(static_cast<uint64_t>(most))));
}

int32_t word(int64_t bits) { return static_cast<int32_t>(static_cast<uint32_t>(bits)); }
int64_t unsigned_of(int32_t bits) { return int64_t{static_cast<uint32_t>(bits)}; }

std::vector<int64_t> spread_exponentials(const std::vector<int32_t>& own) {
  std::vector<int64_t> numbers;
  for (size_t row = 0; row < kRows; ++row) {
    const auto first = static_cast<uint64_t>(unsigned_of(own[row]));
    numbers.push_back(static_cast<int64_t>(first));
    for (size_t at = kRows; at < own.size(); ++at)
      numbers.push_back(
          static_cast<int64_t>((first * static_cast<uint64_t>(unsigned_of(own[at])) + 0x80000000U) >> 32));
  }
  return numbers;
}

std::vector<int64_t> spread_codes(const Weight::Spread& spread) {
  std::vector<int64_t> codes;
  int64_t code = spread.c;
  for (const int32_t difference : spread.own) {
    codes.push_back(code);
    code += spread.m + difference;
  }
  return codes;
}

bool is_packed(const Weight::Spread& spread) {
  return spread.form == SpreadForm::codes || spread.form == SpreadForm::shorts;
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
  std::vector<int64_t> differences;
  for (size_t i = 1; i < codes.size(); ++i) differences.push_back(codes[i] - codes[i - 1]);
  const auto [least, most] = std::minmax_element(differences.begin(), differences.end());
  if (*most - *least >= 1 << kMostOfCode) return {};
  Weight::Spread spread{
      .form = SpreadForm::codes, .m = static_cast<int32_t>(*least), .c = static_cast<int32_t>(codes[0])};
  spread.bits = bits_for(*most - *least);
  for (const int64_t difference : differences) spread.own.push_back(static_cast<int32_t>(difference - *least));
  spread.own.push_back(0);  // behind the last one there is none
  return spread;
}

std::optional<Weight::Spread> short_numbers(std::span<const int32_t> numbers) {
  if (numbers.empty()) return {};
  const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
  uint64_t differing = 0;
  for (const int32_t number : numbers) differing |= static_cast<uint64_t>(int64_t{number} - *least);
  const int shift = differing == 0 ? 0 : std::countr_zero(differing);
  const int64_t range = (int64_t{*most} - *least) >> shift;
  if (range >= 1 << kMostOfShort) return {};
  Weight::Spread spread{.form = SpreadForm::shorts, .c = *least};
  spread.bits = bits_for(range);
  spread.shift = shift;
  for (const int32_t number : numbers) spread.own.push_back(static_cast<int32_t>((int64_t{number} - *least) >> shift));
  return spread;
}

std::optional<Weight::Spread> narrow_bytes(const Weight& weight) {
  if (!weight.missing.empty() || !weight.write || weight.bytes() == 0) return {};
  int least = INT8_MAX, most = INT8_MIN;
  weight.write([&](std::span<const uint8_t> bytes) {
    for (const uint8_t byte : bytes) {
      least = std::min<int>(least, static_cast<int8_t>(byte));
      most = std::max<int>(most, static_cast<int8_t>(byte));
    }
  });
  const int32_t bits = bits_for(most - least);
  if (bits > kMostOfNarrow) return {};
  Weight::Spread spread{.form = SpreadForm::narrow, .c = least};
  // A word of fewer makes more bytes than buffers are rounded up to (kStagedApart).
  spread.bits = bits <= 2 ? 2 : kMostOfNarrow;
  spread.bytes = weight.bytes();
  return spread;
}

void write_narrow(const Weight::Spread& spread, const decltype(Weight::write)& write,
                  const std::function<void(std::span<const uint8_t>)>& sink) {
  constexpr size_t kPiece = size_t{1} << 16, kWordBytes = kWord / 8;
  std::vector<uint8_t> out;
  size_t at = 0;  // of the bytes that a word stands for
  write([&](std::span<const uint8_t> bytes) {
    for (const uint8_t byte : bytes) {
      if (at == 0) out.insert(out.end(), kWordBytes, uint8_t{0});
      const auto more = static_cast<unsigned>(static_cast<int8_t>(byte) - spread.c);
      uint8_t& lane = out[out.size() - kWordBytes + at % kWordBytes];
      lane = static_cast<uint8_t>(lane | more << at / kWordBytes * static_cast<size_t>(spread.bits));
      at = ++at == static_cast<size_t>(kWord / spread.bits) ? 0 : at;
    }
    if (at != 0 || out.size() < kPiece) return;
    sink(out);
    out.clear();
  });
  sink(out);
}

std::vector<int64_t> spread_numbers(const Weight::Spread& spread) {
  if (spread.form == SpreadForm::exponentials) return spread_exponentials(spread.own);
  if (spread.form == SpreadForm::codes) return spread_codes(spread);
  TARN_CHECK(spread.form == SpreadForm::shorts);
  std::vector<int64_t> numbers;
  for (const int32_t own : spread.own) numbers.push_back((int64_t{own} << spread.shift) + spread.c);
  return numbers;
}

DType stored_dtype(const Weight::Spread& spread) {
  if (is_packed(spread)) return DType::uint8;
  const bool words = spread.form == SpreadForm::exponentials || spread.form == SpreadForm::narrow;
  return words ? DType::uint32 : DType::int32;
}

int64_t stored_count(const Weight::Spread& spread) {
  if (spread.form == SpreadForm::narrow) return ceil_div(spread.bytes, int64_t{kWord / spread.bits});
  const auto numbers = static_cast<int64_t>(spread.own.size());
  return is_packed(spread) ? ceil_div(numbers * spread.bits, 8) : numbers;
}

int64_t stored_bytes(const Weight::Spread& spread) { return bytes_for(stored_dtype(spread), stored_count(spread)); }

std::vector<uint8_t> stored_numbers(const Weight::Spread& spread) {
  const int places = is_packed(spread) ? spread.bits : kWord;
  std::vector<uint8_t> bytes(static_cast<size_t>(stored_bytes(spread)));
  size_t at = 0;
  for (const int32_t number : spread.own) {
    for (int bit = 0; bit < places; ++bit, ++at)
      bytes[at / 8] = static_cast<uint8_t>(bytes[at / 8] | (static_cast<uint32_t>(number) >> bit & 1U) << at % 8);
  }
  return bytes;
}

const char* spreading_kernel(const Weight::Spread& spread) {
  switch (spread.form) {
    case SpreadForm::factors: return "tarn_int_spread_factors";
    case SpreadForm::exponentials: return "tarn_int_spread_exponentials";
    case SpreadForm::codes: return "tarn_int_spread_codes";
    case SpreadForm::shorts: return "tarn_int_spread_shorts";
    case SpreadForm::narrow: return "tarn_int_spread_narrow";
    default: return "tarn_int_spread";
  }
}

std::map<std::string, int64_t> spread_parameters(const Weight::Spread& spread) {
  const auto count = static_cast<int64_t>(spread.own.size());
  switch (spread.form) {
    case SpreadForm::exponentials: return {};
    case SpreadForm::codes: return {{"width", spread.bits}};
    case SpreadForm::shorts: return {{"count", count}, {"width", spread.bits}};
    case SpreadForm::narrow: return {{"count", stored_count(spread)}, {"width", spread.bits}};
    // That of factors is a scale, which is never none.
    case SpreadForm::factors: return {{"count", count}, {"lanes", spread.lanes}};
    default: return {{"count", count}, {"lanes", spread.lanes}, {"m", spread.m}};
  }
}

int64_t spreading_instructions(const Weight::Spread& spread, int64_t count) {
  switch (spread.form) {
    case SpreadForm::factors: return 14 * count / 3;
    case SpreadForm::exponentials: return 8 * count;
    case SpreadForm::codes: return 10 * count;
    case SpreadForm::shorts: return 12 * count;
    case SpreadForm::narrow: return 9 * spread.bytes / 4;
    default: return 7 * count / 3;
  }
}

}  // namespace tarn::program
