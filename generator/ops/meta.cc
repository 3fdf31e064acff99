// Operators about shapes and constants. With every dimension a number they nearly always fold away.
#include <cmath>

#include "ops/folding.h"
#include "ops/indexed.h"
#include "ops/movement.h"
#include "support/text.h"
#include "tensor/numeric.h"

namespace tarn::ops {

namespace {

Answer<Types> infer_shape(const Facts& facts) {
  const int64_t rank = facts.shape(0).rank();
  auto bound = [&](const char* name, int64_t otherwise) {
    int64_t v = facts.node.integer(name, otherwise);
    if (v < 0) v += rank;
    return std::clamp<int64_t>(v, 0, rank);
  };
  const int64_t first = bound("start", 0), end = bound("end", rank);
  return Types{{DType::int64, Shape{std::max<int64_t>(0, end - first)}}};
}

std::optional<Constants> fold_shape(const Facts& facts, const Types& outputs) {
  const int64_t rank = facts.shape(0).rank();
  int64_t first = facts.node.integer("start", 0);
  if (first < 0) first += rank;
  first = std::clamp<int64_t>(first, 0, rank);
  std::vector<int64_t> dims;
  for (int64_t i = 0; i < outputs[0].shape[0]; ++i) dims.push_back(facts.shape(0)[static_cast<int>(first + i)]);
  return Constants{Constant::ints(DType::int64, outputs[0].shape, dims)};
}

// A shape that is not known while generating is written at run time.
std::optional<Fault> lower_shape(const Node& node, Lowering& low) {
  const Shape& x = low.shape(node.inputs[0]);
  int64_t first = node.integer("start", 0);
  if (first < 0) first += x.rank();
  first = std::clamp<int64_t>(first, 0, x.rank());
  std::vector<int64_t> dims(8, 0);
  const int64_t count = low.shape(node.outputs[0])[0];
  for (int64_t i = 0; i < count; ++i) dims[static_cast<size_t>(i)] = x[static_cast<int>(first + i)];
  low.call(node, "tarn_sizes", {"tarn_sizes_params", {{"count", count}, {"values", dims}}},
           {low.write(node.outputs[0])});
  return {};
}

std::optional<Fault> lower_size(const Node& node, Lowering& low) {
  std::vector<int64_t> values(8, 0);
  values[0] = low.shape(node.inputs[0]).count();
  low.call(node, "tarn_sizes", {"tarn_sizes_params", {{"count", int64_t{1}}, {"values", values}}},
           {low.write(node.outputs[0])});
  return {};
}

Answer<Types> infer_size(const Facts&) { return Types{{DType::int64, {}}}; }

std::optional<Constants> fold_size(const Facts& facts, const Types&) {
  return Constants{Constant::ints(DType::int64, {}, {facts.shape(0).count()})};
}

// The value of a Constant node, in whichever attribute it stands.
std::optional<Constant> constant_value(const Node& node) {
  for (const char* name : {"value", "sparse_value"}) {
    if (const Constant* c = node.tensor(name)) return *c;
  }
  if (node.has("value_float")) return Constant::scalar(DType::float32, node.real("value_float", 0));
  if (node.has("value_int")) return Constant::ints(DType::int64, {}, {node.integer("value_int", 0)});
  if (node.has("value_string")) return Constant::strings({}, {node.text("value_string", "")});
  if (node.has("value_floats")) {
    const std::vector<double> v = node.reals("value_floats");
    return Constant::floats(DType::float32, Shape{static_cast<int64_t>(v.size())}, v);
  }
  if (node.has("value_ints")) {
    const std::vector<int64_t> v = node.integers("value_ints");
    return Constant::ints(DType::int64, Shape{static_cast<int64_t>(v.size())}, v);
  }
  if (node.has("value_strings")) {
    const std::vector<std::string> v = node.texts("value_strings");
    return Constant::strings(Shape{static_cast<int64_t>(v.size())}, v);
  }
  return {};
}

Answer<Types> infer_constant(const Facts& facts) {
  const auto value = constant_value(facts.node);
  if (!value) return Fault{"has no value"};
  return Types{value->type()};
}

std::optional<Constants> fold_constant(const Facts& facts, const Types&) {
  return Constants{*constant_value(facts.node)};
}

Answer<Types> infer_constant_of_shape(const Facts& facts) {
  const Constant* value = facts.node.tensor("value");
  if (value && value->count() != 1)
    return Fault{"its value is " + to_string(value->type()) + "; it must be one element"};
  if (value && value->is_strings()) return Fault{"strings have no form in memory", "", "E204"};
  const DType dtype = value ? value->dtype() : DType::float32;
  const auto dims = integers_of(facts, 0, "");
  if (!dims) {
    const DType declared = facts.declared.empty() ? DType::undefined : facts.declared[0].dtype;
    if (declared != DType::undefined && declared != dtype) {
      return Fault{"its value is " + to_string(dtype) + ", its output is declared as " + to_string(facts.declared[0])};
    }
    return Types{TensorType{}};
  }
  const Shape shape(*dims);
  const Checked count = checked_count(shape);
  if (!count || *count > kMaxTensorBytes) return Fault{"absurd shape " + to_string(shape), "", "E207"};
  return Types{{dtype, shape}};
}

// The bytes of one element, or one byte full of smaller ones.
std::vector<uint8_t> filled_bytes(const Node& node, DType dtype) {
  std::vector<uint8_t> element(static_cast<size_t>(bytes_for(dtype, 1)), 0);
  if (const Constant* value = node.tensor("value")) value->copy_bytes(0, element);
  const int bits = bits_of(dtype);
  if (!is_packed(dtype)) return element;
  const auto code = static_cast<unsigned>(element[0]) & ((1U << bits) - 1);
  unsigned full = 0;
  for (int at = 0; at < 8; at += bits) full |= code << at;
  element[0] = static_cast<uint8_t>(full);
  return element;
}

// A shape that is known only at run time must be the declared one.
std::optional<Fault> lower_constant_of_shape(const Node& node, Lowering& low) {
  const TensorType& type = low.graph()[node.outputs[0]].type;
  if (bits_of(type.dtype) == 0 || bits_of(type.dtype) > 64)
    return Fault{"not for element type " + to_string(type.dtype), "", "E204"};
  if (low.shape(node.inputs[0]) != Shape{type.shape.rank()})
    return Fault{"a shape of " + to_string(low.shape(node.inputs[0])) + " for " + to_string(type)};
  lower_expected(node, low, node.inputs[0], type.shape.dims);
  // Elements smaller than a byte are filled in as whole bytes.
  const bool packed = is_packed(type.dtype);
  const TensorType filler{packed ? DType::uint8 : type.dtype, {}};
  const std::string kernel = "tarn_fill_" + bytes_suffix(filler.dtype);
  low.call(node, kernel, {kernel + "_params", {{"count", packed ? type.bytes() : type.shape.count()}}},
           {low.weight(low.key(node.outputs[0], "/value"), Constant::of(filler, filled_bytes(node, type.dtype))),
            low.write(node.outputs[0])});
  return {};
}

std::optional<Constants> fold_constant_of_shape(const Facts& facts, const Types& outputs) {
  if (!facts.value(0)) return {};  // every run checks it
  return Constants{Constant::splat(outputs[0], filled_bytes(facts.node, outputs[0].dtype))};
}

// How many steps lie in [start, limit).
std::optional<double> range_length(const Facts& facts) {
  for (size_t i = 0; i < 3; ++i) {
    if (!facts.value(i) || facts.value(i)->is_absent() || facts.value(i)->count() != 1) return {};
  }
  if (is_integer(facts.types[0].dtype)) {
    const auto start = static_cast<long double>(facts.value(0)->integer(0)),
               limit = static_cast<long double>(facts.value(1)->integer(0)),
               delta = static_cast<long double>(facts.value(2)->integer(0));
    return static_cast<double>(std::max(0.0L, std::ceil((limit - start) / delta)));
  }
  const double start = facts.value(0)->real(0), limit = facts.value(1)->real(0), delta = facts.value(2)->real(0);
  return std::max(0.0, std::ceil((limit - start) / delta));
}

Answer<Types> infer_range(const Facts& facts) {
  if (facts.value(2) && !facts.value(2)->is_absent() && facts.value(2)->count() == 1 && facts.value(2)->real(0) == 0) {
    return Fault{"delta is 0", "", "E211"};
  }
  const auto length = range_length(facts);
  if (!length) {
    const TensorType& declared = facts.declared[0];
    if (declared.dtype == DType::undefined && facts.hint() && facts.hint()->rank() == 1)
      return Types{{facts.types[0].dtype, *facts.hint()}};
    if (declared.dtype == DType::undefined || declared.shape.rank() != 1) return Types{TensorType{}};
    if (!facts.promised(0) && facts.marks) facts.marks->push_back({0, 0});
    return Types{{facts.types[0].dtype, declared.shape}};
  }
  if (!(*length <= static_cast<double>(kMaxTensorBytes)))
    return Fault{cat("would have ", *length, " elements"), "", "E207"};
  return Types{{facts.types[0].dtype, Shape{static_cast<int64_t>(*length)}}};
}

std::optional<Constants> fold_range(const Facts& facts, const Types& outputs) {
  if (!range_length(facts)) return {};
  const TensorType& type = outputs[0];
  if (type.shape.count() > (1 << 24)) return {};
  std::vector<uint8_t> bytes(static_cast<size_t>(type.bytes()));
  for (int64_t i = 0; i < type.shape.count(); ++i) {
    if (is_integer(type.dtype)) {
      write_int(type.dtype, bytes.data(), i, facts.value(0)->integer(0) + i * facts.value(2)->integer(0));
    } else {
      write_double(type.dtype, bytes.data(), i,
                   facts.value(0)->real(0) + static_cast<double>(i) * facts.value(2)->real(0));
    }
  }
  return Constants{Constant::of(type, std::move(bytes))};
}

std::optional<Fault> lower_range(const Node& node, Lowering& low) {
  const DType dtype = low.dtype(node.outputs[0]);
  for (ValueId input : node.inputs) {
    if (low.shape(input).count() != 1 || low.dtype(input) != dtype)
      return Fault{"start, limit and delta are no single numbers of one type"};
  }
  const std::string kernel = "tarn_range_" + kernel_suffix(dtype);
  Operation& operation = low.call(node, kernel, {kernel + "_params", {{"capacity", low.shape(node.outputs[0])[0]}}},
                                  {low.read(node.inputs[0]), low.read(node.inputs[1]), low.read(node.inputs[2]),
                                   low.write(node.outputs[0]), low.size_of(node.outputs[0], 0)});
  operation.returns_status = true;
  return {};
}

}  // namespace

std::vector<OperatorEntry> meta_entries() {
  return {
      {"", "Shape", "any", lower_shape, infer_shape, fold_shape},
      {"", "Size", "any", lower_size, infer_size, fold_size},
      {"", "Constant", "any", nullptr, infer_constant, fold_constant},
      {"", "ConstantOfShape", "any", lower_constant_of_shape, infer_constant_of_shape, fold_constant_of_shape},
      {"", "Range", "numbers", lower_range, infer_range, fold_range},
  };
}

}  // namespace tarn::ops
