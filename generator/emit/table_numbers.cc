#include "emit/table_numbers.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "program/likely_zeros.h"
#include "program/weight_bytes.h"
#include "support/text.h"
#include "time/terms.h"

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

// tarn_convtranspose_line_f32.h: of every phase how many taps it has, which the first of them is, and what it moves by.
void add_phases(const program::Weight& table, std::map<std::string, int64_t>& numbers) {
  const std::vector<uint32_t> words = words_of(table);
  for (size_t phase = 0; 3 * phase + 2 < words.size(); ++phase) {
    numbers["phase.taps." + std::to_string(phase)] = static_cast<int32_t>(words[3 * phase]);
    numbers["phase.moved." + std::to_string(phase)] = static_cast<int32_t>(words[3 * phase + 2]);
  }
}

// tarn_trees_f32.h: of all trees the comparisons from a root to a leaf and the weights there, the fewest and the most
// of them, and as many as there are where every comparison is as often true as not, in parts of 65536.
struct TreePaths {
  double least = 0, usual = 0, most = 0;
};

void add_trees(const program::Weight& features_of, const program::Weight& jumps_of, const program::Weight& roots_of,
               const program::Weight& weights_of, std::map<std::string, int64_t>& numbers) {
  constexpr double kParts = 65536;
  const std::vector<uint32_t> features = words_of(features_of), jumps = words_of(jumps_of), roots = words_of(roots_of);
  const auto feature = [&](size_t at) { return static_cast<int32_t>(features[at]); };
  // Entries of a tree follow each other, those that a comparison leads to behind it.
  std::vector<TreePaths> compared(features.size()), weights(features.size());
  for (size_t i = features.size(); i-- > 0;) {
    if (feature(i) < 0) {
      const double n = -1.0 - feature(i);
      weights[i] = {n, n, n};
      continue;
    }
    const size_t yes = jumps[i], no = i + 1;
    if (yes <= i || yes >= features.size() || no >= features.size()) return;
    const auto join = [](const TreePaths& a, const TreePaths& b, double own) {
      return TreePaths{own + std::min(a.least, b.least), own + (a.usual + b.usual) / 2, own + std::max(a.most, b.most)};
    };
    compared[i] = join(compared[yes], compared[no], 1);
    weights[i] = join(weights[yes], weights[no], 0);
  }
  for (const auto& [name, of] : {std::pair("compared", &compared), std::pair("weights", &weights)}) {
    TreePaths all;
    for (const uint32_t root : roots) {
      if (root >= of->size()) return;
      all = {all.least + (*of)[root].least, all.usual + (*of)[root].usual, all.most + (*of)[root].most};
    }
    const std::string begin = std::string("trees.") + name;
    numbers[begin + ".least"] = static_cast<int64_t>(kParts * all.least);
    numbers[begin + ".usual"] = static_cast<int64_t>(kParts * all.usual);
    numbers[begin + ".most"] = static_cast<int64_t>(kParts * all.most);
  }
  const auto zeros = weights_of.dtype == DType::float32 ? std::ranges::count(words_of(weights_of), 0U) : 0;
  numbers["trees.zeros"] = 100 * zeros / std::max<int64_t>(1, weights_of.count);  // percent
}

// tarn_int_product_s8.c: of 65536 pairs of codes those that are computed as the operator does. A second operand of one
// constant is that code in each of them.
void add_near_pairs(const program::Weight* b, const program::Weight* factors, std::map<std::string, int64_t>& numbers) {
  constexpr int64_t kLeast = -128, kCodes = 256;
  const int64_t a_zero = numbers.at("own.a_zero"), b_zero = numbers.at("own.b_zero"), mask = numbers.at("mask");
  const std::vector<uint32_t> table = factors ? words_of(*factors) : std::vector<uint32_t>();
  if (factors && table.size() < static_cast<size_t>(kCodes)) return;
  const bool one = b && b->count == 1 && b->missing.empty() && numbers.at("b_step") == 0;
  const int64_t first = one ? static_cast<int8_t>(program::bytes_of(*b).at(0)) : kLeast;
  int64_t near = 0;
  for (int64_t v = first; v < (one ? first + 1 : kLeast + kCodes); ++v) {
    const int64_t factor =
        factors ? static_cast<int32_t>(table[static_cast<size_t>(v - kLeast)]) : (v - b_zero) * numbers.at("m");
    for (int64_t u = kLeast; u < kLeast + kCodes; ++u) {
      const int64_t t = (u - a_zero) * factor + numbers.at("constant");
      near += (t & mask) == 0 || (factors && factor == 0);
    }
  }
  numbers["near_pairs"] = one ? kCodes * near : near;
}

