#include "cli/size_literal.h"

#include <charconv>

#include "support/checked.h"

namespace tarn::cli {

std::optional<int64_t> parse_integer(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return {};
  return value;
}

namespace {

// "1.5" times a unit, where that is whole.
std::optional<int64_t> parse_decimal(std::string_view text, int64_t unit) {
  const size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  const auto number = parse_integer(whole);
  if (!number || *number < 0 || whole[0] == '-') return {};
  Checked sum = checked_mul(*number, unit);
  if (point != std::string_view::npos) {
    const std::string_view digits = text.substr(point + 1);
    const auto fraction = parse_integer(digits);
    if (!fraction || digits.size() > 9 || digits[0] == '-') return {};
    int64_t scale = 1;
    for (size_t i = 0; i < digits.size(); ++i) scale *= 10;
    const Checked part = checked_mul(*fraction, unit);
    if (!part || *part % scale != 0) return {};
    sum = checked_add(sum, *part / scale);
  }
  return sum;
}

}  // namespace

std::optional<int64_t> parse_frequency(std::string_view text) {
  if (text.ends_with("Hz")) text.remove_suffix(2);
  int64_t unit = 1;
  if (!text.empty()) {
    const char last = text.back();
    if (last == 'k' || last == 'K') unit = 1'000;
    if (last == 'M') unit = 1'000'000;
    if (last == 'G') unit = 1'000'000'000;
  }
  if (unit > 1) text.remove_suffix(1);
  const std::optional<int64_t> hertz = parse_decimal(text, unit);
  return hertz && *hertz > 0 ? hertz : std::nullopt;
}

std::optional<int64_t> parse_duration(std::string_view text) {
  if (!text.ends_with('s')) return {};
  text.remove_suffix(1);
  int64_t unit = 1'000'000'000;
  if (text.ends_with('m')) unit = 1'000'000;
  if (text.ends_with('u')) unit = 1'000;
  if (text.ends_with('n')) unit = 1;
  if (unit < 1'000'000'000) text.remove_suffix(1);
  const std::optional<int64_t> nanoseconds = parse_decimal(text, unit);
  return nanoseconds && *nanoseconds > 0 ? nanoseconds : std::nullopt;
}

std::optional<int64_t> parse_size(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) {
    text.remove_prefix(2);
    int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    if (error != std::errc() || end != text.data() + text.size() || text.empty() || text[0] == '-') return {};
    return value;
  }
  // 64KB and 64KiB are what 64K is: memories are made in powers of two.
  if (text.size() >= 2 && (text.back() == 'B' || text.back() == 'b')) {
    std::string_view shorter = text.substr(0, text.size() - 1);
    if (shorter.back() == 'i') shorter.remove_suffix(1);
    if (!shorter.empty() && std::string_view("kKmMgG").find(shorter.back()) != std::string_view::npos) text = shorter;
  }
  int64_t unit = 1;
  if (!text.empty()) {
    switch (text.back()) {
      case 'k':
      case 'K': unit = int64_t{1} << 10; break;
      case 'm':
      case 'M': unit = int64_t{1} << 20; break;
      case 'g':
      case 'G': unit = int64_t{1} << 30; break;
      default: break;
    }
  }
  if (unit > 1) text.remove_suffix(1);
  return parse_decimal(text, unit);
}

}  // namespace tarn::cli
