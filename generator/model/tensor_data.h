// TensorProto to Constant: dims, element type and data are judged here, whichever of its many fields holds the data.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "model/external_data.h"
#include "model/wire_scan.h"

namespace tarn::model {

// Where the data of a file's tensors may lie besides the tensors themselves.
struct DataSources {
  std::vector<Blob> blobs;
  std::shared_ptr<const MappedFile> file;  // keeps the blobs
  ExternalFiles external;
};

// The dimensions of a stored tensor. E207 when one is negative, or there are more than kMaxRank, or their product is
// absurd.
std::optional<TensorType> read_tensor_type(const onnx::TensorProto& tensor, const Where& where, Diagnostics* faults);

// E104 to E107, E109, E207 at `where`.
std::optional<Constant> read_tensor(const onnx::TensorProto& tensor, const Where& where, DataSources* sources,
                                    Diagnostics* faults);

// A sparse tensor as a dense one; absent values make it absent. Indices are judged: E109. Beyond kMaxDenseBytes: E103.
inline constexpr int64_t kMaxDenseBytes = int64_t{1} << 28;
std::optional<Constant> read_sparse(const onnx::SparseTensorProto& tensor, const Where& where, DataSources* sources,
                                    Diagnostics* faults);

}  // namespace tarn::model