// How many weights a layer has without the zeros beside the last output; of other operations all of the constant.
int64_t own_weights(const Operation& operation, int64_t stored, const std::map<std::string, int64_t>& numbers) {
  const auto product = [&](std::initializer_list<const char*> names) {
    int64_t all = 1;
    for (const char* name : names) {
      const auto at = numbers.find(name);
      all *= at == numbers.end() ? 0 : at->second;
    }
    return all > 0 ? std::min(all, stored) : stored;
  };
  const std::string& kernel = operation.kernel;
  if (kernel.starts_with("tarn_dense_f")) return product({"inputs", "outputs"});
  if (kernel.starts_with("tarn_conv2d_f"))
    return product({"line.rows", "line.taps", "line.inputs", "line.outputs", "line.groups"});
  if (kernel.starts_with("tarn_depthwise2d_f")) return product({"line.rows", "line.taps", "line.channels"});
  return stored;
}

// Of the weights of a layer, or another constant operand, in software floats: the percent that are zero, and of the
// others those that are a power of two; products with these are exact at once. Of large ones it is not worth the look.
void add_plain(const Operation& operation, const program::Weight& weights, std::map<std::string, int64_t>& numbers) {
  const std::optional<int64_t> stored_zeros = program::count_zeros(weights);
  if (!stored_zeros || weights.count == 0) return;
  const std::vector<uint8_t> bytes = program::bytes_of(weights);
  const bool half = weights.dtype == DType::float16;
  const size_t size = half ? 2 : 4;
  int64_t exact = 0;  // no bits of a mantissa
  for (size_t at = 0; at + size <= bytes.size(); at += size) {
    const uint32_t low = bytes[at] | static_cast<uint32_t>(bytes[at + 1]) << 8;
    exact += half ? (low & 0x3ffU) == 0 : low == 0 && (bytes[at + 2] & 0x7fU) == 0;
  }
  const int64_t own = own_weights(operation, weights.count, numbers);
  const int64_t zeros = std::clamp<int64_t>(*stored_zeros - (weights.count - own), 0, own);
  numbers["zeros.1"] = numbers["most_zeros.1"] = 100 * zeros / own;
  numbers["plain"] = std::min<int64_t>(100, 100 * (exact - *stored_zeros) / std::max<int64_t>(1, own - zeros));
}

// A scale that is a power of two, by which codes are made or made floats of.
void add_plain_scale(const Operation& operation, std::map<std::string, int64_t>& numbers) {
  for (const program::Field& field : operation.params.fields) {
    const auto* scale = std::get_if<program::Float32>(&field.value);
    int exponent = 0;
    if (scale && field.name == "scale") numbers["plain"] = std::frexp(scale->value, &exponent) == 0.5 ? 100 : 0;
  }
}

// Weights that are not skipped: all of them, outputs with an odd number and with any, and by line and tap of the
// kernel; of each line how often a tap ends before its last one (tarn_conv_line_sparse_f32.c). Float convolutions alone
// have rows by line.
void add_sparse(const program::Weight& gaps_of, std::map<std::string, int64_t>& numbers) {
  const std::vector<uint8_t> gaps = program::bytes_of(gaps_of);
  const auto rows = numbers.find("line.rows"), inputs = numbers.find("line.inputs");
  const bool by_line = rows != numbers.end() && inputs != numbers.end();
  const int64_t lines = by_line ? rows->second : 1, width = by_line ? inputs->second : INT32_MAX;
  const int64_t taps = by_line ? numbers.at("line.taps") : 1;
  if (lines <= 0 || width <= 0) return;
  std::vector<int64_t> by_row(static_cast<size_t>(lines)), passed(by_row.size()), entered(by_row.size());
  std::vector<int64_t> by_tap(static_cast<size_t>(lines * taps));
  int64_t odd = 0, all = 0, row = 0;
  for (size_t at = 0; at + 2 <= gaps.size(); ++row) {
    const size_t count = gaps[at] | static_cast<size_t>(gaps[at + 1]) << 8;
    at += 2;
    if (at + count > gaps.size()) return;
    int64_t place = -1;
    for (size_t end = at + count; at < end; ++at) {
      place += gaps[at] + 1;
      const int64_t tap = std::min(taps - 1, place / width);
      ++by_tap[static_cast<size_t>(row % lines * taps + tap)];
    }
    by_row[static_cast<size_t>(row % lines)] += static_cast<int64_t>(count);
    entered[static_cast<size_t>(row % lines)] += count > 0;
    passed[static_cast<size_t>(row % lines)] += std::max<int64_t>(0, place) / width;
    odd += static_cast<int64_t>(count % 2);
    all += static_cast<int64_t>(count);
  }
  numbers["kept"] = all;
  numbers["kept_odd"] = odd;
  numbers["entered"] = std::accumulate(entered.begin(), entered.end(), int64_t{0});
  if (!by_line) return;
  for (int64_t r = 0; r < lines; ++r) {
    numbers[cat("kept.", r)] = by_row[static_cast<size_t>(r)];
    numbers[cat("entered.", r)] = entered[static_cast<size_t>(r)];
    numbers[cat("kept_taps.", r)] = passed[static_cast<size_t>(r)];
    for (int64_t t = 0; t < taps; ++t) numbers[cat("kept.", r, ".", t)] = by_tap[static_cast<size_t>(r * taps + t)];
  }
}

}  // namespace

