// Building text: cat() joins anything that streams, join() lists.
#pragma once
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace tarn {

template <class... Parts>
std::string cat(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

template <class Range>
std::string join(const Range& range, std::string_view separator = ", ") {
  std::ostringstream out;
  bool first = true;
  for (const auto& item : range) {
    if (!first) out << separator;
    out << item;
    first = false;
  }
  return out.str();
}

std::vector<std::string> split(std::string_view text, char separator);  // "a,,b" gives three parts
std::string with_thousands(int64_t value);                              // 1234567 -> "1 234 567"
std::string json_string(std::string_view text);                         // quoted and escaped
std::string upper(std::string_view text);
std::string lower_case(std::string_view text);
std::string first_line(std::string_view text);  // without its end
bool is_name_character(char c);                 // of C: a letter, a digit or _

// Where a name of C stands in a text, from a position on, not as a part of another name; npos: nowhere.
size_t find_name(const std::string& text, const std::string& name, size_t from = 0);
std::string replace_name(std::string text, const std::string& name, const std::string& by);

}  // namespace tarn
