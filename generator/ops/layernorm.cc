// Norms over the last axes: LayerNormalization and RMSNormalization; and LpNormalization along one axis.
#include <algorithm>

#include "ops/elementwise.h"
#include "ops/lines.h"
#include "ops/packing.h"
#include "ops/softmax.h"
#include "program/operands.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

using program::Pitch;

struct Split {
  int64_t outer = 1, count = 1;
  int axis = 0;
};

std::optional<Split> split_of(const Node& node, const Shape& x) {
  const auto axis = normalise_axis(node.integer("axis", -1), x.rank());
  if (!axis) return {};
  return Split{x.count(0, *axis), x.count(*axis, x.rank()), *axis};
}

Answer<Types> infer_layernorm(const Facts& facts) {
  if (!facts.has(0) || !facts.has(1)) return Fault{"needs an input and a scale"};
  const Shape& x = facts.shape(0);
  const auto split = split_of(facts.node, x);
  if (!split) return Fault{"axis is outside " + to_string(x)};
  for (size_t i = 1; i < 3; ++i) {
    if (!facts.has(i)) continue;
    if (broadcast(x, facts.shape(i)) != x)
      return Fault{to_string(facts.shape(i)) + " does not broadcast to " + to_string(x)};
    if (facts.types[i].dtype != facts.types[0].dtype)
      return Fault{"scale and bias need the input's element type", "", "E204"};
  }
  Types types{facts.types[0]};
  Shape statistics = x;
  for (int i = split->axis; i < x.rank(); ++i) statistics[i] = 1;
  const DType stash = facts.node.integer("stash_type", 1) == 16 ? DType::bfloat16 : DType::float32;
  if (facts.node.op == "LayerNormalization") types.insert(types.end(), 2, {stash, statistics});
  return types;
}

// A scale or bias as the kernel wants it: one number, or one per element of a vector. Empty: neither.
struct Operand {
  Argument argument;
  int64_t step = 0;
};
std::optional<Operand> per_element(const Node& node, Lowering& low, size_t input, const Shape& x, const Split& split) {
  if (!node.has_input(input)) return Operand{low.none(), 0};
  const Shape& s = low.shape(node.inputs[input]);
  if (s.count() == 1) return Operand{low.read(node.inputs[input]), 0};
  Shape vector;
  for (int i = split.axis; i < x.rank(); ++i) vector.dims.push_back(x[i]);
  Shape trimmed = s;
  while (trimmed.rank() > vector.rank() && trimmed[0] == 1) trimmed.dims.erase(trimmed.dims.begin());
  if (trimmed != vector) return {};
  return Operand{low.read(node.inputs[input]), 1};
}

// Vectors that are one pixel: the tensors may be views, and y may take the place of x.
struct Ends {
  Argument x, y;
  FieldValue x_pitch, y_pitch;
};
Ends ends_of(Lowering& low, ValueId from, TensorId to, int64_t count, size_t y_at) {
  Ends e{low.read(from), low.write(to), count, count};
  if (count == default_geometry(low.shape(from)).channels && e.x.role == Argument::Role::read) {
    e.x.walk = elementwise_walk();
    e.x.pitched = e.y.pitched = true;
    e.x_pitch = Pitch{Pitch::Of::pixel, 0};
    e.y_pitch = Pitch{Pitch::Of::pixel, y_at};
  }
  return e;
}

