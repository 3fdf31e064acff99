#include <gtest/gtest.h>

#include "unit/ops/entry_facts.h"

namespace tarn::ops {
namespace {

using Numbers = std::vector<int64_t>;

TEST(Gather, TypesAndFaults) {
  EXPECT_EQ(RoomFacts("", "Gather", 13)
                .with("axis", int64_t{1})
                .input(DType::float32, {2, 3, 4})
                .input(DType::int64, {5, 6})
                .infer(),
            "float32[2,5,6,4]");
  EXPECT_EQ(RoomFacts("", "Gather", 13).input(DType::int8, {7}).input(DType::int32, {}).infer(), "int8[]");
  EXPECT_EQ(RoomFacts("", "Gather", 13)
                .with("axis", int64_t{3})
                .input(DType::float32, {2, 3})
                .input(DType::int64, {})
                .infer(),
            "E205");
  EXPECT_EQ(RoomFacts("", "Gather", 13).input(DType::float32, {2, 3}).infer(), "E205");
}

TEST(Gather, FoldsShapeArithmetic) {
  const auto last = RoomFacts("", "Gather", 13).input(ints({4}, {3, 5, 7, 9})).input(ints({}, {-1})).fold();
  ASSERT_TRUE(last);
  EXPECT_EQ(last->shape(), Shape{});
  EXPECT_EQ(last->integers(), Numbers{9});
  const auto columns = RoomFacts("", "Gather", 13)
                           .with("axis", int64_t{1})
                           .input(ints({2, 3}, {1, 2, 3, 4, 5, 6}))
                           .input(ints({2}, {2, 0}))
                           .fold();
  ASSERT_TRUE(columns);
  EXPECT_EQ(columns->integers(), (Numbers{3, 1, 6, 4}));
  EXPECT_FALSE(RoomFacts("", "Gather", 13).input(ints({4}, {3, 5, 7, 9})).input(ints({}, {4})).fold());
}

TEST(GatherND, BatchAxes) {
  EXPECT_EQ(RoomFacts("", "GatherND", 13)
                .with("batch_dims", int64_t{1})
                .input(DType::float32, {2, 3, 4})
                .input(DType::int64, {2, 5, 1})
                .infer(),
            "float32[2,5,4]");
  EXPECT_EQ(RoomFacts("", "GatherND", 13)
                .with("batch_dims", int64_t{1})
                .input(DType::float32, {2, 3, 4})
                .input(DType::int64, {3, 5, 1})
                .infer(),
            "E205");
  EXPECT_EQ(RoomFacts("", "GatherND", 13)
                .with("batch_dims", int64_t{-9})
                .input(DType::float32, {2, 3})
                .input(DType::int64, {2, 1})
                .infer(),
            "E205");
  EXPECT_EQ(RoomFacts("", "GatherND", 13).input(DType::float32, {2, 3}).input(DType::int64, {2, 3}).infer(), "E205");
  const auto folded =
      RoomFacts("", "GatherND", 13).input(ints({2, 2}, {1, 2, 3, 4})).input(ints({2, 2}, {0, -1, 1, 0})).fold();
  ASSERT_TRUE(folded);
  EXPECT_EQ(folded->integers(), (Numbers{2, 3}));
}

TEST(ScatterND, FoldsReplacementOnly) {
  auto node = [] {
    return RoomFacts("", "ScatterND", 18)
        .input(ints({4}, {1, 2, 3, 4}))
        .input(ints({2, 1}, {3, -4}))
        .input(ints({2}, {8, 9}));
  };
  const auto folded = node().fold();
  ASSERT_TRUE(folded);
  EXPECT_EQ(folded->integers(), (Numbers{9, 2, 3, 8}));
  EXPECT_FALSE(node().with("reduction", std::string("add")).fold());
  EXPECT_EQ(node().with("reduction", std::string("xor")).infer(), "E205");
}

TEST(OneHot, Folds) {
  const auto folded =
      RoomFacts("", "OneHot", 11).input(ints({2}, {-1, 5})).input(ints({}, {3})).input(floats({2}, {0, 2})).fold();
  ASSERT_TRUE(folded);
  EXPECT_EQ(folded->shape(), (Shape{2, 3}));
  EXPECT_EQ(folded->reals(), (std::vector<double>{0, 0, 2, 0, 0, 0}));
}

TEST(TopK, SizeKnownPromisedOrBounded) {
  EXPECT_EQ(RoomFacts("", "TopK", 11).input(DType::float32, {2, 9}).input(ints({1}, {4})).infer(),
            "float32[2,4] int64[2,4]");
  EXPECT_EQ(RoomFacts("", "TopK", 11).input(DType::float32, {2, 9}).input(ints({1}, {10})).infer(), "E211");
  EXPECT_EQ(RoomFacts("", "TopK", 1).with("k", int64_t{2}).input(DType::float32, {2, 9}).infer(),
            "float32[2,2] int64[2,2]");

  RoomFacts unknown = RoomFacts("", "TopK", 11).input(DType::float32, {2, 9}).input(DType::int64, {1}).outputs(2);
  EXPECT_EQ(unknown.infer(), "float32[2,9] int64[2,9]");
  EXPECT_EQ(unknown.marks.size(), 2u);

  RoomFacts promised = RoomFacts("", "TopK", 11)
                           .input(DType::float32, {2, 9})
                           .input(DType::int64, {1})
                           .declares({DType::float32, {2, 3}});
  EXPECT_EQ(promised.infer(), "float32[2,3] int64[2,3]");
  EXPECT_TRUE(promised.marks.empty());

  RoomFacts bounded = RoomFacts("", "TopK", 11)
                          .input(DType::float32, {2, 9})
                          .input(DType::int64, {1})
                          .declares({DType::float32, {2, 3}}, true);
  EXPECT_EQ(bounded.infer(), "float32[2,3] int64[2,3]");
  EXPECT_EQ(bounded.marks.size(), 2u);
}

TEST(Slice, BoundsKnownOnlyAtRunTime) {
  RoomFacts open = RoomFacts("", "Slice", 13)
                       .input(DType::float32, {5, 6})
                       .input(DType::int64, {1})
                       .input(DType::int64, {1})
                       .input(ints({1}, {-1}));
  EXPECT_EQ(open.infer(), "float32[5,6]");
  ASSERT_EQ(open.marks.size(), 1u);
  EXPECT_EQ(open.marks[0].axis, 1);
  RoomFacts any_axis = RoomFacts("", "Slice", 13)
                           .input(DType::float32, {5, 6})
                           .input(DType::int64, {1})
                           .input(DType::int64, {1})
                           .input(DType::int64, {1});
  any_axis.infer();
  EXPECT_EQ(any_axis.marks.size(), 2u);
}

TEST(Compress, SizeOfAKnownConditionIsExact) {
  RoomFacts known = RoomFacts("", "Compress", 11)
                        .with("axis", int64_t{0})
                        .input(DType::float32, {3, 2})
                        .input(ints({3}, {1, 0, 1}, DType::boolean));
  EXPECT_EQ(known.infer(), "float32[2,2]");
  EXPECT_TRUE(known.marks.empty());
  RoomFacts unknown = RoomFacts("", "Compress", 11).input(DType::float32, {3, 2}).input(DType::boolean, {5});
  EXPECT_EQ(unknown.infer(), "float32[5]");
  EXPECT_EQ(unknown.marks.size(), 1u);
  EXPECT_EQ(RoomFacts("", "Compress", 11).input(DType::float32, {3, 2}).input(DType::boolean, {7}).infer(), "E205");
}

TEST(NonZero, PlacesOfAKnownTensorAreExact) {
  RoomFacts known = RoomFacts("", "NonZero", 13).input(floats({2, 3}, {0.25, 0, 0, -1, 0, 3}));
  EXPECT_EQ(known.infer(), "int64[2,3]");
  EXPECT_TRUE(known.marks.empty());
  ASSERT_TRUE(known.fold());
  EXPECT_EQ(known.fold()->integers(), (std::vector<int64_t>{0, 1, 1, 0, 0, 2}));
  RoomFacts scalar = RoomFacts("", "NonZero", 13).input(floats({}, {5}));
  EXPECT_EQ(scalar.infer(), "int64[1,1]");
  EXPECT_EQ(scalar.fold()->integers(), std::vector<int64_t>{0});
  RoomFacts none = RoomFacts("", "NonZero", 13).input(ints({4}, {0, 0, 0, 0}, DType::boolean));
  EXPECT_EQ(none.infer(), "int64[1,0]");
  EXPECT_EQ(none.fold()->count(), 0);
  RoomFacts unknown = RoomFacts("", "NonZero", 13).input(DType::float32, {2, 3});
  EXPECT_EQ(unknown.infer(), "int64[2,6]");
  EXPECT_EQ(unknown.marks.size(), 1u);
}

TEST(NonMaxSuppression, LargestNumberOfBoxes) {
  EXPECT_EQ(RoomFacts("", "NonMaxSuppression", 11)
                .input(DType::float32, {2, 8, 4})
                .input(DType::float32, {2, 3, 8})
                .input(ints({}, {5}))
                .infer(),
            "int64[30,3]");
  EXPECT_EQ(
      RoomFacts("", "NonMaxSuppression", 11).input(DType::float32, {2, 8, 4}).input(DType::float32, {2, 3, 8}).infer(),
      "int64[0,3]");
  EXPECT_EQ(
      RoomFacts("", "NonMaxSuppression", 11).input(DType::float32, {2, 8, 4}).input(DType::float32, {2, 3, 9}).infer(),
      "E205");
}

}  // namespace
}  // namespace tarn::ops
