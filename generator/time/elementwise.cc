// Terms of kernels that go through runs of elements: arithmetic on two tensors, tables, conversions, softmax, copies.
#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

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
  // Of two tensors either's zeros make an element short; a second one that is not there has none.
  call.add_nonzero(call.nonzero(call["outer"] * call["inner"], 0), 1);
  if (!call.core().floats) call.add(kBesideZero, call.beside_zero(call["outer"] * call["inner"]));
  return call.take();
}

// tarn_int_flip_s8.c: by pairs of words on processors that read them anywhere.
Terms flip(CallTerms call, int64_t bytes) {
  const int64_t pair = 8 / bytes, count = call["inner"];
  const bool words = call.core().unaligned;
  call.add("call", 1);
  call.add("runs", call["outer"]);
  call.add("pairs", words ? call["outer"] * (count / pair) : 0);
  call.add("elements", call["outer"] * (words ? count % pair : count));
  return call.take();
}

// tarn_int_table_s8.c: four at a time and the rest, or sixteen.
Terms table(CallTerms call) {
  const int64_t runs = call["outer"], count = call["inner"];
  call.add("call", 1);
  call.add("runs", runs);
  if (call.core().vectors) {
    call.add("sixteens", runs * ((count + 15) / 16));
    return call.take();
  }
  call.add("long_runs", count < 4 ? 0 : runs);
  call.add("fours", runs * (count / 4));
  call.add("left_runs", count % 4 == 0 ? 0 : runs);
  call.add("left", runs * (count % 4));
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

// tarn_int_product_s8.c: of quotients the factors stand in a table. Values near a step are computed as the operator
// does, in floats: as many as there are among all pairs of codes (emit/table_numbers.h).
Terms product(CallTerms call) {
  constexpr int64_t kPairs = 65536, kParts = 256;  // near ones are told in these
  const int64_t elements = call["outer"] * call["inner"], near = elements * call["near_pairs"] / (kPairs / kParts);
  const bool quotient = call["null.3"] == 0;
  call.add("call", 1);
  call.add("runs", call["outer"]);
  // Vector instructions take four products at once, of a factor that stays as sums; the others go one by one.
  const int64_t step = call["a_step"] + call["b_step"];
  const int64_t fours = call.core().vectors && !quotient && step != 0 ? call["outer"] * (call["inner"] / 4) : 0;
  call.add("elements", quotient ? 0 : elements - 4 * fours);
  call.add(step == 2 ? "fours" : "fours_beside_one", fours);
  call.add("quotients", quotient ? elements : 0);
  call.add(quotient ? "near_quotients" : "near", near);
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
  const int64_t kept = call.product("kept", 4), loops = call.product("reduced", 3), values = call.product("reduced", 4);
  const int64_t eights = kept * (call["columns"] / 8), ones = kept * (call["columns"] % 8);
  call.add("call", 1);
  call.add("kept", kept);
  call.add("kept_loops", call.product("kept", 3));
  call.add("eights", eights);
  call.add("eight_outer", eights * call.product("reduced", 2));
  call.add("eight_loops", eights * loops);
  call.add("eight_values", eights * values);
  call.add("ones", ones);
  call.add("one_outer", ones * call.product("reduced", 2));
  call.add("one_loops", ones * loops);
  call.add("one_values", ones * values);
  call.add_nonzero((8 * eights + ones) * values, 0);
  return call.take();
}

// In place, the runs of a matrix look for the first one of their cycle (tarn_transpose_b4.c).
constexpr int64_t kMostInPlace = 1 << 22;  // that a prediction follows

struct Cycles {
  int64_t matrices = 0, starts = 0, looks = 0, cycles = 0, moves = 0;
  Quotients quotients;
  void add(const Cycles& other, int64_t times) {
    matrices += times;
    starts += times * other.starts;
    looks += times * other.looks;
    cycles += times * other.cycles;
    moves += times * other.moves;
    quotients.steps += times * other.quotients.steps;
    quotients.ones += times * other.quotients.ones;
  }
};

// A cycle is looked through from each of its positions until it comes by below: from those on the stack, which has the
// position itself and all before it that are still looked from.
// Of at most kMostInPlace runs, in 32 bits. `divides`: nothing is asked of quotients.
Cycles follow_cycles(int64_t all_rows, int64_t all_columns, bool divides) {
  Cycles found;
  if (all_rows <= 1 || all_columns <= 1) return found;
  const auto rows = static_cast<uint32_t>(all_rows), columns = static_cast<uint32_t>(all_columns);
  const uint32_t last = rows * columns - 1;
  found.starts = std::max<int64_t>(0, int64_t{last} - 1);
  std::vector<uint8_t> seen(last);
  std::vector<uint32_t> from(last);
  for (uint32_t start = 1; start < last; ++start) {
    if (seen[start]) continue;
    ++found.cycles;
    size_t depth = 0;
    for (uint32_t at = start; !seen[at];) {
      seen[at] = 1;
      while (depth > 0 && from[depth - 1] > at) --depth;
      from[depth++] = at;
      found.looks += static_cast<int64_t>(depth);
      ++found.moves;
      const uint32_t quotient = at / rows;
      // And once more when runs are moved.
      if (!divides) found.quotients.add(quotient, static_cast<int64_t>(depth) + 1);
      at = (at - quotient * rows) * columns + quotient;
    }
    --found.moves;
  }
  return found;
}

Terms transpose(CallTerms call, int64_t element) {
  const int64_t matrices = call["matrices"], rows = call["rows"], columns = call["columns"], count = rows * columns;
  call.add("call", 1);
  call.add("matrices", matrices);
  if (call["same.0"] == 0) {
    call.add("columns", matrices * columns);
    call.add("elements", matrices * count);
    return call.take();
  }
  const int64_t side = std::gcd(rows, columns), run = element * side;
  if (side == 0 || count / side > kMostInPlace) call.refuse();
  const bool words = run % 4 == 0 && call["word.0"] != 0;
  call.add("placed", matrices);
  int64_t rests = 0;
  for (int64_t a = rows, b = columns; b != 0; a = std::exchange(b, a % b)) rests += matrices;
  call.add("rests", rests);
  Cycles all;
  all.add(follow_cycles(rows, columns / side, call.core().divides), matrices);
  if (side > 1) {
    const int64_t strips = matrices * (columns / side), squares = strips * (rows / side);
    all.add(follow_cycles(rows / side, side, call.core().divides), strips);
    call.add("squares", squares);
    call.add("diagonals", squares * (side - 1));
    call.add("pairs", squares * (side * (side - 1) / 2));
  }
  call.add("matrices_of_runs", all.matrices);
  call.add("starts", all.starts);
  call.add("looks", all.looks);
  call.add("cycles", all.cycles);
  call.add(words ? "word_moves" : "moves", all.moves);
  call.add(words ? "moved_words" : "moved", all.moves * (words ? run / 4 : run));
  if (!call.core().divides) {
    call.add("quotient_steps", all.quotients.steps);
    call.add("quotient_ones", all.quotients.ones);
  }
  return call.take();
}

}  // namespace

