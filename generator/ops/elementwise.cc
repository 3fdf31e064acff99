// Rooms of the elementwise operators: folding and lowering, the same for every row of the tables.
#include "ops/elementwise.h"

#include <algorithm>

#include "ops/cast.h"
#include "ops/folding.h"
#include "ops/indexing.h"
#include "ops/lines.h"
#include "support/check.h"
#include "support/text.h"
#include "tensor/numeric.h"

namespace tarn::ops {

namespace {

using program::Params;
using program::Pitch;
using program::Run;

// Folding makes whole tensors; past this it would cost more memory than it saves time.
constexpr int64_t kMaxFoldedElements = int64_t{1} << 22;

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool integer_like(DType type) { return is_integer(type) || type == DType::boolean; }

// The value of the attribute that tells two rows of one operator apart.
std::string variant_of(const Node& node, const char* attribute) {
  if (std::string(attribute) == "fmod") return std::to_string(node.integer("fmod", 0));
  return node.text(attribute, std::string(attribute) == "approximate" ? "none" : "");
}

const UnaryOp* find_unary(const Node& node) {
  for (const UnaryOp& op : unary_ops()) {
    if (node.op != op.op || node.domain != op.domain) continue;
    if (!op.variant_attribute || variant_of(node, op.variant_attribute) == op.variant) return &op;
  }
  return nullptr;
}

const BinaryOp* find_binary(const Node& node) {
  for (const BinaryOp& op : binary_ops()) {
    if (node.op == op.op && (!op.variant_attribute || variant_of(node, op.variant_attribute) == op.variant)) return &op;
  }
  return nullptr;
}

std::vector<double> parameters_of(const UnaryOp& op, const Node& node) {
  std::vector<double> values;
  for (const ElementwiseParameter& p : op.parameters) {
    const auto it = node.attributes.find(p.name);
    const bool whole = it != node.attributes.end() && std::holds_alternative<int64_t>(it->second);
    values.push_back(whole ? static_cast<double>(node.integer(p.name, 0)) : node.real(p.name, p.otherwise));
  }
  return values;
}

std::string kernel_of(const char* op, const char* variant, DType type) {
  return "tarn_" + lower_case(op) + (variant ? "_" + lower_case(variant) : "") + "_" + kernel_suffix(type);
}

Answer<Types> infer_unary(const Facts& facts) {
  const UnaryOp* op = find_unary(facts.node);
  if (!op || !facts.has(0)) return Fault{"no input, or an attribute value that the operator does not define"};
  return Types{{op->to_bool ? DType::boolean : facts.types[0].dtype, facts.shape(0)}};
}

std::optional<Constants> fold_unary(const Facts& facts, const Types& outputs) {
  const UnaryOp* op = find_unary(facts.node);
  const Constant* x = facts.value(0);
  if (!op || !x || x->dtype() == DType::string) return {};
  if (x->is_absent()) return absent_like(facts, outputs);
  const bool whole = integer_like(x->dtype());
  if (whole ? !op->integer : !op->real) return {};
  const std::vector<double> parameters = parameters_of(*op, facts.node);
  const TensorType& type = outputs[0];
  const bool single = x->is_splat() && x->count() > 0 && !is_packed(type.dtype);
  const int64_t count = single ? 1 : x->count();
  if (count > kMaxFoldedElements) return {};
  std::vector<uint8_t> bytes(static_cast<size_t>(bytes_for(type.dtype, count)));
  for (int64_t i = 0; i < count; ++i) {
    if (whole) write_int(type.dtype, bytes.data(), i, op->integer(x->integer(i), parameters.data()));
    else write_double(type.dtype, bytes.data(), i, op->real(x->real(i), parameters.data()));
  }
  return Constants{single ? Constant::splat(type, std::move(bytes)) : Constant::of(type, std::move(bytes))};
}

std::optional<Fault> lower_unary(const Node& node, Lowering& low) {
  const UnaryOp& op = *find_unary(node);
  const DType given = low.dtype(node.inputs[0]);
  // Questions about numbers of a byte or less are asked of the same numbers in float32.
  const bool widened = op.to_bool && is_float(given) && bits_of(given) <= 8;
  const DType type = widened ? DType::float32 : given;
  const std::string kernel = kernel_of(op.op, op.variant, type);
  if (!elementwise_kernel(kernel)) {
    return Fault{"not for element type " + to_string(type), "insert a Cast, or export the model in float32", "E204"};
  }
  // Within a pixel elements are read and written one by one: a pitched pixel has to be as long on both sides.
  const bool pitched = bits_of(low.dtype(node.outputs[0])) == bits_of(type);
  Argument x =
      low.read(node.inputs[0], elementwise_walk(), pitched);  // a constant too large to be folded has no tensor
  const Shape& shape = low.shape(node.outputs[0]);
  if (widened) {
    const TensorId wide =
        low.new_tensor(low.graph()[node.inputs[0]].name + "_wide", type, shape, program::Kind::activation);
    lower_cast(node, low, low.read(node.inputs[0]), low.write(wide), given, type, shape.count());
    x = low.read(wide);
  }
  Params params{kernel + "_params",
                {{"outer", Run{true, 1}},
                 {"inner", Run{false, 1}},
                 {"x_pitch", pitch_of(x, 0, Pitch::Of::pixel, shape.rank() ? shape[shape.rank() - 1] : 1)},
                 {"y_pitch", Pitch{Pitch::Of::pixel, 1}}}};
  const std::vector<double> values = parameters_of(op, node);
  for (size_t i = 0; i < values.size(); ++i) {
    if (type == DType::float64) params.fields.push_back({op.parameters[i].name, values[i]});
    else params.fields.push_back({op.parameters[i].name, Float32{values[i]}});
  }
  Operation& operation = low.call(node, kernel, params, {x, low.write(node.outputs[0], pitched)});
  set_line_by_line(low, operation, params);
  return {};
}

// tarn.Function: the operator "function" of the numbers of 16-bit codes, quantised.
std::optional<Fault> lower_function(const Node& node, Lowering& low) {
  Node plain = node;
  plain.op = node.text("function", "");
  plain.domain = node.text("function_domain", "");
  const UnaryOp& op = *find_unary(plain);
  std::string kernel = kernel_of(op.op, op.variant, DType::int16);
  kernel.insert(5, "codes_");
  Argument x = low.read(node.inputs[0], elementwise_walk(), true);
  const Shape& shape = low.shape(node.outputs[0]);
  Params params{kernel + "_params",
                {{"outer", Run{true, 1}},
                 {"inner", Run{false, 1}},
                 {"x_pitch", pitch_of(x, 0, Pitch::Of::pixel, shape.rank() ? shape[shape.rank() - 1] : 1)},
                 {"y_pitch", Pitch{Pitch::Of::pixel, 1}},
                 {"x_scale", Float32{node.real("x_scale", 1)}},
                 {"scale", Float32{node.real("scale", 1)}},
                 {"x_zero", node.integer("x_zero", 0)},
                 {"zero", node.integer("zero", 0)},
                 {"lo", int64_t{-32768}},
                 {"hi", int64_t{32767}}}};
  const std::vector<double> values = parameters_of(op, plain);
  for (size_t i = 0; i < values.size(); ++i) params.fields.push_back({op.parameters[i].name, Float32{values[i]}});
  Operation& operation = low.call(node, kernel, params, {x, low.write(node.outputs[0], true)});
  operation.note = "16 bits, own arithmetic";
  set_line_by_line(low, operation, params);
  return {};
}

Answer<Types> infer_binary(const Facts& facts) {
  const BinaryOp* op = find_binary(facts.node);
  if (!op || !facts.has(0) || !facts.has(1))
    return Fault{"needs two inputs and attribute values that the operator defines"};
  if (facts.types[0].dtype != facts.types[1].dtype) {
    return Fault{"operands of different element types: " + to_string(facts.types[0]) + " and " +
                 to_string(facts.types[1])};
  }
  std::optional<Shape> shape = broadcast(facts.shape(0), facts.shape(1));
  // Before opset 7, "broadcast" and "axis" aligned the second operand at an axis of the first.
  if (facts.node.integer("broadcast", 0) != 0) shape = facts.shape(0);
  if (!shape) {
    return Fault{"shapes " + to_string(facts.shape(0)) + " and " + to_string(facts.shape(1)) + " do not broadcast"};
  }
  return Types{{op->to_bool ? DType::boolean : facts.types[0].dtype, *shape}};
}

// The second operand's shape as it takes part in broadcasting (opset 6: aligned at `axis`).
Shape aligned(const Node& node, const Shape& a, const Shape& b) {
  if (node.integer("broadcast", 0) == 0) return b;
  const int64_t axis = node.integer("axis", a.rank() - b.rank());
  const int at = static_cast<int>(axis < 0 ? axis + a.rank() : axis);
  Shape shape = b;
  for (int i = at + b.rank(); i < a.rank(); ++i) shape.dims.push_back(1);
  return shape;
}

std::optional<Constants> fold_binary(const Facts& facts, const Types& outputs) {
  const BinaryOp* op = find_binary(facts.node);
  const Constant *a = facts.value(0), *b = facts.value(1);
  if (!op || !a || !b) return {};
  if (any_absent(facts)) return absent_like(facts, outputs);
  const bool whole = integer_like(a->dtype());
  if ((whole ? !op->integer : !op->real) || is_packed(a->dtype()) || a->dtype() == DType::string) return {};
  // Folding works in int64; unsigned 64-bit numbers are left to the kernel.
  if (a->dtype() == DType::uint64) return {};
  const TensorType& type = outputs[0];
  const bool single = a->is_splat() && b->is_splat() && type.shape.count() > 0;
  const int64_t count = single ? 1 : type.shape.count();
  if (count > kMaxFoldedElements) return {};
  std::vector<uint8_t> bytes(static_cast<size_t>(bytes_for(type.dtype, count)));
  const std::vector<int64_t> ia = broadcast_indices(a->shape(), type.shape, single);
  const std::vector<int64_t> ib = broadcast_indices(aligned(facts.node, a->shape(), b->shape()), type.shape, single);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t at_a = ia[static_cast<size_t>(i)], at_b = ib[static_cast<size_t>(i)];
    if (whole) write_int(type.dtype, bytes.data(), i, op->integer(a->integer(at_a), b->integer(at_b)));
    else write_double(type.dtype, bytes.data(), i, op->real(a->real(at_a), b->real(at_b)));
  }
  return Constants{single ? Constant::splat(type, std::move(bytes)) : Constant::of(type, std::move(bytes))};
}

std::optional<Fault> lower_binary_node(const Node& node, Lowering& low) {
  const BinaryOp& op = *find_binary(node);
  const DType type = low.dtype(node.inputs[0]);
  const std::string kernel = kernel_of(op.op, op.variant, type);
  if (!elementwise_kernel(kernel)) {
    return Fault{"not for element type " + to_string(type), "insert a Cast, or export the model in float32", "E204"};
  }
  const Shape &a = low.shape(node.inputs[0]), &b = low.shape(node.inputs[1]);
  return lower_binary(node, low, kernel, low.read(node.inputs[0]), a, low.read(node.inputs[1]), aligned(node, a, b),
                      low.write(node.outputs[0]), low.shape(node.outputs[0]));
}

// An axis of the result and how far each operand moves along it, in elements.
struct Axis {
  int64_t count, a, b;
};

// The axes of a broadcast, with those joined that both operands walk through evenly.
std::vector<Axis> joined_axes(const Shape& a, const Shape& b, const Shape& y) {
  auto steps = [&](const Shape& s) {
    std::vector<int64_t> strides = strides_of(s), out(y.dims.size(), 0);
    const size_t missing = static_cast<size_t>(y.rank() - s.rank());
    for (int i = 0; i < s.rank(); ++i) {
      if (s[i] != 1) out[static_cast<size_t>(i) + missing] = strides[static_cast<size_t>(i)];
    }
    return out;
  };
  const std::vector<int64_t> sa = steps(a), sb = steps(b);
  std::vector<Axis> axes;
  for (int i = 0; i < y.rank(); ++i) {
    const auto at = static_cast<size_t>(i);
    if (y[i] == 1) continue;
    const Axis axis{y[i], sa[at], sb[at]};
    if (!axes.empty() && axes.back().a == axis.a * axis.count && axes.back().b == axis.b * axis.count) {
      axes.back() = {axes.back().count * axis.count, axis.a, axis.b};
    } else {
      axes.push_back(axis);
    }
  }
  return axes;
}

}  // namespace

