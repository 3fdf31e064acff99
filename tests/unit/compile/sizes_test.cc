// A run-time dimension: one plan for all sizes, and what is refused.
#include "program/sizes.h"

#include <algorithm>

#include "planner/validate.h"
#include "support/text.h"
#include "unit/compile/analysed.h"

namespace tarn {
namespace {

CompileOptions over(int64_t low, int64_t high) {
  CompileOptions options;
  options.run_time = {{"N", low, high}};
  return options;
}

std::string refused(const std::string& text, const CompileOptions& options) {
  const Result<Analysis> result = try_analyze(text, options);
  EXPECT_FALSE(result);
  return result ? "" : model::texts(result.faults());
}

// Tensors that start behind others of open length, windows with a stride, an output over its input.
constexpr const char* kSignal = R"(g (float[1, 2, N] x) => (float[1, 4, M] y, float[1, 2, K] z)
  <float[2, 2, 3] w = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}> {
    a = Conv<pads = [1, 1]>(x, w)  b = Relu(a)  c = Concat<axis = 1>(b, x)  y = MaxPool<kernel_shape = [2], strides = [2]>(c)
    z = Concat<axis = 2>(b, a) })";

TEST(Sizes, EachSizeIsThatOfItsOwnBuildOnOnePlan) {
  const Analysis all = analyze_ok(kSignal, over(2, 40));
  ASSERT_EQ(all.sizes.size(), 39u);
  CompileOptions options;
  for (int64_t n = 2; n <= 40; ++n) {
    const Analysis& size = all.sizes[static_cast<size_t>(n - 2)];
    options.dims["N"] = n;
    const Analysis own = analyze_ok(kSignal, options);
    ASSERT_EQ(size.program.operations.size(), own.program.operations.size());
    for (size_t t = 0; t < own.program.tensors.size(); ++t)
      EXPECT_EQ(size.program.tensors[t].type, own.program.tensors[t].type) << n;
    // The offsets, against the problem of this size alone.
    lifetimes::Planning planning =
        lifetimes::make_planning(size.program, size.storage, size.schedule, {options.share, options.alignment, 0, {}});
    planner::Plan plan = size.plan;
    EXPECT_TRUE(planner::validate(planning.problem, plan).empty()) << n;
    if (n == 40) {
      EXPECT_LE(all.plan.arena, own.plan.arena + options.alignment);
    }
  }
}

TEST(Sizes, WithoutSharingToo) {
  CompileOptions options = over(2, 9);
  options.share = {false, false, false};
  EXPECT_EQ(analyze_ok(kSignal, options).sizes.size(), 8u);
}

// Of one row, both operands of the sum have one shape, and another kernel adds them.
constexpr const char* kRows = "g (float[N, 4] x, float[1, 4] s) => (float[N, 4] y) { y = Add(x, s) }";

TEST(Sizes, SizesOfOtherCallsHaveAPlanOfTheirOwn) {
  const Analysis all = analyze_ok(kRows, over(1, 8));
  ASSERT_EQ(all.sizes.size(), 8u);
  EXPECT_EQ(all.sizes[0].options.run_time, (SizeBox{{"N", 1, 1}}));
  EXPECT_EQ(all.sizes[1].options.run_time, (SizeBox{{"N", 2, 8}}));
  EXPECT_EQ(all.sizes[7].options.run_time, (SizeBox{{"N", 2, 8}}));
  // The size itself lies at one address at all sizes.
  for (const Analysis& size : all.sizes) {
    const int item = size.planning.item_of[size.storage[size.program.set_size].buffer.pos()];
    EXPECT_EQ(size.plan.offsets[static_cast<size_t>(item)], 0);
    EXPECT_LE(size.plan.arena, all.plan.arena);
  }
}

