// Terms of attention, recurrent layers, products of two operands and normalisations.
#include <algorithm>
#include <bit>
#include <cmath>

#include "time/coded.h"

namespace tarn::timing {

namespace {

int64_t fours_of(int64_t n) { return (n + 3) / 4; }

// Rest of four: each has code of its own.
void add_rest(CallTerms& call, const std::string& part, int64_t n, int64_t times) {
  for (int64_t rest = 1; rest < 4; ++rest) call.add(part + "_rest" + std::to_string(rest), n % 4 == rest ? times : 0);
}

// tarn_attention_core_f32.h: four scores, then four values at a time. What a mask closes is known when it is read:
// usually nothing, at most all but the first key of each row. Lengths leave all keys, usually, or none.
Terms attention(CallTerms call) {
  constexpr int kBias = 3, kAllowed = 4, kLengths = 5, kScores = 8;
  const auto given = [&](int argument) { return call["null." + std::to_string(argument)] == 0; };
  if (given(kScores)) call.refuse();
  const int64_t rows = call["rows"], heads = call["batch"] * call["heads"];
  const int64_t keys = given(kLengths) ? call.by_data(0, call["keys"], call["keys"]) : call["keys"];
  const int64_t past = given(kLengths) ? keys - rows : call["past"];
  const int64_t size = call["size"], values = call["values"];
  const bool near = call["k.column"] == 1, near_values = call["v.column"] == 1;
  const bool biased = given(kBias), masked = biased || given(kAllowed);
  int64_t score_fours = 0, taken = 0, looked = 0, rests[4] = {};
  // Where no key is open all take part.
  const auto add_row = [&](int64_t limit, int64_t last_open, int64_t times) {
    const int64_t open = last_open > 0 ? last_open : limit;
    looked += masked ? times * (limit - last_open + 1) : 0;
    score_fours += times * fours_of(open);
    taken += times * open;
    rests[open % 4] += times;
  };
  const bool constant = call.knows("open.0") && !biased && !given(kLengths);  // the mask
  for (int64_t row = 0; row < rows; ++row) {
    const int64_t limit = call["causal"] != 0 ? std::clamp<int64_t>(row + past + 1, 0, keys) : keys;
    if (!constant) {
      add_row(limit, masked ? call.by_data(std::min<int64_t>(1, limit), limit, limit) : limit, heads);
      continue;
    }
    for (int64_t head = 0; head < heads; ++head)
      add_row(limit, std::min(limit, call["open." + std::to_string(head * rows + row)]), 1);
  }
  for (int rest = 1; rest < 4; ++rest) call.add("keys_rest" + std::to_string(rest), rests[rest]);
  call.add("biased", biased && !given(kAllowed) ? taken : 0);
  call.add("allowed", given(kAllowed) ? taken : 0);
  call.add("allowed_biased", given(kAllowed) && biased ? taken : 0);
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

// What a recurrent layer is told by: its kernel over weights of fewer bits has the parameters of the plain one in a
// field, and scales and zeros behind either operand; that of sequences of codes has those of a step in a field, and no
// lengths.
class Recurrent : public CallTerms {
 public:
  Recurrent(const CallTerms& call, const std::string& kernel)
      : CallTerms(call),
        kernel_(kernel),
        coded_(kernel.find("_w") != std::string::npos),
        by_step_(kernel.ends_with("_s8")) {}

  bool by_step() const { return by_step_; }
  int64_t of(const std::string& name) const { return (*this)[field() + (coded_ ? "plain." : "") + name]; }
  int64_t steps() const { return by_step_ ? (*this)["codes.steps"] : of("all.steps"); }
  // Of the plain kernel's argument.
  bool has(int argument) const {
    constexpr int kLengths = 4;
    if (by_step_ && argument == kLengths) return false;
    const int more = coded_ && argument > 0 ? 4 : 0, fewer = by_step_ && argument > kLengths ? 1 : 0;
    return (*this)["null." + std::to_string(argument + more - fewer)] == 0;
  }

  // n products, `times` times.
  void add_products(const std::string& part, int64_t times, int64_t n) {
    if (coded_) {
      add_coded_products(*this, kernel_, field() + (part.ends_with("inputs") ? "w." : "r."), part, times, n);
      return;
    }
    add(part, n > 0 ? times : 0);
    add(part + "_odd", times * (n % 2));
    add(part + "_pairs", times * (n / 2));
  }

  // Rows of codes that become floats and are made of them. y: the plain kernel's argument.
  void add_codes(int y) {
    if (!by_step_) return;
    add("read", steps() * of("all.inputs"));
    add("written", has(y) ? steps() * of("all.units") : 0);
  }

 private:
  std::string field() const { return by_step_ ? "step." : ""; }

  std::string kernel_;
  bool coded_, by_step_;
};

// Steps of recurrent layers, of them those with a state before. Weights may be made at run time: not told here.
// Sequences of lengths that data say are usually of all steps.
struct Steps {
  int64_t sequences = 0, all = 0, with_state = 0;
};
Steps steps_of(const Recurrent& call, int lengths, int state) {
  if (call.of("all.packed") == 0) call.refuse();
  Steps steps{call.of("all.directions") * call.of("all.batch"), 0, 0};
  const int64_t most = call.steps(), taken = call.has(lengths) ? call.by_data(0, most, most) : most;
  steps.all = steps.sequences * taken;
  steps.with_state = taken == 0 ? 0 : steps.all - (call.has(state) ? 0 : steps.sequences);
  return steps;
}

// The state behind the last step lies in y, where there is one, or in scratch where y is codes.
bool last_copied(const Recurrent& call, int last, int y) { return call.has(last) && (call.has(y) || call.by_step()); }

// tarn_lstm_core_f32.h: four gates of a unit at a time.
Terms lstm(Recurrent call) {
  constexpr int kLengths = 4, kState = 5, kPeep = 7, kLast = 10, kCells = 11;
  const Steps steps = steps_of(call, kLengths, kState);
  if (call.has(kPeep) || call.of("input_forget") != 0) call.refuse();
  const int64_t units = call.of("all.units");
  call.add("call", 1);
  call.add("sequences", steps.sequences);
  call.add("filled", steps.sequences * units);
  call.add("last", last_copied(call, kLast, kLast - 1) ? steps.sequences * units : 0);
  call.add("cells", call.has(kCells) && !call.by_step() ? steps.sequences * units : 0);
  call.add("steps", steps.all);
  call.add("units", steps.all * units);
  call.add_products("inputs", steps.all * units, call.of("all.inputs"));
  call.add_products("states", steps.with_state * units, units);
  call.add_codes(kLast - 1);
  return call.take();
}

// tarn_gru_core_f32.h: four units of a gate at a time.
Terms gru(Recurrent call) {
  constexpr int kLengths = 4, kState = 5, kLast = 8;
  const Steps steps = steps_of(call, kLengths, kState);
  const int64_t units = call.of("all.units"), inputs = call.of("all.inputs"), fours = fours_of(units);
  const bool linear = call.of("linear_before_reset") != 0;
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
  call.add_products(part + "inputs", (2 * steps.all + reset) * fours, inputs);
  call.add_products(part + "states", 3 * steps.with_state * fours, units);
  call.add_codes(kLast - 1);
  return call.take();
}

// tarn_rnn_core_f32.h: four units at a time.
Terms rnn(Recurrent call) {
  constexpr int kLengths = 4, kState = 5, kLast = 8;
  const Steps steps = steps_of(call, kLengths, kState);
  const int64_t units = call.of("all.units"), fours = fours_of(units);
  call.add("call", 1);
  call.add("sequences", steps.sequences);
  call.add("last", last_copied(call, kLast, kLast - 1) ? steps.sequences * units : 0);
  call.add("steps", steps.all);
  call.add("fours", steps.all * fours);
  call.add("units", steps.all * units);
  call.add_products("inputs", steps.all * fours, call.of("all.inputs"));
  call.add_products("states", steps.with_state * fours, units);
  call.add_codes(kLast - 1);
  return call.take();
}

// tarn_matmul_f32.c: tiles of four by four, four by one, one by four and one.
Terms matmul(CallTerms call) {
  const int64_t m = call["m"], n = call["n"], k = call["k"], batch = call.product("dims", call["rank"]);
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
  call.add_nonzero(call.nonzero(batch * m * n * k, 0), 1);
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

// tarn_lstm_f32 or, over weights of fewer bits, tarn_lstm_w8_f32; those of sequences of codes, tarn_lstm_s8 and
// tarn_lstm_w8_s8; not tarn_lstm_any_f32.
bool is_recurrent(const std::string& kernel, const std::string& layer) {
  const bool known = kernel.ends_with("f32") || kernel.ends_with("_s8");
  return known && kernel.starts_with(layer) && kernel.find("_any_") == std::string::npos;
}

}  // namespace

std::optional<Terms> sequence_terms(const std::string& kernel, const CallTerms& call) {
  if (kernel == "tarn_attention_f32") return attention(call);
  if (is_recurrent(kernel, "tarn_lstm_")) return lstm({call, kernel});
  if (is_recurrent(kernel, "tarn_gru_")) return gru({call, kernel});
  if (is_recurrent(kernel, "tarn_rnn_")) return rnn({call, kernel});
  if (kernel == "tarn_matmul_f32") return matmul(call);
  if (kernel == "tarn_topk_f32") return topk(call);
  if (kernel == "tarn_layernorm_f32") return normalisation(call, true);
  if (kernel == "tarn_rmsnorm_f32") return normalisation(call, false);
  return {};
}

}  // namespace tarn::timing
