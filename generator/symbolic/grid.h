// Formulas of several whole numbers that give exactly the values known at every point of a grid.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tarn::symbolic {

// A variable and the whole numbers from low to high that it takes.
struct Axis {
  std::string name;
  int64_t low = 0, high = 0;
  int64_t count() const { return high - low + 1; }
  bool operator==(const Axis&) const = default;
};

// At each point whose variables lie in from..to, axis by axis, the expression gives the value.
struct Box {
  std::vector<int64_t> from, to;
  std::string expression;  // "4*batch*steps + 16*ceil(steps/2)"
  bool operator==(const Box&) const = default;
};

// A term that sums may have beside those that are found, such as sizes rounded up to the alignment: its values at all
// points.
struct Term {
  std::vector<int64_t> values;
  std::string expression;
};

// The values at all points, those of the last axis side by side, as few boxes: sums of products in which each variable
// stands as a formula of fit() does, or squared at most. A box is compared with every value in it, and has more points
// along an axis than a formula of that axis is made from. One that has no such formula holds a single point.
// `terms`: of these, two at most are in a sum.
std::vector<Box> fit(const std::vector<Axis>& axes, const std::vector<int64_t>& values,
                     const std::vector<Term>& terms = {});

// A variable in C, and the whole numbers from `low` that it takes.
struct CVariable {
  std::string text;
  int64_t low = 0, count = 0;
};

// The values at all points, those of the last variable side by side, as an expression in C of int32_t variables that is
// exact in 32 bits for each point: sums and products of formulas of one variable each (fit.h). Nothing where that does
// not do.
std::optional<std::string> to_c(const std::vector<CVariable>& variables, const std::vector<int64_t>& values);

// One line: the only box's expression, else "EXPRESSION for batch=1..4, EXPRESSION for batch=5..8, steps=1".
std::string to_text(const std::vector<Axis>& axes, const std::vector<Box>& boxes);

// Where a box lies: "batch=1..4, steps=1", without the axes that it takes whole.
std::string place_of(const std::vector<Axis>& axes, const Box& box);

}  // namespace tarn::symbolic
