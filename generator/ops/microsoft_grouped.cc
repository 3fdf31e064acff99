// GroupQueryAttention and RotaryEmbedding of com.microsoft, as the standard's Attention, RotaryEmbedding and
// TensorScatter.
#include <cmath>
#include <optional>

#include "ops/body.h"
#include "ops/microsoft.h"
#include "ops/microsoft_heads.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

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

Answer<model::GraphDefPtr> expand_rotary(const Facts& facts) {
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
  const std::string at = positions(body, keys, DType::int64), row = body.reshape(cache.places, {batch, 1, rows, 1});
  std::string takes_part = body.add("LessOrEqual", {at, row});
  if (window > 0) {
    const std::string behind = body.add("Sub", {row, body.number(static_cast<double>(window), DType::int64)});
    takes_part = body.add("And", {takes_part, body.add("Greater", {at, behind})});
  }
  return bias_from(body, takes_part, -INFINITY, dtype);
}

struct Grouped {
  enum Input : size_t {
    kQ,
    kK,
    kV,
    kPastKey,
    kPastValue,
    kLengths,
    kTotal,
    kCos,
    kSin,
    kPlaces,
    kScoreBias,
    kFirstOther
  };
};

std::optional<Fault> refuse_grouped(const Facts& facts) {
  const Node& node = facts.node;
  if (!facts.has(Grouped::kQ) || facts.shape(Grouped::kQ).rank() != 3 || node.integer("num_heads", 0) < 1 ||
      node.integer("kv_num_heads", 0) < 1)
    return Fault{"its query or its numbers of heads are missing"};
  for (size_t i = Grouped::kFirstOther; i < facts.types.size(); ++i) {
    if (facts.has(i)) return Fault{cat("input ", i, " is not supported"), "", "E203"};
  }
  if (node.integer("smooth_softmax", 0) > 0 || node.integer("qk_output", 0) != 0)
    return Fault{"smooth_softmax and qk_output are not supported", "", "E203"};
  if (node.integer("do_rotary", 0) != 0 && (!facts.has(Grouped::kCos) || !facts.has(Grouped::kSin)))
    return Fault{"do_rotary needs tables of cosines and sines"};
  return std::nullopt;
}

// Queries, keys and values into `h`, from one operand where they lie side by side; the elements of a head.
int64_t take_grouped_heads(const Facts& facts, Body& body, Heads& h) {
  const int64_t width = facts.shape(Grouped::kQ)[2];
  h.heads = facts.node.integer("num_heads", 0);
  h.shared = facts.node.integer("kv_num_heads", 0);
  h.q = body.input(Grouped::kQ);
  if (facts.has(Grouped::kK) && facts.has(Grouped::kV)) {
    h.k = body.input(Grouped::kK);
    h.v = body.input(Grouped::kV);
    return width / h.heads;
  }
  const int64_t size = width / (h.heads + 2 * h.shared);
  const ValueNames parts = body.add(3, "Split", {h.q, body.ints({h.heads * size, h.shared * size, h.shared * size})},
                                    {{"axis", int64_t{2}}});
  h.q = parts[0];
  h.k = parts[1];
  h.v = parts[2];
  return size;
}

// Turns queries and keys of `size` elements a head by their places.
void rotate_heads(const Facts& facts, Body& body, Heads& h, const std::string& places, int64_t size) {
  const bool interleaved = facts.node.integer("rotary_interleaved", 0) != 0;
  // The tables say how many elements of each head turn.
  const int64_t turning = facts.shape(Grouped::kCos).rank() == 2 ? 2 * facts.shape(Grouped::kCos)[1] : size,
                rotated = turning < size ? turning : 0;
  h.q = rotate(body, h.q, body.input(Grouped::kCos), body.input(Grouped::kSin), places, h.heads, rotated, interleaved);
  h.k = rotate(body, h.k, body.input(Grouped::kCos), body.input(Grouped::kSin), places, h.shared, rotated, interleaved);
}

// Attention over a cache that has room for all keys: the new ones are written where they belong.
void attend_in_cache(Body& body, Heads& h, const Cache& cache, const Shape& q, int64_t size) {
  const int64_t batch = q[0], rows = q[1];
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
}

// Keys of earlier calls fill the past entirely and the new ones follow them, or the past has room for all that there
// may be; a prompt has none.
Answer<model::GraphDefPtr> expand_grouped(const Facts& facts) {
  if (const std::optional<Fault> fault = refuse_grouped(facts)) return *fault;
  Body body(facts);
  const Node& node = facts.node;
  const Shape& q = facts.shape(Grouped::kQ);
  const int64_t batch = q[0], rows = q[1];
  Heads h;
  const int64_t size = take_grouped_heads(facts, body, h);
  const int64_t past = facts.has(Grouped::kPastKey) && facts.shape(Grouped::kPastKey).rank() == 4
                           ? facts.shape(Grouped::kPastKey)[2]
                           : 0;
  const bool shared_buffer = past > 0 && facts.declared.size() > 1 && facts.declared[1].shape.rank() == 4 &&
                             facts.declared[1].shape[2] == past;
  if (shared_buffer && (!facts.has(Grouped::kLengths) || !facts.has(Grouped::kPastValue) ||
                        facts.shape(Grouped::kLengths).count() != batch))
    return Fault{"past and present keys of one length need values and the length of each sequence", "", "E211"};
  const Cache cache = shared_buffer ? cache_of(facts, body, Grouped::kLengths, batch, rows) : Cache{};
  if (past > 0 && facts.has(Grouped::kPastValue)) {
    h.past_key = body.input(Grouped::kPastKey);
    h.past_value = body.input(Grouped::kPastValue);
  }
  if (node.integer("do_rotary", 0) != 0) {
    const std::string places = facts.has(Grouped::kPlaces) ? body.input(Grouped::kPlaces)
                               : shared_buffer             ? cache.places
                                                           : places_from(body, batch, rows, past);
    rotate_heads(facts, body, h, places, size);
  }
  const int64_t window = node.integer("local_window_size", -1);
  const DType dtype = facts.types[Grouped::kQ].dtype;
  if (shared_buffer) h.bias = cache_bias(body, cache, batch, rows, past, window, dtype);
  else if (window > 0) h.bias = window_bias(body, rows, past + rows, past, window, dtype);
  if (facts.has(Grouped::kScoreBias))
    h.bias =
        h.bias.empty() ? body.input(Grouped::kScoreBias) : body.add("Add", {h.bias, body.input(Grouped::kScoreBias)});
  h.scale = node.real("scale", 0);
  h.cap = node.real("softcap", 0);
  if (shared_buffer) {
    attend_in_cache(body, h, cache, q, size);
    return body.finish();
  }
  h.causal = true;
  const ValueNames y = attend(body, h);
  for (size_t i = 0; i < 3; ++i) body.output(i, y[i]);
  return body.finish();
}

}  // namespace

std::vector<OperatorEntry> microsoft_grouped_entries() {
  std::vector<OperatorEntry> entries;
  auto add = [&](const char* op, Expand expand, const char* limits) {
    OperatorEntry entry{"com.microsoft", op, "floats"};
    entry.expand = expand;
    entry.limits = limits;
    entries.push_back(std::move(entry));
  };
  add("GroupQueryAttention", expand_grouped,
      "past keys fill their tensor and the present ones follow, or both have one length: then new keys are written "
      "where they belong");
  add("RotaryEmbedding", expand_rotary, "no scale, no packed batches");
  return entries;
}

}  // namespace tarn::ops
