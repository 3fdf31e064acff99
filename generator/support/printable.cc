#include "support/printable.h"

#include <cstdio>

namespace tarn {

namespace {

// How many bytes the character at `i` has in valid UTF-8; 0 where none begins.
size_t character_length(std::string_view text, size_t i) {
  const auto c = static_cast<unsigned char>(text[i]);
  const size_t length = c < 0x80                ? 1
                        : c >= 0xF0 && c < 0xF5 ? 4
                        : c >= 0xE0 && c < 0xF0 ? 3
                        : c >= 0xC2 && c < 0xE0 ? 2
                                                : 0;
  if (i + length > text.size()) return 0;
  for (size_t k = 1; k < length; ++k) {
    if ((static_cast<unsigned char>(text[i + k]) & 0xC0) != 0x80) return 0;
  }
  return length;
}

template <class Number>
std::string spelled(const char* format, Number number) {
  char buffer[16];
  std::snprintf(buffer, sizeof buffer, format, static_cast<unsigned>(number));
  return buffer;
}

// Controls of ISO 6429, ends of lines and paragraphs, and marks that set the direction of writing.
bool steers(unsigned point) {
  return point < 0x20 || (point >= 0x7F && point < 0xA0) || point == 0x061C || point == 0x200E || point == 0x200F ||
         (point >= 0x2028 && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069);
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    const size_t length = character_length(text, i);
    unsigned point = length == 2 ? c & 0x1F : length == 3 ? c & 0x0F : length == 4 ? c & 0x07 : c;
    for (size_t k = 1; k < length; ++k) point = point << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3F);
    if (length > 0 && !steers(point)) out.append(text.substr(i, length));
    else if (c == '\n') out += "\\n";
    else if (c == '\r') out += "\\r";
    else if (c == '\t') out += "\\t";
    else if (length > 1) out += spelled("\\u%04x", point);
    else out += spelled("\\x%02x", c);
    i += length > 0 ? length : 1;
  }
  return out;
}

std::string counted(int64_t n, const std::string& thing) {
  return std::to_string(n) + " " + thing + (n == 1 ? "" : "s");
}

}  // namespace tarn
