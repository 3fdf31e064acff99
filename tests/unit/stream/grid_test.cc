// Lines of tensors that lie in others.
#include "stream/network/grid.h"

#include <gtest/gtest.h>

namespace tarn::stream {
namespace {

// A part of the channels of a whole is dense only where it has one pixel.
TEST(Grid, DenseIsWhatHasNoGapsBetweenPixels) {
  const auto is_dense_part = [](int64_t lines, int64_t pixels, int64_t pitch) {
    Program program;
    program.tensors.resize(1);
    program.tensors[0].geometry = {lines, pixels, 2};
    lifetimes::Storage storage;
    storage.places.resize(1);
    storage.places[0].pixel_pitch = pitch;
    return is_dense(program, storage, TensorId(size_t{0}));
  };
  EXPECT_TRUE(is_dense_part(3, 4, 2));
  EXPECT_FALSE(is_dense_part(3, 4, 5));
  EXPECT_FALSE(is_dense_part(2, 1, 5));
  EXPECT_FALSE(is_dense_part(1, 2, 5));
  EXPECT_TRUE(is_dense_part(1, 1, 5));
}

}  // namespace
}  // namespace tarn::stream
