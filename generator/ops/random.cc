// Operators that draw random numbers. What they draw is a function of the seed and the position: the same in every run.
#include <algorithm>
#include <cstring>

#include "ops/elementwise.h"
#include "ops/indexed.h"
#include "ops/lowering.h"
#include "ops/packing.h"
#include "ops/signal.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

bool draws_real(DType type) {
  return type == DType::float32 || type == DType::float64 || type == DType::float16 || type == DType::bfloat16;
}

std::optional<DType> named_type(const Node& node) {
  if (!node.has("dtype")) return {};
  return dtype_from_onnx(static_cast<int>(std::clamp<int64_t>(node.integer("dtype", 0), 0, 1000)));
}

// The seed the model gives, or one made of the output's name.
int64_t seed_of(const Node& node, const Lowering& low) {
  if (node.has("seed")) {
    const auto value = static_cast<float>(node.real("seed", 0));
    int32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  }
  uint32_t hash = 2166136261U;  // FNV-1a
  for (char c : low.graph()[node.outputs[0]].name) hash = (hash ^ static_cast<uint8_t>(c)) * 16777619U;
  return static_cast<int32_t>(hash);
}

Answer<Types> infer_shaped(const Facts& facts) {
  const Shape shape(facts.node.integers("shape"));
  const Checked count = checked_count(shape);
  if (!count || *count > kMaxTensorBytes) return Fault{"absurd shape " + to_string(shape), "", "E207"};
  return Types{{named_type(facts.node).value_or(DType::float32), shape}};
}

Answer<Types> infer_like(const Facts& facts) {
  if (!facts.has(0)) return Fault{"needs an input"};
  return Types{{named_type(facts.node).value_or(facts.types[0].dtype), facts.shape(0)}};
}

std::optional<Fault> lower_random(const Node& node, Lowering& low) {
  const DType type = low.dtype(node.outputs[0]);
  if (!draws_real(type)) return Fault{"not for element type " + to_string(type), "", "E204"};
  const bool normal = node.op.starts_with("RandomNormal");
  const double base = normal ? node.real("mean", 0) : node.real("low", 0);
  const double scale = normal ? node.real("scale", 1) : node.real("high", 1) - base;
  const std::string kernel = "tarn_random_" + kernel_suffix(type);
  low.call(node, kernel,
           {kernel + "_params",
            {{"count", low.shape(node.outputs[0]).count()},
             {"seed", seed_of(node, low)},
             {"normal", int64_t{normal}},
             {"base", real_field(base, type)},
             {"scale", real_field(scale, type)}}},
           {low.write(node.outputs[0])});
  return {};
}

std::optional<Fault> lower_bernoulli(const Node& node, Lowering& low) {
  const DType from = low.dtype(node.inputs[0]), to = low.dtype(node.outputs[0]);
  if (!draws_real(from)) return Fault{"not for element type " + to_string(from), "", "E204"};
  if (auto fault = refuse_odd_bytes(to)) return fault;
  const std::string kernel = "tarn_bernoulli_" + kernel_suffix(from);
  low.call(node, kernel,
           {kernel + "_params",
            {{"count", low.shape(node.outputs[0]).count()}, {"seed", seed_of(node, low)}, {"bytes", bytes_for(to, 1)}}},
           {low.read(node.inputs[0]),
            low.weight(cat("bit/", to_string(to), ":zero_one"), Constant::floats(to, Shape{2}, {0, 1})),
            low.write(node.outputs[0])});
  return {};
}

Answer<Types> infer_multinomial(const Facts& facts) {
  if (!facts.has(0) || facts.shape(0).rank() != 2 || facts.shape(0)[1] < 1)
    return Fault{"needs a matrix of logarithms of probabilities"};
  const DType type = named_type(facts.node).value_or(DType::int32);
  const int64_t draws = facts.node.integer("sample_size", 1);
  if ((type != DType::int32 && type != DType::int64) || draws < 0 || draws > INT32_MAX)
    return Fault{cat(draws, " samples of ", to_string(type))};
  return Types{{type, Shape{facts.shape(0)[0], draws}}};
}

std::optional<Fault> lower_multinomial(const Node& node, Lowering& low) {
  const DType from = low.dtype(node.inputs[0]);
  if (!draws_real(from)) return Fault{"not for element type " + to_string(from), "", "E204"};
  const Shape &x = low.shape(node.inputs[0]), &y = low.shape(node.outputs[0]);
  const std::string kernel = "tarn_multinomial_" + kernel_suffix(from);
  low.call(node, kernel,
           {kernel + "_params",
            {{"rows", x[0]},
             {"classes", x[1]},
             {"draws", y[1]},
             {"seed", seed_of(node, low)},
             {"wide", int64_t{low.dtype(node.outputs[0]) == DType::int64}}}},
           {low.read(node.inputs[0]), low.write(node.outputs[0])});
  return {};
}

}  // namespace

std::vector<OperatorEntry> random_entries() {
  std::vector<OperatorEntry> entries = {{"", "RandomUniform", "floats", lower_random, infer_shaped},
                                        {"", "RandomNormal", "floats", lower_random, infer_shaped},
                                        {"", "RandomUniformLike", "floats", lower_random, infer_like},
                                        {"", "RandomNormalLike", "floats", lower_random, infer_like},
                                        {"", "Bernoulli", "floats", lower_bernoulli, infer_like},
                                        {"", "Multinomial", "floats", lower_multinomial, infer_multinomial}};
  for (OperatorEntry& entry : entries) entry.limits = "the same numbers in every run";
  return entries;
}

}  // namespace tarn::ops
