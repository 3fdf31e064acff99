#include "ops/cast.h"

#include "ops/elementwise.h"
#include "ops/folding.h"
#include "ops/lines.h"
#include "ops/movement.h"
#include "program/operands.h"
#include "support/text.h"
#include "tensor/numeric.h"

namespace tarn::ops {

namespace {

using program::Pitch;
using program::Run;

// Weights stored in half precision are often cast to float32 first of all, so more is folded than elsewhere.
constexpr int64_t kMaxCastElements = int64_t{1} << 24;

bool castable(DType type) { return type != DType::undefined && type <= DType::float4e2m1; }

Answer<DType> target_of(const Facts& facts) {
  DType to = DType::undefined;
  if (facts.node.op == "CastLike") {
    if (!facts.has(1)) return Fault{"needs two inputs"};
    to = facts.types[1].dtype;
  } else {
    const int64_t number = facts.node.integer("to", 0);
    const auto named = number > 0 && number < 1000 ? dtype_from_onnx(static_cast<int>(number)) : std::nullopt;
    if (!named) return Fault{cat("'to' names no element type: ", number)};
    to = *named;
  }
  for (DType type : {facts.types[0].dtype, to}) {
    if (!castable(type)) return Fault{"not for element type " + to_string(type), "", "E204"};
  }
  return to;
}

Answer<Types> infer_cast(const Facts& facts) {
  if (!facts.has(0)) return Fault{"has no input"};
  const Answer<DType> to = target_of(facts);
  if (const Fault* fault = std::get_if<Fault>(&to)) return *fault;
  return Types{{std::get<DType>(to), facts.shape(0)}};
}

bool saturates(const Node& node) { return node.integer("saturate", 1) != 0; }

PowerRounding rounding_of(const Node& node) {
  const std::string mode = node.text("round_mode", "up");
  return mode == "down" ? PowerRounding::down : mode == "nearest" ? PowerRounding::nearest : PowerRounding::up;
}

void write_cast(const Node& node, const Constant& x, int64_t from, DType to, uint8_t* bytes, int64_t at) {
  const bool small = is_float(to) && bits_of(to) == 8;
  const bool whole = !is_float(x.dtype()) && !(x.dtype() == DType::uint64 && x.integer(from) < 0);
  if (to == DType::float8e8m0) {
    bytes[at] = float_to_e8m0(static_cast<float>(x.real(from)), saturates(node), rounding_of(node));
  } else if (small && !saturates(node)) {
    bytes[at] = float_to_small_float(to, static_cast<float>(x.real(from)), false);
  } else if (whole || (x.dtype() == DType::uint64 && is_integer(to))) {
    write_int(to, bytes, at, x.integer(from));
  } else {
    write_double(to, bytes, at, x.real(from));
  }
}

std::optional<Constants> fold_cast(const Facts& facts, const Types& outputs) {
  const Constant* x = facts.value(0);
  if (!x) return {};
  if (x->is_absent()) return Constants{Constant::absent(outputs[0], x->source())};
  const TensorType& type = outputs[0];
  const bool single = x->is_splat() && x->count() > 0 && !is_packed(type.dtype);
  const int64_t count = single ? 1 : x->count();
  if (count > kMaxCastElements) return {};
  std::vector<uint8_t> bytes(static_cast<size_t>(bytes_for(type.dtype, count)));
  for (int64_t i = 0; i < count; ++i) write_cast(facts.node, *x, i, type.dtype, bytes.data(), i);
  return Constants{single ? Constant::splat(type, std::move(bytes)) : Constant::of(type, std::move(bytes))};
}

std::optional<Fault> lower_cast_node(const Node& node, Lowering& low) {
  const ValueId x = node.inputs[0], y = node.outputs[0];
  lower_cast(node, low, low.read(x), low.write(y), low.dtype(x), low.dtype(y), low.shape(y).count());
  return {};
}

Answer<Types> infer_bitcast(const Facts& facts) {
  if (!facts.has(0)) return Fault{"has no input"};
  const Answer<DType> to = target_of(facts);
  if (const Fault* fault = std::get_if<Fault>(&to)) return *fault;
  if (bits_of(std::get<DType>(to)) != bits_of(facts.types[0].dtype)) {
    return Fault{to_string(facts.types[0].dtype) + " and " + to_string(std::get<DType>(to)) + " differ in size"};
  }
  return Types{{std::get<DType>(to), facts.shape(0)}};
}

std::optional<Constants> fold_bitcast(const Facts& facts, const Types& outputs) {
  const Constant* x = facts.value(0);
  if (!x || x->count() > kMaxCastElements) return {};
  if (x->is_absent()) return Constants{Constant::absent(outputs[0], x->source())};
  return Constants{Constant::of(outputs[0], x->bytes())};
}

std::optional<Fault> lower_bitcast(const Node& node, Lowering& low) {
  std::optional<program::View> view;
  if (!low.constant(node.inputs[0])) view = program::View{low.tensor(node.outputs[0]), low.tensor(node.inputs[0]), 0};
  lower_copy(node, low, node.inputs[0], node.outputs[0], view);
  return {};
}

}  // namespace

void lower_cast(const Node& node, Lowering& low, Argument x, Argument y, DType from, DType to, int64_t count) {
  FieldValue outer = int64_t{1}, inner = count, x_pitch = int64_t{0}, y_pitch = int64_t{0};
  if (x.role == Argument::Role::read && !is_packed(from) && !is_packed(to)) {
    x.walk = elementwise_walk();
    // Pixel pitches would hide that the elements of a pixel come one after the other.
    if (bits_of(from) == bits_of(to)) {
      x.pitched = y.pitched = true;
      outer = Run{true};
      inner = Run{false};
      x_pitch = Pitch{Pitch::Of::pixel, 0};
      y_pitch = Pitch{Pitch::Of::pixel, 1};
    }
  }
  const PowerRounding rounding = rounding_of(node);
  const int64_t round = rounding == PowerRounding::down ? 0 : rounding == PowerRounding::up ? 1 : 2;
  Operation& operation = low.call(node, cat("tarn_cast_", kernel_suffix(from), "_", kernel_suffix(to)),
                                  {"tarn_cast_params",
                                   {{"outer", outer},
                                    {"inner", inner},
                                    {"x_pitch", x_pitch},
                                    {"y_pitch", y_pitch},
                                    {"saturate", int64_t{saturates(node)}},
                                    {"round", round}}},
                                  {std::move(x), std::move(y)});
  if (!source_operand(operation).walk) return;
  program::Params line = operation.params;
  line["outer"] = Run{true};
  line["inner"] = Run{false};
  // Some pixels of a line lie one after the other.
  const int64_t channels = low.geometry(low.shape(node.outputs[0])).channels;
  for (size_t i : {size_t{2}, size_t{3}}) {
    if (!std::holds_alternative<Pitch>(line.fields[i].value)) line.fields[i].value = channels;
  }
  set_line_by_line(low, operation, std::move(line));
}

std::vector<OperatorEntry> cast_entries() {
  return {{"", "Cast", "any but strings", lower_cast_node, infer_cast, fold_cast, Layout::elementwise},
          {"", "CastLike", "any but strings", lower_cast_node, infer_cast, fold_cast},
          {"", "BitCast", "any but strings", lower_bitcast, infer_bitcast, fold_bitcast, Layout::elementwise}};
}

}  // namespace tarn::ops
