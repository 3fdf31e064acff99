// com.microsoft's operators on quantised tensors that are no products.
#include "ops/qlinear.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "ops/elementwise.h"
#include "ops/movement.h"
#include "ops/quantize.h"
#include "ops/window.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

Argument zero_operand(const Node& node, Lowering& low, size_t i) {
  return node.has_input(i) ? read_zero_point(low, node.inputs[i]) : low.none();
}

std::optional<Fault> check_singles(const Facts& facts, const std::vector<size_t>& inputs) {
  for (size_t i : inputs) {
    if (facts.has(i) && facts.shape(i).count() != 1) return Fault{cat("input ", i, " is no single number")};
  }
  return {};
}

// A single number that is known while generating; 0 for an omitted one.
std::optional<double> number(const Node& node, const Lowering& low, size_t i) {
  if (!node.has_input(i)) return 0;
  const Constant* known = low.constant(node.inputs[i]);
  if (!known || known->is_absent() || known->count() != 1) return {};
  return known->real(0);
}

// QLinearAdd and QLinearMul: A, its scale and zero point, B, its own, the scale and zero point of C.
Answer<Types> infer_qlinear_binary(const Facts& facts) {
  for (size_t i : {0u, 1u, 3u, 4u, 6u}) {
    if (!facts.has(i)) return Fault{cat("input ", i, " is missing")};
  }
  if (auto fault = check_singles(facts, {1, 2, 4, 5, 6, 7})) return *fault;
  const auto shape = broadcast(facts.shape(0), facts.shape(3));
  if (!shape) return Fault{cat(to_string(facts.shape(0)), " and ", to_string(facts.shape(3)), " do not broadcast")};
  return Types{{facts.types[0].dtype, *shape}};
}

std::vector<int64_t> qlinear_strides(const Shape& in, const Shape& out) {
  const std::vector<int64_t> own = strides_of(in);
  std::vector<int64_t> strides(8, 0);
  const auto missing = static_cast<size_t>(out.rank() - in.rank());
  for (int i = 0; i < in.rank(); ++i) {
    if (in[i] != 1) strides[missing + static_cast<size_t>(i)] = own[static_cast<size_t>(i)];
  }
  return strides;
}

std::optional<Fault> lower_binary_codes(const Node& node, Lowering& low) {
  const DType dtype = low.dtype(node.inputs[0]);
  if (!is_byte(dtype) || low.dtype(node.inputs[3]) != dtype)
    return Fault{"not for element type " + to_string(dtype), "", "E204"};
  const Shape& y = low.shape(node.outputs[0]);
  std::vector<int64_t> dims = y.dims;
  dims.resize(8, 1);
  auto operand = [&](size_t i) {
    const bool full = low.shape(node.inputs[i]) == y;
    return full ? low.read(node.inputs[i], elementwise_walk()) : low.read(node.inputs[i]);
  };
  auto scale = [&](size_t i) { return read_floats(node, low, node.inputs[i]); };
  std::vector<Argument> arguments{operand(0),
                                  scale(1),
                                  zero_operand(node, low, 2),
                                  operand(3),
                                  scale(4),
                                  zero_operand(node, low, 5),
                                  scale(6),
                                  zero_operand(node, low, 7),
                                  low.write(node.outputs[0])};
  low.call(node, node.op == "QLinearAdd" ? "tarn_qlinear_add" : "tarn_qlinear_mul",
           {"tarn_qlinear_params",
            {{"rank", static_cast<int64_t>(y.rank())},
             {"dims", dims},
             {"a_strides", qlinear_strides(low.shape(node.inputs[0]), y)},
             {"b_strides", qlinear_strides(low.shape(node.inputs[3]), y)},
             {"lo", least_code(dtype)},
             {"hi", greatest_code(dtype)}}},
           std::move(arguments));
  return {};
}

// Pools: X, its scale and zero point, the scale and zero point of Y.
bool last(const Node& node) { return node.integer("channels_last", 0) != 0; }

