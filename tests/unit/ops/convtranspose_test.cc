// Which input positions reach an output position of a transposed convolution, against trying every tap.
#include <gtest/gtest.h>

#include "ops/conv.h"

namespace tarn::ops {
namespace {

program::Span by_trying(const WindowAxis& a, int64_t o) {
  program::Span span{0, 0};
  for (int64_t i = 0; i < a.in; ++i) {
    for (int64_t k = 0; k < a.kernel; ++k) {
      if (i * a.stride + k * a.dilation - a.pad_begin != o) continue;
      if (span.first == span.end) span.first = i;
      span.end = i + 1;
    }
  }
  return span;
}

TEST(ConvTranspose, PositionsThatReachEqualThoseFoundByTrying) {
  int reached = 0, empty = 0, spread = 0;
  for (int64_t in : {1, 2, 5}) {
    for (int64_t kernel = 1; kernel <= 4; ++kernel) {
      for (int64_t stride = 1; stride <= 6; ++stride) {
        for (int64_t dilation = 1; dilation <= 6; ++dilation) {
          for (int64_t pad = 0; pad <= 3; ++pad) {
            WindowAxis a{in, 0, kernel, stride, dilation, pad, 0};
            a.out = stride * (in - 1) + a.extent() + 2 - pad;  // two of them behind what is reached
            if (a.out <= 0) continue;
            const std::vector<program::Span> spans = reaching(a);
            ASSERT_EQ(std::ssize(spans), a.out);
            for (int64_t o = 0; o < a.out; ++o) {
              const program::Span want = by_trying(a, o), got = spans[static_cast<size_t>(o)];
              EXPECT_EQ(got.end - got.first, want.end - want.first);
              (want.first == want.end ? empty : reached) += 1;
              spread += want.end - want.first > 1 ? 1 : 0;
              if (want.first != want.end) {
                EXPECT_EQ(got.first, want.first);
              }
            }
          }
        }
      }
    }
  }
  EXPECT_GT(reached, 8000);
  EXPECT_GT(spread, 1000);
  EXPECT_GT(empty, 1000);
}

// A kernel of tens of thousands of taps is no reason to wait.
TEST(ConvTranspose, LongKernelsAreFoundWithoutTrying) {
  const WindowAxis a{65536, 65536 * 3, 65536, 2, 3, 0, 0};
  const std::vector<program::Span> spans = reaching(a);
  EXPECT_EQ(spans[6].first, 0);
  EXPECT_EQ(spans[6].end, 4);
}

}  // namespace
}  // namespace tarn::ops
