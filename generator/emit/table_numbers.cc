#include "emit/table_numbers.h"

#include <algorithm>
#include <vector>

#include "program/weight_bytes.h"

namespace tarn::emit {

namespace {

using program::Operation;

constexpr int64_t kMostRows = 4096;  // of scores whose masks are looked at

// Words of 32 bits.
std::vector<uint32_t> words_of(const program::Weight& weight) {
  const std::vector<uint8_t> bytes = program::bytes_of(weight);
  std::vector<uint32_t> words(bytes.size() / sizeof(uint32_t));
  for (size_t i = 0; i < words.size(); ++i)
    for (size_t b = 0; b < sizeof(uint32_t); ++b) words[i] |= uint32_t{bytes[sizeof(uint32_t) * i + b]} << (8 * b);
  return words;
}

// tarn_resize_f32.h, tarn_int_resize_s8.h: starts, and weights, of all planes, then lines, then pixels.
void add_interpolation(const program::Weight& starts_of, const program::Weight& weights_of,
                       std::map<std::string, int64_t>& numbers) {
  constexpr uint32_t kSign = 0x80000000U;  // of a zero too
  const std::vector<uint32_t> starts = words_of(starts_of), weights = words_of(weights_of);
  const struct {
    const char *name, *positions, *taps;
  } axes[] = {{"planes", "out_planes", "line.planes"},
              {"lines", "out_lines", "line.lines"},
              {"pixels", "out_pixels", "line.taps"}};
  size_t position = 0, weight = 0;
  for (const auto& axis : axes) {
    int64_t inside = 0, taken = 0;
    const int64_t taps = numbers.at(axis.taps);
    for (int64_t i = 0; i < numbers.at(axis.positions); ++i, ++position) {
      const bool within = position < starts.size() && (starts[position] & kSign) == 0;
      inside += within ? 1 : 0;
      for (int64_t t = 0; t < taps; ++t, ++weight)
        taken += within && weight < weights.size() && (weights[weight] & ~kSign) != 0 ? 1 : 0;
    }
    numbers[std::string("inside.") + axis.name] = inside;
    numbers[std::string("taken.") + axis.name] = taken;
  }
}

// tarn_attention_row_f32.h: of every row of the scores the keys up to the last one that a constant mask leaves open;
// one number for a whole row of each batch and head in turn.
void add_mask(const program::Weight& mask, std::map<std::string, int64_t>& numbers) {
  const auto of = [&](const char* name) { return numbers.at(std::string("allowed.") + name); };
  const int64_t batch = numbers.at("batch"), heads = numbers.at("heads"), rows = numbers.at("rows"),
                keys = std::min(numbers.at("keys"), numbers.at("allowed_keys"));
  if (batch * heads * rows > kMostRows) return;
  const std::vector<uint8_t> bytes = program::bytes_of(mask);
  int64_t row = 0;
  for (int64_t b = 0; b < batch; ++b) {
    for (int64_t h = 0; h < heads; ++h) {
      for (int64_t r = 0; r < rows; ++r, ++row) {
        int64_t open = keys;
        const auto closed = [&](int64_t key) {
          const int64_t at = of("first") + b * of("batch") + h * of("head") + r * of("row") + key * of("column");
          return at >= 0 && at < static_cast<int64_t>(bytes.size()) &&
                 (bytes[static_cast<size_t>(at)] != 0) == (numbers.at("blocking") != 0);
        };
        while (open > 0 && closed(open - 1)) --open;
        numbers["open." + std::to_string(row)] = open;
      }
    }
  }
}

}  // namespace

void add_table_numbers(const Analysis& analysis, const Operation& operation, std::map<std::string, int64_t>& numbers) {
  const auto weight = [&](size_t argument) -> const program::Weight* {
    if (argument >= operation.arguments.size()) return nullptr;
    const program::Argument& a = operation.arguments[argument];
    return a.role == program::Argument::Role::weight ? &analysis.program[a.weight] : nullptr;
  };
  const bool resizes = operation.kernel.starts_with("tarn_resize_") || operation.kernel.starts_with("tarn_int_resize_");
  if (resizes && weight(1) && weight(2) && numbers.contains("line.taps") && numbers.contains("out_lines"))
    add_interpolation(*weight(1), *weight(2), numbers);
  constexpr size_t kAllowed = 4;
  if (operation.kernel.starts_with("tarn_attention_") && weight(kAllowed) && numbers.contains("allowed.row") &&
      weight(kAllowed)->missing.empty())
    add_mask(*weight(kAllowed), numbers);
}

}  // namespace tarn::emit
