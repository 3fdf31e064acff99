// Attention over heads as the operators of com.microsoft state it, by the standard's Attention.
#pragma once
#include <string>
#include <vector>

#include "ops/body.h"

namespace tarn::ops {

using ValueNames = std::vector<std::string>;

struct Heads {
  std::string q, k, v;  // three axes, or four with heads before rows
  std::string past_key, past_value;
  std::string bias;  // of the scores
  int64_t heads = 1, shared = 1;
  double scale = 0, cap = 0;  // 0: the standard one, none
  bool causal = false;
};

// Output, present keys, present values.
ValueNames attend(Body& body, const Heads& heads);

// [batch, length, heads, size] as keys of four axes when queries have four.
std::string heads_first(Body& body, const std::string& x, int64_t batch, int64_t length, int64_t heads, int64_t size);

// A bias of scores [batch or 1, 1, rows or 1, keys]: 0 where a key takes part, `fill` where it does not.
std::string bias_from(Body& body, const std::string& takes_part, double fill, DType dtype);

// 0, 1, 2, ... as whole numbers of a type.
std::string positions(Body& body, int64_t count, DType dtype);

}  // namespace tarn::ops
