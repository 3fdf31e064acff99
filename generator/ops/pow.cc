// Pow: the exponent may have another type than the base, whose type the result has. Operands of two types meet in
// float64, unless the exponent is known, or both are whole numbers.
#include <cmath>

#include "ops/cast.h"
#include "ops/elementwise.h"
#include "ops/folding.h"
#include "ops/indexing.h"
#include "support/text.h"
#include "tensor/numeric.h"

namespace tarn::ops {

namespace {

Answer<Types> infer_pow(const Facts& facts) {
  if (!facts.has(0) || !facts.has(1)) return Fault{"needs two inputs"};
  for (size_t i = 0; i < 2; ++i) {
    if (!is_kernel_type(facts.types[i].dtype))
      return Fault{"not for element type " + to_string(facts.types[i].dtype), "", "E204"};
  }
  const bool old = facts.node.integer("broadcast", 0) != 0;
  const auto shape = old ? facts.shape(0) : broadcast(facts.shape(0), facts.shape(1));
  if (!shape)
    return Fault{"shapes " + to_string(facts.shape(0)) + " and " + to_string(facts.shape(1)) + " do not broadcast"};
  return Types{{facts.types[0].dtype, *shape}};
}

bool whole(DType type) { return !is_float(type); }

// Opset 6 aligned the exponent at an axis of the base.
Shape aligned_exponent(const Node& node, const Shape& a, Shape b) {
  if (node.integer("broadcast", 0) == 0) return b;
  const int64_t axis = node.integer("axis", a.rank() - b.rank());
  const int at = static_cast<int>(axis < 0 ? axis + a.rank() : axis);
  for (int i = at + b.rank(); i < a.rank(); ++i) b.dims.push_back(1);
  return b;
}

std::optional<Constants> fold_pow(const Facts& facts, const Types& outputs) {
  const Constant *a = facts.value(0), *b = facts.value(1);
  if (!a || !b) return {};
  if (any_absent(facts)) return absent_like(facts, outputs);
  const TensorType& type = outputs[0];
  if (type.shape.count() > kMaxFoldedElements || a->dtype() == DType::uint64) return {};
  const BinaryOp& row = binary_op("Pow");
  const auto ia = broadcast_indices(a->shape(), type.shape),
             ib = broadcast_indices(aligned_exponent(facts.node, a->shape(), b->shape()), type.shape);
  std::vector<uint8_t> bytes(static_cast<size_t>(type.bytes()));
  for (int64_t i = 0; i < type.shape.count(); ++i) {
    const int64_t at_a = ia[static_cast<size_t>(i)], at_b = ib[static_cast<size_t>(i)];
    if (whole(a->dtype()) && whole(b->dtype()))
      write_int(type.dtype, bytes.data(), i, row.integer(a->integer(at_a), b->integer(at_b)));
    else write_double(type.dtype, bytes.data(), i, row.real(a->real(at_a), b->real(at_b)));
  }
  return Constants{Constant::of(type, std::move(bytes))};
}

// The exponent when it is one known number.
std::optional<double> only_exponent(const Constant* b) {
  if (!b || b->is_absent() || b->count() < 1 || (b->count() > 1 && !b->is_splat())) return {};
  return b->real(0);
}

// An operand as another type: a converted weight, or a conversion into a tensor of its own.
Argument as_type(const Node& node, Lowering& low, ValueId id, DType type) {
  const DType from = low.dtype(id);
  if (from == type) return low.read(id);
  const Shape& shape = low.shape(id);
  if (const Constant* c = low.constant(id); c && !c->is_absent() && c->count() <= (1 << 20)) {
    std::vector<uint8_t> bytes(static_cast<size_t>(bytes_for(type, c->count())));
    for (int64_t i = 0; i < c->count(); ++i) {
      if (whole(from)) write_int(type, bytes.data(), i, c->integer(i));
      else write_double(type, bytes.data(), i, c->real(i));
    }
    return low.weight(low.key(id, "/" + to_string(type)), Constant::of({type, shape}, std::move(bytes)));
  }
  const TensorId to =
      low.new_tensor(low.graph()[id].name + "_as_" + to_string(type), type, shape, program::Kind::activation);
  lower_cast(node, low, low.read(id), low.write(to), from, type, shape.count());
  return low.read(to);
}

std::optional<Fault> lower_pow(const Node& node, Lowering& low) {
  const ValueId x = node.inputs[0], y = node.inputs[1], z = node.outputs[0];
  const DType a = low.dtype(x), b = low.dtype(y);
  const Shape &sa = low.shape(x), &out = low.shape(z);
  const Shape sb = aligned_exponent(node, sa, low.shape(y));
  const std::optional<double> exponent = only_exponent(low.constant(y));
  if (exponent && sa == out && *exponent == 2 && a != DType::boolean) {
    return lower_binary(node, low, elementwise_kernel_name("Mul", a), low.read(x), sa, low.read(x), sa, low.write(z),
                        out);
  }
  DType type = a;
  if (a != b) {
    const bool exact = exponent && *exponent == std::nearbyint(*exponent) && std::fabs(*exponent) < 1000;
    if (whole(a)) type = whole(b) ? (is_signed(a) ? DType::int64 : DType::uint64) : exact ? a : DType::float64;
    else if (!exponent && (bits_of(b) > 16 || b == DType::float64)) type = DType::float64;
  }
  // A negative exponent has no place in an unsigned type.
  if (whole(a) && exponent && *exponent < 0 && !is_signed(type)) type = DType::float64;
  const std::string kernel = elementwise_kernel_name("Pow", type);
  if (kernel.empty()) return Fault{"not for element type " + to_string(type), "", "E204"};
  Argument base = as_type(node, low, x, type), power = as_type(node, low, y, type);
  if (type == a) return lower_binary(node, low, kernel, std::move(base), sa, std::move(power), sb, low.write(z), out);
  const TensorId wide = low.new_tensor(low.graph()[z].name + "_wide", type, out, program::Kind::activation);
  if (auto fault = lower_binary(node, low, kernel, std::move(base), sa, std::move(power), sb, low.write(wide), out))
    return fault;
  lower_cast(node, low, low.read(wide), low.write(z), type, a, out.count());
  return {};
}

}  // namespace

std::vector<OperatorEntry> pow_entries() {
  return {{"", "Pow", "floats, integers", lower_pow, infer_pow, fold_pow, Layout::elementwise}};
}

}  // namespace tarn::ops