void add_table_numbers(const Analysis& analysis, const Operation& operation, std::map<std::string, int64_t>& numbers) {
  std::map<size_t, program::Weight> unpacked;
  const auto weight = [&](size_t argument) -> const program::Weight* {
    if (argument >= operation.arguments.size()) return nullptr;
    const program::Argument& a = operation.arguments[argument];
    if (a.role != program::Argument::Role::weight) return nullptr;
    const program::Weight& stored = analysis.program[a.weight];
    if (!stored.plain || !stored.plain->unpacked) return &stored;
    program::Weight& made = unpacked[argument];
    made.dtype = stored.plain->dtype;
    made.count = stored.plain->count;
    made.write = stored.plain->unpacked;
    return &made;
  };
  const bool resizes = operation.kernel.starts_with("tarn_resize_") || operation.kernel.starts_with("tarn_int_resize_");
  if (resizes && weight(1) && weight(2) && numbers.contains("line.taps") && numbers.contains("out_lines"))
    add_interpolation(*weight(1), *weight(2), numbers);
  if (operation.kernel.starts_with("tarn_convtranspose_") && numbers.contains("line.stride") && weight(3))
    add_phases(*weight(3), numbers);
  if (operation.kernel.starts_with("tarn_trees_") && weight(1) && weight(3) && weight(4) && weight(6))
    add_trees(*weight(1), *weight(3), *weight(4), *weight(6), numbers);
  const bool scans = operation.kernel.starts_with("tarn_cumsum_") || operation.kernel.starts_with("tarn_cumprod_");
  if (scans && weight(1) && weight(1)->missing.empty() && numbers.contains("rank")) {
    const std::vector<uint32_t> axis = words_of(*weight(1));
    const int64_t along = axis.empty() ? -1 : static_cast<int32_t>(axis[0]);
    numbers["along"] = along < 0 ? along + numbers.at("rank") : along;
  }
  if (operation.kernel == "tarn_int_product_s8" && numbers.contains("own.b_zero") && numbers.contains("b_step"))
    add_near_pairs(weight(1), weight(3), numbers);
  if (operation.kernel.find("_sparse_") != std::string::npos && weight(2)) add_sparse(*weight(2), numbers);
  const bool whole = operation.kernel.ends_with("_f32") || operation.kernel.ends_with("_f16");
  if (!timing::core_of(analysis.options.target).floats) {
    add_plain_scale(operation, numbers);
    for (const char* of : {"tarn_dense_f", "tarn_conv2d_f", "tarn_depthwise2d_f", "tarn_mul_f", "tarn_div_f",
                           "tarn_add_f", "tarn_sub_f"}) {
      if (whole && operation.kernel.starts_with(of) && weight(1)) add_plain(operation, *weight(1), numbers);
    }
  }
  constexpr size_t kAllowed = 4;
  if (operation.kernel.starts_with("tarn_attention_") && weight(kAllowed) && numbers.contains("allowed.row") &&
      weight(kAllowed)->missing.empty())
    add_mask(*weight(kAllowed), numbers);
}

}  // namespace tarn::emit