Answer<Types> infer_qlinear_pool(const Facts& facts) {
  for (size_t i : {0u, 1u, 3u}) {
    if (!facts.has(i)) return Fault{cat("input ", i, " is missing")};
  }
  if (auto fault = check_singles(facts, {1, 2, 3, 4})) return *fault;
  const Shape& x = facts.shape(0);
  if (x.rank() < 3 || x.rank() > 5) return Fault{"an input of " + to_string(x)};
  Shape y = x;
  const int first = last(facts.node) ? 1 : 2;
  if (facts.node.op == "QLinearGlobalAveragePool") {
    for (int i = 0; i < x.rank() - 2; ++i) y[first + i] = 1;
    return Types{{facts.types[0].dtype, y}};
  }
  auto axes = window_axes(facts.node, spatial_dims(x, last(facts.node)), {});
  if (const Fault* fault = std::get_if<Fault>(&axes)) return *fault;
  int at = first;
  for (const WindowAxis& a : std::get<0>(axes)) y[at++] = a.out;
  return Types{{facts.types[0].dtype, y}};
}

std::vector<Argument> pool_arguments(const Node& node, Lowering& low) {
  return {low.read(node.inputs[0]),   read_floats(node, low, node.inputs[1]),
          zero_operand(node, low, 2), read_floats(node, low, node.inputs[3]),
          zero_operand(node, low, 4), low.write(node.outputs[0])};
}

std::optional<Fault> lower_qlinear_average(const Node& node, Lowering& low) {
  const DType dtype = low.dtype(node.inputs[0]);
  if (!is_byte(dtype)) return Fault{"not for element type " + to_string(dtype), "", "E204"};
  const Shape& x = low.shape(node.inputs[0]);
  std::vector<WindowAxis> axes = std::get<0>(window_axes(node, spatial_dims(x, last(node)), {}));
  while (axes.size() < 3) axes.insert(axes.begin(), WindowAxis{});
  program::Params params{
      "tarn_qlinear_averagepool_params",
      {{"images", x[0]}, {"channels", x[last(node) ? x.rank() - 1 : 1]}, {"channels_last", int64_t{last(node)}}}};
  params.append(axis_fields(axes));
  params.append({{"include_pad", int64_t{node.integer("count_include_pad", 0) != 0}},
                 {"lo", least_code(dtype)},
                 {"hi", greatest_code(dtype)}});
  low.call(node, "tarn_qlinear_averagepool", std::move(params), pool_arguments(node, low));
  return {};
}

std::optional<Fault> lower_global_average(const Node& node, Lowering& low) {
  const DType dtype = low.dtype(node.inputs[0]);
  if (!is_byte(dtype)) return Fault{"not for element type " + to_string(dtype), "", "E204"};
  const Shape& x = low.shape(node.inputs[0]);
  const bool channels_last = last(node);
  low.call(node, "tarn_qlinear_globalaverage",
           {"tarn_qlinear_globalaverage_params",
            {{"outer", channels_last ? x[0] : x[0] * x[1]},
             {"count", channels_last ? x.count(1, x.rank() - 1) : x.count(2, x.rank())},
             {"inner", channels_last ? x[x.rank() - 1] : int64_t{1}},
             {"lo", least_code(dtype)},
             {"hi", greatest_code(dtype)}}},
           pool_arguments(node, low));
  return {};
}

// Functions of one tensor: X, its scale and zero point, the scale and zero point of Y.
Answer<Types> infer_function(const Facts& facts) {
  for (size_t i : {0u, 1u, 3u}) {
    if (!facts.has(i)) return Fault{cat("input ", i, " is missing")};
  }
  if (auto fault = check_singles(facts, {1, 2, 3, 4})) return *fault;
  return Types{facts.types[0]};
}

struct Scaling {
  float scale = 1;
  int64_t zero = 0;
};
std::optional<Scaling> scaling(const Node& node, const Lowering& low, size_t scale_at, size_t zero_at) {
  const auto scale = number(node, low, scale_at), zero = number(node, low, zero_at);
  if (!scale || !zero) return {};
  return Scaling{static_cast<float>(*scale), static_cast<int64_t>(*zero)};
}
const Fault kUnknownScaling{"a scale or zero point is known only at run time", "fix it with --const", "E208"};

