// Attention as its kernel sees it. Every form of it that models hold (the standard's operator, those of other domains,
// or matrix products around a softmax) becomes a node "tarn.Attention" while passes run.
#pragma once
#include <array>
#include <vector>

#include "ops/op.h"

namespace tarn::ops {

// Elements from one batch, head, row and column to the next, in an operand as its tensor lies. For masks a row is one
// of queries and a column is a key; for keys and values a row is a key.
using Steps = std::array<int64_t, 4>;

// y = softmax(mask(cap(scale * q k'))) v. Inputs of the node: q, k, v, bias, allowed, lengths (the last three may be
// omitted); outputs: y, scores (may be omitted).
struct Attention {
  int64_t batch = 1, heads = 1, rows = 1, keys = 1;
  int64_t group = 1;             // heads that share one head of keys and values
  int64_t size = 1, values = 1;  // elements of a query or key, of a value
  Steps q{}, k{}, v{}, y{}, bias{}, allowed{};
  std::array<int64_t, 3> first{};             // position of the first element of q, k and v
  int64_t bias_keys = -1, allowed_keys = -1;  // fewer than keys: the others are left out; -1: all
  bool blocking = false;                      // `allowed` names the keys that do not take part
  bool bias_first = false;                    // the bias is added before `allowed` is applied
  bool causal = false;                        // row i sees keys up to i + past
  int64_t past = 0;
  int64_t stage = 0;          // of the scores output: 0 scaled, 1 capped, 2 masked, 3 softmax
  int64_t zero = 0;           // 0 instead of NaN: 1 rows without keys, 2 all rows that are NaN
  double scale = 1, cap = 0;  // cap 0: none
  double fill = 0;            // what scores become where `allowed` says no

  bool operator==(const Attention&) const = default;
};

Attention read_attention(const Node& node);
void write_attention(Node& node, const Attention& attention);

// Steps of a dense [batch, heads, rows, columns], and of the same with heads inside rows: [batch, rows, heads,
// columns].
Steps heads_first(int64_t heads, int64_t rows, int64_t columns);
Steps rows_first(int64_t heads, int64_t rows, int64_t columns);
// Steps of a mask whose shape broadcasts to [batch, heads, rows, keys]; false: it does not.
bool mask_steps(const Shape& mask, const Attention& attention, Steps& steps);

std::vector<OperatorEntry> attention_entries();
std::vector<OperatorEntry> rotary_entries();  // RotaryEmbedding

}  // namespace tarn::ops
