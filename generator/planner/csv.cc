#include "planner/csv.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <tuple>

namespace tarn::planner {

namespace {

enum Column { kId, kLower, kUpper, kSize, kAlignment, kHint, kOffset, kGaps, kColumns };

struct Spelling {
  std::string_view text;
  Column column;
  bool inclusive = false;
};
constexpr Spelling kSpellings[] = {
    {"id", kId},       {"buffer", kId},     {"buffer_id", kId},    {"lower", kLower}, {"begin", kLower},
    {"start", kLower}, {"upper", kUpper},   {"end", kUpper, true}, {"size", kSize},   {"alignment", kAlignment},
    {"hint", kHint},   {"offset", kOffset}, {"gaps", kGaps},
};
constexpr std::string_view kNames[] = {"id", "lower", "upper", "size", "alignment", "hint", "offset", "gaps"};

std::string_view trim(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

// Cuts off and returns what comes before the first `separator`.
std::string_view take(std::string_view& rest, char separator) {
  const size_t at = rest.find(separator);
  const std::string_view part = rest.substr(0, at);
  rest = at == std::string_view::npos ? std::string_view() : rest.substr(at + 1);
  return part;
}

// Takes a number off the front of the text. Beyond 2^62 nothing is a number: sums of a few stay within 64 bits.
std::optional<int64_t> take_number(std::string_view& text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  constexpr int64_t kMost = int64_t{1} << 61;
  if (error != std::errc() || value > kMost || value < -kMost) return {};
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return value;
}

bool take_char(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

// What a message may repeat of a damaged file.
std::string shown(std::string_view text) {
  std::string out(text.substr(0, 60));
  for (char& c : out) {
    if (c < ' ' || c > '~') c = '?';
  }
  return out;
}

std::optional<Gap> parse_gap(std::string_view text, Instant beyond) {
  Gap gap;
  const auto first = take_number(text);
  if (!first || !take_char(text, '-')) return {};
  const auto end = take_number(text);
  if (!end) return {};
  gap.first = *first;
  gap.end = *end + beyond;
  if (take_char(text, '@')) {
    gap.window_first = take_number(text);
    if (!gap.window_first || !take_char(text, ':')) return {};
    gap.window_end = take_number(text);
    if (!gap.window_end) return {};
  }
  if (!text.empty()) return {};
  return gap;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  CsvTable run() {
    if (rest_.substr(0, 3) == "\xEF\xBB\xBF") rest_.remove_prefix(3);
    ++line_;
    read_header(take(rest_, '\n'));
    table_.problem.items.reserve(
        std::min(static_cast<size_t>(std::count(rest_.begin(), rest_.end(), '\n')) + 1, rest_.size() / 8 + 1));
    while (table_.faults.empty() || (good_header_ && table_.faults.size() < kMostFaults)) {
      if (rest_.empty()) break;
      ++line_;
      const std::string_view line = trim(take(rest_, '\n'));
      if (line.empty()) break;
      read_row(line);
    }
    return std::move(table_);
  }

 private:
  static constexpr size_t kMostFaults = 100;

  void fault(std::string message) { table_.faults.push_back({line_, std::move(message)}); }

  void read_header(std::string_view header) {
    header = trim(header);
    std::array<bool, kColumns> seen{};
    if (header.empty()) {
      fault("no header: the first line names the columns");
      return;
    }
    for (bool more = true; more;) {
      more = header.find(',') != std::string_view::npos;
      const std::string_view name = trim(take(header, ','));
      const auto known =
          std::find_if(std::begin(kSpellings), std::end(kSpellings), [&](const Spelling& s) { return s.text == name; });
      if (known == std::end(kSpellings)) {
        fault("unknown column '" + shown(name) + "'");
        if (table_.faults.size() >= kMostFaults) return;
        continue;
      }
      if (seen[known->column]) fault("the column '" + std::string(kNames[known->column]) + "' is there twice");
      seen[known->column] = true;
      if (known->inclusive) beyond_ = 1;
      columns_.push_back(known->column);
    }
    for (Column c : {kId, kLower, kUpper, kSize}) {
      if (!seen[c]) fault("the column '" + std::string(kNames[c]) + "' is missing");
    }
    good_header_ = table_.faults.empty();
  }

  void read_row(std::string_view line) {
    Item item;
    size_t count = 0;
    for (bool more = true; more; ++count) {
      more = line.find(',') != std::string_view::npos;
      const std::string_view field = trim(take(line, ','));
      if (count < columns_.size()) read_field(columns_[count], field, item);
    }
    if (count != columns_.size())
      fault(std::to_string(count) + " fields, the header has " + std::to_string(columns_.size()));
    table_.problem.items.push_back(std::move(item));
  }

  void read_field(Column column, std::string_view field, Item& item) {
    if (column == kId) {
      item.id = std::string(field);
      return;
    }
    if (column == kGaps) {
      read_gaps(field, item);
      return;
    }
    if (field.empty() && (column == kAlignment || column == kHint || column == kOffset)) return;
    std::string_view digits = field;
    const auto number = take_number(digits);
    if (!number || !digits.empty()) {
      fault("'" + shown(field) + "' is no number for the column '" + std::string(kNames[column]) + "'");
      return;
    }
    switch (column) {
      case kLower: item.first = *number; break;
      case kUpper: item.end = *number + beyond_; break;
      case kSize: item.size = *number; break;
      case kAlignment: item.alignment = *number; break;
      case kHint:
        if (*number >= 0) item.hint = *number;
        break;
      case kOffset: item.offset = *number; break;
      default: break;
    }
  }

  void read_gaps(std::string_view field, Item& item) {
    while (!field.empty()) {
      const std::string_view text = take(field, ' ');
      if (text.empty()) continue;
      if (const auto gap = parse_gap(text, beyond_)) {
        item.gaps.push_back(*gap);
      } else {
        fault("'" + shown(text) + "' is no gap; write a-b or a-b@lo:hi");
        return;
      }
    }
    std::ranges::sort(item.gaps, {}, [](const Gap& g) { return std::tie(g.first, g.end); });
  }

  std::string_view rest_;
  size_t line_ = 0;
  Instant beyond_ = 0;  // 1 if the instants named as ends are still part of the life
  bool good_header_ = false;
  std::vector<Column> columns_;
  CsvTable table_;
};

}  // namespace

CsvTable read_csv(std::string_view text) { return Reader(text).run(); }

std::string with_offsets(std::string_view text, const std::vector<Offset>& offsets) {
  std::string out;
  out.reserve(text.size() + offsets.size() * 12);
  std::string_view header = trim(take(text, '\n'));
  out += header;
  size_t column = 0, replaced = SIZE_MAX;
  for (bool more = true; more; ++column) {
    more = header.find(',') != std::string_view::npos;
    if (trim(take(header, ',')) == "offset") replaced = column;
  }
  out += replaced == SIZE_MAX ? ",offset\n" : "\n";
  for (Offset offset : offsets) {
    std::string_view line = trim(take(text, '\n'));
    if (replaced == SIZE_MAX) {
      out.append(line).append(",").append(std::to_string(offset)).append("\n");
      continue;
    }
    for (size_t c = 0; c < column; ++c) {
      const std::string_view field = take(line, ',');
      if (c > 0) out += ',';
      if (c == replaced) out += std::to_string(offset);
      else out += field;
    }
    out += '\n';
  }
  return out;
}

}  // namespace tarn::planner
