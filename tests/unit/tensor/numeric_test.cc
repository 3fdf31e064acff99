#include "tensor/numeric.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace tarn {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr DType kFloat8[] = {DType::float8e4m3fn, DType::float8e4m3fnuz, DType::float8e5m2, DType::float8e5m2fnuz};

// The definition of rounding to nearest even over a list of all codes: the oracle for the fast routine.
template <class Decode>
uint32_t nearest_code(uint32_t codes, Decode decode, double value) {
  uint32_t best = 0;
  double best_distance = kInf;
  for (uint32_t code = 0; code < codes; ++code) {
    const double candidate = decode(code);
    if (!std::isfinite(candidate) || candidate * value < 0) continue;
    const double distance = std::fabs(candidate - value);
    if (distance < best_distance || (distance == best_distance && candidate != 0 && code % 2 == 0)) {
      best = code;
      best_distance = distance;
    }
  }
  return best;
}

TEST(Numeric, HalfKnownValues) {
  EXPECT_EQ(half_to_float(0x3C00), 1.0f);
  EXPECT_EQ(half_to_float(0xC000), -2.0f);
  EXPECT_EQ(half_to_float(0x7BFF), 65504.0f);
  EXPECT_EQ(half_to_float(0x0001), 0x1p-24f);
  EXPECT_EQ(half_to_float(0x8001), -0x1p-24f);
  EXPECT_EQ(half_to_float(0x7C00), kInf);
  EXPECT_TRUE(std::isnan(half_to_float(0x7E00)));
  EXPECT_EQ(float_to_half(65519.0f), 0x7BFF);  // below the middle of 65504 and 65536
  EXPECT_EQ(float_to_half(65520.0f), 0x7C00);
  EXPECT_EQ(float_to_half(-kInf), 0xFC00);
  EXPECT_EQ(float_to_half(0x1p-25f), 0x0000);  // half of the smallest: to even
  EXPECT_EQ(float_to_half(0x1.8p-25f), 0x0001);
  EXPECT_EQ(float_to_half(-0.0f), 0x8000);
  EXPECT_EQ(float_to_half(1.0f + 0x1p-11f), 0x3C00);
  EXPECT_EQ(float_to_half(1.0f + 0x3p-11f), 0x3C02);
  EXPECT_EQ(float_to_half(kNan) & 0x7E00, 0x7E00);
}

TEST(Numeric, HalfRoundTripsEveryCode) {
  for (uint32_t code = 0; code < 0x10000; ++code) {
    const float value = half_to_float(static_cast<uint16_t>(code));
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(half_to_float(float_to_half(value))));
    } else {
      EXPECT_EQ(float_to_half(value), code);
    }
  }
}

TEST(Numeric, DoubleToHalfRoundsOnce) {
  // Through float this would be 1 + 2^-11 exactly, a tie, and go down to even.
  EXPECT_EQ(double_to_half(1.0 + 0x1p-11 + 0x1p-40), 0x3C01);
}

TEST(Numeric, Bfloat16RoundsToEven) {
  EXPECT_EQ(bfloat16_to_float(0x3F80), 1.0f);
  EXPECT_EQ(float_to_bfloat16(1.0f + 0x1p-8f), 0x3F80);
  EXPECT_EQ(float_to_bfloat16(1.0f + 0x3p-8f), 0x3F82);
  EXPECT_EQ(float_to_bfloat16(std::numeric_limits<float>::max()), 0x7F80);
  EXPECT_TRUE(std::isnan(bfloat16_to_float(float_to_bfloat16(kNan))));
  // A NaN whose payload is in the low bits must not turn into infinity.
  EXPECT_TRUE(std::isnan(bfloat16_to_float(float_to_bfloat16(std::bit_cast<float>(0x7F800001u)))));
}

