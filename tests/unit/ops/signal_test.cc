#include <gtest/gtest.h>

#include <cmath>

#include "unit/ops/entry_facts.h"

namespace tarn::ops {
namespace {

TEST(Dft, Shapes) {
  auto node = [] { return RoomFacts("", "DFT", 17).input(DType::float32, {2, 10, 1}); };
  EXPECT_EQ(node().infer(), "float32[2,10,2]");
  EXPECT_EQ(node().with("onesided", int64_t{1}).infer(), "float32[2,6,2]");
  EXPECT_EQ(node().input(ints({}, {16})).infer(), "float32[2,16,2]");
  EXPECT_EQ(node().with("axis", int64_t{2}).infer(), "E211");
  EXPECT_EQ(node().input(ints({}, {0})).infer(), "E211");
  EXPECT_EQ(node().input(ints({}, {INT64_MAX})).infer(), "E211");
  EXPECT_EQ(RoomFacts("", "DFT", 17).input(DType::float32, {2, 10, 3}).infer(), "E205");
  EXPECT_EQ(RoomFacts("", "DFT", 20)
                .with("inverse", int64_t{1})
                .with("onesided", int64_t{1})
                .input(DType::float32, {6, 2})
                .infer(),
            "float32[10,1]");
}

TEST(Stft, Frames) {
  auto node = [](int64_t step, int64_t length) {
    return RoomFacts("", "STFT", 17)
        .input(DType::float32, {1, 128, 1})
        .input(ints({}, {step}))
        .omitted()
        .input(ints({}, {length}));
  };
  EXPECT_EQ(node(8, 16).infer(), "float32[1,15,9,2]");
  EXPECT_EQ(node(8, 16).with("onesided", int64_t{0}).infer(), "float32[1,15,16,2]");
  EXPECT_EQ(node(0, 16).infer(), "E211");
  EXPECT_EQ(node(8, 129).infer(), "E211");
}

TEST(Windows, AreConstants) {
  const auto hann = RoomFacts("", "HannWindow", 17).input(ints({}, {4}, DType::int32)).fold();
  ASSERT_TRUE(hann);
  EXPECT_NEAR(hann->real(0), 0, 1e-7);
  EXPECT_NEAR(hann->real(1), 0.5, 1e-7);
  EXPECT_NEAR(hann->real(2), 1, 1e-7);
  const auto one = RoomFacts("", "HannWindow", 17).with("periodic", int64_t{0}).input(ints({}, {1})).fold();
  ASSERT_TRUE(one);
  EXPECT_TRUE(std::isnan(one->real(0)));  // 0 / 0 by the formula
  EXPECT_EQ(RoomFacts("", "HannWindow", 17).input(ints({}, {-1})).infer(), "E211");
}

TEST(MelWeightMatrix, HostileNumbers) {
  auto node = [](int64_t bands, int64_t length, int64_t rate) {
    return RoomFacts("", "MelWeightMatrix", 17)
        .input(ints({}, {bands}))
        .input(ints({}, {length}))
        .input(ints({}, {rate}))
        .input(floats({}, {0}))
        .input(floats({}, {8192}));
  };
  EXPECT_EQ(node(8, 16, 8192).infer(), "float32[9,8]");
  EXPECT_TRUE(node(8, 16, 8192).fold());
  EXPECT_EQ(node(8, INT64_MAX, 8192).infer(), "E211");
  EXPECT_EQ(node(8, 16, 0).infer(), "E211");
}

TEST(TfIdfVectorizer, Faults) {
  auto node = [](std::vector<int64_t> counts, std::vector<int64_t> indexes) {
    return RoomFacts("", "TfIdfVectorizer", 9)
        .with("min_gram_length", int64_t{1})
        .with("max_gram_length", int64_t{2})
        .with("max_skip_count", int64_t{0})
        .with("mode", std::string("TF"))
        .with("pool_int64s", std::vector<int64_t>{2, 3, 5, 4})
        .with("ngram_counts", std::move(counts))
        .with("ngram_indexes", std::move(indexes))
        .input(DType::int32, {3, 6});
  };
  EXPECT_EQ(node({0, 2}, {0, 1, 2}).infer(), "float32[3,3]");
  EXPECT_EQ(node({0, 3}, {0, 1, 2}).infer(), "E205");
  EXPECT_EQ(node({0, 9}, {0, 1, 2}).infer(), "E205");
  EXPECT_EQ(node({0, 2}, {0, 1, -1}).infer(), "E205");
  EXPECT_EQ(node({0, 2}, {0, 1}).infer(), "E205");
}

TEST(Random, AbsurdShapes) {
  EXPECT_EQ(RoomFacts("", "RandomUniform", 1).with("shape", std::vector<int64_t>{2, 3}).infer(), "float32[2,3]");
  EXPECT_EQ(RoomFacts("", "RandomUniform", 1).with("shape", std::vector<int64_t>{-2, 3}).infer(), "E207");
  EXPECT_EQ(RoomFacts("", "Multinomial", 7).with("sample_size", int64_t{-1}).input(DType::float32, {2, 3}).infer(),
            "E205");
}

}  // namespace
}  // namespace tarn::ops