std::optional<Terms> elementwise_terms(const std::string& kernel, const CallTerms& call) {
  if (kernel == "tarn_int_table_s8") return table(call);
  if (kernel == "tarn_int_flip_s8") return flip(call, 1);
  if (kernel == "tarn_int_flip_s16") return flip(call, 2);
  if (any_of(kernel, {"tarn_int_quantize_s8",  "tarn_int_dequantize_s8", "tarn_relu_f32",      "tarn_add_f32",
                      "tarn_mul_f32",          "tarn_sub_f32",           "tarn_hardswish_f32", "tarn_int_quantize_u8",
                      "tarn_int_quantize_u16", "tarn_int_dequantize_u8", "tarn_sigmoid_f32",   "tarn_tanh_f32",
                      "tarn_exp_f32",          "tarn_hardsigmoid_f32",   "tarn_div_f32",       "tarn_clip_f32",
                      "tarn_elu_f32",          "tarn_floor_f32",         "tarn_gelu_none_f32", "tarn_gelu_tanh_f32",
                      "tarn_leakyrelu_f32",    "tarn_swish_f32"}))
    return runs(call);
  if (any_of(kernel, {"tarn_int_add_s8", "tarn_int_mul_s8"})) return requantised_runs(call);
  if (kernel == "tarn_int_product_s8") return product(call);
  if (any_of(kernel, {"tarn_softmax_f32", "tarn_logsoftmax_f32", "tarn_int_softmax_s8", "tarn_qlinear_softmax"}))
    return vectors(call);
  if (kernel.starts_with("tarn_reduce") && call.knows("columns") && call.knows("kept.3")) return reduction(call);
  for (const int64_t bytes : {1, 2, 4, 8}) {
    if (kernel == "tarn_transpose_b" + std::to_string(bytes)) return transpose(call, bytes);
  }
  return {};
}

}  // namespace tarn::timing
