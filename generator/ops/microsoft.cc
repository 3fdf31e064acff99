#include "ops/microsoft.h"

#include <algorithm>
#include <cmath>

#include "ops/body.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

using ValueNames = std::vector<std::string>;

Answer<model::GraphDefPtr> finish(Body& body, const std::string& y) {
  body.output(0, y);
  return body.finish();
}

std::string gelu(Body& body, const std::string& x, bool tanh) {
  return body.add("Gelu", {x}, {{"approximate", std::string(tanh ? "tanh" : "none")}});
}

Answer<model::GraphDefPtr> expand_gelu(const Facts& facts) {
  Body body(facts);
  return finish(body, gelu(body, body.input(0), false));
}

Answer<model::GraphDefPtr> expand_bias_gelu(const Facts& facts) {
  Body body(facts);
  return finish(body, gelu(body, body.add("Add", {body.input(0), body.input(1)}), false));
}

Answer<model::GraphDefPtr> expand_fast_gelu(const Facts& facts) {
  Body body(facts);
  const std::string x = facts.has(1) ? body.add("Add", {body.input(0), body.input(1)}) : body.input(0);
  return finish(body, gelu(body, x, true));
}

Answer<model::GraphDefPtr> expand_quick_gelu(const Facts& facts) {
  Body body(facts);
  return finish(body,
                body.add("Swish", {body.input(0)}, {{"alpha", static_cast<float>(facts.node.real("alpha", 1.702))}}));
}

// The activation that a fused layer ends with.
Answer<std::string> activate(Body& body, const std::string& x, const std::string& name,
                             const std::vector<double>& parameters, DType dtype) {
  auto parameter = [&](size_t i, double otherwise) {
    return static_cast<float>(i < parameters.size() ? parameters[i] : otherwise);
  };
  if (name.empty()) return x;
  if (name == "Relu" || name == "Sigmoid" || name == "Tanh") return body.add(name, {x});
  if (name == "LeakyRelu") return body.add(name, {x}, {{"alpha", parameter(0, 0.01)}});
  if (name == "HardSigmoid") return body.add(name, {x}, {{"alpha", parameter(0, 0.2)}, {"beta", parameter(1, 0.5)}});
  if (name == "Clip" && parameters.size() == 2) {
    return body.add(name, {x, body.number(parameters[0], dtype), body.number(parameters[1], dtype)});
  }
  return Fault{"activation '" + name + "' is not supported", "", "E203"};
}

model::Attributes kept(const Node& node, std::initializer_list<const char*> names) {
  model::Attributes result;
  for (const char* name : names) {
    const auto it = node.attributes.find(name);
    if (it != node.attributes.end()) result.insert(*it);
  }
  return result;
}

Answer<model::GraphDefPtr> expand_conv(const Facts& facts) {
  Body body(facts);
  ValueNames inputs{body.input(0), body.input(1)};
  if (facts.has(2)) inputs.push_back(body.input(2));
  std::string y =
      body.add("Conv", inputs, kept(facts.node, {"auto_pad", "dilations", "group", "kernel_shape", "pads", "strides"}));
  if (facts.has(3)) y = body.add("Add", {y, body.input(3)});
  const Answer<std::string> result =
      activate(body, y, facts.node.text("activation", ""), facts.node.reals("activation_params"), facts.types[0].dtype);
  if (const Fault* fault = std::get_if<Fault>(&result)) return *fault;
  return finish(body, std::get<std::string>(result));
}

Answer<model::GraphDefPtr> expand_gemm(const Facts& facts) {
  Body body(facts);
  ValueNames inputs{body.input(0), body.input(1)};
  if (facts.has(2)) inputs.push_back(body.input(2));
  const std::string y = body.add("Gemm", inputs, kept(facts.node, {"alpha", "beta", "transA", "transB"}));
  const Node& node = facts.node;
  std::vector<double> parameters;
  const std::string activation = node.text("activation", "");
  if (activation == "Clip") parameters = {node.real("activation_alpha", 0), node.real("activation_beta", 0)};
  else if (node.has("activation_alpha")) parameters.push_back(node.real("activation_alpha", 0));
  if (activation != "Clip" && node.has("activation_beta")) parameters.push_back(node.real("activation_beta", 0));
  const Answer<std::string> result = activate(body, y, activation, parameters, facts.types[0].dtype);
  if (const Fault* fault = std::get_if<Fault>(&result)) return *fault;
  return finish(body, std::get<std::string>(result));
}

