// Constants that fewer numbers tell: kernels spread out exactly what is stored plain.
#include "program/spread_forms.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

extern "C" {
#include "tarn_int_spread_codes.h"
#include "tarn_int_spread_exponentials.h"
#include "tarn_int_spread_narrow.h"
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

Weight weight_of(std::vector<uint8_t> bytes) {
  Weight weight;
  weight.dtype = DType::int8;
  weight.count = static_cast<int64_t>(bytes.size());
  // In pieces, of which no end is that of a word.
  weight.write = [bytes = std::move(bytes)](const auto& sink) {
    for (size_t at = 0; at < bytes.size(); at += 7)
      sink(std::span(bytes).subspan(at, std::min<size_t>(7, bytes.size() - at)));
  };
  return weight;
}

TEST(SpreadForms, NarrowBytesComeBack) {
  std::mt19937 random(11);
  for (int run = 0; run < 2000; ++run) {
    const int range = 1 + static_cast<int>(random() % 16), least = static_cast<int>(random() % 257U) - 128;
    std::vector<uint8_t> bytes(1 + random() % 90);
    for (uint8_t& byte : bytes)
      byte = static_cast<uint8_t>(std::min(127, least + static_cast<int>(random() % 16) % range));
    const Weight weight = weight_of(bytes);
    const auto spread = narrow_bytes(weight);
    ASSERT_TRUE(spread);
    EXPECT_TRUE(spread->bits == 2 || spread->bits == 4);
    std::vector<uint8_t> stored;
    write_narrow(*spread, weight.write,
                 [&](std::span<const uint8_t> piece) { stored.insert(stored.end(), piece.begin(), piece.end()); });
    ASSERT_EQ(static_cast<int64_t>(stored.size()), stored_bytes(*spread));
    EXPECT_LE(stored.size(), bytes.size() * static_cast<size_t>(spread->bits) / 8 + 4);
    std::vector<uint32_t> own, made(bytes.size() / 4 + 8, 0x55555555);
    for (size_t i = 0; i < stored.size(); i += 4)
      own.push_back(uint32_t{stored[i]} | uint32_t{stored[i + 1]} << 8 | uint32_t{stored[i + 2]} << 16 |
                    uint32_t{stored[i + 3]} << 24);
    tarn_int_spread_narrow(own.data(), made.data(), static_cast<int32_t>(own.size()), spread->bits,
                           static_cast<uint32_t>(spread->c + 128) * 0x01010101U);
    for (size_t i = 0; i < bytes.size(); ++i) ASSERT_EQ(made[i / 4] >> i % 4 * 8 & 255, bytes[i]) << run << " " << i;
    // What is made beyond them fits what a buffer is rounded up to.
    const size_t all = own.size() * static_cast<size_t>(8 / spread->bits);
    EXPECT_LE(4 * all, (bytes.size() + 15) / 16 * 16);
    EXPECT_EQ(made[all], 0x55555555U);
  }
  EXPECT_FALSE(narrow_bytes(weight_of({0, 16})));
  EXPECT_FALSE(narrow_bytes(weight_of({128, 127})));
  EXPECT_TRUE(narrow_bytes(weight_of({248, 7})));
  EXPECT_FALSE(narrow_bytes(weight_of({})));
}

}  // namespace
}  // namespace tarn::program
