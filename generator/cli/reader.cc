#include "cli/reader.h"

#include <algorithm>
#include <charconv>

#include "cli/size_literal.h"
#include "support/nearest.h"
#include "support/text.h"

namespace tarn::cli {

std::vector<std::string> Reader::texts(const std::string& option) const {
  return has(option) ? parsed_[option].as<std::vector<std::string>>() : std::vector<std::string>{};
}

std::optional<int64_t> Reader::size(const std::string& option) {
  if (!has(option)) return {};
  const auto value = parse_size(text(option));
  if (!value) fault("--" + option + " takes a size such as 65536, 64K, 1.5M or 0x10000, not '" + text(option) + "'");
  return value;
}

int64_t Reader::number(const std::string& option, int64_t lo, int64_t hi) {
  const auto value = parse_integer(text(option));
  if (value && *value >= lo && *value <= hi) return *value;
  fault(cat("--", option, " takes a number from ", lo, " to ", hi, ", not '", text(option), "'"));
  return lo;
}

double Reader::percent(const std::string& option, double most, bool signed_too) {
  std::string value = text(option);
  if (signed_too && value.ends_with('%')) value.pop_back();
  double number = -1;
  const auto [end, error] =
      std::from_chars(value.data(), value.data() + value.size(), number, std::chars_format::fixed);
  if (error == std::errc() && end == value.data() + value.size() && number >= 0 && number <= most) return number;
  fault(cat("--", option, " takes a percentage from 0 to ", most, ", not '", value, "'"));
  return 0;
}

size_t Reader::choice(const std::string& option, const std::vector<std::string>& allowed) {
  for (size_t i = 0; i < allowed.size(); ++i) {
    if (text(option) == allowed[i]) return i;
  }
  fault("--" + option + " is one of " + join(allowed) + ", not '" + text(option) + "'" +
        did_you_mean(text(option), allowed));
  return 0;
}

bool Reader::has_value(const std::string& option, const std::string& value) const {
  const std::vector<std::string> given = texts(option);
  return std::find(given.begin(), given.end(), value) != given.end();
}

void Reader::pairs(const std::string& option, const std::function<void(const std::string&, const std::string&)>& take,
                   const std::string& word) {
  for (const std::string& item : texts(option)) {
    if (!word.empty() && item == word) continue;
    const size_t at = item.rfind('=');
    if (at == std::string::npos || at == 0 || at + 1 == item.size())
      fault(cat("--", option, " takes NAME=VALUE, not '", item, "'"));
    else take(item.substr(0, at), item.substr(at + 1));
  }
}

}  // namespace tarn::cli
