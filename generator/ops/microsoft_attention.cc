// Attention of com.microsoft: MultiHeadAttention and Attention with its projection, as the standard's Attention with
// the masks that they stand for. microsoft_grouped.cc has GroupQueryAttention and rotary embeddings.
#include <cmath>
#include <optional>

#include "ops/body.h"
#include "ops/microsoft.h"
#include "ops/microsoft_heads.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

// A mask of whole numbers as a bias; "" when its shape says nothing.
std::string mask_bias(const Facts& facts, Body& body, size_t input, int64_t batch, int64_t rows, int64_t keys,
                      double fill, DType dtype) {
  const Shape& mask = facts.shape(input);
  const std::string x = body.input(input), zero = body.number(0, facts.types[input].dtype);
  if (mask == Shape{batch}) {  // how many keys each sequence has
    const std::string lengths = body.reshape(body.cast(x, facts.types[input].dtype, DType::int32), {batch, 1, 1, 1});
    return bias_from(body, body.add("Less", {positions(body, keys, DType::int32), lengths}), fill, dtype);
  }
  if (mask == Shape{2 * batch}) {  // the end of each, then the beginning of each
    const std::string bounds = body.reshape(body.cast(x, facts.types[input].dtype, DType::int32), {2, batch, 1, 1, 1});
    const ValueNames ends = body.add(2, "Split", {bounds}, {{"axis", int64_t{0}}, {"num_outputs", int64_t{2}}});
    const std::string at = positions(body, keys, DType::int32);
    const std::string before_end = body.add("Less", {at, body.reshape(ends[0], {batch, 1, 1, 1})});
    const std::string begun = body.add("GreaterOrEqual", {at, body.reshape(ends[1], {batch, 1, 1, 1})});
    return bias_from(body, body.add("And", {before_end, begun}), fill, dtype);
  }
  std::vector<int64_t> shape;
  if (mask == Shape{batch, keys}) shape = {batch, 1, 1, keys};
  else if (mask == Shape{batch, rows, keys}) shape = {batch, 1, rows, keys};
  else return "";
  return bias_from(body, body.reshape(body.add("Greater", {x, zero}), shape), fill, dtype);
}

Answer<std::string> add_biases(const Facts& facts, Body& body, size_t mask, size_t bias, int64_t batch, int64_t rows,
                               int64_t keys, DType dtype) {
  std::string sum;
  if (facts.has(mask)) {
    sum = mask_bias(facts, body, mask, batch, rows, keys, facts.node.real("mask_filter_value", -10000), dtype);
    if (sum.empty()) return Fault{"a mask of shape " + to_string(facts.shape(mask)) + " is not supported", "", "E203"};
  }
  if (facts.has(bias)) sum = sum.empty() ? body.input(bias) : body.add("Add", {sum, body.input(bias)});
  return sum;
}

struct MultiHead {
  enum Input : size_t { kQ, kK, kV, kBias, kMask, kScoreBias, kPastKey, kPastValue, kPastLength };
};

// x [batch, rows, heads, parts, size] as `parts` values of [batch, rows, heads * size].
ValueNames unpack(Body& body, const std::string& x, const Shape& packed) {
  ValueNames parts =
      body.add(static_cast<size_t>(packed[3]), "Split", {x}, {{"axis", int64_t{3}}, {"num_outputs", packed[3]}});
  for (std::string& part : parts) part = body.reshape(part, {packed[0], packed[1], packed[2] * packed[4]});
  return parts;
}

// Queries, keys and values of three axes into `h`, and how many keys there are into `keys`.
std::optional<Fault> take_heads(const Facts& facts, Body& body, Heads& h, int64_t& keys) {
  const Shape& q = facts.shape(MultiHead::kQ);
  if (q.rank() == 5) {  // queries, keys and values side by side for each head
    if (q[2] != h.heads || q[3] != 3 || facts.has(MultiHead::kBias))
      return Fault{"a packed query of " + to_string(q) + " is not supported", "", "E203"};
    const ValueNames parts = unpack(body, body.input(MultiHead::kQ), q);
    h.q = parts[0];
    h.k = parts[1];
    h.v = parts[2];
    keys = q[1];
    return std::nullopt;
  }
  if (q.rank() != 3 || !facts.has(MultiHead::kK))
    return Fault{"a query of " + to_string(q) + " without keys is not supported", "", "E203"};
  const Shape& k = facts.shape(MultiHead::kK);
  h.q = body.input(MultiHead::kQ);
  if (k.rank() == 5) {
    if (k[2] != h.heads || k[3] != 2 || facts.has(MultiHead::kBias))
      return Fault{"packed keys of " + to_string(k) + " are not supported", "", "E203"};
    const ValueNames parts = unpack(body, body.input(MultiHead::kK), k);
    h.k = parts[0];
    h.v = parts[1];
    keys = k[1];
    return std::nullopt;
  }
  if (!facts.has(MultiHead::kV)) return Fault{"has no values"};
  h.k = body.input(MultiHead::kK);
  h.v = body.input(MultiHead::kV);
  keys = k.rank() == 4 ? k[2] : k.rank() == 3 ? k[1] : 0;
  // Keys with heads outside: queries are put likewise, and the result back.
  if (k.rank() == 4) h.q = heads_first(body, h.q, q[0], q[1], h.heads, q[2] / h.heads);
  return std::nullopt;
}

