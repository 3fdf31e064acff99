// Softmaxes, ArgMax, running sums, norms, losses, Trilu, EyeLike, Det.
#include <gtest/gtest.h>

#include "unit/ops/question.h"

namespace tarn::ops::testing {
namespace {

using V = std::vector<int64_t>;
using D = std::vector<double>;

TEST(Softmax, AxisIsChecked) {
  EXPECT_EQ(Question("Softmax", 13).input(DType::float32, {2, 3}).with("axis", int64_t{-2}).type(), "float32[2,3]");
  EXPECT_EQ(Question("Softmax", 13).input(DType::float32, {2, 3}).with("axis", int64_t{2}).type(), "fault: E205");
  EXPECT_EQ(Question("Softmax", 11).input(DType::float32, {2, 3}).with("axis", int64_t{2}).type(), "float32[2,3]");
}

TEST(ArgMax, FoldsFirstOrLast) {
  const Constant x = floats({2, 3}, {1, 5, 5, 7, 7, 2});
  EXPECT_EQ(Question("ArgMax").constant(x).with("axis", int64_t{1}).integers(), (V{1, 0}));
  EXPECT_EQ(Question("ArgMax").constant(x).with("axis", int64_t{1}).with("select_last_index", int64_t{1}).integers(),
            (V{2, 1}));
  EXPECT_EQ(Question("ArgMin").constant(x).with("axis", int64_t{0}).integers(), (V{0, 0, 1}));
  EXPECT_EQ(
      Question("ArgMax").input(DType::float32, {2, 3}).with("axis", int64_t{1}).with("keepdims", int64_t{0}).type(),
      "int64[2]");
}

TEST(CumSum, FoldsAllForms) {
  const Constant x = integers({4}, {1, 2, 3, 4});
  EXPECT_EQ(Question("CumSum").constant(x).ints({0}).integers(), (V{1, 3, 6, 10}));
  EXPECT_EQ(Question("CumSum").constant(x).ints({0}).with("exclusive", int64_t{1}).integers(), (V{0, 1, 3, 6}));
  EXPECT_EQ(Question("CumSum").constant(x).ints({-1}).with("reverse", int64_t{1}).integers(), (V{10, 9, 7, 4}));
  EXPECT_EQ(
      Question("CumProd").constant(x).ints({0}).with("exclusive", int64_t{1}).with("reverse", int64_t{1}).integers(),
      (V{24, 12, 4, 1}));
  EXPECT_EQ(Question("CumSum").constant(x).ints({1}).type(), "fault: E205");
}

TEST(LayerNormalization, OutputsAndFaults) {
  Question q("LayerNormalization", 17);
  q.input(DType::float16, {2, 3, 4}).input(DType::float16, {3, 4}).with("axis", int64_t{1});
  const Types types = std::get<Types>(q.answer());
  EXPECT_EQ(to_string(types[0]), "float16[2,3,4]");
  EXPECT_EQ(to_string(types[1]), "float32[2,1,1]");
  EXPECT_EQ(Question("LayerNormalization", 17).input(DType::float32, {2, 3}).input(DType::float32, {4}).type(),
            "fault: E205");
  EXPECT_EQ(Question("LayerNormalization", 17)
                .input(DType::float32, {2, 3})
                .input(DType::float32, {3})
                .with("axis", int64_t{9})
                .type(),
            "fault: E205");
}

TEST(Losses, ShapesAndFaults) {
  EXPECT_EQ(Question("NegativeLogLikelihoodLoss").input(DType::float32, {3, 5, 2}).input(DType::int64, {3, 2}).type(),
            "float32[]");
  EXPECT_EQ(Question("NegativeLogLikelihoodLoss")
                .input(DType::float32, {3, 5})
                .input(DType::int64, {3})
                .with("reduction", std::string("none"))
                .type(),
            "float32[3]");
  EXPECT_EQ(Question("SoftmaxCrossEntropyLoss").input(DType::float32, {3, 5}).input(DType::int64, {4}).type(),
            "fault: E205");
  EXPECT_EQ(Question("SoftmaxCrossEntropyLoss")
                .input(DType::float32, {3, 5})
                .input(DType::int64, {3})
                .with("reduction", std::string("max"))
                .type(),
            "fault: E205");
}

TEST(Trilu, Folds) {
  const Constant x = integers({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(Question("Trilu").constant(x).integers(), (V{1, 2, 3, 0, 5, 6}));
  EXPECT_EQ(Question("Trilu").constant(x).ints({1}).with("upper", int64_t{0}).integers(), (V{1, 2, 0, 4, 5, 6}));
  EXPECT_EQ(Question("Trilu").constant(x).ints({INT64_MAX}).integers(), (V{0, 0, 0, 0, 0, 0}));
}

TEST(EyeLike, NeedsOnlyTheShape) {
  EXPECT_EQ(Question("EyeLike").input(DType::float32, {2, 3}).with("k", int64_t{1}).reals(), (D{0, 1, 0, 0, 0, 1}));
  EXPECT_EQ(Question("EyeLike").input(DType::float32, {2, 2}).with("k", INT64_MIN).reals(), (D{0, 0, 0, 0}));
  EXPECT_EQ(Question("EyeLike").input(DType::float32, {2, 2}).with("dtype", int64_t{to_onnx(DType::int8)}).type(),
            "int8[2,2]");
}

TEST(Det, NeedsSquares) {
  EXPECT_EQ(Question("Det").input(DType::float32, {5, 3, 3}).type(), "float32[5]");
  EXPECT_EQ(Question("Det").input(DType::float32, {3, 2}).type(), "fault: E205");
}

}  // namespace
}  // namespace tarn::ops::testing
