// The lines of a memory in which lines of a tensor lie, beside every byte of them.
#include <gtest/gtest.h>

#include <algorithm>

#include "planner/random.h"
#include "stream/check/plan_reads.h"

namespace tarn::stream {
namespace {

struct Lying {
  explicit Lying(uint64_t seed) : random(seed) {
    program::Tensor& t = program.tensors.emplace_back();
    t.geometry = {1 + random.below(5), 1 + random.below(4), 1 + random.below(4)};
    t.type = {random.below(3) == 0 ? DType::float32 : DType::int8,
              Shape{1, t.geometry.lines, t.geometry.pixels, t.geometry.channels}};
    LineView& view = plan.views.emplace_back();
    view.memory = 0;
    view.by_lines = random.below(3) == 0;
    view.first_line = random.below(3);
    view.offset = random.below(6);
    view.pixel_pitch = t.geometry.channels + random.below(2) * random.below(3);
    Memory& memory = plan.memories.emplace_back();
    memory.line_bytes = 1 + random.below(30);
  }

  // Of one line of the tensor.
  Span line(int64_t l) const {
    const program::Tensor& t = program.tensors[0];
    const LineView& view = plan.views[0];
    if (view.by_lines) return {view.first_line + l, view.first_line + l + 1};
    const int64_t line_bytes = plan.memories[0].line_bytes;
    int64_t first = INT64_MAX, last = 0;
    for (int64_t p = 0; p < t.geometry.pixels; ++p) {
      for (int64_t b = 0; b < t.geometry.channels * t.element_bytes(); ++b) {
        const int64_t pixel = (l * t.geometry.pixels + p) * view.pixel_pitch * t.element_bytes();
        const int64_t at = view.first_line * line_bytes + view.offset + pixel + b;
        first = std::min(first, at / line_bytes), last = std::max(last, at / line_bytes);
      }
    }
    return {first, last + 1};
  }

  planner::Random random;
  Program program;
  LinePlan plan;
};

TEST(MemoryLines, AreThoseOfEveryByte) {
  const TensorId id(size_t{0});
  int several = 0;
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    Lying lying(seed);
    const int64_t lines = lying.program[id].geometry.lines;
    for (int64_t first = 0; first <= lines; ++first) {
      for (int64_t end = 0; end <= lines; ++end) {
        Span expected;
        if (first < end) expected = {lying.line(first).first, lying.line(end - 1).end};
        ASSERT_EQ(memory_lines(lying.program, lying.plan, id, first, end), expected)
            << seed << ": " << first << " " << end;
        several += expected.end - expected.first > 1;
      }
    }
    EXPECT_EQ(memory_lines(lying.program, lying.plan, id), memory_lines(lying.program, lying.plan, id, 0, lines));
    lying.plan.views[0].memory = -1;
    EXPECT_EQ(memory_lines(lying.program, lying.plan, id), Span{});
  }
  EXPECT_GT(several, 1000);
}

// Packed elements may lie anywhere in all bytes.
TEST(MemoryLines, OfPackedElementsAreAllOfThem) {
  Lying lying(1);
  lying.program[TensorId(size_t{0})].geometry = {4, 5, 3};
  lying.program[TensorId(size_t{0})].type = {DType::int4, Shape{1, 4, 5, 3}};
  lying.plan.views[0] = {.memory = 0, .by_lines = false, .first_line = 1, .offset = 2, .pixel_pitch = 3};
  lying.plan.memories[0].line_bytes = 7;
  EXPECT_EQ(memory_lines(lying.program, lying.plan, TensorId(size_t{0}), 2, 3), (Span{1, 6}));  // bytes 9 to 38
}

}  // namespace
}  // namespace tarn::stream