// For every byte of x the byte of y = function(x), both quantised.
std::vector<uint8_t> table_of(DType dtype, const Scaling& x, const Scaling& y,
                              const std::function<float(float)>& function) {
  std::vector<uint8_t> table(256);
  const auto lo = static_cast<float>(least_code(dtype) - y.zero),
             hi = static_cast<float>(greatest_code(dtype) - y.zero);
  for (int64_t code = least_code(dtype); code <= greatest_code(dtype); ++code) {
    float v = function(x.scale * static_cast<float>(code - x.zero)) / y.scale;
    v = v > lo ? v : lo;
    v = v < hi ? v : hi;
    table[static_cast<size_t>(code & 255)] = static_cast<uint8_t>((std::llrint(static_cast<double>(v)) + y.zero) & 255);
  }
  return table;
}

Argument table_weight(Lowering& low, const Node& node, const std::string& what, std::vector<uint8_t> table) {
  return low.weight(cat(low.key(node.outputs[0], "/" + what), "_table"), DType::uint8, 256, {},
                    [table = std::move(table)](const auto& sink) { sink(table); });
}

std::optional<Fault> lower_function(const Node& node, Lowering& low) {
  const DType dtype = low.dtype(node.inputs[0]);
  if (!is_byte(dtype)) return Fault{"not for element type " + to_string(dtype), "", "E204"};
  const auto x = scaling(node, low, 1, 2), y = scaling(node, low, 3, 4);
  if (!x || !y) return kUnknownScaling;
  const auto alpha = static_cast<float>(node.real("alpha", 0.01));
  const bool sigmoid = node.op == "QLinearSigmoid";
  auto function = [&](float v) {
    if (sigmoid) return static_cast<float>(1 / (1 + std::exp(-static_cast<double>(v))));
    return v < 0 ? alpha * v : v;
  };
  const int64_t count = low.shape(node.outputs[0]).count();
  Argument table = table_weight(low, node, "codes", table_of(dtype, *x, *y, function));
  low.call(
      node, "tarn_lookup_b1",
      {"tarn_lookup_b1_params",
       {{"outer", int64_t{1}}, {"inner", count}, {"x_pitch", count}, {"y_pitch", count}, {"y_offset", int64_t{0}}}},
      {low.read(node.inputs[0], elementwise_walk()), std::move(table), low.write(node.outputs[0])});
  return {};
}

std::optional<Fault> lower_softmax(const Node& node, Lowering& low) {
  const DType dtype = low.dtype(node.inputs[0]);
  if (!is_byte(dtype)) return Fault{"not for element type " + to_string(dtype), "", "E204"};
  const auto x = scaling(node, low, 1, 2), y = scaling(node, low, 3, 4);
  if (!x || !y) return kUnknownScaling;
  const Shape& shape = low.shape(node.inputs[0]);
  const auto axis = normalise_axis(node.integer("axis", -1), shape.rank());
  if (!axis) return Fault{"axis is outside " + to_string(shape)};
  // Before opset 13 softmax ran over all axes from this one on.
  const bool flattened = node.integer("opset", 13) < 13;
  const int64_t count = flattened ? shape.count(*axis, shape.rank()) : shape[*axis];
  // Exponentials as large as float allows their sum to be.
  const double shift = std::max(0.0, static_cast<double>(std::log(FLT_MAX / static_cast<float>(count)) - 5)) /
                       static_cast<double>(x->scale);
  std::vector<float> table(256);
  for (int i = 0; i < 256; ++i)
    table[static_cast<size_t>(i)] = static_cast<float>(std::exp((i - 255 + shift) * static_cast<double>(x->scale)));
  low.call(node, "tarn_qlinear_softmax",
           {"tarn_qlinear_softmax_params",
            {{"outer", shape.count(0, *axis)},
             {"count", count},
             {"inner", flattened ? int64_t{1} : shape.count(*axis + 1, shape.rank())},
             {"zero", y->zero},
             {"lo", least_code(dtype)},
             {"hi", greatest_code(dtype)},
             {"factor", Float32{static_cast<double>(std::floor(1.0F / y->scale))}}}},
           {low.read(node.inputs[0]), low.weight(low.key(node.outputs[0], "/exponentials"), table),
            low.write(node.outputs[0])});
  return {};
}

