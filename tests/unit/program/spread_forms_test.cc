// Constants that fewer numbers tell: kernels spread out exactly what is stored plain.
#include "program/spread_forms.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

extern "C" {
#include "tarn_int_spread_codes.h"
#include "tarn_int_spread_exponentials.h"
#include "tarn_int_spread_shorts.h"
}

namespace tarn::program {
namespace {

std::vector<uint32_t> words_of(const Weight::Spread& spread) {
  std::vector<uint32_t> words;
  const std::vector<uint8_t> bytes = stored_numbers(spread);
  for (size_t i = 0; i < bytes.size(); i += 4)
    words.push_back(uint32_t{bytes[i]} | uint32_t{bytes[i + 1]} << 8 | uint32_t{bytes[i + 2]} << 16 |
                    uint32_t{bytes[i + 3]} << 24);
  return words;
}

TEST(SpreadForms, ExponentialsAreWithinAUnit) {
  std::mt19937 random(3);
  for (int run = 0; run < 3000; ++run) {
    const double step = std::exp(std::uniform_real_distribution<>(-30, 3)(random));
    const int64_t one = run % 3 == 0 ? int64_t{1} << 31 : 1 + (random() >> 1 >> run % 12);
    const Weight::Spread spread = exponentials(step, one);
    EXPECT_EQ(stored_bytes(spread), 124);
    const std::vector<int64_t> numbers = spread_numbers(spread);
    ASSERT_EQ(numbers.size(), 256u);
    EXPECT_EQ(numbers[0], one);
    for (size_t d = 0; d < 256; ++d) {
      const double exact = std::exp(-static_cast<double>(d) * step) * static_cast<double>(one);
      ASSERT_LE(std::abs(numbers[d] - std::llround(exact)), 1) << step;
    }
    uint32_t made[256];
    tarn_int_spread_exponentials(words_of(spread).data(), made);
    EXPECT_TRUE(std::equal(numbers.begin(), numbers.end(), made));
  }
}

TEST(SpreadForms, CodesComeBack) {
  std::mt19937 random(5);
  int found = 0;
  for (int run = 0; run < 3000; ++run) {
    const int64_t least = static_cast<int64_t>(random() % 5) - 3, most = static_cast<int64_t>(random() % 40);
    std::vector<int64_t> codes = {static_cast<int64_t>(random() % 256) - 128};
    while (codes.size() < 256)
      codes.push_back(
          std::clamp<int64_t>(codes.back() + least + static_cast<int64_t>(random()) % (most + 1), -128, 127));
    const auto spread = code_differences(codes);
    EXPECT_TRUE(spread || most > 28);
    if (!spread) continue;
    ++found;
    EXPECT_EQ(spread_numbers(*spread), codes);
    EXPECT_EQ(stored_bytes(*spread), 32 * spread->bits);
    int8_t made[256];
    tarn_int_spread_codes(stored_numbers(*spread).data(), made, spread->bits, spread->m, spread->c);
    EXPECT_TRUE(std::equal(codes.begin(), codes.end(), made));
  }
  EXPECT_GT(found, 1500);
  EXPECT_FALSE(code_differences(std::vector<int64_t>(255, 1)));
  EXPECT_EQ(code_differences(std::vector<int64_t>(256, -128))->bits, 1);
}

TEST(SpreadForms, ShortNumbersComeBack) {
  std::mt19937 random(7);
  for (int run = 0; run < 3000; ++run) {
    const int shift = static_cast<int>(random() % 16), narrower = static_cast<int>(random() % 15);
    const auto c = static_cast<int32_t>(random() % 2000000000) - 1000000000;
    std::vector<int32_t> numbers(2 + random() % 50);
    for (int32_t& number : numbers)
      number = static_cast<int32_t>(int64_t{static_cast<int16_t>(random()) >> narrower} * (int64_t{1} << shift) + c);
    const auto spread = short_numbers(numbers);
    ASSERT_TRUE(spread);
    EXPECT_EQ(spread_numbers(*spread), std::vector<int64_t>(numbers.begin(), numbers.end()));
    std::vector<int32_t> made(numbers.size());
    tarn_int_spread_shorts(stored_numbers(*spread).data(), made.data(), static_cast<int32_t>(made.size()), spread->bits,
                           spread->shift, spread->c);
    EXPECT_EQ(made, numbers);
  }
  EXPECT_FALSE(short_numbers(std::vector<int32_t>{0, 1, 65536}));
  EXPECT_FALSE(short_numbers({}));
  for (const std::vector<int32_t>& ends :
       {std::vector<int32_t>{INT32_MIN, INT32_MIN + 65535}, {INT32_MAX - 65535, INT32_MAX}, {INT32_MIN, INT32_MIN}}) {
    const auto spread = short_numbers(ends);
    ASSERT_TRUE(spread);
    EXPECT_EQ(spread_numbers(*spread), std::vector<int64_t>(ends.begin(), ends.end()));
  }
}

}  // namespace
}  // namespace tarn::program
