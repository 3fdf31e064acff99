#include "program/likely_zeros.h"

#include <algorithm>

namespace tarn::program {

namespace {

constexpr LikelyZeros kNone = {0, 0}, kBehindRelu = {50, 90}, kFromOutside = {0, 90};

bool cuts_below_zero(const Params& params) {
  return std::any_of(params.fields.begin(), params.fields.end(), [](const Field& field) {
    if (const auto* inner = std::get_if<Params>(&field.value)) return cuts_below_zero(*inner);
    const auto* bound = std::get_if<Float32>(&field.value);
    return bound && field.name == "lo" && bound->value == 0;
  });
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

bool writes(const Operation& operation, TensorId tensor) {
  return std::any_of(operation.arguments.begin(), operation.arguments.end(),
                     [&](const Argument& a) { return a.role == Argument::Role::write && a.tensor == tensor; });
}

}  // namespace

LikelyZeros likely_zeros(const Program& program, OperationId reader, TensorId tensor) {
  if (program[tensor].kind == Kind::input || program[tensor].kind == Kind::state) return kFromOutside;
  for (size_t i = reader.pos(); i-- > 0;) {
    const Operation& operation = program.operations[i];
    if (!writes(operation, tensor)) continue;
    if (operation.kernel.starts_with("tarn_relu_") || cuts_below_zero(operation.params)) return kBehindRelu;
    if (operation.kernel.starts_with("tarn_onehot_")) return behind_onehot(operation);
    if (!operation.view && !keeps_zeros(operation.kernel)) return kNone;
    const auto from = std::find_if(operation.arguments.begin(), operation.arguments.end(),
                                   [](const Argument& a) { return a.role == Argument::Role::read; });
    return from == operation.arguments.end() ? kNone : likely_zeros(program, OperationId(i), from->tensor);
  }
  return kNone;
}

}  // namespace tarn::program