// Batches and lengths: four groups, where the least of either makes other calls.
TEST(Sizes, SeveralDimensionsHaveOnePlan) {
  constexpr const char* kAttention = R"(g (float[N, T, 4] x) => (float[N, T, 4] y)
    <float[4, 4] w = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}> {
      q = MatMul(x, w)  t = Transpose<perm = [0, 2, 1]>(q)  s = MatMul(x, t)  p = Softmax(s)  y = MatMul(p, q) })";
  CompileOptions options;
  options.run_time = {{"N", 1, 3}, {"T", 1, 7}};
  const Analysis all = analyze_ok(kAttention, options);
  ASSERT_EQ(all.sizes.size(), 21u);
  options.run_time.clear();
  std::vector<SizeBox> boxes;
  for (size_t i = 0; i < all.sizes.size(); ++i) {
    const Analysis& size = all.sizes[i];
    const SizePoint point = point_at(all.every_size, i);
    EXPECT_EQ(position_of(all.every_size, point), i);
    options.dims = {{"N", point[0]}, {"T", point[1]}};
    const Analysis own = analyze_ok(kAttention, options);
    ASSERT_EQ(size.program.operations.size(), own.program.operations.size());
    for (size_t t = 0; t < own.program.tensors.size(); ++t)
      EXPECT_EQ(size.program.tensors[t].type, own.program.tensors[t].type) << i;
    lifetimes::Planning planning =
        lifetimes::make_planning(size.program, size.storage, size.schedule, {options.share, options.alignment, 0, {}});
    EXPECT_TRUE(planner::validate(planning.problem, size.plan).empty()) << i;
    EXPECT_LE(size.plan.arena, all.plan.arena);
    const SizeBox& box = size.options.run_time;
    for (size_t axis = 0; axis < box.size(); ++axis) {
      EXPECT_GE(point[axis], box[axis].low);
      EXPECT_LE(point[axis], box[axis].high);
    }
    if (std::find(boxes.begin(), boxes.end(), box) == boxes.end()) boxes.push_back(box);
    // Both sizes lie at one address.
    const int item = size.planning.item_of[size.storage[size.program.set_size].buffer.pos()];
    EXPECT_EQ(size.program[size.program.set_size].bytes(), 8);
    if (boxes.size() > 1) {
      EXPECT_EQ(size.plan.offsets[static_cast<size_t>(item)], 0);
    }
    if (i + 1 == all.sizes.size()) {
      EXPECT_LE(all.plan.arena, own.plan.arena + options.alignment);
    }
  }
  EXPECT_LE(boxes.size(), 9u);
}

// Constants that are spread over the batch are made at run time where that takes much memory, at the smaller sizes too.
TEST(Sizes, WhatIsNoConstantAtTheLargestIsNoneAtOthers) {
  constexpr const char* kTable =
      R"(g (float[N, T, 2048] x) => (float[N, T, 2048] y) <int64[1] width = {2048}, float one = {1.5}> {
      n = Shape<start = 0, end = 2>(x)  s = Concat<axis = 0>(n, width)  r = Range(c0, c2048, c1)  f = Cast<to = 1>(r)
      t = Expand(f, s)  y = Add(x, t) })";
  const std::string text = std::string(kTable).replace(std::string(kTable).find("float one = {1.5}"), 17,
                                                       "int64 c0 = {0}, int64 c2048 = {2048}, int64 c1 = {1}");
  CompileOptions options;
  options.run_time = {{"N", 1, 12}, {"T", 1, 9}};
  const Result<Analysis> all = try_analyze(text, options);
  ASSERT_TRUE(all) << model::texts(all.faults());
  EXPECT_EQ(all->sizes.size(), 108u);
  EXPECT_LE(all->weight_bytes(), 2 * 8192 + (64 << 10));
}

std::string seven_numbers(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += cat(i == 0 ? "" : ", ", i % 7 + 1);
  return text;
}

// What is kept of the old shrinks while what is new grows: both stand side by side for a while.
std::string rolling() {
  return cat("g (float[N, 4] x, float[16, 4] old) => (float[16, 4] y)\n  <int64[1] most = {16}, int64[1] axis = {0}, ",
             "float[4, 4] u = {", seven_numbers(16), "}, float[4, 16] w = {", seven_numbers(64),
             "}, float[16, 4] v = {", seven_numbers(64), R"(}> {
    n = Shape<start = 0, end = 1>(x)  k = Slice(old, n, most, axis)  a = Sigmoid(k)  b = MatMul(a, u)  c = Sigmoid(x)
    s = MatMul(c, w)  t = Tanh(s)  d = MatMul(t, v)  e = Concat<axis = 0>(b, d)  y = Sigmoid(e) })");
}

