// QuantizeLinear, DequantizeLinear and DynamicQuantizeLinear, of ai.onnx and com.microsoft.
#include "ops/quantize.h"

#include <algorithm>
#include <cmath>

#include "ops/elementwise.h"
#include "ops/folding.h"
#include "support/text.h"
#include "tensor/numeric.h"

namespace tarn::ops {

namespace {

bool is_float8(DType dtype) {
  return dtype == DType::float8e4m3fn || dtype == DType::float8e4m3fnuz || dtype == DType::float8e5m2 ||
         dtype == DType::float8e5m2fnuz;
}
bool is_code_float(DType dtype) { return is_float8(dtype) || dtype == DType::float4e2m1; }
bool is_scale_float(DType dtype) {
  return dtype == DType::float32 || dtype == DType::float16 || dtype == DType::bfloat16;
}

std::string small_suffix(DType dtype) {
  switch (dtype) {
    case DType::float8e4m3fn: return "f8e4m3fn";
    case DType::float8e4m3fnuz: return "f8e4m3fnuz";
    case DType::float8e5m2: return "f8e5m2";
    case DType::float8e5m2fnuz: return "f8e5m2fnuz";
    default: return "f4e2m1";
  }
}

// The type of what QuantizeLinear makes.
DType code_type(const Facts& facts) {
  if (facts.has(2)) return facts.types[2].dtype;
  const auto named =
      dtype_from_onnx(static_cast<int>(std::clamp<int64_t>(facts.node.integer("output_dtype", 0), 0, 1000)));
  return named.value_or(DType::uint8);
}

std::optional<Fault> check_scale_operands(const Facts& facts) {
  if (!facts.has(0) || !facts.has(1)) return Fault{"needs an input and a scale"};
  const auto geometry = scale_geometry(facts.node, facts.shape(0), facts.shape(1), 1);
  if (const Fault* fault = std::get_if<Fault>(&geometry)) return *fault;
  if (facts.has(2) && facts.shape(2).count() != facts.shape(1).count()) {
    return Fault{"a zero point of " + to_string(facts.shape(2)) + " does not fit a scale of " +
                 to_string(facts.shape(1))};
  }
  return {};
}

Answer<Types> infer_quantize(const Facts& facts) {
  if (auto fault = check_scale_operands(facts)) return *fault;
  return Types{{code_type(facts), facts.shape(0)}};
}

Answer<Types> infer_dequantize(const Facts& facts) {
  if (auto fault = check_scale_operands(facts)) return *fault;
  const auto named =
      dtype_from_onnx(static_cast<int>(std::clamp<int64_t>(facts.node.integer("output_dtype", 0), 0, 1000)));
  DType type = named.value_or(facts.types[1].dtype);
  if (!named && !is_scale_float(type)) type = DType::float32;
  if (facts.has(2) && facts.types[2].dtype != facts.types[0].dtype) {
    return Fault{"a zero point of " + to_string(facts.types[2].dtype) + " for data of " +
                 to_string(facts.types[0].dtype)};
  }
  return Types{{type, facts.shape(0)}};
}

std::optional<Constants> fold_quantize(const Facts& facts, const Types& outputs) {
  if (!facts.value(0) || !facts.value(1) || (facts.has(2) && !facts.value(2))) return {};
  auto result =
      quantized(facts.node, *facts.value(0), *facts.value(1), facts.has(2) ? facts.value(2) : nullptr, outputs[0]);
  if (!result) return {};
  return Constants{std::move(*result)};
}

// x as float32 numbers.
Argument converted(const Node& node, Lowering& low, ValueId id, const std::string& suffix) {
  const TensorId floats =
      low.new_tensor(low.graph()[id].name + "_f32", DType::float32, low.shape(id), program::Kind::activation);
  const std::string kernel = "tarn_widen_" + suffix;
  low.call(node, kernel, {kernel + "_params", {{"count", low.shape(id).count()}}}, {low.read(id), low.write(floats)});
  return low.read(floats);
}

std::optional<Fault> lower_quantize(const Node& node, Lowering& low) {
  const ValueId x = node.inputs[0], y = node.outputs[0];
  const DType from = low.dtype(x), to = low.dtype(y);
  if (!is_scale_float(from) && from != DType::int32) return Fault{"not for an input of " + to_string(from), "", "E204"};
  if ((!is_code(to) || to == DType::int32) && !is_code_float(to))
    return Fault{"not for an output of " + to_string(to), "", "E204"};
  const ScaleGeometry g = std::get<ScaleGeometry>(scale_geometry(node, low.shape(x), low.shape(node.inputs[1]), 1));
  Argument scale = read_floats(node, low, node.inputs[1]);
  if (scale.role == Argument::Role::none)
    return Fault{"not for a scale of " + to_string(low.dtype(node.inputs[1])), "", "E204"};
  Argument zero = node.has_input(2) ? read_zero_point(low, node.inputs[2]) : low.none();
  program::Params params = quantize_params(g, to);
  if (is_code_float(to)) {
    params.fields.back().value = int64_t{node.integer("saturate", 1) != 0};
    Argument floats = from == DType::float32 ? low.read(x) : converted(node, low, x, kernel_suffix(from));
    if (floats.role == Argument::Role::read && !is_packed(to)) floats.walk = elementwise_walk();
    low.call(node, "tarn_quantize_" + small_suffix(to), std::move(params),
             {std::move(floats), scale, zero, low.write(y)});
    return {};
  }
  Argument input = is_packed(to) ? low.read(x) : low.read(x, elementwise_walk());
  low.call(node, "tarn_quantize_" + kernel_suffix(from), std::move(params),
           {std::move(input), scale, zero, low.write(y)});
  return {};
}

std::optional<Fault> lower_dequantize(const Node& node, Lowering& low) {
  const ValueId x = node.inputs[0], y = node.outputs[0];
  const DType from = low.dtype(x), to = low.dtype(y);
  if (!is_code(from) && !is_code_float(from)) return Fault{"not for an input of " + to_string(from), "", "E204"};
  if (!is_scale_float(to)) return Fault{"not for an output of " + to_string(to), "", "E204"};
  const ScaleGeometry g = std::get<ScaleGeometry>(scale_geometry(node, low.shape(x), low.shape(node.inputs[1]), 1));
  Argument scale = read_floats(node, low, node.inputs[1]);
  if (scale.role == Argument::Role::none)
    return Fault{"not for a scale of " + to_string(low.dtype(node.inputs[1])), "", "E204"};
  Argument zero = node.has_input(2) ? read_zero_point(low, node.inputs[2]) : low.none();
  program::Params params = quantize_params(g, from);
  if (!is_code_float(from)) {
    Argument input = is_packed(from) ? low.read(x) : low.read(x, elementwise_walk());
    low.call(node, "tarn_dequantize_" + kernel_suffix(to), std::move(params),
             {std::move(input), scale, zero, low.write(y)});
    return {};
  }
  const std::string kernel = "tarn_dequantize_" + small_suffix(from);
  if (to == DType::float32) {
    low.call(node, kernel, std::move(params), {low.read(x), scale, zero, low.write(y)});
    return {};
  }
  const TensorId floats =
      low.new_tensor(low.graph()[y].name + "_f32", DType::float32, low.shape(y), program::Kind::activation);
  low.call(node, kernel, std::move(params), {low.read(x), scale, zero, low.write(floats)});
  const std::string narrow = "tarn_narrow_" + kernel_suffix(to);
  low.call(node, narrow, {narrow + "_params", {{"count", low.shape(y).count()}}}, {low.read(floats), low.write(y)});
  return {};
}

Answer<Types> infer_dynamic_quantize(const Facts& facts) {
  if (!facts.has(0)) return Fault{"needs an input"};
  return Types{{DType::uint8, facts.shape(0)}, {DType::float32, {}}, {DType::uint8, {}}};
}

std::optional<Fault> lower_dynamic_quantize(const Node& node, Lowering& low) {
  const DType dtype = low.dtype(node.inputs[0]);
  if (!is_scale_float(dtype)) return Fault{"not for an input of " + to_string(dtype), "", "E204"};
  auto output = [&](size_t i, DType type, int64_t count, const char* what) {
    return node.has_output(i) ? low.write(node.outputs[i]) : low.scratch(type, count, what);
  };
  const int64_t count = low.shape(node.inputs[0]).count(), lower = node.is("DynamicQuantize", "tarn") ? 128 : 0;
  const std::string kernel = "tarn_dynamic_quantize_" + kernel_suffix(dtype);
  // The walk is that of the first output.
  Argument x = node.has_output(0) ? low.read(node.inputs[0], elementwise_walk()) : low.read(node.inputs[0]);
  Argument y = output(0, DType::uint8, count, "codes"), scale = output(1, DType::float32, 1, "scale"),
           zero = output(2, DType::uint8, 1, "zero_point");
  low.call(node, kernel, {kernel + "_params", {{"count", count}, {"lower", lower}}}, {std::move(x), y, scale, zero});
  return {};
}

// Calls with the index of every element and of its scale.
template <class Each>
void for_each_scale(const ScaleGeometry& g, Each each) {
  int64_t n = 0;
  for (int64_t o = 0; o < g.outer; ++o) {
    for (int64_t a = 0; a < g.size; ++a) {
      for (int64_t i = 0; i < g.inner; ++i) each(n++, o * g.s_outer + a / g.block * g.s_axis + i * g.s_inner);
    }
  }
}

constexpr int64_t kMaxFolded = int64_t{1} << 26;

}  // namespace

bool is_code(DType dtype) {
  switch (dtype) {
    case DType::int8:
    case DType::uint8:
    case DType::int16:
    case DType::uint16:
    case DType::int32:
    case DType::int4:
    case DType::uint4:
    case DType::int2:
    case DType::uint2: return true;
    default: return false;
  }
}

int64_t least_code(DType dtype) { return is_signed(dtype) ? -(int64_t{1} << (bits_of(dtype) - 1)) : 0; }
int64_t greatest_code(DType dtype) { return least_code(dtype) + (int64_t{1} << bits_of(dtype)) - 1; }

Answer<ScaleGeometry> scale_geometry(const Node& node, const Shape& x, const Shape& scale, int64_t otherwise) {
  ScaleGeometry g;
  const int64_t block = node.integer("block_size", 0);
  if (block < 0 || block > INT32_MAX) return Fault{cat("block_size is ", block)};
  if (scale.count() == 1 && scale.rank() <= 1 && block == 0) {
    g.inner = x.count();
    return g;
  }
  const auto axis = normalise_axis(node.integer("axis", otherwise), x.rank());
  if (!axis) return Fault{"axis is outside " + to_string(x)};
  g.outer = x.count(0, *axis);
  g.size = x[*axis];
  g.inner = x.count(*axis + 1, x.rank());
  if (block == 0) {
    if (scale.rank() != 1 || scale[0] != x[*axis])
      return Fault{cat("a scale of ", to_string(scale), " for axis ", *axis, " of ", to_string(x))};
    g.s_axis = 1;
    return g;
  }
  bool fits = scale.rank() == x.rank();
  for (int i = 0; fits && i < x.rank(); ++i) {
    fits = i == *axis ? scale[i] > 0 && scale[i] == ceil_div(x[i], block) : scale[i] == x[i];
  }
  if (!fits)
    return Fault{
        cat("a scale of ", to_string(scale), " for blocks of ", block, " along axis ", *axis, " of ", to_string(x))};
  g.block = block;
  g.s_outer = scale[*axis] * g.inner;
  g.s_axis = g.inner;
  g.s_inner = 1;
  return g;
}

program::Params quantize_params(const ScaleGeometry& g, DType codes) {
  const bool integers = is_code(codes);
  return {"tarn_quantize_params",
          {{"outer", g.outer},
           {"size", g.size},
           {"inner", g.inner},
           {"block", g.block},
           {"s_outer", g.s_outer},
           {"s_axis", g.s_axis},
           {"s_inner", g.s_inner},
           {"bits", static_cast<int64_t>(bits_of(codes))},
           {"lo", integers ? least_code(codes) : 0},
           {"hi", integers ? greatest_code(codes) : 1}}};
}

Argument read_floats(const Node& node, Lowering& low, ValueId id) {
  if (!id) return low.none();
  const DType dtype = low.dtype(id);
  const Constant* known = low.constant(id);
  if (known && known->is_absent()) {
    // Its values do not matter while only memory is planned.
    return low.weight(low.key(id, "/f32"), DType::float32, known->count(), {known}, [](const auto&) {});
  }
  if (known) {
    std::vector<float> values;
    for (double v : known->reals()) values.push_back(static_cast<float>(v));
    return low.weight(low.key(id, "/f32"), values);
  }
  if (dtype == DType::float32) return low.read(id);
  if (!is_scale_float(dtype) && dtype != DType::int32) return low.none();
  return converted(node, low, id, kernel_suffix(dtype));
}

bool is_zero(const Lowering& low, ValueId id) {
  if (!id) return true;
  const Constant* known = low.constant(id);
  if (!known || known->is_absent()) return false;
  for (int64_t i = 0; i < known->count(); ++i) {
    if (known->real(i) != 0) return false;
  }
  return true;
}

Argument read_zero_point(Lowering& low, ValueId id) { return is_zero(low, id) ? low.none() : low.read(id); }

std::optional<Constant> dequantized(const Node& node, const Constant& x, const Constant& scale, const Constant* zero,
                                    const TensorType& out, const std::string& name) {
  if (!is_scale_float(out.dtype) || (!is_code(x.dtype()) && !is_code_float(x.dtype()))) return {};
  for (const Constant* c : {&x, &scale, zero}) {
    if (c && c->is_absent()) return Constant::absent(out, c->source());
  }
  const auto answer = scale_geometry(node, x.shape(), scale.shape(), 1);
  if (std::holds_alternative<Fault>(answer)) return {};
  const auto& geometry = std::get<ScaleGeometry>(answer);
  if (out.dtype == DType::float32 && is_code(x.dtype()) && bits_of(x.dtype()) <= 8 && out.shape.count() > 0) {
    return Constant::coded(
        out.shape, std::make_shared<const CodedValues>(
                       CodedValues{x, scale, zero ? std::optional<Constant>(*zero) : std::nullopt, geometry, name}));
  }
  if (x.count() > kMaxFolded) return {};
  std::vector<uint8_t> bytes(static_cast<size_t>(out.bytes()));
  for_each_scale(geometry, [&](int64_t n, int64_t at) {
    // Differences of codes are exact in double; each product is rounded once.
    const auto difference = static_cast<float>(x.real(n) - (zero ? zero->real(at) : 0));
    write_double(out.dtype, bytes.data(), n, static_cast<double>(difference * static_cast<float>(scale.real(at))));
  });
  return Constant::of(out, std::move(bytes));
}

std::optional<Constant> quantized(const Node& node, const Constant& x, const Constant& scale, const Constant* zero,
                                  const TensorType& out) {
  if (!is_code(out.dtype) || out.dtype == DType::int32 || x.count() > kMaxFolded) return {};
  for (const Constant* c : {&x, &scale, zero}) {
    if (c && c->is_absent()) return Constant::absent(out, c->source());
  }
  const auto answer = scale_geometry(node, x.shape(), scale.shape(), 1);
  if (std::holds_alternative<Fault>(answer)) return {};
  std::vector<uint8_t> bytes(static_cast<size_t>(out.bytes()));
  const int64_t lo = least_code(out.dtype), hi = greatest_code(out.dtype);
  for_each_scale(std::get<ScaleGeometry>(answer), [&](int64_t n, int64_t at) {
    const int64_t z = zero ? zero->integer(at) : 0;
    float v = static_cast<float>(x.real(n)) / static_cast<float>(scale.real(at));
    v = v > static_cast<float>(lo - z) ? v : static_cast<float>(lo - z);
    v = v < static_cast<float>(hi - z) ? v : static_cast<float>(hi - z);
    const float whole = v + 12582912.0F;  // no fraction from 2^23 on
    write_int(out.dtype, bytes.data(), n, static_cast<int64_t>(whole - 12582912.0F) + z);
  });
  return Constant::of(out, std::move(bytes));
}

std::vector<OperatorEntry> quantize_entries() {
  const std::string types = "floats to 2- to 16-bit integers, float8, float4";
  // A constant is dequantised only after the passes that look for quantised weights.
  return {{"", "QuantizeLinear", types, lower_quantize, infer_quantize, fold_quantize},
          {"", "DequantizeLinear", types, lower_dequantize, infer_dequantize},
          {"", "DynamicQuantizeLinear", "float32", lower_dynamic_quantize, infer_dynamic_quantize, nullptr,
           Layout::elementwise},
          {"tarn", "DynamicQuantize", "float32", lower_dynamic_quantize, nullptr, nullptr, Layout::elementwise},
          {"com.microsoft", "QuantizeLinear", types, lower_quantize, infer_quantize, fold_quantize},
          {"com.microsoft", "DequantizeLinear", types, lower_dequantize, infer_dequantize}};
}

}  // namespace tarn::ops