// The bias of the projections that came before, [queries, keys, values].
std::optional<Fault> add_projection_bias(const Facts& facts, Body& body, Heads& h) {
  if (!facts.has(MultiHead::kBias)) return std::nullopt;
  const int64_t width = facts.shape(MultiHead::kQ)[2], total = facts.shape(MultiHead::kBias).count();
  if (facts.shape(MultiHead::kK).rank() != 3)
    return Fault{"a bias with keys of four axes is not supported", "", "E203"};
  const ValueNames parts = body.add(
      3, "Split", {body.input(MultiHead::kBias), body.ints({width, width, total - 2 * width})}, {{"axis", int64_t{0}}});
  h.q = body.add("Add", {h.q, parts[0]});
  h.k = body.add("Add", {h.k, parts[1]});
  h.v = body.add("Add", {h.v, parts[2]});
  return std::nullopt;
}

Answer<model::GraphDefPtr> expand_multi_head(const Facts& facts) {
  Body body(facts);
  if (!facts.has(MultiHead::kQ)) return Fault{"has no query"};
  if (facts.has(MultiHead::kPastLength)) return Fault{"a shared buffer of past keys is not supported", "", "E203"};
  const Shape& q = facts.shape(MultiHead::kQ);
  Heads h;
  h.heads = h.shared = facts.node.integer("num_heads", 0);
  if (h.heads < 1) return Fault{"num_heads is missing", "", "E211"};
  int64_t keys = 0;
  if (const std::optional<Fault> fault = take_heads(facts, body, h, keys)) return *fault;
  if (const std::optional<Fault> fault = add_projection_bias(facts, body, h)) return *fault;
  const int64_t batch = q[0], rows = q[1];
  if (facts.has(MultiHead::kPastKey) && facts.has(MultiHead::kPastValue)) {
    h.past_key = body.input(MultiHead::kPastKey);
    h.past_value = body.input(MultiHead::kPastValue);
    if (facts.shape(MultiHead::kPastKey).rank() != 4)
      return Fault{"past keys are " + to_string(facts.shape(MultiHead::kPastKey))};
    keys += facts.shape(MultiHead::kPastKey)[2];
  }
  const Answer<std::string> bias = add_biases(facts, body, MultiHead::kMask, MultiHead::kScoreBias, batch, rows, keys,
                                              facts.types[MultiHead::kQ].dtype);
  if (const Fault* fault = std::get_if<Fault>(&bias)) return *fault;
  h.bias = std::get<std::string>(bias);
  h.scale = facts.node.real("scale", 0);
  h.causal = facts.node.integer("unidirectional", 0) != 0;
  const ValueNames y = attend(body, h);
  std::string out = y[0];
  if (facts.has(MultiHead::kK) && facts.shape(MultiHead::kK).rank() == 4) {
    const Shape& v = facts.shape(MultiHead::kV);
    out = body.reshape(body.transpose(out, {0, 2, 1, 3}), {batch, rows, h.heads * (v.rank() == 4 ? v[3] : 0)});
  }
  body.output(0, out);
  body.output(1, y[1]);
  body.output(2, y[2]);
  return body.finish();
}

// Where the operands of an attention with its own projection stand.
struct Projected {
  size_t mask, past, score_bias, past_length;
};