TEST(Sizes, TensorsMayShrinkWhileADimensionGrows) {
  const Analysis one = analyze_ok(rolling(), over(1, 15));
  CompileOptions options = over(1, 15);
  options.dim_offsets = true;
  const Analysis followed = analyze_ok(rolling(), options);
  ASSERT_TRUE(followed.dim_offsets);
  EXPECT_TRUE(followed.dim_offsets->follow);
  EXPECT_EQ(followed.dim_offsets->one_set, one.plan.arena);
  EXPECT_LT(followed.plan.arena, one.plan.arena);
  options = {};
  for (int64_t n = 1; n <= 15; ++n) {
    options.dims["N"] = n;
    const Analysis own = analyze_ok(rolling(), options);
    EXPECT_LE(own.plan.arena, followed.plan.arena) << n;
    for (const Analysis* all : {&one, &followed}) {
      const Analysis& size = all->sizes[static_cast<size_t>(n - 1)];
      const lifetimes::Planning planning = lifetimes::make_planning(size.program, size.storage, size.schedule,
                                                                    {options.share, options.alignment, 0, {}});
      EXPECT_TRUE(planner::validate(planning.problem, size.plan).empty()) << n;
      EXPECT_LE(size.plan.arena, all->plan.arena) << n;
    }
  }
}

// Where every tensor grows, what holds the largest size holds all.
TEST(Sizes, OffsetsStayWhereNothingIsGained) {
  CompileOptions options = over(2, 40);
  options.dim_offsets = true;
  const Analysis all = analyze_ok(kSignal, options);
  ASSERT_TRUE(all.dim_offsets);
  EXPECT_FALSE(all.dim_offsets->follow);
  EXPECT_EQ(all.dim_offsets->one_set, all.plan.arena);
  EXPECT_EQ(all.plan.arena, analyze_ok(kSignal, over(2, 40)).plan.arena);
}

TEST(Sizes, PortsMayNotShrink) {
  const std::string faults = refused(R"(g (float[N, 4] x, float[16, 4] old) => (float[M, 4] y, float[N, 4] z)
    <int64[1] most = {16}, int64[1] axis = {0}> {
      n = Shape<start = 0, end = 1>(x)  k = Slice(old, n, most, axis)  y = Sigmoid(k)  z = Sigmoid(x) })",
                                     over(1, 15));
  EXPECT_NE(faults.find("'y': error E206"), std::string::npos) << faults;
}

TEST(Sizes, AStateKeepsItsPlace) {
  CompileOptions options = over(1, 8);
  options.states = {{"t", "s"}};
  const std::string faults = refused(
      "g (float[N, 4] x, float[1, 4] s) => (float[N, 4] y, float[1, 4] t) { y = Add(x, s) t = Tanh(s) }", options);
  EXPECT_NE(faults.find("E206"), std::string::npos) << faults;
  EXPECT_NE(faults.find("at N=1 it "), std::string::npos) << faults;
  options.run_time[0].low = 2;
  EXPECT_EQ(
      analyze_ok("g (float[N, 4] x, float[1, 4] s) => (float[N, 4] y, float[1, 4] t) { y = Add(x, s) t = Tanh(s) }",
                 options)
          .sizes.size(),
      7u);
}

TEST(Sizes, ASizeThatTheModelDoesNotTakeIsNamed) {
  const std::string faults =
      refused("g (float[N, 4] x, float[8, 4] s) => (float[8, 4] y) { y = Add(x, s) }", over(7, 8));
  EXPECT_NE(faults.find("at N=7: "), std::string::npos) << faults;
}

// Where the operand that is a constant begins, at each size.
std::vector<int64_t> constant_places(const Analysis& analysis) {
  std::vector<int64_t> places;
  for (const Analysis& size : analysis.sizes) {
    for (const program::Argument& a : size.program.operations.front().arguments) {
      if (a.weight.valid()) places.push_back(a.weight_offset);
    }
  }
  return places;
}

