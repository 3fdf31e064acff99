// A function of several variables that grows by the same step, or by steps that grow by the same, along one of them is
// c2*x*x + c1*x + c0 with functions of the other variables for c0 to c2: each has one variable less. Of the last one
// fit() tells. What has no formula on the whole grid is cut in two along one axis, where the first part is largest.
#include "symbolic/grid.h"

#include <algorithm>
#include <optional>

#include "support/text.h"
#include "symbolic/fit.h"

namespace tarn::symbolic {

namespace {

using Values = std::vector<int64_t>;

constexpr int64_t kMostValue = int64_t{1} << 40;  // of what is multiplied
constexpr int64_t kMostVariable = int64_t{1} << 20;

// Every value is the same.
bool is_constant(const Values& values) {
  return std::all_of(values.begin(), values.end(), [&](int64_t v) { return v == values.front(); });
}

// "x*(a + b)", "4*y*x"; "" of nothing.
std::string product_of(const std::string& factor, const std::string& variable) {
  if (factor == "0") return "";
  if (factor == "1") return variable;
  if (factor == "-1") return "-" + variable;
  if (factor.find(" + ") != std::string::npos || factor.find(" - ") != std::string::npos)
    return cat(variable, "*(", factor, ")");
  return cat(factor, "*", variable);
}

void append(std::string& text, const std::string& term) {
  if (term.empty() || term == "0") return;
  if (text.empty()) text = term;
  else if (term[0] == '-') text += " - " + term.substr(1);
  else text += " + " + term;
}

std::optional<std::string> formula(const std::vector<Axis>& axes, const Values& values);

// The values as c2*x*x + c1*x + c0 of the axis `along`.
std::optional<std::string> polynomial(const std::vector<Axis>& axes, const Values& values, size_t along, int degree) {
  const Axis& axis = axes[along];
  const auto count = static_cast<size_t>(axis.count());
  // More points than coefficients.
  if (count < static_cast<size_t>(degree) + 2 || axis.high > kMostVariable) return {};
  size_t inner = 1;
  for (size_t i = along + 1; i < axes.size(); ++i) inner *= static_cast<size_t>(axes[i].count());
  const size_t outer = values.size() / (inner * count);
  Values constants, slopes, squares;
  for (size_t o = 0; o < outer; ++o) {
    for (size_t i = 0; i < inner; ++i) {
      const auto at = [&](size_t n) { return values[(o * count + n) * inner + i]; };
      const int64_t second = degree == 2 ? at(2) - 2 * at(1) + at(0) : 0;
      if (second % 2 != 0) return {};
      const int64_t square = second / 2, x = axis.low;
      const int64_t slope = at(1) - at(0) - square * (2 * x + 1);
      const int64_t constant = at(0) - slope * x - square * x * x;
      for (size_t n = 0; n < count; ++n) {
        const int64_t y = x + static_cast<int64_t>(n);
        if (square * y * y + slope * y + constant != at(n)) return {};
      }
      constants.push_back(constant);
      slopes.push_back(slope);
      squares.push_back(square);
    }
  }
  std::vector<Axis> others = axes;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(along));
  const auto square = formula(others, squares), slope = formula(others, slopes), constant = formula(others, constants);
  if (!square || !slope || !constant) return {};
  const std::string x = shown(axis.name);
  std::string text;
  append(text, product_of(*square, cat(x, "*", x)));
  append(text, product_of(*slope, x));
  append(text, *constant);
  return text.empty() ? "0" : text;
}

std::optional<std::string> formula(const std::vector<Axis>& axes, const Values& values) {
  if (is_constant(values)) return cat(values.front());
  // One of the differences of a step may be negative; fit() takes sizes.
  const bool small = std::all_of(values.begin(), values.end(), [](int64_t v) { return std::abs(v) < kMostValue; });
  if (!small) return {};
  if (axes.size() == 1) {
    const std::vector<Piece> pieces = fit(axes[0].name, axes[0].low, values);
    if (pieces.size() == 1) return pieces[0].expression;
  }
  for (const int degree : {1, 2}) {
    for (size_t along = 0; along < axes.size(); ++along) {
      if (auto text = polynomial(axes, values, along, degree)) return text;
    }
  }
  return {};
}

// A part of the grid: `first` and `end` by axis, counted from its low end.
struct Part {
  std::vector<int64_t> first, end;
  int64_t points() const {
    int64_t points = 1;
    for (size_t i = 0; i < first.size(); ++i) points *= end[i] - first[i];
    return points;
  }
};

Values values_in(const std::vector<Axis>& axes, const Values& values, const Part& part) {
  Values inside;
  std::vector<int64_t> at = part.first;
  for (int64_t left = part.points(); left > 0; --left) {
    int64_t index = 0;
    for (size_t i = 0; i < axes.size(); ++i) index = index * axes[i].count() + at[i];
    inside.push_back(values[static_cast<size_t>(index)]);
    for (size_t i = axes.size(); i-- > 0;) {
      if (++at[i] < part.end[i]) break;
      at[i] = part.first[i];
    }
  }
  return inside;
}

struct Figure {
  const std::vector<Axis>& axes;
  const Values& values;
  const std::vector<Term>& terms;
};

// The values less those of a term, which is at least a part of each of them.
std::optional<Values> without(const Values& values, const Values& term) {
  Values rest = values;
  for (size_t i = 0; i < rest.size(); ++i) {
    rest[i] -= term[i];
    if (rest[i] < 0) return {};
  }
  return rest;
}

std::optional<std::string> formula_of(const Figure& figure, const Part& part) {
  std::vector<Axis> own;
  for (size_t i = 0; i < figure.axes.size(); ++i) {
    // A variable that does not change is none.
    if (part.end[i] - part.first[i] > 1)
      own.push_back({figure.axes[i].name, figure.axes[i].low + part.first[i], figure.axes[i].low + part.end[i] - 1});
  }
  const Values values = values_in(figure.axes, figure.values, part);
  if (auto text = formula(own, values)) return text;
  // A formula that is no more than a term for each point explains nothing.
  if (values.size() < 6) return {};
  std::vector<Values> terms;
  for (const Term& term : figure.terms) terms.push_back(values_in(figure.axes, term.values, part));
  const auto sum = [](std::string text, const std::string& term) {
    if (text == "0") text.clear();
    append(text, term);
    return text;
  };
  for (size_t i = 0; i < terms.size(); ++i) {
    const auto rest = without(values, terms[i]);
    if (!rest) continue;
    if (auto text = formula(own, *rest)) return sum(*text, figure.terms[i].expression);
  }
  for (size_t i = 0; i < terms.size(); ++i) {
    const auto rest = without(values, terms[i]);
    for (size_t k = i; rest && k < terms.size(); ++k) {
      const auto less = without(*rest, terms[k]);
      if (!less) continue;
      if (auto text = formula(own, *less))
        return sum(sum(*text, figure.terms[i].expression), figure.terms[k].expression);
    }
  }
  return {};
}

void cut(const Figure& figure, const Part& part, std::vector<Box>& boxes) {
  const std::vector<Axis>& axes = figure.axes;
  std::optional<std::string> text = formula_of(figure, part);
  if (!text) {
    // A single point has one.
    Part best = part;
    size_t along = 0;
    int64_t most = 0;
    for (size_t i = 0; i < axes.size(); ++i) {
      for (int64_t end = part.end[i] - 1; end > part.first[i]; --end) {
        Part left = part;
        left.end[i] = end;
        if (left.points() <= most) break;
        if (!formula_of(figure, left)) continue;
        best = left;
        along = i;
        most = left.points();
      }
    }
    if (most == 0) {
      // No slice along any axis has a formula: the longest axis is cut, point by point.
      for (size_t i = 0; i < axes.size(); ++i) {
        if (part.end[i] - part.first[i] > part.end[along] - part.first[along]) along = i;
      }
      best.end[along] = part.first[along] + 1;
    }
    Part rest = part;
    rest.first[along] = best.end[along];
    cut(figure, best, boxes);
    cut(figure, rest, boxes);
    return;
  }
  Box box;
  for (size_t i = 0; i < axes.size(); ++i) {
    box.from.push_back(axes[i].low + part.first[i]);
    box.to.push_back(axes[i].low + part.end[i] - 1);
  }
  box.expression = *text;
  boxes.push_back(std::move(box));
}

}  // namespace

std::vector<Box> fit(const std::vector<Axis>& axes, const std::vector<int64_t>& values,
                     const std::vector<Term>& terms) {
  std::vector<Box> boxes;
  Part all;
  for (const Axis& axis : axes) {
    all.first.push_back(0);
    all.end.push_back(axis.count());
  }
  cut({axes, values, terms}, all, boxes);
  return boxes;
}

std::string place_of(const std::vector<Axis>& axes, const Box& box) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < axes.size(); ++i) {
    if (box.from[i] == axes[i].low && box.to[i] == axes[i].high) continue;
    parts.push_back(cat(shown(axes[i].name), "=", box.from[i], box.to[i] > box.from[i] ? cat("..", box.to[i]) : ""));
  }
  return join(parts);
}

std::string to_text(const std::vector<Axis>& axes, const std::vector<Box>& boxes) {
  if (boxes.size() == 1) return boxes[0].expression;
  std::vector<std::string> parts;
  for (const Box& box : boxes) parts.push_back(cat(box.expression, " for ", place_of(axes, box)));
  return join(parts);
}

}  // namespace tarn::symbolic
