// Operators of com.microsoft on quantised tensors that are standard ones between a dequantisation and a quantisation,
// or look up quantised tables.
#include <algorithm>

#include "ops/body.h"
#include "ops/microsoft.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

using ValueNames = std::vector<std::string>;

// x from codes, with the scale and zero point of these inputs.
std::string real_of(const Facts& facts, Body& body, const std::string& codes, size_t scale, size_t zero) {
  ValueNames inputs{codes, body.input(scale)};
  if (facts.has(zero)) inputs.push_back(body.input(zero));
  return body.add("DequantizeLinear", inputs);
}

std::string codes_of(const Facts& facts, Body& body, const std::string& x, size_t scale, size_t zero, DType dtype) {
  ValueNames inputs{x, body.input(scale),
                    facts.has(zero) ? body.input(zero) : body.constant(Constant::ints(dtype, {}, {0}))};
  return body.add("QuantizeLinear", inputs);
}

std::optional<Fault> need(const Facts& facts, std::initializer_list<size_t> inputs) {
  for (size_t i : inputs) {
    if (!facts.has(i)) return Fault{cat("input ", i, " is missing")};
  }
  return {};
}

// Images may be channels last; weights are [M, C, spatial] all the same.
Answer<model::GraphDefPtr> expand_quantized_conv(const Facts& facts) {
  Body body(facts);
  if (auto fault = need(facts, {0, 1, 2, 3, 4, 5, 6, 7})) return *fault;
  const int rank = facts.shape(0).rank();
  const bool last = facts.node.integer("channels_last", 0) != 0;
  if (rank < 3) return Fault{"needs spatial axes"};
  std::vector<int64_t> first{0, rank - 1}, back{0};
  for (int i = 1; i < rank - 1; ++i) first.push_back(i);
  for (int i = 2; i < rank; ++i) back.push_back(i);
  back.push_back(1);
  ValueNames inputs{last ? body.transpose(body.input(0), first) : body.input(0)};
  for (size_t i = 1; i < (facts.has(8) ? 9u : 8u); ++i) inputs.push_back(body.input(i));
  model::Attributes attributes = facts.node.attributes;
  attributes.erase("channels_last");
  const std::string y = body.add("QLinearConv", inputs, std::move(attributes));
  body.output(0, last ? body.transpose(y, back) : y);
  return body.finish();
}

Answer<model::GraphDefPtr> expand_where(const Facts& facts) {
  Body body(facts);
  if (auto fault = need(facts, {0, 1, 2, 4, 5, 7})) return *fault;
  const std::string x = real_of(facts, body, body.input(1), 2, 3), y = real_of(facts, body, body.input(4), 5, 6);
  body.output(0, codes_of(facts, body, body.add("Where", {body.input(0), x, y}), 7, 8, facts.types[1].dtype));
  return body.finish();
}

Answer<model::GraphDefPtr> expand_reduce_mean(const Facts& facts) {
  Body body(facts);
  if (auto fault = need(facts, {0, 1, 3})) return *fault;
  std::vector<int64_t> axes = facts.node.integers("axes");
  for (int i = 0; axes.empty() && i < facts.shape(0).rank(); ++i) axes.push_back(i);
  const std::string mean = body.add("ReduceMean", {real_of(facts, body, body.input(0), 1, 2), body.ints(axes)},
                                    {{"keepdims", facts.node.integer("keepdims", 1)}});
  body.output(0, codes_of(facts, body, mean, 3, 4, facts.types[0].dtype));
  return body.finish();
}

// The rows of a table of codes that `ids` name; the table stays quantised.
std::string rows_of(const Facts& facts, Body& body, size_t table, const std::string& ids, size_t scale, size_t zero) {
  return real_of(facts, body, body.add("Gather", {body.input(table), ids}), scale, zero);
}

Answer<model::GraphDefPtr> expand_quantized_embed_norm(const Facts& facts) {
  enum : size_t { kIds, kSegments, kWords, kPlaces, kSegmentTable, kGamma, kBeta, kMask, kScales, kZeros = 13 };
  Body body(facts);
  if (auto fault = need(facts, {kIds, kWords, kPlaces, kGamma, kBeta, kScales, kScales + 1, kScales + 3, kScales + 4}))
    return *fault;
  const Shape& ids = facts.shape(kIds);
  if (ids.rank() != 2) return Fault{"its ids are " + to_string(ids) + ", not [batch, sequence]"};
  std::string sum = rows_of(facts, body, kWords, body.input(kIds), kScales, kZeros);
  const std::string places =
      body.add("Slice", {body.input(kPlaces), body.ints({0}), body.ints({ids[1]}), body.ints({0})});
  sum = body.add("Add", {sum, real_of(facts, body, places, kScales + 1, kZeros + 1)});
  if (facts.has(kSegments) && facts.has(kSegmentTable) && facts.has(kScales + 2)) {
    sum = body.add("Add", {sum, rows_of(facts, body, kSegmentTable, body.input(kSegments), kScales + 2, kZeros + 2)});
  }
  const std::string gamma = real_of(facts, body, body.input(kGamma), kScales + 3, kZeros + 3);
  const std::string beta = real_of(facts, body, body.input(kBeta), kScales + 4, kZeros + 4);
  body.output(0, body.add("LayerNormalization", {sum, gamma, beta},
                          {{"epsilon", static_cast<float>(facts.node.real("epsilon", 1e-12))}, {"axis", int64_t{-1}}}));
  if (facts.has(kMask)) {
    body.output(1, body.add("ReduceSum", {body.input(kMask), body.ints({1})}, {{"keepdims", int64_t{0}}}));
  } else {
    body.output(1, body.constant(Constant::ints(DType::int32, Shape{ids[0]},
                                                std::vector<int64_t>(static_cast<size_t>(ids[0]), 0))));
  }
  return body.finish();
}

