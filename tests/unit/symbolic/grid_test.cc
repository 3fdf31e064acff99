#include "symbolic/grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "symbolic/evaluate.h"

namespace tarn::symbolic {
namespace {

using Function = std::function<int64_t(int64_t, int64_t)>;

const std::vector<Axis> kGrid{{"b", 1, 6}, {"t", 2, 9}};

std::vector<int64_t> values_of(const Function& f) {
  std::vector<int64_t> values;
  for (int64_t b = kGrid[0].low; b <= kGrid[0].high; ++b) {
    for (int64_t t = kGrid[1].low; t <= kGrid[1].high; ++t) values.push_back(f(b, t));
  }
  return values;
}

std::string whole(const Function& f) { return to_text(kGrid, fit(kGrid, values_of(f))); }

TEST(Grid, ProductsOfFormulas) {
  EXPECT_EQ(whole([](int64_t, int64_t) { return 7; }), "7");
  EXPECT_EQ(whole([](int64_t b, int64_t t) { return 4 * b * t + 16 * b + 3; }), "b*(4*t + 16) + 3");
  EXPECT_EQ(whole([](int64_t b, int64_t t) { return 4 * b * t; }), "4*t*b");
  EXPECT_EQ(whole([](int64_t, int64_t t) { return t / 2 + 1; }), "floor(t/2) + 1");
  EXPECT_EQ(whole([](int64_t b, int64_t t) { return 8 * b * (t / 2 + 1); }), "b*(8*floor(t/2) + 8)");
  EXPECT_EQ(whole([](int64_t b, int64_t t) { return b * b * t - 2 * t * t + b; }), "t*b*b + b - 2*t*t");
  EXPECT_EQ(whole([](int64_t b, int64_t t) { return 100 - b * t; }), "-t*b + 100");
}

TEST(Grid, BoxesOfFormulas) {
  const auto boxes = fit(kGrid, values_of([](int64_t b, int64_t t) { return b <= 4 ? b * t : 5 * t * t; }));
  EXPECT_EQ(boxes, (std::vector<Box>{{{1, 2}, {4, 9}, "t*b"}, {{5, 2}, {6, 9}, "5*t*t"}}));
  EXPECT_EQ(to_text(kGrid, boxes), "t*b for b=1..4, 5*t*t for b=5..6");
}

// What has no formula is told point by point, and each point is in one box.
TEST(Grid, EachPointIsInOneBox) {
  uint32_t state = 1;
  std::vector<int64_t> values;
  for (size_t i = 0; i < 48; ++i) values.push_back((state = state * 1664525 + 1013904223) >> 24);
  const auto boxes = fit(kGrid, values);
  size_t at = 0;
  for (int64_t b = 1; b <= 6; ++b) {
    for (int64_t t = 2; t <= 9; ++t, ++at) {
      const auto inside = [&](const Box& box) {
        return box.from[0] <= b && b <= box.to[0] && box.from[1] <= t && t <= box.to[1];
      };
      ASSERT_EQ(std::count_if(boxes.begin(), boxes.end(), inside), 1);
      const Box& box = *std::find_if(boxes.begin(), boxes.end(), inside);
      if (box.from == box.to) {
        EXPECT_EQ(box.expression, std::to_string(values[at]));
      }
    }
  }
  EXPECT_GT(boxes.size(), 20u);
}

TEST(Grid, ThreeVariables) {
  const std::vector<Axis> axes{{"a", 1, 4}, {"b", 1, 4}, {"c", 1, 4}};
  std::vector<int64_t> values;
  for (int64_t a = 1; a <= 4; ++a)
    for (int64_t b = 1; b <= 4; ++b)
      for (int64_t c = 1; c <= 4; ++c) values.push_back(a * b * c + 2 * b + 5);
  EXPECT_EQ(to_text(axes, fit(axes, values)), "c*b*a + 2*b + 5");
}

TEST(Grid, InC) {
  const auto c = [](int64_t rows, int64_t columns, int64_t (*f)(int64_t, int64_t)) {
    std::vector<int64_t> values;
    for (int64_t n = 1; n <= rows; ++n) {
      for (int64_t t = 2; t < 2 + columns; ++t) values.push_back(f(n, t));
    }
    return to_c({{"n", 1, rows}, {"t", 2, columns}}, values).value_or("none");
  };
  EXPECT_EQ(c(4, 9, [](int64_t, int64_t) { return int64_t{7}; }), "7");
  EXPECT_EQ(c(4, 9, [](int64_t, int64_t t) { return (t + 1) / 2; }), "((t + 1) / 2)");
  EXPECT_EQ(c(4, 9, [](int64_t n, int64_t t) { return 12 * n * t + 8 * n + 5; }), "(12 * t + 8) * n + 5");
  EXPECT_EQ(c(4, 9, [](int64_t n, int64_t t) { return n * ((t + 1) / 2) * 6; }), "(6 * ((t + 1) / 2)) * n");
  EXPECT_EQ(c(9, 9, [](int64_t n, int64_t t) { return n / 3 + t / 2; }), "(n / 3) + (t / 2)");
  EXPECT_EQ(c(9, 9, [](int64_t n, int64_t t) { return ((n + 1) / 2) * (t / 2); }), "((n + 1) / 2) * (t / 2)");
  // No such formula, or more than 32 bits: a table is for that.
  EXPECT_EQ(c(4, 9, [](int64_t n, int64_t t) { return n * t * 7 % 5; }), "none");
  EXPECT_EQ(c(4, 9, [](int64_t n, int64_t t) { return n * t * 100000000; }), "none");
}

TEST(Evaluate, NamesOfDimensions) {
  const auto value = [](const char* text) {
    return evaluate(text, [](const std::string& name) {
      return name == "N" ? std::optional<int64_t>(7) : name == "past_length" ? std::optional<int64_t>(5) : std::nullopt;
    });
  };
  EXPECT_EQ(value("floor(N/2)+1"), 4);
  EXPECT_EQ(value("floor((N - 1)/2) + 1"), 4);
  EXPECT_EQ(value("ceil(N / 2)*N - past_length"), 23);
  EXPECT_EQ(value("ceiling(N/2)"), 4);
  EXPECT_EQ(value("N//2"), 3);
  EXPECT_EQ(value("max(N, past_length, 9)"), 9);
  EXPECT_EQ(value("min(N, past_length)"), 5);
  EXPECT_EQ(value("past_length + N"), 12);
  // What is no whole number, not known, or no expression.
  for (const char* text : {"N/2", "M + 1", "N +", "(N", "N)", "N/(N - 7)", "", "floor()", "log(N)", "N:0",
                           "N*99999999999999999999", "N*4611686018427387904*4611686018427387904"})
    EXPECT_FALSE(value(text)) << text;
  EXPECT_EQ(names_in("floor((N - 1)/M) + N"), (std::vector<std::string>{"N", "M"}));
  for (const char* text : {"batch", "x:0", "?", "floor", "2", "1 + 2", ""}) EXPECT_FALSE(names_in(text)) << text;
  EXPECT_FALSE(names_in(std::string(100000, '(')));
}

}  // namespace
}  // namespace tarn::symbolic
