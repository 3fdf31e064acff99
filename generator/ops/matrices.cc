// Operators on matrices that are no products: Trilu, EyeLike, Det.
#include "ops/elementwise.h"
#include "ops/folding.h"
#include "ops/softmax.h"
#include "support/text.h"
#include "tensor/numeric.h"

namespace tarn::ops {

namespace {

Answer<Types> infer_trilu(const Facts& facts) {
  if (!facts.has(0) || facts.shape(0).rank() < 2) return Fault{"needs matrices"};
  if (facts.has(1) && (facts.shape(1).count() != 1 || facts.types[1].dtype != DType::int64))
    return Fault{"k is no int64 number"};
  return Types{facts.types[0]};
}

bool keeps(const Node& node, int64_t row, int64_t column, int64_t k) {
  return node.integer("upper", 1) != 0 ? column - row >= k : column - row <= k;
}

std::optional<Constants> fold_trilu(const Facts& facts, const Types& outputs) {
  const Constant* x = facts.value(0);
  const TensorType& type = outputs[0];
  if (!x || !all_known(facts) || x->count() > kMaxFoldedElements || is_packed(type.dtype) || x->is_strings()) return {};
  if (any_absent(facts)) return absent_like(facts, outputs);
  const int64_t k = facts.value(1) ? facts.value(1)->integer(0) : 0;
  std::vector<uint8_t> bytes = x->bytes();
  const auto size = static_cast<size_t>(bytes_for(type.dtype, 1));
  const int rank = type.shape.rank();
  const int64_t rows = type.shape[rank - 2], columns = type.shape[rank - 1];
  for (int64_t i = 0; i < type.shape.count(); ++i) {
    if (keeps(facts.node, i / columns % rows, i % columns, k)) continue;
    std::fill_n(bytes.begin() + i * static_cast<int64_t>(size), size, uint8_t{0});
  }
  return Constants{Constant::of(type, std::move(bytes))};
}

std::optional<Fault> lower_trilu(const Node& node, Lowering& low) {
  const Shape& x = low.shape(node.inputs[0]);
  const DType dtype = low.dtype(node.inputs[0]);
  if (is_packed(dtype) || bits_of(dtype) > 64) return Fault{"not for element type " + to_string(dtype), "", "E204"};
  const int rank = x.rank();
  low.call(node, "tarn_trilu_" + bytes_suffix(dtype),
           {"tarn_trilu_params",
            {{"outer", x.count(0, rank - 2)},
             {"rows", x[rank - 2]},
             {"columns", x[rank - 1]},
             {"upper", int64_t{node.integer("upper", 1) != 0}}}},
           {low.read(node.inputs[0], elementwise_walk()), node.has_input(1) ? low.read(node.inputs[1]) : low.none(),
            low.write(node.outputs[0])});
  return {};
}

Answer<Types> infer_eyelike(const Facts& facts) {
  if (!facts.has(0) || facts.shape(0).rank() != 2) return Fault{"needs a matrix"};
  DType dtype = facts.types[0].dtype;
  if (facts.node.has("dtype")) {
    const int64_t number = facts.node.integer("dtype", 0);
    const auto named = number > 0 && number < 1000 ? dtype_from_onnx(static_cast<int>(number)) : std::nullopt;
    if (!named || *named >= DType::complex64) return Fault{cat("'dtype' names no element type: ", number)};
    dtype = *named;
  }
  return Types{{dtype, facts.shape(0)}};
}

// Only the shape of the input matters, so the result is always known.
std::optional<Constants> fold_eyelike(const Facts& facts, const Types& outputs) {
  const TensorType& type = outputs[0];
  if (type.shape.count() > (1 << 24)) return {};
  std::vector<uint8_t> bytes(static_cast<size_t>(type.bytes()), 0);
  const int64_t k = facts.node.integer("k", 0), columns = type.shape[1];
  for (int64_t row = 0; row < type.shape[0]; ++row) {
    if (k >= -row && k < columns - row) write_int(type.dtype, bytes.data(), row * columns + row + k, 1);
  }
  return Constants{Constant::of(type, std::move(bytes))};
}

Answer<Types> infer_det(const Facts& facts) {
  const Shape& x = facts.shape(0);
  if (!facts.has(0) || x.rank() < 2 || x[x.rank() - 1] != x[x.rank() - 2])
    return Fault{"needs square matrices, not " + to_string(x)};
  return Types{{facts.types[0].dtype, Shape(std::vector<int64_t>(x.dims.begin(), x.dims.end() - 2))}};
}

std::optional<Fault> lower_det(const Node& node, Lowering& low) {
  const Shape& x = low.shape(node.inputs[0]);
  const DType dtype = low.dtype(node.inputs[0]);
  if (!is_kernel_float(dtype)) return Fault{"not for element type " + to_string(dtype), "", "E204"};
  const int64_t size = x[x.rank() - 1];
  const std::string kernel = "tarn_det_" + kernel_suffix(dtype);
  low.call(node, kernel, {kernel + "_params", {{"outer", low.shape(node.outputs[0]).count()}, {"size", size}}},
           {low.read(node.inputs[0]), low.write(node.outputs[0]),
            low.scratch(dtype == DType::float64 ? DType::float64 : DType::float32, size * size, "det_work")});
  return {};
}

}  // namespace

std::vector<OperatorEntry> matrices_entries() {
  return {{"", "Trilu", "any", lower_trilu, infer_trilu, fold_trilu},
          {"", "EyeLike", "any", nullptr, infer_eyelike, fold_eyelike},
          {"", "Det", "floats", lower_det, infer_det}};
}

}  // namespace tarn::ops
