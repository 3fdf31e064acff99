// Terms of attention, recurrent layers, products of two operands and normalisations.
#include <algorithm>
#include <bit>
#include <cmath>

#include "time/call_terms.h"

namespace tarn::timing {

namespace {

int64_t fours_of(int64_t n) { return (n + 3) / 4; }

// Rest of four: each has code of its own.
void add_rest(CallTerms& call, const std::string& part, int64_t n, int64_t times) {
  for (int64_t rest = 1; rest < 4; ++rest) call.add(part + "_rest" + std::to_string(rest), n % 4 == rest ? times : 0);
}

int64_t product_of(const CallTerms& call, const std::string& name, int64_t count) {
  int64_t all = 1;
  for (int64_t i = 0; i < count; ++i) all *= call[name + "." + std::to_string(i)];
  return all;
}

// tarn_attention_core_f32.h: four scores, then four values at a time. What a bias closes is known when it is read:
// usually nothing, at most all but the first key of each row.
Terms attention(CallTerms call) {
  constexpr int kBias = 3, kAllowed = 4, kLengths = 5, kScores = 8;
  for (const int argument : {kAllowed, kLengths, kScores}) {
    if (call["null." + std::to_string(argument)] == 0) call.refuse();
  }
  const int64_t rows = call["rows"], keys = call["keys"], heads = call["batch"] * call["heads"], past = call["past"];
  const int64_t size = call["size"], values = call["values"];
  const bool near = call["k.column"] == 1, near_values = call["v.column"] == 1;
  const bool biased = call["null." + std::to_string(kBias)] == 0;
  int64_t score_fours = 0, taken = 0, looked = 0, rests[4] = {};
  for (int64_t row = 0; row < rows; ++row) {
    const int64_t limit = call["causal"] != 0 ? std::clamp<int64_t>(row + past + 1, 0, keys) : keys;
    const int64_t open = biased ? call.by_data(std::min<int64_t>(1, limit), limit, limit) : limit;
    looked += biased ? heads * (limit - open + 1) : 0;
    score_fours += heads * fours_of(open);
    taken += heads * open;
    rests[open % 4] += heads;
  }
  for (int rest = 1; rest < 4; ++rest) call.add("keys_rest" + std::to_string(rest), rests[rest]);
  call.add("biased", biased ? taken : 0);
  call.add("looked", looked);
  const int64_t whole = near_values ? values / 4 : 0, others = fours_of(values) - whole;
  call.add("call", 1);
  call.add("heads", heads);
  call.add("rows", heads * rows);
  call.add("keys", taken);
  call.add("score_fours", score_fours);
  call.add(near ? "near_steps" : "far_steps", score_fours * size);
  call.add("blind_rows", call["zero"] != 0 ? heads * rows : 0);
  call.add("value_fours", heads * rows * whole);
  call.add("value_steps", taken * whole);
  call.add("value_others", heads * rows * others);
  call.add("value_other_steps", taken * others);
  add_rest(call, "values", values, heads * rows);
  return call.take();
}

// tarn_block1_f32() of n products, `times` times.
void add_products(CallTerms& call, const std::string& part, int64_t times, int64_t n) {
  call.add(part, n > 0 ? times : 0);
  call.add(part + "_odd", times * (n % 2));
  call.add(part + "_pairs", times * (n / 2));
}

// Steps of recurrent layers, of them those with a state before. Sequences end where data say so, weights may be made at
// run time: neither is told here.
struct Steps {
  int64_t sequences = 0, all = 0, with_state = 0;
};
Steps steps_of(const CallTerms& call, int lengths, int state) {
  if (call["all.packed"] == 0 || call["null." + std::to_string(lengths)] == 0) call.refuse();
  Steps steps{call["all.directions"] * call["all.batch"], 0, 0};
  steps.all = steps.sequences * call["all.steps"];
  steps.with_state = steps.all - (call["null." + std::to_string(state)] != 0 ? steps.sequences : 0);
  return steps;
}

// The state behind the last step lies in y, where there is one.
bool last_copied(const CallTerms& call, int last, int y) {
  return call["null." + std::to_string(last)] == 0 && call["null." + std::to_string(y)] == 0;
}

// tarn_lstm_core_f32.h: four gates of a unit at a time.
Terms lstm(CallTerms call) {
  constexpr int kLengths = 4, kState = 5, kPeep = 7, kLast = 10, kCells = 11;
  const Steps steps = steps_of(call, kLengths, kState);
  if (call["null." + std::to_string(kPeep)] == 0 || call["input_forget"] != 0) call.refuse();
  const int64_t units = call["all.units"];
  call.add("call", 1);
  call.add("sequences", steps.sequences);
  call.add("filled", steps.sequences * units);
  call.add("last", last_copied(call, kLast, kLast - 1) ? steps.sequences * units : 0);
  call.add("cells", call["null." + std::to_string(kCells)] == 0 ? steps.sequences * units : 0);
  call.add("steps", steps.all);
  call.add("units", steps.all * units);
  add_products(call, "inputs", steps.all * units, call["all.inputs"]);
  add_products(call, "states", steps.with_state * units, units);
  return call.take();
}

// tarn_gru_core_f32.h: four units of a gate at a time.
Terms gru(CallTerms call) {
  constexpr int kLengths = 4, kState = 5, kLast = 8;
  const Steps steps = steps_of(call, kLengths, kState);
  const int64_t units = call["all.units"], inputs = call["all.inputs"], fours = fours_of(units);
  const bool linear = call["linear_before_reset"] != 0;
  const std::string part = linear ? "linear_" : "";
  // Without a state before there is nothing to reset.
  const int64_t reset = linear ? steps.all : steps.with_state;
  call.add("call", 1);
  call.add("sequences", steps.sequences);
  call.add("last", last_copied(call, kLast, kLast - 1) ? steps.sequences * units : 0);
  call.add("steps", steps.all);
  call.add("stateful_steps", steps.with_state);
  call.add(part + "fours", steps.all * fours);
  call.add(part + "reset_fours", linear ? 0 : reset * fours);
  call.add(part + "units", steps.all * units);
  call.add(part + "reset_units", linear ? 0 : reset * units);
  add_products(call, part + "inputs", (2 * steps.all + reset) * fours, inputs);
  add_products(call, part + "states", 3 * steps.with_state * fours, units);
  return call.take();
}

// tarn_matmul_f32.c: tiles of four by four, four by one, one by four and one.
Terms matmul(CallTerms call) {
  const int64_t m = call["m"], n = call["n"], k = call["k"], batch = product_of(call, "dims", call["rank"]);
  const bool with_c = call["null.2"] == 0;
  const struct {
    const char* name;
    int64_t count, outputs;
  } tiles[] = {{"four_by_four", (m / 4) * (n / 4), 16},
               {"four_by_one", (m / 4) * (n % 4), 4},
               {"one_by_four", (m % 4) * (n / 4), 4},
               {"one_by_one", (m % 4) * (n % 4), 1}};
  call.add("call", 1);
  call.add("products", batch);
  call.add("rows", batch * (m / 4 + m % 4));
  for (const auto& tile : tiles) {
    call.add(tile.name, batch * tile.count);
    call.add(std::string(tile.name) + "_steps", batch * tile.count * k);
  }
  call.add("added", with_c ? batch * m * n : 0);
  return call.take();
}

// tarn_topk_f32.c: the best so far in a heap, then sorted. An element in random order is among the best k of i with a
// chance of k / i; none or all are where they come in order.
Terms topk(CallTerms call) {
  const int64_t rows = call["outer"] * call["inner"], k = call["k"], rest = call["size"] - k;
  int64_t levels = 0;
  for (int64_t i = 1; i < k; ++i) levels += std::bit_width(static_cast<uint64_t>(i)) - 1;
  double among = 0;
  for (int64_t i = k; i < call["size"]; ++i) among += static_cast<double>(k) / static_cast<double>(i + 1);
  const int64_t replaced = call.by_data(0, std::llround(static_cast<double>(rows) * among), rows * rest);
  call.add("call", 1);
  call.add("rows", rows);
  call.add("kept", rows * k);
  call.add("compared", rows * rest);
  call.add("replaced", replaced);
  call.add("replaced_levels", replaced * static_cast<int64_t>(std::bit_width(static_cast<uint64_t>(k)) - 1));
  call.add("sorted_levels", rows * levels);
  return call.take();
}

// Vectors, whose elements are scaled and moved where there is something to do it by.
Terms normalisation(CallTerms call, bool with_bias) {
  const int64_t vectors = call["outer"], elements = vectors * call["count"];
  call.add("call", 1);
  call.add("vectors", vectors);
  call.add("elements", elements);
  call.add("scaled", call["null.1"] == 0 ? elements : 0);
  if (with_bias) call.add("moved", call["null.2"] == 0 ? elements : 0);
  return call.take();
}

}  // namespace

std::optional<Terms> sequence_terms(const std::string& kernel, const CallTerms& call) {
  if (kernel == "tarn_attention_f32") return attention(call);
  if (kernel == "tarn_lstm_f32") return lstm(call);
  if (kernel == "tarn_gru_f32") return gru(call);
  if (kernel == "tarn_matmul_f32") return matmul(call);
  if (kernel == "tarn_topk_f32") return topk(call);
  if (kernel == "tarn_layernorm_f32") return normalisation(call, true);
  if (kernel == "tarn_rmsnorm_f32") return normalisation(call, false);
  return {};
}

}  // namespace tarn::timing