// [M, batch..., K] -> [batch..., M, K], then the last two axes swapped if asked for.
std::string arranged(Body& body, const Facts& facts, size_t i, bool batch, bool swap) {
  const int rank = facts.shape(i).rank();
  if ((!batch && !swap) || rank < 2) return body.input(i);
  std::vector<int64_t> perm;
  for (int axis = 0; axis < rank; ++axis) perm.push_back(axis);
  if (batch) std::rotate(perm.begin(), perm.begin() + 1, perm.end() - 1);
  if (swap) std::swap(perm[perm.size() - 1], perm[perm.size() - 2]);
  return body.transpose(body.input(i), perm);
}

Answer<model::GraphDefPtr> expand_matmul(const Facts& facts) {
  if (!facts.has(0) || !facts.has(1)) return Fault{"needs two operands"};
  Body body(facts);
  const Node& node = facts.node;
  const std::string a = arranged(body, facts, 0, node.integer("transBatchA", 0) != 0, node.integer("transA", 0) != 0);
  const std::string b = arranged(body, facts, 1, node.integer("transBatchB", 0) != 0, node.integer("transB", 0) != 0);
  std::string y = body.add("MatMul", {a, b});
  const double alpha = node.real("alpha", 1);
  if (alpha != 1) y = body.add("Mul", {y, body.number(alpha, facts.types[0].dtype)});
  return finish(body, y);
}

// Layer normalisation over the last axis; `simplified`: without mean and shift. The outputs for training are not made.
struct Normalisation {
  bool simplified = false;
  std::string gamma, beta;
};

std::string normalise(Body& body, const std::string& x, const Normalisation& n, double epsilon) {
  const auto e = static_cast<float>(epsilon);
  if (n.simplified) return body.add("RMSNormalization", {x, n.gamma}, {{"epsilon", e}, {"axis", int64_t{-1}}});
  ValueNames inputs{x, n.gamma};
  if (!n.beta.empty()) inputs.push_back(n.beta);
  return body.add("LayerNormalization", inputs, {{"epsilon", e}, {"axis", int64_t{-1}}});
}

Answer<model::GraphDefPtr> skip_norm(const Facts& facts, bool simplified) {
  Body body(facts);
  if (!facts.has(0) || !facts.has(1) || !facts.has(2)) return Fault{"needs an input, a skip connection and gamma"};
  const size_t bias = simplified ? 3 : 4;
  std::string sum = body.add("Add", {body.input(0), body.input(1)});
  if (facts.has(bias)) sum = body.add("Add", {sum, body.input(bias)});
  const Normalisation n{simplified, body.input(2), simplified ? "" : body.input(3)};
  body.output(3, sum);
  return finish(body, normalise(body, sum, n, facts.node.real("epsilon", 1e-12)));
}

Answer<model::GraphDefPtr> expand_skip_norm(const Facts& facts) { return skip_norm(facts, false); }
Answer<model::GraphDefPtr> expand_skip_simplified(const Facts& facts) { return skip_norm(facts, true); }

Answer<model::GraphDefPtr> expand_simplified(const Facts& facts) {
  Body body(facts);
  if (!facts.has(0) || !facts.has(1)) return Fault{"needs an input and a scale"};
  return finish(body, body.add("RMSNormalization", {body.input(0), body.input(1)},
                               {{"epsilon", static_cast<float>(facts.node.real("epsilon", 1e-5))},
                                {"axis", facts.node.integer("axis", -1)}}));
}

Answer<model::GraphDefPtr> expand_embed_norm(const Facts& facts) {
  enum : size_t { kIds, kSegments, kWords, kPlaces, kSegmentTable, kGamma, kBeta, kMask, kPlaceIds };
  Body body(facts);
  for (size_t i : {kIds, kWords, kPlaces, kGamma, kBeta}) {
    if (!facts.has(i)) return Fault{cat("input ", i, " is missing")};
  }
  const Shape& ids = facts.shape(kIds);
  if (ids.rank() != 2) return Fault{"its ids are " + to_string(ids) + ", not [batch, sequence]"};
  std::string sum = body.add("Gather", {body.input(kWords), body.input(kIds)});
  std::string places;
  if (facts.has(kPlaceIds)) {
    places = body.add("Gather", {body.input(kPlaces), body.input(kPlaceIds)});
  } else {
    places = body.add("Slice", {body.input(kPlaces), body.ints({0}), body.ints({ids[1]}), body.ints({0})});
  }
  sum = body.add("Add", {sum, places});
  if (facts.has(kSegments) && facts.has(kSegmentTable)) {
    sum = body.add("Add", {sum, body.add("Gather", {body.input(kSegmentTable), body.input(kSegments)})});
  }
  const std::string y =
      normalise(body, sum, {false, body.input(kGamma), body.input(kBeta)}, facts.node.real("epsilon", 1e-12));
  if (facts.has(kMask)) {
    body.output(1, body.add("ReduceSum", {body.input(kMask), body.ints({1})}, {{"keepdims", int64_t{0}}}));
  } else {
    body.output(1, body.constant(Constant::ints(DType::int32, Shape{ids[0]},
                                                std::vector<int64_t>(static_cast<size_t>(ids[0]), 0))));
  }
  body.output(2, sum);
  return finish(body, y);
}

