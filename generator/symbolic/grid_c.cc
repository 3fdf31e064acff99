#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "support/text.h"
#include "symbolic/fit.h"
#include "symbolic/grid.h"

namespace tarn::symbolic {

namespace {

using Variables = std::vector<CVariable>;
using Values = std::vector<int64_t>;

bool fits(int64_t value) { return std::abs(value) <= std::numeric_limits<int32_t>::max(); }

// The values by one variable: the slices at each of its numbers, each over the others.
struct Sliced {
  CVariable variable;
  Variables others;
  std::vector<Values> slices;
};

Sliced slice(const Variables& variables, const Values& values, size_t axis) {
  Sliced sliced{variables[axis], variables, {}};
  sliced.others.erase(sliced.others.begin() + static_cast<std::ptrdiff_t>(axis));
  size_t inner = 1;
  for (size_t i = axis + 1; i < variables.size(); ++i) inner *= static_cast<size_t>(variables[i].count);
  const auto count = static_cast<size_t>(variables[axis].count);
  sliced.slices.resize(count);
  for (size_t i = 0; i < values.size(); ++i) sliced.slices[i / inner % count].push_back(values[i]);
  return sliced;
}

std::string factor(const std::string& text) {
  int open = 0;
  // Parentheses around all of it, or nothing that needs some.
  const bool closed = std::all_of(text.begin(), text.end(), [&](unsigned char c) {
    open += c == '(' ? 1 : c == ')' ? -1 : 0;
    return open > 0 || c == ')' || std::isalnum(c) != 0 || c == '_';
  });
  return closed ? text : "(" + text + ")";
}

std::string sum(const std::string& a, const std::string& b) {
  if (b == "0") return a;
  return b.front() == '-' ? cat(a, " + (", b, ")") : cat(a, " + ", b);
}

Values first_column(const Sliced& s) {
  Values column;
  for (const Values& one : s.slices) column.push_back(one.front());
  return column;
}

// A multiple of the variable and the rest, both of the other variables.
std::optional<std::string> as_multiple(const Sliced& s) {
  if (s.variable.count < 3) return {};
  const Values &a = s.slices[0], &b = s.slices[1];
  Values slope(a.size()), rest(a.size());
  for (size_t i = 0; i < a.size(); ++i) {
    slope[i] = b[i] - a[i];
    rest[i] = a[i] - slope[i] * s.variable.low;
    const int64_t high = s.variable.low + s.variable.count - 1;
    if (!fits(slope[i]) || !fits(rest[i]) || !fits(std::abs(slope[i]) * high + std::abs(rest[i]))) return {};
    for (size_t n = 0; n < s.slices.size(); ++n) {
      if (s.slices[n][i] != rest[i] + slope[i] * (s.variable.low + static_cast<int64_t>(n))) return {};
    }
  }
  const auto times = to_c(s.others, slope), plus = to_c(s.others, rest);
  if (!times || !plus) return {};
  return sum(cat(factor(*times), " * ", s.variable.text), *plus);
}

// What the variable adds, and the rest.
std::optional<std::string> as_sum(const Sliced& s) {
  Values added = first_column(s);
  for (int64_t& value : added) value -= s.slices[0].front();
  for (size_t n = 0; n < s.slices.size(); ++n) {
    if (!fits(added[n])) return {};
    for (size_t i = 0; i < s.slices[n].size(); ++i) {
      if (s.slices[n][i] != s.slices[0][i] + added[n] || !fits(std::abs(added[n]) + std::abs(s.slices[0][i])))
        return {};
    }
  }
  const auto own = to_c({s.variable}, added), rest = to_c(s.others, s.slices[0]);
  if (!own || !rest) return {};
  return sum(*own, *rest);
}

// A product with what the variable gives.
std::optional<std::string> as_product(const Sliced& s) {
  Values factors = first_column(s);
  int64_t common = 0;
  for (const int64_t value : factors) common = std::gcd(common, value);
  if (common == 0 || factors[0] == 0) return {};
  for (int64_t& value : factors) value /= common;
  Values rest;
  for (const int64_t value : s.slices[0]) {
    if (value % factors[0] != 0) return {};
    rest.push_back(value / factors[0]);
  }
  for (size_t n = 0; n < s.slices.size(); ++n) {
    for (size_t i = 0; i < rest.size(); ++i) {
      if (!fits(s.slices[n][i]) || s.slices[n][i] != factors[n] * rest[i]) return {};
    }
  }
  const auto own = to_c({s.variable}, factors), other = to_c(s.others, rest);
  if (!own || !other) return {};
  return cat(factor(*own), " * ", factor(*other));
}

}  // namespace

std::optional<std::string> to_c(const std::vector<CVariable>& variables, const std::vector<int64_t>& values) {
  if (std::all_of(values.begin(), values.end(), [&](int64_t v) { return v == values.front(); })) {
    if (!fits(values.front())) return {};
    return cat(values.front());
  }
  if (!std::all_of(values.begin(), values.end(), fits)) return {};
  if (variables.size() == 1) return to_c(variables[0].text, variables[0].low, values);
  for (size_t axis = 0; axis < variables.size(); ++axis) {
    const Sliced sliced = slice(variables, values, axis);
    if (std::all_of(sliced.slices.begin(), sliced.slices.end(), [&](const Values& v) { return v == sliced.slices[0]; }))
      return to_c(sliced.others, sliced.slices[0]);
  }
  for (const auto& way : {as_multiple, as_sum, as_product}) {
    for (size_t axis = 0; axis < variables.size(); ++axis) {
      if (std::optional<std::string> text = way(slice(variables, values, axis))) return text;
    }
  }
  return {};
}

}  // namespace tarn::symbolic