TEST(Sizes, ConstantsThatFollowTheSizeStandAmongThoseOfTheLargest) {
  // The first N rows of a table, the last N, and others at each size.
  constexpr const char* kFirst = R"(g (float[N, 2] x) => (float[N, 2] y)
    <float[4, 2] table = {1, 2, 3, 4, 5, 6, 7, 8}, int64[1] zero = {0}, int64[1] axis = {0}> {
      n = Shape<start = 0, end = 1>(x)  rows = Slice(table, zero, n, axis)  y = Add(x, rows) })";
  EXPECT_EQ(analyze_ok(kFirst, over(2, 4)).sizes.size(), 3u);
  constexpr const char* kLast = R"(g (float[N, 2] x) => (float[N, 2] y)
    <float[4, 2] table = {1, 2, 3, 4, 5, 6, 7, 8}, int64[1] zero = {0}, int64[1] four = {4}, int64[1] axis = {0}> {
      n = Shape<start = 0, end = 1>(x)  first = Sub(four, n)  rows = Slice(table, first, four, axis)  y = Add(x, rows) })";
  const Analysis last = analyze_ok(kLast, over(2, 4));
  EXPECT_EQ(last.weight_bytes(), 32);
  EXPECT_EQ(constant_places(last), (std::vector<int64_t>{4, 2, 0}));
  const auto times = [](int64_t elements) {
    return cat("g (float[N, ", elements, "] x) => (float[N, ", elements, "] y) <float one = {1}, int64[1] many = {",
               elements,
               "}> { n = Shape<start = 0, end = 1>(x)  f = Cast<to = 1>(n)  s = Add(f, one)  row = Expand(s, many)  y "
               "= Mul(x, row) }");
  };
  const Analysis others = analyze_ok(times(4), over(2, 4));
  EXPECT_EQ(others.weight_bytes(), 48);
  EXPECT_EQ(constant_places(others), (std::vector<int64_t>{8, 4, 0}));
}

program::Program with_constant(size_t bytes, uint8_t value) {
  program::Program program;
  program.weights.push_back({"table", DType::uint8, static_cast<int64_t>(bytes), "",
                             [bytes, value](const std::function<void(std::span<const uint8_t>)>& sink) {
                               sink(std::vector<uint8_t>(bytes, value));
                             }});
  return program;
}

TEST(Sizes, ConstantsThatDifferMayNotTakeMuchMore) {
  for (const size_t bytes : {size_t{60000}, size_t{70000}}) {
    program::Program less = with_constant(bytes, 1), most = with_constant(bytes, 2);
    const Diagnostics faults = program::store_constants({&less, &most}, {{"file", "N", "N=3"}, {"file", "N", "N=4"}});
    EXPECT_EQ(faults.empty(), bytes == 60000);
    if (faults.empty()) continue;
    EXPECT_EQ(faults[0].code, "E206");
    EXPECT_EQ(faults[0].message, "at N=3 the constant has other values than at N=4");
    EXPECT_EQ(most.weights[0].count, static_cast<int64_t>(bytes));
  }
}

// A bias that is cut out of one for the longest sequence, or (`last`) out of its end.
std::string attention_with_bias(bool last) {
  return cat(R"(g (float[1, 1, N, 2] q, float[1, 1, 2, N] k, float[1, 1, N, 2] v) => (float[1, 1, N, 2] y)
    <float[3, 3] table = {1, 2, 3, 4, 5, 6, 7, 8, 9}, int64[2] zero = {0, 0}, int64[2] three = {3, 3}, int64[1] two = {2}> {
      n = Shape<start = 2, end = 3>(q)  nn = Expand(n, two))",
             last ? "first = Sub(three, nn)  bias = Slice(table, first, three)" : "bias = Slice(table, zero, nn)",
             "s = MatMul(q, k)  t = Add(s, bias)  p = Softmax(t)  y = MatMul(p, v) }");
}

TEST(Sizes, AMaskIsReadWithinTheLargests) {
  const Analysis all = analyze_ok(attention_with_bias(false), over(2, 3));
  ASSERT_EQ(all.sizes.size(), 2u);
  ASSERT_EQ(all.program.weights.size(), 1u);
  EXPECT_EQ(all.program.weights[0].count, 9);
  for (const Analysis& size : all.sizes) {
    ASSERT_EQ(size.program.operations.size(), 1u);
    program::Params params = size.program.operations[0].params;
    const auto& steps = std::get<program::Params>(params["bias"]);
    EXPECT_EQ(std::get<int64_t>(steps.fields[2].value), 3);  // from row to row
    EXPECT_EQ(std::get<int64_t>(steps.fields[3].value), 1);
  }
  // The last rows and columns stand behind it.
  EXPECT_EQ(analyze_ok(attention_with_bias(true), over(2, 3)).program.weights[0].count, 9 + 4);
}

}  // namespace
}  // namespace tarn
