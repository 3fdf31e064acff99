// The float operators between a layer and its QuantizeLinear, as arithmetic on one number: every step is one operation
// in float32, as the graph has it.
#pragma once
#include <functional>
#include <vector>

#include "passes/integer/work.h"

namespace tarn::passes::integer {

struct Step {
  enum class Op { mul, add, subtract, subtract_from, divide, relu, clip, other } op = Op::relu;
  std::vector<float> operand;  // one, or one per channel
  float lo = 0, hi = 0;        // clip
  std::function<double(double)> function;  // other
  bool linear() const { return op != Op::other; }
  bool per_channel() const { return operand.size() > 1; }
};

struct Chain {
  std::vector<Step> steps;           // in the order in which they are applied
  std::vector<const Node*> nodes;    // likewise
  ValueId from;                      // what the first step reads
  float apply(float v, size_t channel) const;
  bool linear() const;
  bool per_channel() const;
};

// Follows the operators that make `to` backwards as far as they are scalar functions; their operands may differ along `axis`
// (-1: along none).
Chain trace(const Work& work, ValueId to, int axis);

// QuantizeLinear, in signed codes.
int32_t quantise(float v, const Codes& y);

}  // namespace tarn::passes::integer
