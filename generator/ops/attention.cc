#include "ops/attention.h"

#include <cmath>

#include "ops/lowering.h"
#include "ops/packing.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

using program::Params;
using program::Pitch;

constexpr size_t kQ = 0, kK = 1, kV = 2, kBias = 3, kAllowed = 4, kLengths = 5, kScratch = 6, kY = 7, kScores = 8;

std::vector<int64_t> to_list(const Steps& steps) { return {steps.begin(), steps.end()}; }

Steps to_steps(const std::vector<int64_t>& list) {
  Steps steps{};
  for (size_t i = 0; i < 4 && i < list.size(); ++i) steps[i] = list[i];
  return steps;
}

// True if all steps of an operand stay inside its pixels or lead from pixel to pixel: then a pitch may replace the size
// of a pixel.
bool follows_pixels(const Steps& steps, const Steps& extents, int64_t first, int64_t pixel) {
  int64_t within = first % pixel;
  for (size_t i = 0; i < 4; ++i) {
    if (extents[i] <= 1 || steps[i] % pixel == 0) continue;
    within += steps[i] * (extents[i] - 1);
  }
  return within < pixel;
}

Params steps_field(const Steps& steps, const Steps& extents, int64_t first, const Argument& argument, size_t at,
                   int64_t pixel) {
  static const char* const names[] = {"batch", "head", "row", "column"};
  Params params;
  for (size_t i = 0; i < 4; ++i) {
    FieldValue value = extents[i] > 1 ? steps[i] : 0;
    if (argument.pitched && extents[i] > 1 && steps[i] % pixel == 0)
      value = Pitch{Pitch::Of::pixel, at, steps[i] / pixel};
    params.fields.push_back({names[i], value});
  }
  FieldValue start = first;
  if (argument.pitched && first >= pixel) start = Pitch{Pitch::Of::pixel, at, first / pixel, first % pixel};
  params.fields.push_back({"first", start});
  return params;
}

int64_t pixel_of(const Shape& shape) { return shape.rank() == 0 ? 1 : std::max<int64_t>(1, shape[shape.rank() - 1]); }

// Whether y and q have the same pixels, one after the other in the order in which y is written: then y may be written
// over queries that have been read.
std::optional<Walk> walk_of(const Attention& a, int64_t q_pixel, int64_t y_pixel) {
  const bool rows_outside = a.y[2] > a.y[1];
  const std::array<size_t, 3> order = rows_outside ? std::array<size_t, 3>{0, 2, 1} : std::array<size_t, 3>{0, 1, 2};
  const Steps extents{a.batch, a.heads, a.rows, 1};
  int64_t last = INT64_MAX;
  bool same_channels = q_pixel == y_pixel && a.size == a.values && a.first[0] == 0;
  // Another part of the same pixels may begin anywhere in them, but not further down.
  if (a.first[0] >= q_pixel) return {};
  for (size_t i : order) {
    if (extents[i] <= 1) continue;
    if (a.y[i] >= last) return {};
    last = a.y[i];
    const bool y_within = a.y[i] % y_pixel != 0, q_within = a.q[i] % q_pixel != 0;
    if (y_within != q_within || (!y_within && a.y[i] / y_pixel != a.q[i] / q_pixel)) return {};
    if (a.y[i] != a.q[i]) same_channels = false;
  }
  Walk walk;
  walk.identity = true;
  walk.read_before_write = same_channels && a.q[3] == 1 && a.y[3] == 1;
  return walk;
}

std::optional<Fault> check_types(const Node& node, const Lowering& low) {
  const DType dtype = low.dtype(node.inputs[kQ]);
  for (size_t i : {kQ, kK, kV, kBias}) {
    if (!node.has_input(i)) continue;
    const DType own = low.dtype(node.inputs[i]);
    if (!is_float(own) || bits_of(own) < 16 || own != dtype) {
      return Fault{cat("not for element types ", to_string(dtype), " and ", to_string(own)), "insert a Cast", "E204"};
    }
  }
  if (node.has_input(kAllowed) && low.dtype(node.inputs[kAllowed]) != DType::boolean)
    return Fault{"a mask is of no known type", "", "E204"};
  if (node.has_input(kLengths) && low.dtype(node.inputs[kLengths]) != DType::int64)
    return Fault{"lengths are not int64", "", "E204"};
  return {};
}