Walk elementwise_walk() {
  Walk walk;
  walk.identity = true;
  walk.read_before_write = true;
  return walk;
}

std::optional<Fault> lower_binary(const Node& node, Lowering& low, const std::string& kernel, Argument a,
                                  const Shape& a_shape, Argument b, const Shape& b_shape, Argument y,
                                  const Shape& y_shape, Extra extra) {
  auto is_full = [&](const Shape& s) {
    return s.count() == y_shape.count() && (s.rank() <= y_shape.rank()) && s == y_shape;
  };
  const bool full_a = is_full(a_shape), full_b = is_full(b_shape);
  const int64_t channels = y_shape.rank() ? y_shape[y_shape.rank() - 1] : 1;
  // An operand that is one number, or one number per channel, leaves the other free to be a view.
  auto is_simple = [&](const Shape& s) {
    return s.count() == 1 || (s.rank() > 0 && s.count() == channels && s[s.rank() - 1] == channels);
  };
  auto call = [&](const std::string& name, Params params) {
    std::vector<Argument> arguments{std::move(a), std::move(b), std::move(y)};
    for (Argument& more : extra.arguments) arguments.push_back(std::move(more));
    Operation& operation = low.call(node, name, std::move(params), std::move(arguments));
    operation.note = extra.note;
    return &operation;
  };
  auto extended = [&](Params params) {
    for (const Field& field : extra.fields) params.fields.push_back(field);
    return params;
  };
  auto mark = [&](Argument& argument, bool full, bool pitched) {
    if (argument.role != Argument::Role::read) return;
    if (full) argument.walk = elementwise_walk();
    argument.pitched = full && pitched;
  };
  if ((full_a || is_simple(a_shape)) && (full_b || is_simple(b_shape)) && (full_a || full_b)) {
    const bool per_channel = (!full_a && a_shape.count() != 1) || (!full_b && b_shape.count() != 1);
    // Within a pixel elements are read and written one by one: a pitched pixel has to be as long on both sides.
    const bool pitched = bits_of(low.dtype(node.outputs[0])) == bits_of(low.dtype(node.inputs[0]));
    mark(a, full_a, pitched);
    mark(b, full_b, pitched);
    y.pitched = pitched;
    // The output counts: an operand may be a single number.
    FieldValue outer = Run{true, 2}, inner = Run{false, 2};
    if (per_channel) {
      outer = y_shape.count() / std::max<int64_t>(1, channels);
      inner = channels;
    }
    // A weight that spans the whole tensor has no pitch of its own: it is dense.
    auto pitch = [&](const Argument& argument, bool full, size_t at) -> FieldValue {
      if (!full) return int64_t{0};
      if (argument.role != Argument::Role::read) return channels;
      return Pitch{Pitch::Of::pixel, at};
    };
    auto step = [](bool full, const Shape& s) { return int64_t{full || s.count() != 1}; };
    Params params = extended({kernel + "_params",
                              {{"outer", outer},
                               {"inner", inner},
                               {"a_pitch", pitch(a, full_a, 0)},
                               {"b_pitch", pitch(b, full_b, 1)},
                               {"y_pitch", Pitch{Pitch::Of::pixel, 2}},
                               {"a_step", step(full_a, a_shape)},
                               {"b_step", step(full_b, b_shape)}}});
    // A whole weight beside a line would need a line of the weight.
    const bool lines = (!full_a || a.role == Argument::Role::read) && (!full_b || b.role == Argument::Role::read);
    Operation& operation = *call(kernel, params);
    if (per_channel) params.fields[0].value = low.geometry(y_shape).pixels;
    if (lines) set_line_by_line(low, operation, std::move(params));
    return {};
  }

  std::vector<Axis> axes = joined_axes(a_shape, b_shape, y_shape);
  while (axes.size() < 2) axes.insert(axes.begin(), Axis{1, 0, 0});
  // The run kernel steps by 0 or 1 only; an inner stride above that gets an axis of one element below it.
  if (axes.back().a > 1 || axes.back().b > 1) axes.push_back({1, 0, 0});
  mark(a, full_a, false);
  mark(b, full_b, false);
  const Axis inner = axes[axes.size() - 1], outer = axes[axes.size() - 2];
  Params run{kernel + "_params",
             {{"outer", outer.count},
              {"inner", inner.count},
              {"a_pitch", outer.a},
              {"b_pitch", outer.b},
              {"y_pitch", inner.count},
              {"a_step", inner.a},
              {"b_step", inner.b}}};
  run = extended(std::move(run));
  const size_t rank = axes.size() - 2;
  if (rank == 0) {
    call(kernel, run);
    return {};
  }
  if (rank > 6) return Fault{"broadcasting over more than 8 axes is not supported", "", "E208"};
  std::vector<int64_t> dims(6, 0), stride_a(6, 0), stride_b(6, 0);
  for (size_t i = 0; i < rank; ++i) {
    dims[i] = axes[i].count;
    stride_a[i] = axes[i].a;
    stride_b[i] = axes[i].b;
  }
  call(kernel + "_nd", {kernel + "_nd_params",
                        {{"run", run},
                         {"rank", static_cast<int64_t>(rank)},
                         {"dims", dims},
                         {"a_stride", stride_a},
                         {"b_stride", stride_b},
                         {"y_count", outer.count * inner.count}}});
  return {};
}

