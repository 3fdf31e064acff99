// Sparse tensors become dense when they are read: nothing downstream knows of them.
#include <cstring>

#include "model/tensor_data.h"
#include "support/text.h"
#include "tensor/numeric.h"

namespace tarn::model {

namespace {

// Row-major positions of the stored values, from linear indices [n] or coordinates [n, rank]. Empty when one is out of
// range or they do not ascend.
std::optional<std::vector<int64_t>> positions(const Constant& indices, const Shape& dense, int64_t count) {
  const bool linear = indices.shape().rank() == 1;
  const Shape expected = linear ? Shape{count} : Shape{count, dense.rank()};
  if (indices.dtype() != DType::int64 || indices.shape() != expected) return {};
  std::vector<int64_t> out;
  for (int64_t i = 0; i < count; ++i) {
    int64_t position = 0;
    if (linear) {
      position = indices.integer(i);
    } else {
      for (int axis = 0; axis < dense.rank(); ++axis) {
        const int64_t index = indices.integer(i * dense.rank() + axis);
        if (index < 0 || index >= dense[axis]) return {};
        position = position * dense[axis] + index;
      }
    }
    if (position < 0 || position >= dense.count() || (!out.empty() && position <= out.back())) return {};
    out.push_back(position);
  }
  return out;
}

}  // namespace

std::optional<Constant> read_sparse(const onnx::SparseTensorProto& tensor, const Where& where, DataSources* sources,
                                    Diagnostics* faults) {
  auto fail = [&](const char* code, std::string message) {
    faults->push_back({code, where, std::move(message), ""});
    return std::nullopt;
  };
  onnx::TensorProto dense;  // its type alone
  dense.set_data_type(tensor.values().data_type());
  *dense.mutable_dims() = tensor.dims();
  const std::optional<TensorType> type = read_tensor_type(dense, where, faults);
  if (!type) return {};
  if (type->dtype == DType::string) return fail("E107", "sparse tensors of strings are not supported");
  if (type->bytes() > kMaxDenseBytes)
    return fail("E103", cat("a sparse tensor that takes ", type->bytes(), " bytes when dense"));

  const std::optional<Constant> values = read_tensor(tensor.values(), where, sources, faults);
  if (!values) return {};
  if (values->shape().rank() != 1) return fail("E109", "the values of a sparse tensor must have rank 1");
  if (values->is_absent()) return Constant::absent(*type, values->source());
  std::vector<int64_t> at;
  if (values->count() > 0) {
    const std::optional<Constant> indices = read_tensor(tensor.indices(), where, sources, faults);
    if (!indices) return {};
    if (indices->is_absent()) return Constant::absent(*type, indices->source());
    const auto found = positions(*indices, type->shape, values->count());
    if (!found) return fail("E109", "the indices of a sparse tensor must be int64, ascend, and lie inside its shape");
    at = *found;
  }
  std::vector<uint8_t> data(static_cast<size_t>(type->bytes()));
  const std::span<const uint8_t> stored = values->contiguous();
  const size_t width = static_cast<size_t>(bits_of(type->dtype) / 8);
  for (size_t i = 0; i < at.size(); ++i) {
    if (is_packed(type->dtype)) {
      write_double(type->dtype, data.data(), at[i], values->real(static_cast<int64_t>(i)));
    } else {
      std::memcpy(&data[static_cast<size_t>(at[i]) * width], &stored[i * width], width);
    }
  }
  return Constant::of(*type, std::move(data));
}

}  // namespace tarn::model