Answer<model::GraphDefPtr> expand_bias_softmax(const Facts& facts) {
  Body body(facts);
  if (!facts.has(0) || !facts.has(1)) return Fault{"needs an input and a bias"};
  if (facts.node.integer("is_inner_broadcast", 1) == 0)
    return Fault{"is_inner_broadcast = 0 is not supported", "", "E203"};
  const std::string sum = body.add("Add", {body.input(0), body.input(1)});
  const auto axis = normalise_axis(facts.node.integer("axis", 1), facts.shape(0).rank());
  if (!axis) return Fault{"its axis is out of range", "", "E211"};
  // Everything from the axis on is one row.
  const Shape& x = facts.shape(0);
  const std::string rows = body.reshape(sum, {x.count(0, *axis), x.count(*axis, x.rank())});
  return finish(body, body.reshape(body.add("Softmax", {rows}, {{"axis", int64_t{-1}}}), x.dims));
}

Answer<model::GraphDefPtr> expand_max_pool(const Facts& facts) {
  Body body(facts);
  const int rank = facts.shape(0).rank();
  if (rank < 3) return Fault{"needs spatial axes"};
  std::vector<int64_t> first{0, rank - 1}, last{0};
  for (int i = 1; i < rank - 1; ++i) first.push_back(i);
  for (int i = 2; i < rank; ++i) last.push_back(i);
  last.push_back(1);
  const std::string y =
      body.add("MaxPool", {body.transpose(body.input(0), first)},
               kept(facts.node, {"auto_pad", "ceil_mode", "dilations", "kernel_shape", "pads", "strides"}));
  return finish(body, body.transpose(y, last));
}

Answer<model::GraphDefPtr> expand_trilu(const Facts& facts) {
  Body body(facts);
  ValueNames inputs{body.input(0)};
  if (facts.has(1)) inputs.push_back(body.input(1));
  return finish(body, body.add("Trilu", inputs, kept(facts.node, {"upper"})));
}

Answer<model::GraphDefPtr> expand_bias_add(const Facts& facts) {
  Body body(facts);
  return finish(body, body.add("Add", {body.add("Add", {body.input(0), body.input(1)}), body.input(2)}));
}

// x[..., :half] * gelu(x[..., half:]) of the sum with a bias.
Answer<model::GraphDefPtr> expand_bias_split_gelu(const Facts& facts) {
  Body body(facts);
  const std::string sum = body.add("Add", {body.input(0), body.input(1)});
  const ValueNames halves = body.add(2, "Split", {sum}, {{"axis", int64_t{-1}}, {"num_outputs", int64_t{2}}});
  return finish(body, body.add("Mul", {halves[0], gelu(body, halves[1], false)}));
}

}  // namespace

std::vector<OperatorEntry> microsoft_entries() {
  std::vector<OperatorEntry> entries;
  auto add = [&](const char* op, Expand expand, const char* limits = "", const char* domain = "com.microsoft") {
    OperatorEntry entry{domain, op, "floats"};
    entry.expand = expand;
    entry.limits = limits;
    entries.push_back(std::move(entry));
  };
  add("Gelu", expand_gelu);
  add("BiasGelu", expand_bias_gelu);
  add("FastGelu", expand_fast_gelu);
  add("QuickGelu", expand_quick_gelu);
  add("FusedConv", expand_conv, "activations: Relu, Sigmoid, Tanh, LeakyRelu, HardSigmoid, Clip");
  add("FusedGemm", expand_gemm, "activations: Relu, Sigmoid, Tanh, LeakyRelu, HardSigmoid, Clip");
  add("FusedMatMul", expand_matmul);
  add("TransposeMatMul", expand_matmul);
  add("SkipLayerNormalization", expand_skip_norm, "not the outputs for training");
  add("SkipSimplifiedLayerNormalization", expand_skip_simplified, "not the outputs for training");
  add("SimplifiedLayerNormalization", expand_simplified, "not the output for training");
  add("SimplifiedLayerNormalization", expand_simplified, "not the output for training", "");
  add("EmbedLayerNormalization", expand_embed_norm);
  add("BiasSoftmax", expand_bias_softmax);
  add("NhwcMaxPool", expand_max_pool);
  add("Trilu", expand_trilu);
  add("BiasAdd", expand_bias_add);
  add("BiasSplitGelu", expand_bias_split_gelu);
  return entries;
}

}  // namespace tarn::ops