std::optional<std::function<double(double)>> unary_function(const Node& node) {
  const UnaryOp* op = find_unary(node);
  if (!op || !op->real || op->to_bool) return {};
  return [real = op->real, parameters = parameters_of(*op, node)](double v) { return real(v, parameters.data()); };
}

std::string elementwise_kernel_name(const std::string& op, DType type) {
  const std::string name = kernel_of(op.c_str(), nullptr, type);
  return elementwise_kernel(name) ? name : "";
}

const BinaryOp& binary_op(const std::string& op) {
  const auto& ops = binary_ops();
  const auto it = std::find_if(ops.begin(), ops.end(), [&](const BinaryOp& row) { return row.op == op; });
  TARN_CHECK(it != ops.end());
  return *it;
}

std::vector<Room> unary_rooms() {
  std::vector<Room> rooms;
  for (const UnaryOp& op : unary_ops()) {
    if (!rooms.empty() && rooms.back().op == op.op && rooms.back().domain == op.domain) continue;
    std::string types = op.for_bool ? "bool" : op.float_expression ? "floats" : "";
    if (op.integer_expression && !op.for_bool) types += types.empty() ? "integers" : ", integers";
    rooms.push_back({op.domain, op.op, types, lower_unary, infer_unary, fold_unary, Layout::elementwise});
  }
  rooms.push_back({"tarn", "Function", "int16", lower_function, nullptr, nullptr, Layout::elementwise});
  return rooms;
}

std::vector<Room> binary_rooms() {
  std::vector<Room> rooms;
  for (const BinaryOp& op : binary_ops()) {
    if (!rooms.empty() && rooms.back().op == op.op) continue;
    // These have rooms of their own, with any number of operands, or operands of two types (variadic.cc, pow.cc).
    if (std::string_view(op.op) == "Max" || std::string_view(op.op) == "Min" || std::string_view(op.op) == "Pow")
      continue;
    std::string types = op.float_expression ? "floats" : "";
    if (op.signed_expression) types += types.empty() ? "integers" : ", integers";
    else if (!op.for_bool) types += "unsigned integers";
    if (op.for_bool) types += types.empty() ? "bool" : ", bool";
    rooms.push_back({"", op.op, types, lower_binary_node, infer_binary, fold_binary, Layout::elementwise});
  }
  return rooms;
}

}  // namespace tarn::ops