TEST(Numeric, SmallFloatLimits) {
  EXPECT_EQ(small_float_to_float(DType::float8e4m3fn, 0x7E), 448.0f);
  EXPECT_TRUE(std::isnan(small_float_to_float(DType::float8e4m3fn, 0x7F)));
  EXPECT_EQ(small_float_to_float(DType::float8e4m3fnuz, 0x7F), 240.0f);
  EXPECT_TRUE(std::isnan(small_float_to_float(DType::float8e4m3fnuz, 0x80)));
  EXPECT_EQ(small_float_to_float(DType::float8e5m2, 0x7B), 57344.0f);
  EXPECT_EQ(small_float_to_float(DType::float8e5m2, 0x7C), kInf);
  EXPECT_TRUE(std::isnan(small_float_to_float(DType::float8e5m2, 0x7D)));
  EXPECT_EQ(small_float_to_float(DType::float8e5m2fnuz, 0x7F), 57344.0f);
  EXPECT_EQ(small_float_to_float(DType::float8e4m3fn, 0x01), 0x1p-9f);
  EXPECT_EQ(small_float_to_float(DType::float8e4m3fnuz, 0x01), 0x1p-10f);
  const float e2m1[] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};
  for (uint8_t code = 0; code < 8; ++code) {
    EXPECT_EQ(small_float_to_float(DType::float4e2m1, code), e2m1[code]);
    EXPECT_EQ(small_float_to_float(DType::float4e2m1, code | 8), -e2m1[code]);
  }
}

// The two tables of the Cast operator's documentation.
TEST(Numeric, Float8SpecialValues) {
  for (const DType type : kFloat8) {
    const bool fnuz = type == DType::float8e4m3fnuz || type == DType::float8e5m2fnuz;
    const float largest = type == DType::float8e4m3fn ? 448.0f : type == DType::float8e4m3fnuz ? 240.0f : 57344.0f;
    auto cast = [&](float x, bool saturate) {
      return small_float_to_float(type, float_to_small_float(type, x, saturate));
    };
    SCOPED_TRACE(to_string(type));
    EXPECT_EQ(float_to_small_float(type, 0.0f, true), 0x00);
    EXPECT_EQ(float_to_small_float(type, -0.0f, true), fnuz ? 0x00 : 0x80);
    EXPECT_TRUE(std::isnan(cast(kNan, true)));
    EXPECT_EQ(cast(kInf, true), largest);
    EXPECT_EQ(cast(-kInf, true), -largest);
    EXPECT_EQ(cast(1e9f, true), largest);
    EXPECT_EQ(cast(-1e9f, true), -largest);
    if (type == DType::float8e5m2) {
      EXPECT_EQ(cast(kInf, false), kInf);
      EXPECT_EQ(cast(-1e9f, false), -kInf);
    } else {
      EXPECT_TRUE(std::isnan(cast(kInf, false)));
      EXPECT_TRUE(std::isnan(cast(-kInf, false)));
      EXPECT_TRUE(std::isnan(cast(1e9f, false)));
      EXPECT_TRUE(std::isnan(cast(-1e9f, false)));
    }
  }
}

TEST(Numeric, SmallFloatsRoundToNearestEven) {
  std::mt19937 random(1);
  for (const DType type :
       {DType::float8e4m3fn, DType::float8e4m3fnuz, DType::float8e5m2, DType::float8e5m2fnuz, DType::float4e2m1}) {
    const uint32_t codes = type == DType::float4e2m1 ? 16 : 256;
    auto decode = [&](uint32_t code) -> double { return small_float_to_float(type, static_cast<uint8_t>(code)); };
    std::vector<float> values;
    for (uint32_t code = 0; code < codes; ++code) {
      const double value = decode(code);
      if (!std::isfinite(value)) continue;
      values.push_back(static_cast<float>(value));
      // The middle between neighbours, where ties are decided, and a hair to both sides of it.
      const double next = decode((code + 1) % codes);
      if (!std::isfinite(next) || std::signbit(next) != std::signbit(value)) continue;
      const auto middle = static_cast<float>((value + next) / 2);
      values.insert(values.end(), {middle, std::nextafter(middle, 1e9f), std::nextafter(middle, -1e9f)});
    }
    for (int i = 0; i < 2000; ++i) {
      values.push_back(std::ldexp(static_cast<float>(random() % 2001) - 1000, static_cast<int>(random() % 30) - 24));
    }
    for (const float value : values) {
      const uint32_t expected = nearest_code(codes, decode, value);
      const uint8_t got = float_to_small_float(type, value, true);
      if (value == 0 || decode(expected) == 0) {
        EXPECT_EQ(decode(got), 0) << to_string(type) << " " << value;
      } else {
        EXPECT_EQ(got, expected) << to_string(type) << " " << value;
      }
    }
  }
}

