// Terms of products of two int8 operands that are both made at run time.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "time/int8_call.h"

namespace tarn::timing {

namespace {

// tarn_int_matmul_s8.c: two rows by four columns; the last columns one by one.
Terms plain_matmul(Int8Call call) {
  const int64_t n = call["n"], k = call["k"], pairs = call["batches"] * ((call["m"] + 1) / 2);
  const int64_t outputs = 2 * pairs * n;
  call.add("call", 1);
  call.add("batches", call["batches"]);
  call.add("pairs", pairs);
  call.add("begun", pairs * k);
  call.add("quads", pairs * (n / 4));
  call.add("quad_steps", pairs * (n / 4) * k);
  call.add("rest_quads", n % 4 != 0 ? pairs : 0);
  call.add("ones", pairs * (n % 4));
  call.add("one_steps", pairs * (n % 4) * k);
  call.add("outputs", call.zones() ? 0 : outputs);
  call.add("zoned_outputs", call.zones() ? outputs : 0);
  return call.take();
}

// The share of sums whose lines lie in a zone around the ties, of as many neighbours as there are steps of lines at
// most; `dropped` bits of a line are left out, one is added, and its zones are wider.
double share_in_zones(const Int8Call& call, int64_t dropped) {
  constexpr int64_t kSums = 4096;
  if (!call.zones()) return 0;
  int64_t mask = call["requant.mask"], constant = call["constant"];
  const int64_t up = int64_t{1} << (call["requant.pre"] - dropped), factor = call["factor"];
  if (dropped > 0) {
    int64_t zone = 2;
    while ((zone / 2) << dropped < (int64_t{1} << call["requant.post"]) - mask) zone *= 2;
    mask = zone < 0x10000 ? 0x10000 - zone : 0;
    constant = (constant >> dropped) + 1;
  }
  int64_t inside = 0;
  for (int64_t sum = -kSums / 2; sum < kSums / 2; ++sum)
    inside += ((constant + ((sum * up * factor) >> 32)) & mask) == 0;
  return static_cast<double>(inside) / kSums;
}

// Of sums of products of any codes those that are no further than a code's reach from zero: of others no tie matters.
double share_in_reach(const Int8Call& call) {
  constexpr double kReach = 130, kCode = 74;  // codes, the deviation of one
  const double scale = std::ldexp(static_cast<double>(call["factor"]),
                                  static_cast<int>(call["requant.pre"] - 32 - call["requant.post"]));
  const double deviation = scale * kCode * kCode * std::sqrt(static_cast<double>(call["k"]));
  return deviation > 0 ? std::erf(kReach / deviation / std::numbers::sqrt2) : 1;
}

// Blocks of some lines with one in a zone, such lines, and those of them that are looked at.
void add_near(Int8Call& call, const std::string& name, int64_t blocks, int64_t lines, double zones, double reached) {
  const double all = static_cast<double>(blocks), any = 1 - std::pow(1 - zones, static_cast<double>(lines));
  const double inside = all * static_cast<double>(lines) * zones;
  call.add(name + "_blocks", std::llround(all * any));
  call.add(name + "_far", std::llround(inside * (1 - reached)));
  call.add(name + "_codes", std::llround(inside * reached));
}

// tarn_int_matmul_dsp_s8.c, of few codes: columns in fours are widened, as many as there is room for, then two rows at
// a time.
void few_dsp_matmul(Int8Call& call) {
  constexpr int64_t kRoom = 162;  // INT_MATMUL_DSP_ROOM
  const int64_t m = call["m"], k = call["k"], padded = (k + 3) / 4, fours = (call["n"] + 3) / 4, pairs = (m + 1) / 2;
  const int64_t most = (kRoom - 4 * padded) / (8 * padded + 1), batches = call["batches"];
  const int64_t parts = batches * ((fours + most - 1) / most), blocks = batches * fours * pairs;
  const bool across = call["b_column"] == 1, along = !across && call["b_row"] == 1;
  // Lines of 16 bits behind the point.
  const int64_t more = call["requant.post"] - 16;
  const bool halves = more >= 0 && more <= call["requant.pre"];
  call.add("few_call", 1);
  call.add("few_parts", parts);
  call.add("few_entered", parts * ((m >= 2) + m % 2));
  call.add("few_fours", batches * fours);
  call.add("few_across", across ? batches * fours * (k / 4) : 0);
  call.add("few_along", along ? batches * fours * (k / 4) : 0);
  call.add("few_apart", batches * fours * (across || along ? padded - k / 4 : padded));
  call.add("few_apart_codes", batches * fours * (across || along ? k % 4 : k));
  call.add("few_pairs", parts * pairs);
  call.add("few_widened", parts * pairs * (k / 4));
  call.add("few_rest", k % 4 != 0 ? parts * pairs : 0);
  call.add("few_rest_codes", parts * pairs * (k % 4));
  call.add("few_halves", halves ? blocks : 0);
  call.add("few_bytes", halves ? 0 : blocks);
  call.add("few_steps", blocks * padded);
  call.add("few_turns", blocks * ((padded + 1) / 2));
  call.add("few_zoned", call.zones() ? blocks : 0);
  add_near(call, "few_near", blocks, 8, share_in_zones(call, halves ? more : 0), share_in_reach(call));
  call.add("clamped_calls", call.clamps() ? batches : 0);
  call.add("clamped_pixels", call.clamps() ? batches * m : 0);
  call.add("clamped_fours", call.clamps() ? batches * m * (call["n"] / 4) : 0);
  call.add("clamped", call.clamps() ? batches * m * (call["n"] % 4) : 0);
}

// tarn_int_matmul_dsp_s8.c: three columns are widened, then meet two rows at a time.
Terms dsp_matmul(Int8Call call) {
  const int64_t m = call["m"], k = call["k"], triples = call["batches"] * ((call["n"] + 2) / 3);
  const int64_t pairs = triples * ((m + 1) / 2), quads = k / 4;
  call.add("call", 1);
  call.add("batches", call["batches"]);
  if (call["k"] <= 32 && call["n"] >= 4) {  // INT_MATMUL_DSP_FEW
    few_dsp_matmul(call);
    return call.take();
  }
  call.add("triples", triples);
  call.add("widened_quads", 3 * triples * quads);
  call.add("widened_rest", 3 * triples * (k % 4));
  call.add("rest_columns", k % 4 != 0 ? 3 * triples : 0);
  call.add("entered", triples * ((m >= 2) + m % 2));
  call.add("stepped_pairs", quads != 0 ? pairs : 0);
  call.add("pairs", pairs);
  call.add("odd_steps", pairs * (quads % 2));
  call.add("double_steps", pairs * (quads / 2));
  call.add("rest_pairs", k % 4 != 0 ? pairs : 0);
  call.add("rest_steps", pairs * (k % 4));
  call.add("zoned_pairs", call.zones() ? pairs : 0);
  add_near(call, "near", pairs, 6, share_in_zones(call, 0), 1);
  call.add("clamped_calls", call.clamps() ? call["batches"] : 0);
  call.add("clamped_pixels", call.clamps() ? call["batches"] * m : 0);
  call.add("clamped_fours", call.clamps() ? call["batches"] * m * (call["n"] / 4) : 0);
  call.add("clamped", call.clamps() ? call["batches"] * m * (call["n"] % 4) : 0);
  return call.take();
}

// tarn_int_matmul_mve_s8.c, of few codes and lines of 16 bits behind the point: four rows stay in registers for sixteen
// columns that were gathered. False: not so.
bool few_mve_matmul(Int8Call& call) {
  constexpr int64_t kColumns = 16, kMost = std::numeric_limits<int32_t>::max();  // INT_MATMUL_MVE_FEW
  const int64_t m = call["m"], k = call["k"], n = call["n"], batches = call["batches"], zero = call["a_zero"];
  const int64_t more = call["requant.post"] - 16, left = call["requant.pre"] - more - 1;
  if (k > 16 || m < 4 || more < 0 || left < 0 || k * 128 * (zero < 0 ? 127 - zero : 128 + zero) > kMost >> left)
    return false;
  // The last quad lies partly over others and is gathered by itself.
  const int64_t quads = (n + 3) / 4, parts = (n / 4 * 4 + kColumns - 1) / kColumns + (n % 4 != 0 ? 1 : 0),
                blocks = (m + 3) / 4;
  const bool looks = call.zones();
  call.add("few_batches", batches);
  call.add("few_parts", batches * parts);
  call.add("few_quads", batches * quads);
  call.add("few_last_rows", m % 4 != 0 ? batches * parts : 0);
  call.add("few_blocks", batches * parts * blocks);
  call.add("few_products", batches * quads * blocks);
  call.add("few_zoned", looks ? batches * quads * blocks : 0);
  add_mve_clamp(call, batches, batches * m, n, call["y_row"]);
  return true;
}

// tarn_int_matmul_mve_s8.c: three rows by four columns, which lie side by side or are gathered.
Terms mve_matmul(Int8Call call) {
  constexpr int64_t kRows = 66, kShort = 64;  // INT_MATMUL_MVE_ROWS, INT_MATMUL_MVE_SHORT
  const int64_t batches = call["batches"], m = call["m"], k = call["k"], columns = (call["n"] + 3) / 4;
  const int64_t vectors = (k + 15) / 16, whole = k / 16;
  const bool near = call["b_row"] == 1, beside = near || k <= kShort;
  int64_t blocks = 0, threes = 0, entered = 0;
  for (int64_t row = 0; row < m; row += kRows) {
    const int64_t rows = std::min(kRows, m - row);
    ++blocks;
    threes += (rows + 2) / 3;
    entered += (rows >= 3) + (rows % 3 != 0);
  }
  const int64_t sets = batches * blocks * columns;
  call.add("call", 1);
  if (few_mve_matmul(call)) return call.take();
  call.add("batches", batches);
  call.add("blocks", batches * blocks);
  call.add("rows", batches * m);
  call.add("row_vectors", batches * m * vectors);
  // No more than sixteen codes: columns stay in registers for all rows, one after the other.
  const bool few = k <= 16;
  call.add("short_columns", few ? sets : 0);
  call.add("short_rows", few && !call.zones() ? batches * m * columns : 0);
  call.add("short_zoned", few && call.zones() ? batches * m * columns : 0);
  add_mve_clamp(call, batches * blocks, batches * m, call["n"], call["y_row"]);
  if (few) return call.take();
  call.add("columns", sets);
  call.add("summed", near && call["a_zero"] != 0 ? 4 * sets : 0);
  call.add("summed_vectors", near && call["a_zero"] != 0 ? 4 * sets * vectors : 0);
  call.add("gathered", near ? 0 : 4 * sets);
  call.add("gathered_vectors", near ? 0 : 4 * sets * whole);
  call.add("gathered_rest", near || k % 16 == 0 ? 0 : 4 * sets);
  call.add("entered", batches * columns * entered);
  call.add(beside ? "threes" : "far_threes", batches * columns * threes);
  call.add(beside ? "steps" : "far_steps", batches * columns * threes * (beside ? vectors : whole));
  call.add("far_rest", beside || k % 16 == 0 ? 0 : batches * columns * threes);
  call.add("zoned", call.zones() ? batches * columns * threes : 0);
  return call.take();
}

}  // namespace

std::optional<Terms> int_matmul_terms(const std::string& kernel, const CallTerms& call) {
  if (kernel == "tarn_int_matmul_s8") return plain_matmul(Int8Call(call));
  if (kernel == "tarn_int_matmul_dsp_s8") return dsp_matmul(Int8Call(call));
  if (kernel == "tarn_int_matmul_mve_s8") return mve_matmul(Int8Call(call));
  return {};
}

}  // namespace tarn::timing