// `all`: queries, keys and values side by side.
Answer<model::GraphDefPtr> attend_projected(const Facts& facts, Body& body, const std::string& all, const Projected& at,
                                            DType dtype) {
  const Shape &x = facts.shape(0), &w = facts.shape(1);
  if (facts.has(at.past_length) || facts.node.integer("past_present_share_buffer", 0) != 0) {
    return Fault{"a shared buffer of past keys is not supported", "", "E203"};
  }
  if (facts.node.integer("do_rotary", 0) != 0) return Fault{"do_rotary is not supported", "", "E203"};
  const int64_t batch = x[0], rows = x[1];
  Heads h;
  h.heads = h.shared = facts.node.integer("num_heads", 0);
  std::vector<int64_t> widths = facts.node.integers("qkv_hidden_sizes");
  if (widths.empty()) widths = {w[1] / 3, w[1] / 3, w[1] / 3};
  if (h.heads < 1 || widths.size() != 3 || widths[0] != widths[1] || widths[0] + widths[1] + widths[2] != w[1]) {
    return Fault{"num_heads or qkv_hidden_sizes do not fit its weights " + to_string(w), "", "E211"};
  }
  const ValueNames parts = body.add(3, "Split", {all, body.ints(widths)}, {{"axis", int64_t{2}}});
  h.q = parts[0];
  h.k = parts[1];
  h.v = parts[2];
  int64_t keys = rows;
  if (facts.has(at.past)) {
    const Shape& past = facts.shape(at.past);
    if (past.rank() != 5 || past[0] != 2) return Fault{"past keys and values are " + to_string(past)};
    const ValueNames halves =
        body.add(2, "Split", {body.input(at.past)}, {{"axis", int64_t{0}}, {"num_outputs", int64_t{2}}});
    const std::vector<int64_t> shape(past.dims.begin() + 1, past.dims.end());
    h.past_key = body.reshape(halves[0], shape);
    h.past_value = body.reshape(halves[1], shape);
    keys += past[3];
  }
  const Answer<std::string> bias = add_biases(facts, body, at.mask, at.score_bias, batch, rows, keys, dtype);
  if (const Fault* fault = std::get_if<Fault>(&bias)) return *fault;
  h.bias = std::get<std::string>(bias);
  h.scale = facts.node.real("scale", 0);
  h.causal = facts.node.integer("unidirectional", 0) != 0;
  const ValueNames y = attend(body, h);
  body.output(0, y[0]);
  if (facts.declared.size() > 1) {
    const std::string axis = body.ints({0});
    body.output(1, body.add("Concat", {body.add("Unsqueeze", {y[1], axis}), body.add("Unsqueeze", {y[2], axis})},
                            {{"axis", int64_t{0}}}));
  }
  return body.finish();
}

std::optional<Fault> check_projection(const Facts& facts) {
  if (!facts.has(0) || !facts.has(1)) return Fault{"needs an input and weights"};
  const Shape &x = facts.shape(0), &w = facts.shape(1);
  if (x.rank() != 3 || w.rank() != 2) return Fault{"its input is " + to_string(x) + ", its weights " + to_string(w)};
  return {};
}

Answer<model::GraphDefPtr> expand_attention(const Facts& facts) {
  enum : size_t { kX, kWeights, kBias, kMask, kPast, kScoreBias, kPastLength };
  Body body(facts);
  if (auto fault = check_projection(facts)) return *fault;
  std::string all = body.add("MatMul", {body.input(kX), body.input(kWeights)});
  if (facts.has(kBias)) all = body.add("Add", {all, body.input(kBias)});
  return attend_projected(facts, body, all, {kMask, kPast, kScoreBias, kPastLength}, facts.types[kX].dtype);
}

// The same with a projection of bytes.
Answer<model::GraphDefPtr> expand_quantized(const Facts& facts) {
  enum : size_t { kX, kWeights, kBias, kScale, kWeightScale, kMask, kZero, kWeightZero, kPast, kNone };
  Body body(facts);
  if (auto fault = check_projection(facts)) return *fault;
  if (!facts.has(kScale) || !facts.has(kWeightScale)) return Fault{"needs the scales of input and weights"};
  ValueNames inputs;
  for (size_t i : {kX, kWeights, kScale, kWeightScale, kZero, kWeightZero, kBias}) inputs.push_back(body.input(i));
  while (inputs.back().empty()) inputs.pop_back();
  const std::string all = body.add("MatMulIntegerToFloat", inputs, {}, "com.microsoft");
  return attend_projected(facts, body, all, {kMask, kPast, kNone, kNone}, facts.types[kScale].dtype);
}

}  // namespace

std::vector<OperatorEntry> microsoft_attention_entries() {
  std::vector<OperatorEntry> entries;
  auto add = [&](const char* op, Expand expand, const char* limits) {
    OperatorEntry entry{"com.microsoft", op, "floats"};
    entry.expand = expand;
    entry.limits = limits;
    entries.push_back(std::move(entry));
  };
  add("MultiHeadAttention", expand_multi_head, "no shared buffer of past keys");
  add("Attention", expand_attention, "no shared buffer of past keys, no rotary embedding inside");
  add("QAttention", expand_quantized, "no shared buffer of past keys, no rotary embedding inside");
  return entries;
}

}  // namespace tarn::ops