std::vector<Argument> arguments_of(const Node& node, Lowering& low, const Attention& a) {
  std::vector<Argument> arguments;
  for (size_t i = 0; i < kScratch; ++i) arguments.push_back(node.has_input(i) ? low.read(node.inputs[i]) : low.none());
  const DType compute = low.dtype(node.inputs[kQ]) == DType::float64 ? DType::float64 : DType::float32;
  arguments.push_back(low.scratch(compute, std::max<int64_t>(1, a.keys), "scores"));
  for (size_t i = 0; i < 2; ++i) arguments.push_back(node.has_output(i) ? low.write(node.outputs[i]) : low.none());
  return arguments;
}

// How far each tensor moves along batch, heads, rows and channels; marks those whose pixels may stand apart.
std::vector<Field> steps_of(Lowering& low, const Attention& a, std::vector<Argument>& arguments) {
  const int64_t shared = a.heads / a.group;
  const struct {
    const char* name;
    size_t at;
    Steps steps{}, extents{};
  } operands[] = {{"q", kQ, a.q, {a.batch, a.heads, a.rows, a.size}},
                  {"k", kK, a.k, {a.batch, shared, a.keys, a.size}},
                  {"v", kV, a.v, {a.batch, shared, a.keys, a.values}},
                  {"y", kY, a.y, {a.batch, a.heads, a.rows, a.values}},
                  {"qk", kScores, heads_first(a.heads, a.rows, a.keys), {a.batch, a.heads, a.rows, a.keys}},
                  {"bias", kBias, a.bias, {a.batch, a.heads, a.rows, a.keys}},
                  {"allowed", kAllowed, a.allowed, {a.batch, a.heads, a.rows, a.keys}}};
  std::vector<Field> steps;
  for (const auto& o : operands) {
    Argument& argument = arguments[o.at];
    const bool is_tensor = argument.role == Argument::Role::read || argument.role == Argument::Role::write;
    const int64_t first = o.at <= kV ? a.first[o.at] : 0;
    const int64_t pixel = is_tensor ? low.program()[argument.tensor].geometry.channels : 1;
    argument.pitched = is_tensor && o.at <= kY && o.at != kBias && o.at != kAllowed &&
                       follows_pixels(o.steps, o.extents, first, pixel);
    steps.push_back({o.name, steps_field(o.steps, o.extents, first, argument, o.at, pixel)});
  }
  return steps;
}

std::optional<Fault> lower_attention(const Node& node, Lowering& low) {
  if (std::optional<Fault> fault = check_types(node, low)) return fault;
  const Attention a = read_attention(node);
  const DType dtype = low.dtype(node.inputs[kQ]);
  std::vector<Argument> arguments = arguments_of(node, low, a);
  std::vector<Field> steps = steps_of(low, a, arguments);
  const bool shared_tensor = node.inputs[kQ] == node.inputs[kK] || node.inputs[kQ] == node.inputs[kV];
  if (arguments[kQ].role == Argument::Role::read && node.has_output(0) && !shared_tensor) {
    arguments[kQ].walk = walk_of(a, pixel_of(low.shape(node.inputs[kQ])), pixel_of(low.shape(node.outputs[0])));
  }

  Params params{"tarn_attention_" + kernel_suffix(dtype) + "_params",
                {{"batch", a.batch},
                 {"heads", a.heads},
                 {"rows", a.rows},
                 {"keys", a.keys},
                 {"group", a.group},
                 {"size", a.size},
                 {"values", a.values},
                 {"rows_first", int64_t{a.y[2] > a.y[1]}}}};
  for (Field& field : steps) params.fields.push_back(std::move(field));
  params.fields.insert(params.fields.end(), {{"bias_keys", a.bias_keys < 0 ? a.keys : a.bias_keys},
                                             {"allowed_keys", a.allowed_keys < 0 ? a.keys : a.allowed_keys},
                                             {"blocking", int64_t{a.blocking}},
                                             {"bias_first", int64_t{a.bias_first}},
                                             {"causal", int64_t{a.causal}},
                                             {"past", a.past},
                                             {"stage", a.stage},
                                             {"zero", a.zero},
                                             {"scale", real_field(a.scale, dtype)},
                                             {"cap", real_field(a.cap, dtype)},
                                             {"fill", real_field(a.fill, dtype)}});
  const std::string kernel = cat("tarn_attention_", a.cap != 0 ? "capped_" : "", kernel_suffix(dtype));
  Operation& operation = low.call(node, kernel, std::move(params), std::move(arguments));
  operation.op = "Attention";
  operation.macs = a.batch * a.heads * a.rows * a.keys * (a.size + a.values);
  return {};
}

}  // namespace

