// Terms of kernels that go through runs of elements: arithmetic on two tensors, tables, conversions, softmax, copies.
#include <algorithm>
#include <string_view>

#include "time/call_terms.h"
#include "time/quotients.h"

namespace tarn::timing {

namespace {

bool any_of(const std::string& kernel, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    if (kernel == name) return true;
  }
  return false;
}

Terms runs(CallTerms call) {
  call.add("call", 1);
  call.add("runs", call["outer"]);
  call.add("elements", call["outer"] * call["inner"]);
  return call.take();
}

// tarn_requant(): values near a tie are looked up; a mask of all bits: there are none.
Terms requantised_runs(CallTerms call) {
  const int64_t elements = call["outer"] * call["inner"];
  const bool zones = call["requant.mask"] != -1;
  call.add("call", 1);
  call.add("runs", call["outer"]);
  call.add("elements", zones ? 0 : elements);
  call.add("zoned", zones ? elements : 0);
  return call.take();
}

Terms vectors(CallTerms call) {
  const int64_t vectors = call["outer"] * call["inner"];
  call.add("call", 1);
  call.add("runs", call["outer"]);
  call.add("vectors", vectors);
  call.add("elements", vectors * call["count"]);
  return call.take();
}

// tarn_reducemean_f32.c: eight columns at a time, then one by one.
Terms reduction(CallTerms call) {
  const auto product = [&](const std::string& name, int count) {
    int64_t all = 1;
    for (int i = 0; i < count; ++i) all *= call[name + "." + std::to_string(i)];
    return all;
  };
  const int64_t kept = product("kept", 4), loops = product("reduced", 3), values = product("reduced", 4);
  const int64_t eights = kept * (call["columns"] / 8), ones = kept * (call["columns"] % 8);
  call.add("call", 1);
  call.add("kept", kept);
  call.add("kept_loops", product("kept", 3));
  call.add("eights", eights);
  call.add("eight_outer", eights * product("reduced", 2));
  call.add("eight_loops", eights * loops);
  call.add("eight_values", eights * values);
  call.add("ones", ones);
  call.add("one_outer", ones * product("reduced", 2));
  call.add("one_loops", ones * loops);
  call.add("one_values", ones * values);
  return call.take();
}

// In place, every element looks for the first one of its cycle (tarn_transpose_b4.c).
constexpr int64_t kMostInPlace = 1 << 16;

Terms transpose(CallTerms call) {
  const int64_t matrices = call["matrices"], rows = call["rows"], columns = call["columns"], count = rows * columns;
  call.add("call", 1);
  call.add("matrices", matrices);
  if (call["same.0"] == 0) {
    call.add("columns", matrices * columns);
    call.add("elements", matrices * count);
    return call.take();
  }
  if (count > kMostInPlace) call.refuse();
  int64_t looks = 0, cycles = 0, moves = 0;
  Quotients quotients;
  const auto from = [&](int64_t at) {
    quotients.add(static_cast<uint64_t>(at / rows));
    return at % rows * columns + at / rows;
  };
  for (int64_t start = 1; start < count - 1; ++start) {
    int64_t at = start;
    do {
      at = from(at);
      ++looks;
    } while (at > start);
    if (at < start) continue;
    ++cycles;
    for (int64_t next = from(at); next != start; next = from(next)) ++moves;
  }
  call.add("starts", matrices * std::max<int64_t>(0, count - 2));
  call.add("looks", matrices * looks);
  call.add("cycles", matrices * cycles);
  call.add("moves", matrices * moves);
  if (!call.core().divides) {
    call.add("quotient_steps", matrices * quotients.steps);
    call.add("quotient_ones", matrices * quotients.ones);
  }
  return call.take();
}

}  // namespace

std::optional<Terms> elementwise_terms(const std::string& kernel, const CallTerms& call) {
  if (any_of(kernel, {"tarn_int_table_s8",  "tarn_int_flip_s8",   "tarn_int_quantize_s8", "tarn_int_dequantize_s8",
                      "tarn_relu_f32",      "tarn_add_f32",       "tarn_mul_f32",         "tarn_sub_f32",
                      "tarn_hardswish_f32", "tarn_copy",          "tarn_int_quantize_u8", "tarn_int_dequantize_u8",
                      "tarn_sigmoid_f32",   "tarn_tanh_f32",      "tarn_exp_f32",         "tarn_hardsigmoid_f32",
                      "tarn_div_f32",       "tarn_clip_f32",      "tarn_elu_f32",         "tarn_floor_f32",
                      "tarn_gelu_none_f32", "tarn_gelu_tanh_f32", "tarn_leakyrelu_f32",   "tarn_swish_f32"}))
    return runs(call);
  if (any_of(kernel, {"tarn_int_add_s8", "tarn_int_mul_s8"})) return requantised_runs(call);
  if (any_of(kernel, {"tarn_softmax_f32", "tarn_logsoftmax_f32", "tarn_int_softmax_s8", "tarn_qlinear_softmax"}))
    return vectors(call);
  if (kernel.starts_with("tarn_reduce") && call.knows("columns") && call.knows("kept.3")) return reduction(call);
  if (any_of(kernel, {"tarn_transpose_b1", "tarn_transpose_b4"})) return transpose(call);
  return {};
}

}  // namespace tarn::timing
