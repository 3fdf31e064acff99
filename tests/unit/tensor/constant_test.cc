#include "tensor/constant.h"

#include <gtest/gtest.h>

#include <vector>

#include "support/check.h"
#include "tensor/coded_values.h"

namespace tarn {
namespace {

TEST(Constant, OwnedBytes) {
  const Constant c = Constant::ints(DType::int32, {2, 2}, {1, -2, 3, 4});
  EXPECT_EQ(c.count(), 4);
  EXPECT_EQ(c.integer(1), -2);
  EXPECT_EQ(c.real(3), 4.0);
  EXPECT_EQ(c.bytes().size(), 16u);
  EXPECT_EQ(c.contiguous().size(), 16u);
  EXPECT_THROW(c.integer(4), InternalError);
  EXPECT_THROW(Constant::of({DType::float32, {2}}, {0, 0, 0}), InternalError);
}

TEST(Constant, MappedBytesStayWhereTheyAre) {
  auto file = std::make_shared<std::vector<uint8_t>>(std::vector<uint8_t>{9, 0, 0, 128, 63, 9});
  std::weak_ptr<std::vector<uint8_t>> watch = file;
  // At an odd address, as in a file.
  Constant c = Constant::mapped({DType::float32, {}}, std::span(*file).subspan(1, 4), file);
  EXPECT_EQ(c.contiguous().data(), file->data() + 1);
  file.reset();
  EXPECT_FALSE(watch.expired());
  EXPECT_EQ(c.real(0), 1.0);
  c = Constant::scalar(DType::float32, 0);
  EXPECT_TRUE(watch.expired());
}

TEST(Constant, SplatIsOneElement) {
  const Constant c = Constant::splat({DType::int16, {1000, 1000, 1000}}, {0xFE, 0xFF});
  EXPECT_TRUE(c.is_splat());
  EXPECT_EQ(c.integer(999'999'999), -2);
  EXPECT_TRUE(c.contiguous().empty());
  std::vector<float> out(5);
  c.read(123, out);
  EXPECT_EQ(out, std::vector<float>(5, -2.0f));
  const Constant small = c.reshaped({1000000000});
  EXPECT_EQ(small.shape(), Shape({1000000000}));
  EXPECT_THROW(c.reshaped({3}), InternalError);
}

// From any byte of an element on, and of any length.
TEST(Constant, BytesOfASplatAreItsElementOverAndOver) {
  const std::vector<uint8_t> element{1, 2, 3, 4};
  const Constant splat = Constant::splat({DType::float32, {40}}, element);
  for (size_t first = 0; first < 9; ++first) {
    for (size_t count = 0; count <= 70; ++count) {
      std::vector<uint8_t> out(count + 1, 99), expected;
      splat.copy_bytes(static_cast<int64_t>(first), {out.data(), count});
      for (size_t i = 0; i < count; ++i) expected.push_back(element[(first + i) % 4]);
      expected.push_back(99);  // nothing behind
      ASSERT_EQ(out, expected) << count << " from " << first;
    }
  }
}

TEST(Constant, SplatEqualsItsMaterialisedForm) {
  const Constant splat = Constant::splat({DType::float32, {3}}, {0, 0, 128, 63});
  const Constant full = Constant::floats(DType::float32, {3}, {1, 1, 1});
  EXPECT_TRUE(splat.same_as(full));
  EXPECT_TRUE(full.same_as(splat));
  EXPECT_EQ(splat.bytes(), full.bytes());
  EXPECT_FALSE(splat.same_as(Constant::floats(DType::float32, {3}, {1, 1, 2})));
  EXPECT_FALSE(splat.same_as(full.reshaped({3, 1})));
  EXPECT_EQ(Constant::splat({DType::float32, {}}, {0, 0, 128, 63}).contiguous().size(), 4u);
}

TEST(Constant, PackedSplatRepeatsAByte) {
  const Constant c = Constant::splat({DType::uint4, {5}}, {0x21});
  EXPECT_EQ(c.integers(), (std::vector<int64_t>{1, 2, 1, 2, 1}));
  EXPECT_EQ(c.bytes(), (std::vector<uint8_t>{0x21, 0x21, 0x21}));
}

TEST(Constant, ReadConvertsARange) {
  const Constant c = Constant::floats(DType::float16, {4}, {1, 2.5, -3, 4});
  std::vector<float> out(2);
  c.read(1, out);
  EXPECT_EQ(out, (std::vector<float>{2.5f, -3}));
  EXPECT_THROW(c.read(3, out), InternalError);
  EXPECT_EQ(c.reals(), (std::vector<double>{1, 2.5, -3, 4}));
}

TEST(Constant, AbsentKeepsTypeAndSource) {
  const Constant c = Constant::absent({DType::float32, {1000}}, "weights.bin");
  const Constant copy = c;
  EXPECT_TRUE(c.is_absent());
  EXPECT_EQ(c.source(), "weights.bin");
  EXPECT_EQ(c.type().bytes(), 4000);
  EXPECT_TRUE(c.contiguous().empty());
  EXPECT_THROW(c.bytes(), InternalError);
  EXPECT_THROW(c.real(0), InternalError);
  EXPECT_TRUE(c.same_as(copy));
  EXPECT_FALSE(c.same_as(Constant::absent({DType::float32, {1000}}, "weights.bin")));
}

TEST(Constant, Strings) {
  const Constant c = Constant::strings({2}, {"cat", "dog"});
  EXPECT_EQ(c.dtype(), DType::string);
  EXPECT_EQ(c.strings()[1], "dog");
  EXPECT_TRUE(c.same_as(Constant::strings({2}, {"cat", "dog"})));
  EXPECT_FALSE(c.same_as(Constant::strings({2}, {"cat", "cow"})));
  EXPECT_THROW(c.integer(0), InternalError);
  EXPECT_THROW(Constant::scalar(DType::float32, 1).strings(), InternalError);
}

TEST(Constant, EmptyTensors) {
  const Constant c = Constant::floats(DType::float32, {0, 3}, {});
  EXPECT_EQ(c.count(), 0);
  EXPECT_TRUE(c.bytes().empty());
  EXPECT_TRUE(c.reals().empty());
  c.read(0, {});
  EXPECT_TRUE(c.same_as(Constant::splat({DType::float32, {0, 3}}, {0, 0, 0, 0})));
}

// [3][8] codes in blocks of 4, seen transposed, in part and backwards.
TEST(Constant, CodesAreFloatsWhereverTheyStand) {
  std::vector<int64_t> codes, zeros{1, 2, 3, 4, 5, 6};
  for (int64_t i = 0; i < 24; ++i) codes.push_back(i * 37 % 256);
  const Constant scales = Constant::floats(DType::float32, {6}, {0.5, 0.1, 0.2, 0.3, 0.4, 0.7});
  const auto values = std::make_shared<const CodedValues>(CodedValues{Constant::ints(DType::uint8, {24}, codes), scales,
                                                                      Constant::ints(DType::uint8, {6}, zeros),
                                                                      ScaleGeometry{3, 8, 1, 4, 2, 1, 0}});
  const Constant c = Constant::coded({3, 8}, values);
  const auto want = [&](int64_t r, int64_t k) {
    const auto s = static_cast<size_t>(r * 2 + k / 4);
    return static_cast<float>(codes[static_cast<size_t>(r * 8 + k)] - zeros[s]) *
           static_cast<float>(scales.real(static_cast<int64_t>(s)));
  };
  EXPECT_TRUE(c.contiguous().empty());
  for (int64_t i = 0; i < 24; ++i) EXPECT_EQ(static_cast<float>(c.real(i)), want(i / 8, i % 8));
  const auto turned = c.strided({8, 3}, {1, 8}, 0);
  ASSERT_TRUE(turned && turned->codes());
  for (int64_t i = 0; i < 24; ++i) EXPECT_EQ(static_cast<float>(turned->real(i)), want(i % 3, i / 3));
  // Rows 2 and 1 of columns 6, 4, 2 of the transposed one.
  const auto part = turned->strided({3, 2}, {-6, -1}, 6 * 3 + 2);
  ASSERT_TRUE(part && part->codes());
  for (int64_t i = 0; i < 6; ++i) EXPECT_EQ(static_cast<float>(part->real(i)), want(2 - i % 2, 6 - i / 2 * 2));
  std::vector<uint8_t> bytes(7);
  c.copy_bytes(6, bytes);
  const std::vector<uint8_t> all = c.bytes();
  EXPECT_EQ(bytes, std::vector<uint8_t>(all.begin() + 6, all.begin() + 13));
  EXPECT_TRUE(c.same_as(Constant::of(c.type(), all)));
  EXPECT_FALSE(turned->strided({4}, {4}, 0).has_value());  // along no axis
}

}  // namespace
}  // namespace tarn
