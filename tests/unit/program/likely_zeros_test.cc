// How many values of a tensor probably are zeros.
#include "program/likely_zeros.h"

#include <gtest/gtest.h>

#include <tuple>
#include <utility>
#include <vector>

namespace tarn::program {
namespace {

TensorId add_tensor(Program& program, Kind kind) {
  program.tensors.emplace_back().kind = kind;
  return TensorId(program.tensors.size() - 1);
}

Operation& add(Program& program, const std::string& kernel, TensorId from, TensorId to) {
  Operation& operation = program.operations.emplace_back();
  operation.kernel = kernel;
  operation.arguments.resize(2);
  operation.arguments[0].role = Argument::Role::read;
  operation.arguments[0].tensor = from;
  operation.arguments[1].role = Argument::Role::write;
  operation.arguments[1].tensor = to;
  return operation;
}

// Behind a Relu by itself or as a bound of a layer, and where the values have only been moved since.
TEST(LikelyZeros, AreWhereARelusValuesGo) {
  Program program;
  const TensorId in = add_tensor(program, Kind::input), a = add_tensor(program, Kind::activation),
                 b = add_tensor(program, Kind::activation), c = add_tensor(program, Kind::activation),
                 d = add_tensor(program, Kind::activation), e = add_tensor(program, Kind::activation);
  add(program, "tarn_dense_f32", in, a).params.fields = {{"line", Params{"", {{"lo", Float32{0}}}}}};
  add(program, "tarn_transpose_b4", a, b).view = View{};
  add(program, "tarn_tanh_f32", b, c);
  add(program, "tarn_relu_f32", c, d);
  add(program, "tarn_roll_f32", d, e);
  const auto usual = [&](size_t reader, TensorId t) { return likely_zeros(program, OperationId(reader), t).usual; };
  EXPECT_EQ(usual(1, a), 50);
  EXPECT_EQ(usual(2, b), 50);
  EXPECT_EQ(usual(3, c), 0);
  EXPECT_EQ(usual(4, d), 50);
  EXPECT_EQ(usual(5, e), 0);
  EXPECT_EQ(usual(0, in), 0);
  EXPECT_GT(likely_zeros(program, OperationId(size_t{0}), in).most, 50);  // a drawn digit is mostly zeros
  EXPECT_EQ(likely_zeros(program, OperationId(size_t{3}), c).most, 0);
  // The last write before the reader counts.
  add(program, "tarn_tanh_f32", d, a);
  EXPECT_EQ(usual(6, a), 0);
  EXPECT_EQ(usual(1, a), 50);
}

// As codes and back, and where they are copied.
TEST(LikelyZeros, StayZerosAsCodes) {
  Program program;
  TensorId from = add_tensor(program, Kind::input);
  for (const char* kernel : {"tarn_relu_f32", "tarn_quantize_f32", "tarn_dequantize_f32", "tarn_int_quantize_s8",
                             "tarn_int_dequantize_s8", "tarn_strided_b4"}) {
    const TensorId to = add_tensor(program, Kind::activation);
    add(program, kernel, from, to);
    from = to;
  }
  EXPECT_EQ(likely_zeros(program, OperationId(size_t{6}), from).usual, 50);
}

// All but one of the elements between which an index chooses, and what they are converted to.
TEST(LikelyZeros, AreWhereAnIndexChoosesOne) {
  Program program;
  const TensorId in = add_tensor(program, Kind::input), a = add_tensor(program, Kind::activation),
                 b = add_tensor(program, Kind::activation);
  add(program, "tarn_onehot_s64", in, a).params.fields = {{"outer", int64_t{3}}, {"depth", int64_t{20}}};
  add(program, "tarn_cast_s64_f32", a, b);
  EXPECT_EQ(likely_zeros(program, OperationId(size_t{2}), b).usual, 95);
  EXPECT_EQ(likely_zeros(program, OperationId(size_t{1}), a).most, 95);
}

WeightId add_constant(Program& program, std::vector<float> values) {
  Weight& weight = program.weights.emplace_back();
  weight.count = static_cast<int64_t>(values.size());
  weight.write = [values = std::move(values)](const std::function<void(std::span<const uint8_t>)>& sink) {
    sink({reinterpret_cast<const uint8_t*>(values.data()), values.size() * sizeof(float)});
  };
  return WeightId(program.weights.size() - 1);
}

Argument constant(WeightId weight) {
  Argument argument;
  argument.role = Argument::Role::weight;
  argument.weight = weight;
  return argument;
}

// Zeros of constants are counted, and stay where these are only moved; one zero factor makes a product zero.
TEST(LikelyZeros, OfConstantsAreCounted) {
  Program program;
  const WeightId half = add_constant(program, {0, 1, -0.0F, 3});
  EXPECT_EQ(zeros_among(program[half]), 50);
  EXPECT_EQ(zeros_among(program[add_constant(program, {1, 2, 0x1p-149F})]), 0);
  const TensorId a = add_tensor(program, Kind::activation), b = add_tensor(program, Kind::activation),
                 c = add_tensor(program, Kind::activation);
  add(program, "tarn_strided_b4", a, a).arguments[0] = constant(half);
  add(program, "tarn_relu_f32", b, b);
  Operation& product = add(program, "tarn_mul_f32", a, c);
  product.arguments.insert(product.arguments.begin() + 1, product.arguments[0]);
  product.arguments[1].tensor = b;
  EXPECT_EQ(likely_zeros(program, OperationId(size_t{2}), a).usual, 50);
  EXPECT_EQ(likely_zeros(program, OperationId(size_t{3}), c).usual, 75);
  EXPECT_EQ(likely_zeros(program, OperationId(size_t{3}), c).most, 95);
  program.operations[2].arguments[1] = constant(half);
  EXPECT_EQ(likely_zeros(program, OperationId(size_t{3}), c).usual, 75);
}

// A Clip from zero on cuts as a Relu does, and so do codes of which the least stands for zero.
TEST(LikelyZeros, AreWhereNothingIsBelowZero) {
  Program program;
  const TensorId in = add_tensor(program, Kind::input), a = add_tensor(program, Kind::activation),
                 b = add_tensor(program, Kind::activation), c = add_tensor(program, Kind::activation);
  Operation& clip = add(program, "tarn_clip_f32", in, a);
  clip.arguments.insert(clip.arguments.begin() + 1, constant(add_constant(program, {0})));
  add(program, "tarn_roll_s8", a, b);
  const auto usual = [&](size_t reader, TensorId t) { return likely_zeros(program, OperationId(reader), t).usual; };
  EXPECT_EQ(usual(1, a), 50);
  program.operations[0].arguments[1] = constant(add_constant(program, {-1}));
  EXPECT_EQ(usual(1, a), 0);
  for (const auto& [kernel, zero, zeros] :
       {std::tuple("tarn_int_dequantize_s8", -128, 50), std::tuple("tarn_int_dequantize_s8", 0, 0),
        std::tuple("tarn_int_dequantize_u8", 0, 50), std::tuple("tarn_int_dequantize_s16", -32768, 50)}) {
    program.operations.resize(2);
    add(program, kernel, b, c).params.fields = {{"zero", int64_t{zero}}};
    EXPECT_EQ(usual(3, c), zeros) << kernel << " " << zero;
    // What comes from outside need not have been cut.
    program.operations[2].arguments[0].tensor = in;
    EXPECT_EQ(usual(3, c), 0) << kernel << " " << zero;
  }
}

}  // namespace
}  // namespace tarn::program
