#include "program/likely_zeros.h"

#include <algorithm>
#include <cmath>

#include "program/weight_bytes.h"

namespace tarn::program {

namespace {

constexpr int64_t kAll = 100;  // percent
constexpr LikelyZeros kNone = {0, 0}, kBehindRelu = {50, 90}, kFromOutside = {0, 90};

bool cuts_below_zero(const Params& params) {
  return std::any_of(params.fields.begin(), params.fields.end(), [](const Field& field) {
    if (const auto* inner = std::get_if<Params>(&field.value)) return cuts_below_zero(*inner);
    const auto* bound = std::get_if<Float32>(&field.value);
    return bound && field.name == "lo" && bound->value == 0;
  });
}

// As the weights before it make likely.
LikelyZeros behind_relu(const Tensor& tensor) {
  if (!tensor.likely || tensor.likely->zeros == 0) return kBehindRelu;
  const int64_t usual = std::llround(kAll * tensor.likely->zeros);
  return {usual, std::max(usual, kBehindRelu.most)};
}

// All elements of a vector but one are off, which is mostly zero.
LikelyZeros behind_onehot(const Operation& operation) {
  for (const Field& field : operation.params.fields) {
    const auto* depth = std::get_if<int64_t>(&field.value);
    if (!depth || field.name != "depth" || *depth < 1) continue;
    const int64_t percent = 100 * (*depth - 1) / *depth;
    return {percent, percent};
  }
  return kNone;
}

// What zeros of the first operand stay zeros in, and others mostly do not become any.
bool keeps_zeros(const std::string& kernel) {
  for (const char* of :
       {"tarn_transpose_", "tarn_strided_", "tarn_copy_", "tarn_cast_", "tarn_mul_f", "tarn_div_f", "tarn_quantize_",
        "tarn_dequantize_", "tarn_int_quantize_", "tarn_int_dequantize_", "tarn_round_f"}) {
    if (kernel.starts_with(of)) return true;
  }
  return false;
}

std::optional<int64_t> number(const Params& params, std::string_view name) {
  for (const Field& field : params.fields) {
    const auto* value = std::get_if<int64_t>(&field.value);
    if (value && field.name == name) return *value;
  }
  return {};
}

const Argument* argument_at(const Operation& operation, size_t at) {
  return at < operation.arguments.size() ? &operation.arguments[at] : nullptr;
}

// Clip between constants, of which the lower one is zero.
bool clips_below_zero(const Program& program, const Operation& operation) {
  const Argument* low = argument_at(operation, 1);
  return operation.kernel.starts_with("tarn_clip_f") && low && low->role == Argument::Role::weight &&
         zeros_among(program[low->weight]) == kAll;
}

// Codes that begin with the one for zero: nothing below it was kept.
bool begins_at_zero(const Program& program, const Operation& operation) {
  const Argument* codes = argument_at(operation, 0);
  if (!operation.kernel.starts_with("tarn_int_dequantize_") || !codes || codes->role != Argument::Role::read)
    return false;
  const Tensor& tensor = program[codes->tensor];
  if (tensor.kind == Kind::input || tensor.kind == Kind::state) return false;
  const std::string of = operation.kernel.substr(operation.kernel.rfind('_') + 1);
  return number(operation.params, "zero") == (of == "s8" ? INT8_MIN : of == "s16" ? INT16_MIN : 0);
}

// Of independent factors.
int64_t of_product(int64_t a, int64_t b) { return a + b - a * b / kAll; }

bool writes(const Operation& operation, TensorId tensor) {
  return std::any_of(operation.arguments.begin(), operation.arguments.end(),
                     [&](const Argument& a) { return a.role == Argument::Role::write && a.tensor == tensor; });
}

LikelyZeros of_argument(const Program& program, OperationId reader, const Argument* argument) {
  if (argument && argument->role == Argument::Role::read) return likely_zeros(program, reader, argument->tensor);
  if (!argument || argument->role != Argument::Role::weight) return kNone;
  const int64_t zeros = zeros_among(program[argument->weight]);
  return {zeros, zeros};
}

}  // namespace

std::optional<int64_t> count_zeros(const Weight& weight) {
  constexpr int64_t kMost = 65536;
  const bool half = weight.dtype == DType::float16;
  if ((weight.dtype != DType::float32 && !half) || weight.count > kMost || !weight.missing.empty()) return {};
  const std::vector<uint8_t> bytes = bytes_of(weight);
  const size_t size = half ? 2 : 4;
  int64_t zeros = 0;
  for (size_t at = 0; at + size <= bytes.size(); at += size) {
    bool zero = (bytes[at + size - 1] & 0x7f) == 0;  // either sign
    for (size_t i = 0; i + 1 < size; ++i) zero = zero && bytes[at + i] == 0;
    zeros += zero;
  }
  return zeros;
}

int64_t zeros_among(const Weight& weight) {
  return kAll * count_zeros(weight).value_or(0) / std::max<int64_t>(1, weight.count);
}

LikelyZeros likely_zeros(const Program& program, OperationId reader, TensorId tensor) {
  if (program[tensor].kind == Kind::input || program[tensor].kind == Kind::state) return kFromOutside;
  for (size_t i = reader.pos(); i-- > 0;) {
    const Operation& operation = program.operations[i];
    if (!writes(operation, tensor)) continue;
    if (operation.kernel.starts_with("tarn_relu_") || cuts_below_zero(operation.params))
      return behind_relu(program[tensor]);
    if (clips_below_zero(program, operation) || begins_at_zero(program, operation)) return kBehindRelu;
    if (operation.kernel.starts_with("tarn_onehot_")) return behind_onehot(operation);
    if (!operation.view && !keeps_zeros(operation.kernel)) return kNone;
    const auto from = std::find_if(operation.arguments.begin(), operation.arguments.end(), [](const Argument& a) {
      return a.role == Argument::Role::read || a.role == Argument::Role::weight;
    });
    if (from == operation.arguments.end()) return kNone;
    const LikelyZeros zeros = of_argument(program, OperationId(i), &*from);
    if (!operation.kernel.starts_with("tarn_mul_f")) return zeros;
    const LikelyZeros others = of_argument(program, OperationId(i), argument_at(operation, 1));
    return {of_product(zeros.usual, others.usual), of_product(zeros.most, others.most)};
  }
  return kNone;
}

}  // namespace tarn::program