// Bytes [..., n] of two or four codes each, the first in the lowest bits: [..., n * codes].
std::string spread(Body& body, const std::string& x, const Shape& shape, int64_t bits) {
  const int64_t codes = 8 / bits;
  std::vector<int64_t> wide = shape.dims;
  wide.back() *= codes;
  ValueNames parts;
  for (int64_t i = 0; i < codes; ++i) {
    std::string part = x;
    if (i > 0)
      part = body.add("BitShift", {x, body.constant(Constant::ints(DType::uint8, {}, {i * bits}))},
                      {{"direction", std::string("RIGHT")}});
    part = body.add("BitwiseAnd", {part, body.constant(Constant::ints(DType::uint8, {}, {(1 << bits) - 1}))});
    parts.push_back(body.add("Unsqueeze", {part, body.ints({-1})}));
  }
  return body.reshape(body.add("Concat", parts, {{"axis", int64_t{-1}}}), wide);
}

// Rows of a table whose blocks along one axis have a scale each. Bytes of several codes are taken apart behind the
// look-up.
Answer<model::GraphDefPtr> expand_gather(const Facts& facts) {
  enum : size_t { kData, kIndices, kScales, kZeros };
  Body body(facts);
  if (auto fault = need(facts, {kData, kIndices, kScales})) return *fault;
  const Node& node = facts.node;
  const Shape &data = facts.shape(kData), &indices = facts.shape(kIndices);
  const DType dtype = facts.types[kData].dtype;
  const auto gather = normalise_axis(node.integer("gather_axis", 0), data.rank()),
             quantised = normalise_axis(node.integer("quantize_axis", 1), data.rank());
  const int64_t block = node.integer("block_size", 128), bits = node.integer("bits", 4);
  const int last = data.rank() - 1;
  const bool bytes = dtype == DType::uint8 && bits < 8;
  if (!gather || !quantised || *gather == *quantised || block < 1)
    return Fault{"its axes or its block size are out of range", "", "E211"};
  if (facts.shape(kScales).rank() != data.rank() || (facts.has(kZeros) && facts.shape(kZeros).rank() != data.rank()))
    return Fault{"scales and zero points need the rank of the table, " + to_string(data)};
  if (bytes && ((bits != 4 && bits != 2) || *gather == last))
    return Fault{"bytes of several codes are supported for 2 or 4 bits, gathered along another axis", "", "E203"};
  const model::Attributes along{{"axis", int64_t{*gather}}};
  Shape found;
  found.dims.assign(data.dims.begin(), data.dims.begin() + *gather);
  found.dims.insert(found.dims.end(), indices.dims.begin(), indices.dims.end());
  found.dims.insert(found.dims.end(), data.dims.begin() + *gather + 1, data.dims.end());
  std::string codes = body.add("Gather", {body.input(kData), body.input(kIndices)}, along), zeros;
  const std::string scales = body.add("Gather", {body.input(kScales), body.input(kIndices)}, along);
  if (facts.has(kZeros)) zeros = body.add("Gather", {body.input(kZeros), body.input(kIndices)}, along);
  if (bytes) {
    codes = spread(body, codes, found, bits);
    if (!zeros.empty()) {
      Shape shape = found;
      shape.dims.back() = facts.shape(kZeros)[last];
      zeros = spread(body, zeros, shape, bits);
      // The last byte may be filled only in part.
      zeros = body.add("Slice", {zeros, body.ints({0}), body.ints({facts.shape(kScales)[last]}), body.ints({-1})});
    }
  }
  if (zeros.empty() && dtype == DType::uint8) {
    Shape shape = found;
    const int64_t added = *quantised > *gather ? indices.rank() - 1 : 0;
    const auto moved = static_cast<size_t>(*quantised + added);
    shape.dims[moved] = facts.shape(kScales)[*quantised];
    zeros = body.constant(Constant::splat({DType::uint8, shape}, {static_cast<uint8_t>(1 << (bits - 1))}));
  }
  const int64_t axis = *quantised + (*quantised > *gather ? indices.rank() - 1 : 0);
  ValueNames inputs{codes, scales};
  if (!zeros.empty()) inputs.push_back(zeros);
  body.output(0, body.add("DequantizeLinear", inputs, {{"axis", axis}, {"block_size", block}}));
  return body.finish();
}

}  // namespace

std::vector<OperatorEntry> microsoft_quantized_entries() {
  std::vector<OperatorEntry> entries;
  auto add = [&](const char* op, const char* types, Expand expand, const char* limits = "") {
    OperatorEntry entry{"com.microsoft", op, types};
    entry.expand = expand;
    entry.limits = limits;
    entries.push_back(std::move(entry));
  };
  add("QLinearConv", "int8 uint8", expand_quantized_conv);
  add("QLinearWhere", "int8 uint8", expand_where);
  add("QLinearReduceMean", "int8 uint8", expand_reduce_mean);
  add("QEmbedLayerNormalization", "int8 uint8", expand_quantized_embed_norm);
  add("GatherBlockQuantized", "2- to 8-bit integers", expand_gather,
      "bytes of several codes: not gathered along the last axis");
  return entries;
}

}  // namespace tarn::ops
