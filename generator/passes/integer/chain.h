// The operators between a layer and its QuantizeLinear, as arithmetic on one number: every step is one operation, in
// float32 or in integers, as the graph has it.
#pragma once
#include <algorithm>
#include <bit>
#include <functional>
#include <optional>
#include <vector>

#include "passes/integer/work.h"

namespace tarn::passes::integer {

struct Step {
  enum class Op { mul, add, subtract, subtract_from, divide, relu, leak, clip, other } op = Op::relu;
  std::vector<float> operand;              // one, or one per channel
  float lo = 0, hi = 0;                    // clip
  std::function<double(double)> function;  // other
  bool rises = false;                      // other: never falls, so that codes still come in steps
  bool whole = false;                      // the operator works on integers: nothing is rounded, divisions truncate
  bool per_channel() const { return operand.size() > 1; }
};

struct Bounds {
  float lo = 0, hi = 0;
};

struct Chain {
  std::vector<Step> steps;         // in the order in which they are applied
  std::vector<const Node*> nodes;  // likewise; one may be two steps
  ValueId from;                    // what the first step reads
  float apply(float v, size_t channel) const { return steps.empty() ? v : apply_steps(v, channel); }
  float apply_steps(float v, size_t channel) const;
  double slope() const;   // of the first channel, away from clips
  bool stepwise() const;  // rises or falls all along, and not with a bend that no line follows
  bool per_channel() const;
  std::optional<Bounds> bounds() const;  // of steps that do nothing but bound; from -infinity to infinity without any
};

// Follows the operators that make `to` backwards as far as they are scalar functions; their operands may differ along
// `axis`
// (-1: along none).
Chain trace(const Work& work, ValueId to, int axis);
// The operator that makes `to` alone, however many read it; no steps when it is no such function.
Chain last_step(const Work& work, ValueId to);

// QuantizeLinear, in signed codes.
struct Quantiser {
  float scale = 1, least = 0, most = 0;
  int32_t zero = 0;

  explicit Quantiser(const Codes& y) : scale(y.scale), zero(y.signed_zero()) {
    const int32_t lo = y.dtype == DType::uint8 ? 0 : -128;
    least = static_cast<float>(lo - y.zero);
    most = static_cast<float>(lo + 255 - y.zero);
  }
  int32_t operator()(float v) const {
    const float scaled = v / scale, clamped = scaled >= least ? std::min(scaled, most) : least;
    // Below 2^22 the sum has no room for a fraction: rounded to nearest, ties to even, without a call.
    return std::bit_cast<int32_t>(clamped + 0x1.8p23f) - std::bit_cast<int32_t>(0x1.8p23f) + zero;
  }
};
inline int32_t quantise(float v, const Codes& y) { return Quantiser(y)(v); }

}  // namespace tarn::passes::integer
