// Attention of com.microsoft: MultiHeadAttention, Attention with its projection, GroupQueryAttention, and rotary
// embeddings; all as the standard's Attention with the masks that they stand for.
#include <cmath>

#include "ops/body.h"
#include "ops/microsoft.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

using ValueNames = std::vector<std::string>;

// A bias of scores [batch or 1, 1, rows or 1, keys]: 0 where a key takes part, `fill` where it does not.
std::string bias_from(Body& body, const std::string& takes_part, double fill, DType dtype) {
  return body.add("Where", {takes_part, body.number(0, dtype), body.number(fill, dtype)});
}

std::string positions(Body& body, int64_t count) {
  std::vector<int64_t> values(static_cast<size_t>(count));
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int64_t>(i);
  return body.constant(Constant::ints(DType::int32, Shape{count}, values));
}

// A mask of whole numbers as a bias; "" when its shape says nothing.
std::string mask_bias(const Facts& facts, Body& body, size_t input, int64_t batch, int64_t rows, int64_t keys,
                      double fill, DType dtype) {
  const Shape& mask = facts.shape(input);
  const std::string x = body.input(input), zero = body.number(0, facts.types[input].dtype);
  if (mask == Shape{batch}) {  // how many keys each sequence has
    const std::string lengths = body.reshape(body.cast(x, facts.types[input].dtype, DType::int32), {batch, 1, 1, 1});
    return bias_from(body, body.add("Less", {positions(body, keys), lengths}), fill, dtype);
  }
  if (mask == Shape{2 * batch}) {  // the end of each, then the beginning of each
    const std::string bounds = body.reshape(body.cast(x, facts.types[input].dtype, DType::int32), {2, batch, 1, 1, 1});
    const ValueNames ends = body.add(2, "Split", {bounds}, {{"axis", int64_t{0}}, {"num_outputs", int64_t{2}}});
    const std::string at = positions(body, keys);
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

struct Heads {
  std::string q, k, v;  // three axes, or four with heads before rows
  std::string past_key, past_value;
  std::string bias;  // of the scores
  int64_t heads = 1, shared = 1;
  double scale = 0, cap = 0;  // 0: the standard one, none
  bool causal = false;
};

// Output, present keys, present values.
ValueNames attend(Body& body, const Heads& h) {
  model::Attributes attributes{{"q_num_heads", h.heads}, {"kv_num_heads", h.shared}, {"is_causal", int64_t{h.causal}}};
  if (h.scale != 0) attributes["scale"] = static_cast<float>(h.scale);
  if (h.cap != 0) attributes["softcap"] = static_cast<float>(h.cap);
  return body.add(3, "Attention", {h.q, h.k, h.v, h.bias, h.past_key, h.past_value}, std::move(attributes));
}

// [batch, length, heads, size] as keys of four axes when queries have four.
std::string heads_first(Body& body, const std::string& x, int64_t batch, int64_t length, int64_t heads, int64_t size) {
  return body.transpose(body.reshape(x, {batch, length, heads, size}), {0, 2, 1, 3});
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

Answer<model::GraphPtr> expand_multi_head(const Facts& facts) {
  enum : size_t { kQ, kK, kV, kBias, kMask, kScoreBias, kPastKey, kPastValue, kPastLength };
  Body body(facts);
  if (!facts.has(kQ)) return Fault{"has no query"};
  if (facts.has(kPastLength)) return Fault{"a shared buffer of past keys is not supported", "", "E203"};
  const Shape& q = facts.shape(kQ);
  Heads h;
  h.heads = h.shared = facts.node.integer("num_heads", 0);
  if (h.heads < 1) return Fault{"num_heads is missing", "", "E211"};
  const int64_t batch = q.rank() > 0 ? q[0] : 0, rows = q.rank() > 1 ? q[1] : 0;
  int64_t keys = rows;
  if (q.rank() == 5) {  // queries, keys and values side by side for each head
    if (q[2] != h.heads || q[3] != 3 || facts.has(kBias))
      return Fault{"a packed query of " + to_string(q) + " is not supported", "", "E203"};
    const ValueNames parts =
        body.add(3, "Split", {body.input(kQ)}, {{"axis", int64_t{3}}, {"num_outputs", int64_t{3}}});
    h.q = body.reshape(parts[0], {batch, rows, h.heads * q[4]});
    h.k = body.reshape(parts[1], {batch, rows, h.heads * q[4]});
    h.v = body.reshape(parts[2], {batch, rows, h.heads * q[4]});
  } else {
    if (q.rank() != 3 || !facts.has(kK))
      return Fault{"a query of " + to_string(q) + " without keys is not supported", "", "E203"};
    const Shape& k = facts.shape(kK);
    h.q = body.input(kQ);
    if (k.rank() == 5) {
      if (k[2] != h.heads || k[3] != 2 || facts.has(kBias))
        return Fault{"packed keys of " + to_string(k) + " are not supported", "", "E203"};
      const ValueNames parts =
          body.add(2, "Split", {body.input(kK)}, {{"axis", int64_t{3}}, {"num_outputs", int64_t{2}}});
      keys = k[1];
      h.k = body.reshape(parts[0], {batch, keys, h.heads * k[4]});
      h.v = body.reshape(parts[1], {batch, keys, h.heads * k[4]});
    } else if (facts.has(kV)) {
      h.k = body.input(kK);
      h.v = body.input(kV);
      keys = k.rank() == 4 ? k[2] : k.rank() == 3 ? k[1] : 0;
      if (k.rank() == 4) {
        // Keys with heads outside: queries are put likewise, and the result back.
        h.q = heads_first(body, h.q, batch, rows, h.heads, q[2] / h.heads);
      }
    } else {
      return Fault{"has no values"};
    }
  }
  if (facts.has(kBias)) {
    const int64_t width = q[2], total = facts.shape(kBias).count();
    if (facts.shape(kK).rank() != 3) return Fault{"a bias with keys of four axes is not supported", "", "E203"};
    const ValueNames parts =
        body.add(3, "Split", {body.input(kBias), body.ints({width, width, total - 2 * width})}, {{"axis", int64_t{0}}});
    h.q = body.add("Add", {h.q, parts[0]});
    h.k = body.add("Add", {h.k, parts[1]});
    h.v = body.add("Add", {h.v, parts[2]});
  }
  if (facts.has(kPastKey) && facts.has(kPastValue)) {
    h.past_key = body.input(kPastKey);
    h.past_value = body.input(kPastValue);
    if (facts.shape(kPastKey).rank() != 4) return Fault{"past keys are " + to_string(facts.shape(kPastKey))};
    keys += facts.shape(kPastKey)[2];
  }
  const Answer<std::string> bias = add_biases(facts, body, kMask, kScoreBias, batch, rows, keys, facts.types[kQ].dtype);
  if (const Fault* fault = std::get_if<Fault>(&bias)) return *fault;
  h.bias = std::get<std::string>(bias);
  h.scale = facts.node.real("scale", 0);
  h.causal = facts.node.integer("unidirectional", 0) != 0;
  const ValueNames y = attend(body, h);
  std::string out = y[0];
  if (facts.has(kK) && facts.shape(kK).rank() == 4) {
    const Shape& v = facts.shape(kV);
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
Answer<model::GraphPtr> attend_projected(const Facts& facts, Body& body, const std::string& all, const Projected& at,
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

Answer<model::GraphPtr> expand_attention(const Facts& facts) {
  enum : size_t { kX, kWeights, kBias, kMask, kPast, kScoreBias, kPastLength };
  Body body(facts);
  if (auto fault = check_projection(facts)) return *fault;
  std::string all = body.add("MatMul", {body.input(kX), body.input(kWeights)});
  if (facts.has(kBias)) all = body.add("Add", {all, body.input(kBias)});
  return attend_projected(facts, body, all, {kMask, kPast, kScoreBias, kPastLength}, facts.types[kX].dtype);
}

// The same with a projection of bytes.
Answer<model::GraphPtr> expand_quantized(const Facts& facts) {
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

// Positions [batch, rows] from `first` on.
std::string places_from(Body& body, int64_t batch, int64_t rows, int64_t first) {
  std::vector<int64_t> values;
  for (int64_t b = 0; b < batch; ++b) {
    for (int64_t r = 0; r < rows; ++r) values.push_back(first + r);
  }
  return body.constant(Constant::ints(DType::int64, Shape{batch, rows}, values));
}

// Turns x ([batch, rows, heads * size] or [batch, heads, rows, size]) by tables [positions, size / 2].
std::string rotate(Body& body, const std::string& x, const std::string& cosines, const std::string& sines,
                   const std::string& places, int64_t heads, int64_t rotated, bool interleaved) {
  model::Attributes attributes{{"interleaved", int64_t{interleaved}}};
  if (heads > 0) attributes["num_heads"] = heads;
  if (rotated > 0) attributes["rotary_embedding_dim"] = rotated;
  return body.add("RotaryEmbedding", {x, cosines, sines, places}, std::move(attributes));
}

Answer<model::GraphPtr> expand_rotary(const Facts& facts) {
  Body body(facts);
  for (size_t i = 0; i < 4; ++i) {
    if (!facts.has(i)) return Fault{cat("input ", i, " is missing")};
  }
  const Shape &x = facts.shape(0), &table = facts.shape(2);
  if ((x.rank() != 3 && x.rank() != 4) || table.rank() != 2)
    return Fault{"its input is " + to_string(x) + ", its cosines " + to_string(table)};
  if (facts.node.real("scale", 1) != 1 || facts.node.integer("is_packed_batching", 0) != 0) {
    return Fault{"scale and is_packed_batching are not supported", "", "E203"};
  }
  const int64_t batch = x[0], rows = x.rank() == 4 ? x[2] : x[1];
  const int64_t rotated = facts.node.integer("rotary_embedding_dim", 0);
  int64_t heads = facts.node.integer("num_heads", 0);
  if (x.rank() == 3 && heads == 0) heads = table[1] > 0 ? x[2] / (2 * table[1]) : 0;
  std::string places = body.input(1);
  if (facts.shape(1).count() == 1 && (facts.shape(1).rank() == 1 || rows != 1 || batch != 1)) {
    // One number: where the first row stands.
    const std::string each = places_from(body, batch, rows, 0);
    places = body.add("Add", {each, body.reshape(body.cast(places, facts.types[1].dtype, DType::int64), {1, 1})});
  }
  body.output(0, rotate(body, body.input(0), body.input(2), body.input(3), places, x.rank() == 3 ? heads : 0, rotated,
                        facts.node.integer("interleaved", 0) != 0));
  return body.finish();
}

// A bias [rows, keys] that leaves out keys more than a window behind.
std::string window_bias(Body& body, int64_t rows, int64_t keys, int64_t past, int64_t window, DType dtype) {
  std::vector<double> values;
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < keys; ++j) values.push_back(j <= past + i - window ? -INFINITY : 0);
  }
  return body.constant(Constant::floats(dtype, Shape{rows, keys}, values));
}

// Caches of as many keys as there may ever be: what is new is written where it belongs, over a copy that lies where the
// past lay, and what follows takes no part. Keys that are in the cache before this call, by sequence.
struct Cache {
  std::string past;    // [batch], int64
  std::string places;  // of the new rows, [batch, rows], int64
};

// `totals`: of each sequence the keys with the new ones, less one.
Cache cache_of(const Facts& facts, Body& body, size_t totals, int64_t batch, int64_t rows) {
  const std::string last =
      body.reshape(body.cast(body.input(totals), facts.types[totals].dtype, DType::int64), {batch});
  Cache cache;
  cache.past = body.add("Sub", {last, body.number(static_cast<double>(rows - 1), DType::int64)});
  cache.places = body.add("Add", {body.reshape(cache.past, {batch, 1}), places_from(body, batch, rows, 0)});
  return cache;
}

// A bias [batch, 1, rows, keys]: key j takes part for the row at place p when p - window < j <= p.
std::string cache_bias(Body& body, const Cache& cache, int64_t batch, int64_t rows, int64_t keys, int64_t window,
                       DType dtype) {
  std::vector<int64_t> values(static_cast<size_t>(keys));
  for (size_t j = 0; j < values.size(); ++j) values[j] = static_cast<int64_t>(j);
  const std::string at = body.constant(Constant::ints(DType::int64, Shape{keys}, values)),
                    row = body.reshape(cache.places, {batch, 1, rows, 1});
  std::string takes_part = body.add("LessOrEqual", {at, row});
  if (window > 0) {
    const std::string behind = body.add("Sub", {row, body.number(static_cast<double>(window), DType::int64)});
    takes_part = body.add("And", {takes_part, body.add("Greater", {at, behind})});
  }
  return bias_from(body, takes_part, -INFINITY, dtype);
}

// Keys of earlier calls fill the past entirely and the new ones follow them, or the past has room for all that there
// may be; a prompt has none.
Answer<model::GraphPtr> expand_grouped(const Facts& facts) {
  enum : size_t { kQ, kK, kV, kPastKey, kPastValue, kLengths, kTotal, kCos, kSin, kPlaces, kScoreBias, kFirstOther };
  Body body(facts);
  const Node& node = facts.node;
  Heads h;
  h.heads = node.integer("num_heads", 0);
  h.shared = node.integer("kv_num_heads", 0);
  if (!facts.has(kQ) || facts.shape(kQ).rank() != 3 || h.heads < 1 || h.shared < 1)
    return Fault{"its query or its numbers of heads are missing"};
  for (size_t i = kFirstOther; i < facts.types.size(); ++i) {
    if (facts.has(i)) return Fault{cat("input ", i, " is not supported"), "", "E203"};
  }
  if (node.integer("smooth_softmax", 0) > 0 || node.integer("qk_output", 0) != 0)
    return Fault{"smooth_softmax and qk_output are not supported", "", "E203"};
  const Shape& q = facts.shape(kQ);
  const int64_t batch = q[0], rows = q[1];
  int64_t size = q[2] / h.heads;
  h.q = body.input(kQ);
  if (facts.has(kK) && facts.has(kV)) {
    h.k = body.input(kK);
    h.v = body.input(kV);
  } else {
    size = q[2] / (h.heads + 2 * h.shared);
    const ValueNames parts = body.add(3, "Split", {h.q, body.ints({h.heads * size, h.shared * size, h.shared * size})},
                                      {{"axis", int64_t{2}}});
    h.q = parts[0];
    h.k = parts[1];
    h.v = parts[2];
  }
  const int64_t past = facts.has(kPastKey) && facts.shape(kPastKey).rank() == 4 ? facts.shape(kPastKey)[2] : 0;
  const bool shared_buffer = past > 0 && facts.declared.size() > 1 && facts.declared[1].shape.rank() == 4 &&
                             facts.declared[1].shape[2] == past;
  if (shared_buffer && (!facts.has(kLengths) || !facts.has(kPastValue) || facts.shape(kLengths).count() != batch))
    return Fault{"past and present keys of one length need values and the length of each sequence", "", "E211"};
  const Cache cache = shared_buffer ? cache_of(facts, body, kLengths, batch, rows) : Cache{};
  if (past > 0 && facts.has(kPastValue)) {
    h.past_key = body.input(kPastKey);
    h.past_value = body.input(kPastValue);
  }
  if (node.integer("do_rotary", 0) != 0) {
    if (!facts.has(kCos) || !facts.has(kSin)) return Fault{"do_rotary needs tables of cosines and sines"};
    const std::string places = facts.has(kPlaces) ? body.input(kPlaces)
                               : shared_buffer    ? cache.places
                                                  : places_from(body, batch, rows, past);
    const bool interleaved = node.integer("rotary_interleaved", 0) != 0;
    // The tables say how many elements of each head turn.
    const int64_t turning = facts.shape(kCos).rank() == 2 ? 2 * facts.shape(kCos)[1] : size,
                  rotated = turning < size ? turning : 0;
    h.q = rotate(body, h.q, body.input(kCos), body.input(kSin), places, h.heads, rotated, interleaved);
    h.k = rotate(body, h.k, body.input(kCos), body.input(kSin), places, h.shared, rotated, interleaved);
  }
  const int64_t window = node.integer("local_window_size", -1);
  const DType dtype = facts.types[kQ].dtype;
  if (shared_buffer) h.bias = cache_bias(body, cache, batch, rows, past, window, dtype);
  else if (window > 0) h.bias = window_bias(body, rows, past + rows, past, window, dtype);
  if (facts.has(kScoreBias))
    h.bias = h.bias.empty() ? body.input(kScoreBias) : body.add("Add", {h.bias, body.input(kScoreBias)});
  h.scale = node.real("scale", 0);
  h.cap = node.real("softcap", 0);
  if (shared_buffer) {
    const auto keep = [&](const std::string& before, const std::string& x) {
      return body.add("TensorScatter", {before, heads_first(body, x, batch, rows, h.shared, size), cache.past},
                      {{"axis", int64_t{2}}});
    };
    h.q = heads_first(body, h.q, batch, rows, h.heads, size);
    h.k = keep(h.past_key, h.k);
    h.v = keep(h.past_value, h.v);
    h.past_key = h.past_value = "";
    const ValueNames y = attend(body, h);
    body.output(0, body.reshape(body.transpose(y[0], {0, 2, 1, 3}), {batch, rows, h.heads * size}));
    body.output(1, h.k);
    body.output(2, h.v);
    return body.finish();
  }
  h.causal = true;
  const ValueNames y = attend(body, h);
  for (size_t i = 0; i < 3; ++i) body.output(i, y[i]);
  return body.finish();
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
  add("GroupQueryAttention", expand_grouped,
      "past keys fill their tensor and the present ones follow, or both have one length: then new keys are written "
      "where they belong");
  add("RotaryEmbedding", expand_rotary, "no scale, no packed batches");
  return entries;
}

}  // namespace tarn::ops
