#include "symbolic/fit.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tarn::symbolic {
namespace {

std::vector<int64_t> values_of(int64_t from, int64_t to, int64_t (*f)(int64_t)) {
  std::vector<int64_t> values;
  for (int64_t n = from; n <= to; ++n) values.push_back(f(n));
  return values;
}

std::string whole(int64_t from, int64_t to, int64_t (*f)(int64_t)) {
  return to_text(fit("N", from, values_of(from, to, f)));
}

TEST(Fit, SumsProductsAndQuotients) {
  EXPECT_EQ(whole(1, 16, [](int64_t n) { return 64 * n + 128; }), "64*N + 128");
  EXPECT_EQ(whole(1, 16, [](int64_t) { return int64_t{7}; }), "7");
  EXPECT_EQ(whole(0, 16, [](int64_t) { return int64_t{0}; }), "0");
  EXPECT_EQ(whole(1, 16, [](int64_t n) { return n / 2 + 1; }), "floor(N/2) + 1");
  EXPECT_EQ(whole(3, 40, [](int64_t n) { return (4 * n + 15) / 16 * 16; }), "16*ceil(N/4)");
  EXPECT_EQ(whole(2, 40, [](int64_t n) { return 12 * n * n + 3 * n - 5; }), "12*N*N + 3*N - 5");
  EXPECT_EQ(whole(1, 20, [](int64_t n) { return n * (n + 1) / 2; }), "floor(N*(N - 1)/2) + N");
  EXPECT_EQ(whole(1, 64, [](int64_t n) { return 8 * n * n + (n + 1) / 3 * 16; }), "8*N*N + 16*floor((N + 1)/3)");
}

TEST(Fit, BreakpointsAreFound) {
  const std::vector<Piece> pieces =
      fit("N", 1, values_of(1, 30, [](int64_t n) { return std::max(64 * n + 128, 16 * n * n); }));
  EXPECT_EQ(pieces, (std::vector<Piece>{{1, 5, "64*N + 128"}, {6, 30, "16*N*N"}}));
}

TEST(Fit, ValuesThatFollowNoFormulaStandAlone) {
  const std::vector<int64_t> values{3, 1, 4, 1, 5, 9, 2, 6};
  const std::vector<Piece> pieces = fit("N", 5, values);
  EXPECT_EQ(pieces.front(), (Piece{5, 5, "3"}));
  EXPECT_EQ(pieces.back().to, 12);
}

TEST(Fit, LargeNumbersDoNotOverflow) {
  constexpr int64_t kFar = int64_t{1} << 40;
  EXPECT_EQ(to_text(fit("N", kFar, {4 * kFar, 4 * kFar + 4, 4 * kFar + 8})), "4*N");
  const std::vector<int64_t> largest(3, INT64_MAX);
  EXPECT_EQ(fit("N", 1, largest).size(), 3u);
}

TEST(Fit, InC) {
  const auto c = [](int64_t from, int64_t to, int64_t (*f)(int64_t)) {
    return to_c("n", from, values_of(from, to, f)).value_or("none");
  };
  EXPECT_EQ(c(1, 16, [](int64_t n) { return 64 * n + 128; }), "64 * n + 128");
  EXPECT_EQ(c(1, 16, [](int64_t n) { return n / 2 + 1; }), "(n / 2) + 1");
  EXPECT_EQ(c(3, 40, [](int64_t n) { return (4 * n + 15) / 16 * 16; }), "16 * ((n + 3) / 4)");
  EXPECT_EQ(c(2, 40, [](int64_t n) { return 12 * n * n + 3 * n - 5; }), "12 * n * n + 3 * n - 5");
  EXPECT_EQ(c(1, 20, [](int64_t n) { return n * (n + 1) / 2; }), "(n * (n - 1) / 2) + n");
  EXPECT_EQ(c(1, 30, [](int64_t n) { return std::min(n, int64_t{8}); }), "(n <= 8 ? n : 8)");
  // More than 32 bits on the way, or too many pieces: a table is for that.
  EXPECT_EQ(c(1, 1 << 12, [](int64_t n) { return 1000000 * n; }), "none");
  EXPECT_EQ(c(1, 8, [](int64_t n) { return n * n % 7; }), "none");
}

TEST(Fit, NamesThatReadAsArithmeticAreQuoted) {
  EXPECT_EQ(to_text(fit("x:0", 1, {2, 4, 6})), "2*'x:0'");
  EXPECT_EQ(to_text(fit("for", 1, {2, 4, 6})), "2*for");
}

}  // namespace
}  // namespace tarn::symbolic
