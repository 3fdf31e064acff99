#include "emit/sized_text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "emit/literals.h"
#include "emit/sized_numbers.h"
#include "support/text.h"

namespace tarn::emit {

namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Text between numbers, and the numbers: one text more than numbers.
struct Pieces {
  std::vector<std::string> between{""}, numbers;
};

// A minus sign between a bracket and digits belongs to the number.
size_t sign_at(const std::string& text, size_t digit) {
  const bool negative = digit >= 2 && text[digit - 1] == '-' && text[digit - 2] == '(';
  return negative ? digit - 1 : digit;
}

Pieces pieces_of(const std::string& text) {
  Pieces pieces;
  for (size_t i = 0; i < text.size();) {
    if (!is_digit(text[i]) || (i > 0 && (is_name_character(text[i - 1]) || text[i - 1] == '.'))) {
      pieces.between.back() += text[i++];
      continue;
    }
    size_t end = i;
    while (end < text.size() && (is_name_character(text[end]) || text[end] == '.' ||
                                 ((text[end] == '-' || text[end] == '+') && text[end - 1] == 'e' && text[i] != 'x')))
      ++end;
    const size_t first = sign_at(text, i);
    if (first < i) pieces.between.back().pop_back();
    pieces.numbers.push_back(text.substr(first, end - first));
    pieces.between.emplace_back();
    i = end;
  }
  return pieces;
}

// Calls are broken into lines where they grow long, at spaces.
std::string on_one_line(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool space = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!space) out += c;
    else if (out.empty() || out.back() != ' ') out += ' ';
  }
  return out;
}

// "12u", "-3"; nothing for what is no whole number.
std::optional<int64_t> whole_number(const std::string& text, bool is_unsigned) {
  const std::string digits = is_unsigned ? text.substr(0, text.size() - 1) : text;
  int64_t value = 0;
  const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return fault == std::errc() && end == digits.data() + digits.size() ? std::optional(value) : std::nullopt;
}

// The numbers of one place at all sizes, as an expression.
SizedNumber number_at(const Analysis& analysis, const std::string& table, const std::vector<std::string>& numbers,
                      const std::string& size, std::string& fault) {
  const bool is_unsigned = numbers.back().back() == 'u', is_float = numbers.back().back() == 'f';
  std::vector<int64_t> values;
  for (const std::string& number : numbers) {
    const std::optional<int64_t> value =
        (number.back() == 'u') == is_unsigned ? whole_number(number, is_unsigned) : std::nullopt;
    if (value) values.push_back(*value);
  }
  if (values.size() == numbers.size()) {
    SizedNumber made = of_numbers(analysis, table, values, size);
    made.text = is_unsigned ? cat("(uint32_t)(", made.text, ")") : cat("(", made.text, ")");
    return made;
  }
  if (is_float) return in_table(analysis, table, "float", numbers, size);
  fault = cat("a call takes ", numbers.front(), " in the place of ", numbers.back());
  return {};
}

}  // namespace

SizedText for_all_sizes(const Analysis& analysis, const std::string& table, const std::vector<std::string>& texts,
                        const std::string& size) {
  SizedText made{texts.back(), "", ""};
  if (std::all_of(texts.begin(), texts.end(), [&](const std::string& text) { return text == texts.back(); }))
    return made;
  std::vector<Pieces> all;
  for (const std::string& text : texts) all.push_back(pieces_of(text));
  const Pieces& most = all.back();
  for (const Pieces& other : all) {
    const auto same = [](const std::string& x, const std::string& y) {
      return x == y || on_one_line(x) == on_one_line(y);
    };
    if (!std::equal(other.between.begin(), other.between.end(), most.between.begin(), most.between.end(), same)) {
      made.fault = "its calls differ in more than numbers";
      return made;
    }
  }
  made.text = most.between.front();
  for (size_t n = 0; n < most.numbers.size(); ++n) {
    std::vector<std::string> numbers;
    for (const Pieces& other : all) numbers.push_back(other.numbers[n]);
    const bool alike =
        std::all_of(numbers.begin(), numbers.end(), [&](const std::string& text) { return text == numbers.back(); });
    if (alike) {
      made.text += numbers.back();
    } else {
      const SizedNumber number = number_at(analysis, cat(table, "_", n), numbers, size, made.fault);
      // The length of an array, or a row of a table.
      if (!made.text.empty() && made.text.back() == '[') made.fault = "an array has another length";
      if (!made.fault.empty()) return made;
      made.text += number.text;
      made.tables += number.table;
    }
    made.text += most.between[n + 1];
  }
  return made;
}

}  // namespace tarn::emit