TEST(Numeric, PowersOfTwo) {
  EXPECT_EQ(small_float_to_float(DType::float8e8m0, 127), 1.0f);
  EXPECT_EQ(small_float_to_float(DType::float8e8m0, 0), 0x1p-127f);
  EXPECT_TRUE(std::isnan(small_float_to_float(DType::float8e8m0, 255)));
  EXPECT_EQ(float_to_small_float(DType::float8e8m0, 1.0f, true), 127);
  EXPECT_EQ(float_to_small_float(DType::float8e8m0, 1.001f, true), 128);  // up
  EXPECT_EQ(float_to_e8m0(1.999f, true, PowerRounding::down), 127);
  EXPECT_EQ(float_to_e8m0(1.499f, true, PowerRounding::nearest), 127);
  EXPECT_EQ(float_to_e8m0(1.5f, true, PowerRounding::nearest), 128);
  EXPECT_EQ(float_to_e8m0(kInf, true, PowerRounding::up), 254);
  EXPECT_EQ(float_to_e8m0(std::numeric_limits<float>::max(), true, PowerRounding::up), 254);
  EXPECT_EQ(float_to_e8m0(0.0f, true, PowerRounding::up), 0);
  EXPECT_EQ(float_to_e8m0(0.0f, false, PowerRounding::nearest), 255);
  EXPECT_EQ(float_to_e8m0(kInf, false, PowerRounding::nearest), 255);
  EXPECT_EQ(float_to_e8m0(kNan, true, PowerRounding::up), 255);
}

TEST(Numeric, PackedTypesFillLowBitsFirst) {
  uint8_t nibbles[2] = {};
  write_int(DType::int4, nibbles, 0, -8);
  write_int(DType::int4, nibbles, 1, 7);
  write_int(DType::int4, nibbles, 2, -1);
  EXPECT_EQ(nibbles[0], 0x78);
  EXPECT_EQ(nibbles[1], 0x0F);
  EXPECT_EQ(read_as_int(DType::int4, nibbles, 0), -8);
  EXPECT_EQ(read_as_int(DType::uint4, nibbles, 0), 8);
  EXPECT_EQ(read_as_int(DType::int4, nibbles, 2), -1);
  uint8_t crumbs[1] = {};
  for (int i = 0; i < 4; ++i) write_int(DType::int2, crumbs, i, i - 2);
  EXPECT_EQ(crumbs[0], 0b01001110);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(read_as_int(DType::int2, crumbs, i), i - 2);
  uint8_t floats[1] = {};
  write_double(DType::float4e2m1, floats, 0, 1.5);
  write_double(DType::float4e2m1, floats, 1, -6);
  EXPECT_EQ(floats[0], 0xF3);
  EXPECT_EQ(read_as_double(DType::float4e2m1, floats, 1), -6);
}

TEST(Numeric, FloatsToIntegersTruncateAndSaturate) {
  uint8_t data[8] = {};
  auto cast = [&](DType type, double value) {
    write_double(type, data, 0, value);
    return read_as_int(type, data, 0);
  };
  EXPECT_EQ(cast(DType::int8, -1.9), -1);
  EXPECT_EQ(cast(DType::int8, 300), 127);
  EXPECT_EQ(cast(DType::int8, -300), -128);
  EXPECT_EQ(cast(DType::uint8, -3), 0);
  EXPECT_EQ(cast(DType::uint8, 255.9), 255);
  EXPECT_EQ(cast(DType::int64, 1e30), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(cast(DType::int64, -1e30), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(static_cast<uint64_t>(cast(DType::uint64, 0x1p63)), uint64_t{1} << 63);
  EXPECT_EQ(cast(DType::int32, std::nan("")), 0);
  EXPECT_EQ(cast(DType::int4, 9.9), -7);
  EXPECT_EQ(cast(DType::uint2, -1), 3);
  EXPECT_EQ(cast(DType::boolean, 0.25), 1);
  EXPECT_EQ(cast(DType::boolean, std::nan("")), 1);
}

TEST(Numeric, IntegersKeepTheirLowBits) {
  uint8_t data[8] = {};
  auto cast = [&](DType type, int64_t value) {
    write_int(type, data, 0, value);
    return read_as_int(type, data, 0);
  };
  EXPECT_EQ(cast(DType::int8, 200), -56);
  EXPECT_EQ(cast(DType::uint8, -1), 255);
  EXPECT_EQ(cast(DType::int2, 7), -1);
  EXPECT_EQ(cast(DType::boolean, 36), 1);
  write_int(DType::float32, data, 0, (int64_t{1} << 24) + 1);
  EXPECT_EQ(read_as_double(DType::float32, data, 0), 0x1p24);
  write_int(DType::float16, data, 0, 100000);
  EXPECT_EQ(read_as_double(DType::float16, data, 0), kInf);
}

}  // namespace
}  // namespace tarn
