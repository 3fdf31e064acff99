// Sums and products of two quantised operands.
#pragma once
#include <functional>

#include "passes/integer/chain.h"

namespace tarn::passes::integer {

// An operator of two operands before a QuantizeLinear, and the scalar functions between them.
struct Joined {
  Codes y;
  Chain chain;
  const Node* core = nullptr;
};
// Nothing when the codes are not of so many bits, or somebody else reads what lies between.
std::optional<Joined> joined_before(const Work& work, const Node& q, int bits);

// Codes that are quantised at run time, or known.
std::optional<Codes> codes_of(Work& work, ValueId id);

// t = a * a_factor + b * b_factor + constant for all pairs of int8 codes, in the form of `form` (no channels but one
// for the exceptions, whose accumulator is a * 256 + b).
struct PairForm {
  requant::Form form;
  int64_t a_factor = 0, b_factor = 0, constant = 0;
};

// `value`: the signed code of each pair; rises (falls) in steps near a_slope, b_slope codes. Nothing when too many
// pairs need exceptions. `parity`: see requant::Form.
std::optional<PairForm> fit_pair(const std::function<int32_t(int32_t, int32_t)>& value, double a_slope, double b_slope,
                                 int32_t parity);

// The line alone, right wherever (t & mask) is not 0; a mask of 0: nowhere.
PairForm zoned_pair(const std::function<int32_t(int32_t, int32_t)>& value, double a_slope, double b_slope);

void set_pair(Node& node, const PairForm& pair);

// A product of codes, minus their zero points.
bool fit_product(const std::function<int32_t(int64_t)>& value, const Codes& a, const Codes& b, int32_t parity,
                 Node& node);

// `node` becomes the product of two matrices of codes, made at run time; `value`: the signed code of each sum.
bool fit_matrices(Work& work, const std::vector<const Node*>& from, const Codes& a, const Codes& b, const Codes& y,
                  const std::function<int32_t(int64_t)>& value, const requant::Floats* floats, Node& node);

}  // namespace tarn::passes::integer