// QLinearConcat: the scale and zero point of Y, then tensor, scale and zero point of each part.
Answer<Types> infer_qlinear_concat(const Facts& facts) {
  const size_t parts = facts.types.size() < 5 ? 0 : (facts.types.size() - 2) / 3;
  if (parts == 0 || facts.types.size() != 2 + 3 * parts || !facts.has(2))
    return Fault{"needs tensors with a scale and a zero point each"};
  Shape y = facts.shape(2);
  const auto axis = normalise_axis(facts.node.integer("axis", 1), y.rank());
  if (!axis) return Fault{"axis is outside " + to_string(y)};
  for (size_t i = 1; i < parts; ++i) {
    const size_t at = 2 + 3 * i;
    bool fits = facts.has(at) && facts.shape(at).rank() == y.rank() && facts.types[at].dtype == facts.types[2].dtype;
    for (int d = 0; fits && d < y.rank(); ++d) fits = d == *axis || facts.shape(at)[d] == y[d];
    if (!fits) return Fault{cat("input ", at, " does not join ", to_string(facts.types[2]))};
    const Checked sum = checked_add(y[*axis], facts.shape(at)[*axis]);
    if (!sum) return Fault{"the joined axis is absurdly long", "", "E207"};
    y[*axis] = *sum;
  }
  return Types{{facts.types[2].dtype, y}};
}

std::optional<Fault> lower_concat_codes(const Node& node, Lowering& low) {
  const Shape& y = low.shape(node.outputs[0]);
  const DType dtype = low.dtype(node.outputs[0]);
  if (!is_byte(dtype)) return Fault{"not for element type " + to_string(dtype), "", "E204"};
  const int axis = *normalise_axis(node.integer("axis", 1), y.rank());
  const auto out = scaling(node, low, 0, 1);
  if (!out) return kUnknownScaling;
  const int64_t run = y.count(axis, y.rank()), unit = y.count(axis + 1, y.rank());
  int64_t start = 0;
  for (size_t i = 2; i < node.inputs.size(); i += 3) {
    const auto in = scaling(node, low, i + 1, i + 2);
    if (!in) return kUnknownScaling;
    const Shape& x = low.shape(node.inputs[i]);
    const int64_t at = start;
    start += x[axis];
    if (x.count() == 0) continue;
    if (in->scale == out->scale && in->zero == out->zero) {
      if (auto fault = lower_part(node, low, node.inputs[i], node.outputs[0], axis, at, true)) return fault;
      continue;
    }
    const int64_t inner = x[axis] * unit;
    low.call(node, "tarn_lookup_b1",
             {"tarn_lookup_b1_params",
              {{"outer", y.count(0, axis)},
               {"inner", inner},
               {"x_pitch", inner},
               {"y_pitch", run},
               {"y_offset", at * unit}}},
             {low.read(node.inputs[i]),
              table_weight(low, node, cat("codes", i), table_of(dtype, *in, *out, [](float v) { return v; })),
              low.write(node.outputs[0])});
  }
  return {};
}

}  // namespace

std::vector<OperatorEntry> qlinear_entries() {
  const std::string bytes = "int8 uint8", domain = "com.microsoft";
  return {{domain, "QLinearAdd", bytes, lower_binary_codes, infer_qlinear_binary},
          {domain, "QLinearMul", bytes, lower_binary_codes, infer_qlinear_binary},
          {domain, "QLinearAveragePool", bytes, lower_qlinear_average, infer_qlinear_pool},
          {domain, "QLinearGlobalAveragePool", bytes, lower_global_average, infer_qlinear_pool},
          {domain, "QLinearSigmoid", bytes, lower_function, infer_function},
          {domain, "QLinearLeakyRelu", bytes, lower_function, infer_function},
          {domain, "QLinearSoftmax", bytes, lower_softmax, infer_function},
          {domain, "QLinearConcat", bytes, lower_concat_codes, infer_qlinear_concat}};
}

}  // namespace tarn::ops
