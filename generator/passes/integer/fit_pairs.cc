// Codes of pairs of codes as a line, which all 65,536 pairs are tried on.
#include <algorithm>
#include <array>
#include <cmath>

#include "ops/integer.h"
#include "passes/integer/pairs.h"

namespace tarn::passes::integer {

namespace {

constexpr size_t kMostExceptions = 512;  // pairs

struct Codes2 {
  std::vector<int32_t> code;  // of pair (a, b) at (a + 128) * 256 + b + 128
  const int32_t* row(int32_t a) const { return code.data() + static_cast<size_t>(a + 128) * 256; }
};

int64_t begin_of(const requant::Form& form, int64_t k) {
  return k * (int64_t{1} << form.post) + (((k + form.parity) & 1) != 0 ? form.tie : 0);
}

// b * b_factor for all b; with a * a_factor, a constant and a step it takes 31 bits, see line_of_pairs().
std::array<int32_t, 256> products(const PairForm& pair) {
  std::array<int32_t, 256> all = {};
  int32_t b = -128;
  for (int32_t& product : all) product = static_cast<int32_t>(b++ * pair.b_factor);
  return all;
}

// The constant may be no less than the lows and no more than the highs; those of odd codes (see Form) move with the
// tie.
struct Limits {
  static constexpr int32_t kLeast = INT32_MIN, kMost = INT32_MAX;  // no bound
  int32_t even_low = kLeast, odd_low = kLeast, even_high = kMost, odd_high = kMost;
};

Limits find_limits(const Codes2& codes, const PairForm& pair) {
  const std::array<int32_t, 256> along_b = products(pair);
  const int32_t lo = pair.form.lo, hi = pair.form.hi, post = pair.form.post, parity = pair.form.parity;
  Limits r;
  for (int32_t a = -128; a < 128; ++a) {
    const int32_t* row = codes.row(a);
    const auto along_a = static_cast<int32_t>(a * pair.a_factor);
    for (size_t i = 0; i < 256; ++i) {
      const int32_t k = row[i], distance = (k << post) - along_a - along_b[i];
      const bool odd = ((k + parity) & 1) != 0;
      const int32_t low = k > lo ? distance : Limits::kLeast;
      const int32_t high = k < hi ? distance + (1 << post) - 1 : Limits::kMost;  // where the next code begins
      r.even_low = std::max(r.even_low, odd ? Limits::kLeast : low);
      r.odd_low = std::max(r.odd_low, odd ? low : Limits::kLeast);
      r.even_high = std::min(r.even_high, odd ? high : Limits::kMost);
      r.odd_high = std::min(r.odd_high, odd ? Limits::kMost : high);
    }
  }
  return r;
}

// Does any pair of the row have another code on the line?
bool any_wrong(const requant::Form& form, const int32_t* row, const std::array<int32_t, 256>& along_b, int32_t start) {
  const int32_t fraction = (1 << form.post) - 1;
  int32_t wrong = 0;
  for (size_t i = 0; i < 256; ++i) {
    const int32_t t = start + along_b[i], q = t >> form.post;
    const int32_t late = ((q + form.parity) & 1) & static_cast<int32_t>((t & fraction) < form.tie);
    wrong |= std::min(std::max(q - late, form.lo), form.hi) ^ row[i];
  }
  return wrong != 0;
}

// A line of at most `most` exceptions, whose zone they and the ties give their size.
std::optional<PairForm> fit_with(const Codes2& codes, const Limits& limits, PairForm pair, size_t most) {
  requant::Form& form = pair.form;
  if (std::max(limits.even_low, limits.odd_low) == Limits::kLeast) return {};
  if (std::min(limits.even_high, limits.odd_high) == Limits::kMost) return {};
  const int64_t low = std::max<int64_t>(limits.even_low, int64_t{limits.odd_low} + form.tie);
  const int64_t high = std::min<int64_t>(limits.even_high, int64_t{limits.odd_high} + form.tie);
  pair.constant = low + (high - low) / 2;
  int64_t farthest = form.tie;
  form.channels.assign(1, {});
  std::vector<requant::Exception>& list = form.channels[0].exceptions;
  const std::array<int32_t, 256> along_b = products(pair);
  for (int32_t a = -128; a < 128 && low > high; ++a) {
    const int32_t* row = codes.row(a);
    const auto start = static_cast<int32_t>(a * pair.a_factor + pair.constant);
    if (!any_wrong(form, row, along_b, start)) continue;
    for (size_t i = 0; i < along_b.size(); ++i) {
      const int32_t k = row[i];
      const int64_t t = start + along_b[i];
      int64_t q = t >> form.post;
      if (t < begin_of(form, q)) --q;
      if (std::clamp<int64_t>(q, form.lo, form.hi) == k) continue;
      const int64_t step = k > q ? q + 1 : k + 1;  // the step that lies on the wrong side
      const int64_t distance = t - step * (int64_t{1} << form.post);
      farthest = std::max(farthest, distance < 0 ? -distance : distance + 1);
      list.push_back({a * 256 - 128 + static_cast<int64_t>(i), 1, k});
      if (list.size() > most) return {};
    }
  }
  if (farthest > 0) {
    int bits = 0;
    while ((int64_t{1} << bits) < farthest && bits < form.post - 1) ++bits;
    if ((int64_t{1} << bits) < farthest) return {};
    form.half_zone = 1 << bits;
    form.mask = (1 << form.post) - (2 << bits);
  }
  pair.constant += form.half_zone;
  const int64_t reach = 128 * (std::abs(pair.a_factor) + std::abs(pair.b_factor)) + std::abs(pair.constant);
  if (reach > (int64_t{1} << 31) - 1) return {};
  return pair;
}

Codes2 codes_of_pairs(const std::function<int32_t(int32_t, int32_t)>& value) {
  Codes2 codes;
  codes.code.reserve(size_t{256} * 256);
  for (int32_t a = -128; a < 128; ++a) {
    for (int32_t b = -128; b < 128; ++b) codes.code.push_back(value(a, b));
  }
  return codes;
}

// The line before its constant is known. Nothing: it is too steep.
std::optional<PairForm> line_of_pairs(const Codes2& codes, double a_slope, double b_slope) {
  PairForm pair;
  pair.form.lo = *std::min_element(codes.code.begin(), codes.code.end());
  pair.form.hi = *std::max_element(codes.code.begin(), codes.code.end());
  const double reach = 256 * (std::fabs(a_slope) + std::fabs(b_slope)) + 256;
  pair.form.post = 20;
  while (pair.form.post > 0 && reach * std::ldexp(1.0, pair.form.post) > std::ldexp(1.0, 30)) --pair.form.post;
  if (pair.form.post < 8) return {};
  pair.a_factor = std::llround(a_slope * std::ldexp(1.0, pair.form.post));
  pair.b_factor = std::llround(b_slope * std::ldexp(1.0, pair.form.post));
  return pair;
}

}  // namespace

std::optional<PairForm> fit_pair(const std::function<int32_t(int32_t, int32_t)>& value, double a_slope, double b_slope,
                                 int32_t parity) {
  const Codes2 codes = codes_of_pairs(value);
  std::optional<PairForm> pair = line_of_pairs(codes, a_slope, b_slope);
  if (!pair) return {};
  pair->form.parity = parity;
  const Limits limits = find_limits(codes, *pair);
  std::optional<PairForm> best = fit_with(codes, limits, *pair, kMostExceptions);
  if (best && best->form.exceptions() == 0) return best;
  for (int bits = 0; bits <= pair->form.post - 4; bits += 2) {
    PairForm tied = *pair;
    tied.form.tie = 1 << bits;
    // Only one of fewer exceptions is of use.
    std::optional<PairForm> other = fit_with(codes, limits, tied, best ? best->form.exceptions() - 1 : kMostExceptions);
    if (other) best = std::move(other);
    if (best && best->form.exceptions() == 0) break;
  }
  return best;
}

PairForm zoned_pair(const std::function<int32_t(int32_t, int32_t)>& value, double a_slope, double b_slope) {
  const Codes2 codes = codes_of_pairs(value);
  const std::optional<PairForm> line = line_of_pairs(codes, a_slope, b_slope);
  std::optional<PairForm> fitted =
      line ? fit_with(codes, find_limits(codes, *line), *line, codes.code.size()) : std::nullopt;
  // A zone of an eighth of a step leaves too little beside it.
  if (fitted && fitted->form.half_zone <= 1 << (fitted->form.post - 4)) return *fitted;
  PairForm none;
  none.form.mask = 0;
  return none;
}

void set_pair(Node& node, const PairForm& pair) {
  ops::set_form(node, pair.form, {0}, describe(pair.form));
  node.attributes["factors"] = std::vector<int64_t>{pair.a_factor, pair.b_factor, pair.constant};
}

bool fit_product(const std::function<int32_t(int64_t)>& value, const Codes& a, const Codes& b, int32_t parity,
                 Node& node) {
  const int64_t az = a.signed_zero(), bz = b.signed_zero();
  int64_t first = 0, last = 0;
  for (int64_t u : {-128 - az, 127 - az}) {
    for (int64_t v : {-128 - bz, 127 - bz}) {
      first = std::min(first, u * v);
      last = std::max(last, u * v);
    }
  }
  const auto form = requant::fit({{value, first, last}}, parity);
  if (!form) return false;
  ops::set_form(node, *form, {0}, describe(*form));
  node.attributes["zeros"] = std::vector<int64_t>{az, bz};
  return true;
}

}  // namespace tarn::passes::integer
