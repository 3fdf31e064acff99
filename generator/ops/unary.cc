// Entries of the elementwise operators of one operand: folding and lowering, the same for every row of unary_table.cc.
#include "ops/cast.h"
#include "ops/elementwise.h"
#include "ops/folding.h"
#include "ops/lines.h"
#include "tensor/numeric.h"

namespace tarn::ops {

namespace {

using program::Params;

const UnaryOp* find_unary(const Node& node) {
  for (const UnaryOp& op : unary_ops()) {
    if (node.op != op.op || node.domain != op.domain) continue;
    if (is_variant(node, op.variant_attribute, op.variant)) return &op;
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
  const bool whole = is_integer(x->dtype()) || x->dtype() == DType::boolean;
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
  const std::string kernel = elementwise_kernel_name(op.op, op.variant, type);
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
  Params params{kernel + "_params", run_fields(low, node.inputs[0], shape, 1)};
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
std::optional<Fault> lower_unary_function(const Node& node, Lowering& low) {
  Node plain = node;
  plain.op = node.text("function", "");
  plain.domain = node.text("function_domain", "");
  const UnaryOp& op = *find_unary(plain);
  std::string kernel = elementwise_kernel_name(op.op, op.variant, DType::int16);
  kernel.insert(5, "codes_");
  Argument x = low.read(node.inputs[0], elementwise_walk(), true);
  const Shape& shape = low.shape(node.outputs[0]);
  Params params{kernel + "_params", run_fields(low, node.inputs[0], shape, 1)};
  const std::vector<Field> codes = {{"x_scale", Float32{node.real("x_scale", 1)}},
                                    {"scale", Float32{node.real("scale", 1)}},
                                    {"x_zero", node.integer("x_zero", 0)},
                                    {"zero", node.integer("zero", 0)},
                                    {"lo", int64_t{-32768}},
                                    {"hi", int64_t{32767}}};
  params.fields.insert(params.fields.end(), codes.begin(), codes.end());
  const std::vector<double> values = parameters_of(op, plain);
  for (size_t i = 0; i < values.size(); ++i) params.fields.push_back({op.parameters[i].name, Float32{values[i]}});
  Operation& operation = low.call(node, kernel, params, {x, low.write(node.outputs[0], true)});
  operation.note = "16 bits, own arithmetic";
  set_line_by_line(low, operation, params);
  return {};
}

}  // namespace

std::optional<std::function<double(double)>> unary_function(const Node& node) {
  const UnaryOp* op = find_unary(node);
  if (!op || !op->real || op->to_bool) return {};
  return [real = op->real, parameters = parameters_of(*op, node)](double v) { return real(v, parameters.data()); };
}

std::vector<OperatorEntry> unary_entries() {
  std::vector<OperatorEntry> entries;
  for (const UnaryOp& op : unary_ops()) {
    if (!entries.empty() && entries.back().op == op.op && entries.back().domain == op.domain) continue;
    std::string types = op.for_bool ? "bool" : op.float_expression ? "floats" : "";
    if (op.integer_expression && !op.for_bool) types += types.empty() ? "integers" : ", integers";
    entries.push_back({op.domain, op.op, types, lower_unary, infer_unary, fold_unary, Layout::elementwise});
  }
  entries.push_back({"tarn", "Function", "int16", lower_unary_function, nullptr, nullptr, Layout::elementwise});
  return entries;
}

}  // namespace tarn::ops
