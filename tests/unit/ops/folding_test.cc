// Elements of constants by strides: those side by side go at once.
#include "ops/folding.h"

#include <gtest/gtest.h>

#include <numeric>

namespace tarn::ops {
namespace {

// 0 to 23 as [2, 3, 4], of a type whose codes have a byte, four, or half of one; wide ones end at 7.
std::vector<int64_t> picked(DType type, const std::vector<int64_t>& dims, const std::vector<int64_t>& strides,
                            int64_t offset) {
  std::vector<int64_t> values(24);
  std::iota(values.begin(), values.end(), int64_t{0});
  for (int64_t& value : values) value = type == DType::int4 ? value % 8 : value;
  const Constant in = Constant::ints(type, Shape({2, 3, 4}), values);
  const auto out = pick_strided(in, {type, Shape(dims)}, strides, offset);
  return out ? out->integers() : std::vector<int64_t>{};
}

TEST(Folding, StridesPickElements) {
  for (const DType type : {DType::int8, DType::int32, DType::int4}) {
    const auto at = [&](std::vector<int64_t> values) {
      for (int64_t& value : values) value = type == DType::int4 ? value % 8 : value;
      return values;
    };
    // Runs of a slice, of whole rows, of one element; the last axes alike; the same element again and again.
    EXPECT_EQ(picked(type, {2, 2, 2}, {12, 4, 1}, 5), at({5, 6, 9, 10, 17, 18, 21, 22}));
    EXPECT_EQ(picked(type, {2, 2, 4}, {12, 4, 1}, 4), at({4, 5, 6, 7, 8, 9, 10, 11, 16, 17, 18, 19, 20, 21, 22, 23}));
    EXPECT_EQ(picked(type, {2, 2, 1}, {12, 8, 2}, 1), at({1, 9, 13, 21}));
    EXPECT_EQ(picked(type, {1, 4, 3}, {12, 1, 4}, 12), at({12, 16, 20, 13, 17, 21, 14, 18, 22, 15, 19, 23}));
    EXPECT_EQ(picked(type, {2, 3}, {0, 1}, 2), at({2, 3, 4, 2, 3, 4}));
    EXPECT_TRUE(picked(type, {2, 0, 4}, {12, 4, 1}, 0).empty());
  }
}

}  // namespace
}  // namespace tarn::ops