std::optional<Fault> lower_layernorm(const Node& node, Lowering& low) {
  const Shape& x = low.shape(node.inputs[0]);
  const DType dtype = low.dtype(node.inputs[0]);
  if (!is_kernel_float(dtype)) return Fault{"not for element type " + to_string(dtype), "", "E204"};
  const Split split = *split_of(node, x);
  const bool rms = node.op == "RMSNormalization";
  for (size_t i = 1; i < node.outputs.size(); ++i) {
    if (node.outputs[i] && low.dtype(node.outputs[i]) != DType::float32)
      return Fault{"statistics are made in float32 only", "", "E204"};
  }
  auto scale = per_element(node, low, 1, x, split), bias = per_element(node, low, 2, x, split);
  // What differs from vector to vector is multiplied and added afterwards.
  const bool scale_after = !scale, bias_after = !bias || (scale_after && node.has_input(2));
  if (scale_after) scale = Operand{low.none(), 0};
  if (bias_after) bias = Operand{low.none(), 0};
  auto part = [&](bool last) {
    if (last) return low.tensor(node.outputs[0]);
    return low.new_tensor(low.graph()[node.outputs[0]].name + "_part", dtype, x, program::Kind::activation);
  };
  TensorId to = part(!scale_after && !bias_after);
  Ends ends = ends_of(low, node.inputs[0], to, split.count, rms ? 2 : 3);
  program::Params params{rms ? "tarn_rmsnorm_" : "tarn_layernorm_",
                         {{"outer", split.outer},
                          {"count", split.count},
                          {"x_pitch", ends.x_pitch},
                          {"y_pitch", ends.y_pitch},
                          {"scale_step", scale->step}}};
  const std::string kernel = params.type + kernel_suffix(dtype);
  params.type = kernel + "_params";
  std::vector<Argument> arguments{std::move(ends.x), std::move(scale->argument)};
  if (!rms) {
    params.fields.push_back({"bias_step", bias->step});
    arguments.push_back(std::move(bias->argument));
  }
  params.fields.push_back({"epsilon", real_field(node.real("epsilon", 1e-5), dtype)});
  arguments.push_back(std::move(ends.y));
  for (size_t i = 1; i < (rms ? 2 : 3); ++i)
    arguments.push_back(node.has_output(i) ? low.write(node.outputs[i]) : low.none());
  Operation& operation = low.call(node, kernel, std::move(params), std::move(arguments));
  for (size_t i = 1; i < 3; ++i) {
    if (node.has_input(i) && low.constant(node.inputs[i])) operation.parameters += low.shape(node.inputs[i]).count();
  }
  const bool alone = !node.has_output(1) && !node.has_output(2);
  if (alone && source_operand(operation).walk) {
    set_pixels_of_line(low, operation, x);
  }
  for (size_t i = 1; i < 3; ++i) {
    if (i == 1 ? !scale_after : !bias_after) continue;
    const TensorId from = to;
    to = part(i == 2 || !bias_after);
    if (auto fault = lower_binary(node, low, elementwise_kernel_name(i == 1 ? "Mul" : "Add", dtype), low.read(from), x,
                                  low.read(node.inputs[i]), low.shape(node.inputs[i]), low.write(to), x)) {
      return fault;
    }
  }
  return {};
}

Answer<Types> infer_lp(const Facts& facts) {
  if (!facts.has(0)) return Fault{"has no input"};
  if (!normalise_axis(facts.node.integer("axis", -1), facts.shape(0).rank()))
    return Fault{"axis is outside " + to_string(facts.shape(0))};
  const int64_t order = facts.node.integer("p", 2);
  if (order != 1 && order != 2) return Fault{cat("p is ", order, ", neither 1 nor 2")};
  return Types{facts.types[0]};
}

std::optional<Fault> lower_lp(const Node& node, Lowering& low) {
  const Shape& x = low.shape(node.inputs[0]);
  const DType dtype = low.dtype(node.inputs[0]);
  if (!is_kernel_float(dtype)) return Fault{"not for element type " + to_string(dtype), "", "E204"};
  const int axis = *normalise_axis(node.integer("axis", -1), x.rank());
  Argument from = low.read(node.inputs[0]);
  if (axis == x.rank() - 1 && from.role == Argument::Role::read) from.walk = elementwise_walk();
  const std::string kernel = "tarn_lpnormalization_" + kernel_suffix(dtype);
  const bool pixels = from.walk && x[axis] == default_geometry(x).channels;
  Operation& operation = low.call(node, kernel,
                                  {kernel + "_params",
                                   {{"outer", x.count(0, axis)},
                                    {"count", x[axis]},
                                    {"inner", x.count(axis + 1, x.rank())},
                                    {"order", node.integer("p", 2)}}},
                                  {std::move(from), low.write(node.outputs[0])});
  if (!pixels) return {};
  set_pixels_of_line(low, operation, x);
  return {};
}

std::optional<std::vector<int>> permute_lp(Graph&, Node& node, const std::vector<int>& to) {
  const auto axis = normalise_axis(node.integer("axis", -1), static_cast<int>(to.size()));
  if (!axis) return {};
  node.attributes["axis"] = static_cast<int64_t>(to[static_cast<size_t>(*axis)]);
  return to;
}

}  // namespace

std::vector<OperatorEntry> layernorm_entries() {
  return {{"", "LayerNormalization", "floats", lower_layernorm, infer_layernorm},
          {"", "RMSNormalization", "floats", lower_layernorm, infer_layernorm},
          {"", "LpNormalization", "floats", lower_lp, infer_lp, nullptr, Layout::axes, permute_lp}};
}

}  // namespace tarn::ops
