#include "tensor/channel_codes.h"

#include <gtest/gtest.h>

#include "tensor/byte_rows.h"

namespace tarn {
namespace {

// Codes that differ between neighbours along every axis.
Constant codes_of(DType type, const Shape& shape) {
  std::vector<int64_t> values;
  const int64_t below = is_signed(type) ? int64_t{1} << (bits_of(type) - 1) : 0;
  for (int64_t i = 0; i < shape.count(); ++i) values.push_back(i * 37 % 251 % (int64_t{1} << bits_of(type)) - below);
  return Constant::ints(type, shape, values);
}

// What element k of a channel's row should be.
int64_t expected(const Constant& codes, int axis, int64_t channel, int64_t k, int32_t less) {
  const Shape& shape = codes.shape();
  const int64_t inner = shape.count(axis + 1, shape.rank());
  const int64_t code = codes.integer((k / inner * shape[axis] + channel) * inner + k % inner);
  return static_cast<int8_t>(static_cast<uint8_t>(code - less));
}

void check(const Constant& codes, int axis, const std::vector<int32_t>& less) {
  const Constant made = channel_codes(codes, axis, less);
  const int64_t channels = codes.shape()[axis], length = codes.count() / channels;
  ASSERT_EQ(made.dtype(), DType::int8);
  ASSERT_EQ(made.shape(), (Shape{channels, length}));
  std::vector<int64_t> wanted;
  for (int64_t i = 0; i < made.count(); ++i)
    wanted.push_back(expected(codes, axis, i / length, i % length, less[static_cast<size_t>(i / length)]));
  EXPECT_EQ(made.integers(), wanted);
  // From places within rows, over their ends.
  for (const int64_t first : {int64_t{0}, int64_t{1}, length - 1, length, length + 1, 3 * length - 2}) {
    for (const int64_t count : {int64_t{1}, int64_t{2}, length, length + 3, 2 * length + 5}) {
      if (first + count > made.count()) continue;
      std::vector<uint8_t> bytes(static_cast<size_t>(count));
      made.copy_bytes(first, bytes);
      for (int64_t i = 0; i < count; ++i)
        ASSERT_EQ(static_cast<int8_t>(bytes[static_cast<size_t>(i)]), wanted[static_cast<size_t>(first + i)])
            << first << " " << count << " " << i;
    }
  }
  ByteRows rows(made, length);
  for (const int64_t row : {channels - 1, int64_t{0}, channels / 2}) {
    const int8_t* codes_of_row = rows.codes(row);
    for (int64_t k = 0; k < length; ++k) ASSERT_EQ(codes_of_row[k], wanted[static_cast<size_t>(row * length + k)]);
  }
  const int64_t two = std::min<int64_t>(2, channels);
  EXPECT_EQ(rows.rows(channels - two, two).size(), static_cast<size_t>(two * length));
}

std::vector<int32_t> different(int64_t channels) {
  std::vector<int32_t> less;
  for (int64_t c = 0; c < channels; ++c) less.push_back(static_cast<int32_t>(c % 5 - 2));
  return less;
}

TEST(ChannelCodes, AnyAxisAndTypeSmallAndLarge) {
  for (const DType type : {DType::int8, DType::uint8, DType::int4, DType::uint4, DType::int2, DType::uint2}) {
    for (const Shape& shape : {Shape{7, 5}, Shape{300, 257}, Shape{130, 9, 70}, Shape{6, 1}, Shape{1, 70'000}}) {
      for (int axis = 0; axis < shape.rank(); ++axis) {
        const Constant codes = codes_of(type, shape);
        SCOPED_TRACE(to_string(codes.type()) + " axis " + std::to_string(axis));
        check(codes, axis, std::vector<int32_t>(static_cast<size_t>(shape[axis]), 0));
        check(codes, axis, different(shape[axis]));
      }
    }
  }
}

TEST(ChannelCodes, WhatIsInOrderStaysWhereItIs) {
  const Constant codes = codes_of(DType::int8, {300, 5, 60});
  const Constant made = channel_codes(codes, 0, std::vector<int32_t>(300, 0));
  EXPECT_EQ(made.contiguous().data(), codes.contiguous().data());
  // Turned ones are made as they are read, and so take no memory.
  EXPECT_TRUE(channel_codes(codes, 2, std::vector<int32_t>(60, 0)).contiguous().empty());
}

TEST(ChannelCodes, MadeConstantsReadAsOthersDo) {
  const Constant codes = codes_of(DType::int8, {300, 257});
  const Constant made = channel_codes(codes, 1, std::vector<int32_t>(257, 3));
  const Constant plain = Constant::of(made.type(), made.bytes());
  EXPECT_FALSE(plain.contiguous().empty());
  EXPECT_TRUE(made.same_as(plain));
  EXPECT_TRUE(plain.same_as(made));
  EXPECT_TRUE(made.same_as(made));
  EXPECT_FALSE(made.same_as(channel_codes(codes, 1, std::vector<int32_t>(257, 4))));
  EXPECT_EQ(made.real(1234), plain.real(1234));
  std::vector<float> some(9'000), others(9'000);
  made.read(55, some);
  plain.read(55, others);
  EXPECT_EQ(some, others);
  const TensorType other{DType::uint8, {257 * 300}};
  EXPECT_EQ(made.seen_as(other).bytes(), plain.bytes());
  EXPECT_TRUE(made.reshaped({257 * 300}).same_as(plain.reshaped({257 * 300})));
}

TEST(ChannelCodes, SlicesAreNoCopies) {
  const Constant codes = codes_of(DType::int8, {300, 257});
  const Constant made = channel_codes(codes, 1, std::vector<int32_t>(257, 0));
  const Constant part = made.slice(300 * 5, {7, 300});
  EXPECT_TRUE(part.contiguous().empty());
  for (int64_t i = 0; i < part.count(); ++i) ASSERT_EQ(part.integer(i), made.integer(300 * 5 + i));
  EXPECT_EQ(codes.slice(257 * 2, {3, 257}).contiguous().data(), codes.contiguous().data() + 257 * 2);
  const Constant packed = codes_of(DType::int4, {4, 6}), row = packed.slice(6, {1, 6});
  for (int64_t i = 0; i < 6; ++i) EXPECT_EQ(row.integer(i), packed.integer(6 + i));
  EXPECT_EQ(Constant::splat({DType::int16, {1000}}, {7, 0}).slice(990, {10}).integers(), std::vector<int64_t>(10, 7));
}

TEST(ChannelCodes, BoundsOfChannels) {
  for (const DType type : {DType::int8, DType::uint8, DType::int4, DType::uint2}) {
    const Constant codes = codes_of(type, {30, 7, 41});
    for (int axis = 0; axis < 3; ++axis) {
      const ChannelBounds bounds = bounds_of_channels(codes, axis);
      const int64_t channels = codes.shape()[axis], length = codes.count() / channels;
      ASSERT_EQ(static_cast<int64_t>(bounds.least.size()), channels);
      const int64_t inner = codes.shape().count(axis + 1, 3);
      for (int64_t c = 0; c < channels; ++c) {
        int64_t least = 1000, most = -1000;
        for (int64_t k = 0; k < length; ++k) {
          const int64_t code = codes.integer((k / inner * channels + c) * inner + k % inner);
          least = std::min(least, code);
          most = std::max(most, code);
        }
        EXPECT_EQ(bounds.least[static_cast<size_t>(c)], least);
        EXPECT_EQ(bounds.most[static_cast<size_t>(c)], most);
      }
    }
  }
}

}  // namespace
}  // namespace tarn