Steps heads_first(int64_t heads, int64_t rows, int64_t columns) {
  return {heads * rows * columns, rows * columns, columns, 1};
}
Steps rows_first(int64_t heads, int64_t rows, int64_t columns) {
  return {heads * rows * columns, columns, heads * columns, 1};
}

bool mask_steps(const Shape& mask, const Attention& a, Steps& steps) {
  if (mask.rank() > 4) return false;
  const Steps extents{a.batch, a.heads, a.rows, a.keys};
  const std::vector<int64_t> own = strides_of(mask);
  steps = {};
  for (int i = 0; i < mask.rank(); ++i) {
    const size_t axis = static_cast<size_t>(4 - mask.rank()) + static_cast<size_t>(i);
    if (mask[i] == 1) continue;
    // The keys may be fewer than those there are.
    if (axis == 3 ? mask[i] > extents[3] : mask[i] != extents[axis]) return false;
    steps[axis] = own[static_cast<size_t>(i)];
  }
  return true;
}

void write_attention(Node& node, const Attention& a) {
  node.op = "Attention";
  node.domain = "tarn";
  node.attributes.clear();
  node.attributes["sizes"] = std::vector<int64_t>{a.batch, a.heads, a.rows, a.keys, a.group, a.size, a.values};
  node.attributes["q_steps"] = to_list(a.q);
  node.attributes["k_steps"] = to_list(a.k);
  node.attributes["v_steps"] = to_list(a.v);
  node.attributes["y_steps"] = to_list(a.y);
  node.attributes["bias_steps"] = to_list(a.bias);
  node.attributes["allowed_steps"] = to_list(a.allowed);
  node.attributes["mask"] =
      std::vector<int64_t>{a.bias_keys, a.allowed_keys, a.blocking, a.bias_first, a.causal, a.past};
  node.attributes["first"] = std::vector<int64_t>(a.first.begin(), a.first.end());
  node.attributes["stage"] = a.stage;
  node.attributes["zero"] = a.zero;
  node.attributes["numbers"] = Constant::floats(DType::float64, Shape{3}, {a.scale, a.cap, a.fill});
}

Attention read_attention(const Node& node) {
  Attention a;
  const std::vector<int64_t> sizes = node.integers("sizes"), mask = node.integers("mask");
  a.batch = sizes[0];
  a.heads = sizes[1];
  a.rows = sizes[2];
  a.keys = sizes[3];
  a.group = sizes[4];
  a.size = sizes[5];
  a.values = sizes[6];
  a.q = to_steps(node.integers("q_steps"));
  a.k = to_steps(node.integers("k_steps"));
  a.v = to_steps(node.integers("v_steps"));
  a.y = to_steps(node.integers("y_steps"));
  a.bias = to_steps(node.integers("bias_steps"));
  a.allowed = to_steps(node.integers("allowed_steps"));
  a.bias_keys = mask[0];
  a.allowed_keys = mask[1];
  a.blocking = mask[2] != 0;
  a.bias_first = mask[3] != 0;
  a.causal = mask[4] != 0;
  a.past = mask[5];
  const std::vector<int64_t> first = node.integers("first");
  std::copy(first.begin(), first.end(), a.first.begin());
  a.stage = node.integer("stage", 0);
  a.zero = node.integer("zero", 0);
  const std::vector<double> numbers = node.tensor("numbers")->reals();
  a.scale = numbers[0];
  a.cap = numbers[1];
  a.fill = numbers[2];
  return a;
}

std::vector<OperatorEntry> attention_entries() {
  OperatorEntry standard{"", "Attention", "floats"};
  standard.limits = "masks of bool or of the element type of Q, K and V, which is the same";
  return {standard, {"tarn", "Attention", "floats", lower_attention}};
}

}  // namespace tarn::ops
