#include "ops/quantize.h"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/ops/entry_facts.h"

namespace tarn::ops {
namespace {

using Numbers = std::vector<int64_t>;

TEST(QuantizeLinear, TypeOfTheResult) {
  auto node = [](int version) {
    return RoomFacts("", "QuantizeLinear", version).input(DType::float32, {2, 3}).input(DType::float32, {});
  };
  EXPECT_EQ(node(13).infer(), "uint8[2,3]");
  EXPECT_EQ(node(13).input(DType::int8, {}).infer(), "int8[2,3]");
  EXPECT_EQ(node(21).with("output_dtype", int64_t{22}).infer(), "int4[2,3]");
  EXPECT_EQ(node(13).input(DType::int8, {2}).infer(), "E205");
}

TEST(QuantizeLinear, ScalesPerAxisAndInBlocks) {
  auto node = [](Shape scale) {
    return RoomFacts("", "DequantizeLinear", 21).input(DType::int8, {4, 6}).input(DType::float32, std::move(scale));
  };
  EXPECT_EQ(node({6}).infer(), "float32[4,6]");
  EXPECT_EQ(node({4}).infer(), "E205");
  EXPECT_EQ(node({4}).with("axis", int64_t{0}).infer(), "float32[4,6]");
  EXPECT_EQ(node({4}).with("axis", int64_t{-2}).infer(), "float32[4,6]");
  EXPECT_EQ(node({4}).with("axis", int64_t{2}).infer(), "E205");
  EXPECT_EQ(node({4, 2}).with("block_size", int64_t{4}).infer(), "float32[4,6]");
  EXPECT_EQ(node({4, 3}).with("block_size", int64_t{4}).infer(), "E205");
  EXPECT_EQ(node({4, 2}).with("block_size", int64_t{-1}).infer(), "E205");
  EXPECT_EQ(node({4, 2}).with("block_size", INT64_MAX).infer(), "E205");
}

TEST(QuantizeLinear, RoundsTiesToEvenBeforeTheZeroPoint) {
  const auto folded = RoomFacts("", "QuantizeLinear", 13)
                          .input(floats({7}, {0.5, 1.5, 2.5, -0.5, 1000, -1000, NAN}))
                          .input(floats({}, {1}))
                          .input(ints({}, {3}, DType::uint8))
                          .fold();
  ASSERT_TRUE(folded);
  EXPECT_EQ(folded->integers(), (Numbers{3, 5, 5, 3, 255, 0, 0}));
}

TEST(QuantizeLinear, FourBitsArePacked) {
  const auto folded = RoomFacts("", "QuantizeLinear", 21)
                          .input(floats({3}, {-100, 3, 100}))
                          .input(floats({}, {2}))
                          .input(ints({}, {0}, DType::int4))
                          .fold();
  ASSERT_TRUE(folded);
  EXPECT_EQ(folded->integers(), (Numbers{-8, 2, 7}));
  EXPECT_EQ(folded->bytes().size(), 2u);
}

TEST(DequantizeLinear, Blocks) {
  Node node;
  node.version = 21;
  node.attributes["axis"] = int64_t{1};
  node.attributes["block_size"] = int64_t{2};
  const Constant x = ints({2, 3}, {1, 2, 3, 4, 5, 6}, DType::int8), scale = floats({2, 2}, {1, 10, 100, 1000});
  const auto y = dequantized(node, x, scale, nullptr, {DType::float32, {2, 3}});
  ASSERT_TRUE(y);
  EXPECT_EQ(y->reals(), (std::vector<double>{1, 2, 30, 400, 500, 6000}));
}

TEST(DequantizeLinear, IsNotFoldedWhileTheGraphIsBuilt) {
  EXPECT_EQ(find_entry("", "DequantizeLinear")->fold, nullptr);  // passes look for quantised weights first
}

TEST(IntegerProducts, Types) {
  EXPECT_EQ(RoomFacts("", "MatMulInteger", 10).input(DType::uint8, {2, 3}).input(DType::int8, {3, 4}).infer(),
            "int32[2,4]");
  EXPECT_EQ(RoomFacts("", "MatMulInteger", 10).input(DType::uint8, {2, 3}).input(DType::int8, {4, 3}).infer(), "E205");
  EXPECT_EQ(
      RoomFacts("", "ConvInteger", 10).input(DType::uint8, {1, 2, 5, 5}).input(DType::uint8, {3, 2, 3, 3}).infer(),
      "int32[1,3,3,3]");
  EXPECT_EQ(RoomFacts("", "ConvInteger", 10)
                .with("group", int64_t{0})
                .input(DType::uint8, {1, 2, 5, 5})
                .input(DType::uint8, {3, 2, 3, 3})
                .infer(),
            "E205");
}

}  // namespace
}  // namespace tarn::ops
