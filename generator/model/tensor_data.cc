#include "model/tensor_data.h"

#include <algorithm>
#include <cstring>

#include "support/check.h"
#include "support/checked.h"
#include "support/text.h"
#include "tensor/numeric.h"

namespace tarn::model {

namespace {

void report(Diagnostics* faults, const char* code, const Where& where, std::string message, std::string hint = "") {
  faults->push_back({code, where, std::move(message), std::move(hint)});
}

bool is_complex(DType type) { return type == DType::complex64 || type == DType::complex128; }

// The typed field that holds this element type when raw_data does not.
DataField field_for(DType type) {
  switch (type) {
    case DType::float32:
    case DType::complex64: return DataField::floats;
    case DType::float64:
    case DType::complex128: return DataField::doubles;
    case DType::int64: return DataField::int64s;
    case DType::uint32:
    case DType::uint64: return DataField::uint64s;
    default: return DataField::int32s;
  }
}

const char* name_of(DataField field) {
  switch (field) {
    case DataField::floats: return "float_data";
    case DataField::int32s: return "int32_data";
    case DataField::int64s: return "int64_data";
    case DataField::raw: return "raw_data";
    case DataField::doubles: return "double_data";
    case DataField::uint64s: return "uint64_data";
  }
  return "";
}

// Entries of a typed field: complex numbers take two, packed elements share one byte each.
int64_t entries_for(const TensorType& type) {
  if (is_complex(type.dtype)) return 2 * type.shape.count();
  return is_packed(type.dtype) ? type.bytes() : type.shape.count();
}

// Bytes of one entry once stored.
size_t entry_bytes(DType type) {
  if (is_packed(type)) return 1;
  return static_cast<size_t>(bits_of(type) / 8) / (is_complex(type) ? 2 : 1);
}

void report_count(Diagnostics* faults, const Where& where, const TensorType& type, DataField field, int64_t found) {
  const int64_t wanted = field == DataField::raw ? type.bytes() : entries_for(type);
  report(faults, "E109", where,
         cat(name_of(field), " holds ", found, field == DataField::raw ? " bytes, " : " values, ", to_string(type),
             " needs ", wanted),
         "the file is damaged or was written by a faulty exporter; export it again");
}

// The low bits of each value, side by side. ONNX widens everything below 32 bits to int32.
template <class Values>
std::vector<uint8_t> narrow(const Values& values, DType type) {
  const size_t width = entry_bytes(type);
  std::vector<uint8_t> out(static_cast<size_t>(values.size()) * width);
  size_t at = 0;
  for (const auto value : values) {
    std::memcpy(&out[at], &value, width);  // little-endian: the first bytes are the low ones
    at += width;
  }
  return out;
}

std::optional<Constant> from_blob(const Blob& blob, const TensorType& type, const Where& where,
                                  const DataSources& sources, Diagnostics* faults) {
  if (blob.field != DataField::raw && blob.field != field_for(type.dtype)) {
    report(faults, "E107", where,
           cat("values of type ", to_string(type.dtype), " do not belong into ", name_of(blob.field)));
    return {};
  }
  const auto found = static_cast<int64_t>(blob.bytes.size());
  if (blob.field == DataField::raw || blob.field == DataField::floats || blob.field == DataField::doubles) {
    if (found == type.bytes()) return Constant::mapped(type, blob.bytes, sources.file);
    const auto width = static_cast<int64_t>(blob.field == DataField::raw ? 1 : entry_bytes(type.dtype));
    report_count(faults, where, type, blob.field, found / width);
    return {};
  }
  // Each varint has at least one byte, so the count cannot exceed what the file holds.
  std::vector<uint64_t> values;
  const int64_t wanted = entries_for(type);
  values.reserve(static_cast<size_t>(std::min(found, wanted)));
  size_t at = 0;
  uint64_t value;
  while (at < blob.bytes.size()) {
    if (!read_varint(blob.bytes, &at, &value)) {
      report(faults, "E102", where, cat(name_of(blob.field), " ends inside a number"), "export the model again");
      return {};
    }
    values.push_back(value);
  }
  if (static_cast<int64_t>(values.size()) != wanted) {
    report_count(faults, where, type, blob.field, static_cast<int64_t>(values.size()));
    return {};
  }
  return Constant::of(type, narrow(values, type.dtype));
}

std::optional<Constant> from_strings(const onnx::TensorProto& tensor, const TensorType& type, const Where& where,
                                     Diagnostics* faults) {
  if (tensor.string_data_size() != type.shape.count()) {
    report(faults, "E109", where,
           cat("string_data holds ", tensor.string_data_size(), " values, ", to_string(type), " needs ",
               type.shape.count()));
    return {};
  }
  return Constant::strings(type.shape, {tensor.string_data().begin(), tensor.string_data().end()});
}

// Small data, parsed by protobuf.
std::optional<Constant> from_fields(const onnx::TensorProto& tensor, const TensorType& type, const Where& where,
                                    Diagnostics* faults) {
  struct Found {
    DataField field;
    int count;
  };
  const Found fields[] = {
      {DataField::floats, tensor.float_data_size()},   {DataField::int32s, tensor.int32_data_size()},
      {DataField::int64s, tensor.int64_data_size()},   {DataField::raw, static_cast<int>(tensor.raw_data().size())},
      {DataField::doubles, tensor.double_data_size()}, {DataField::uint64s, tensor.uint64_data_size()}};
  const auto filled = std::count_if(std::begin(fields), std::end(fields), [](const Found& f) { return f.count > 0; });
  if (filled + (tensor.string_data_size() > 0) > 1) {
    report(faults, "E107", where, "it has more than one data field");
    return {};
  }
  if (type.dtype == DType::string) return from_strings(tensor, type, where, faults);
  Found used{DataField::raw, 0};
  for (const Found& f : fields) {
    if (f.count > 0) used = f;
  }
  const int64_t wanted = used.field == DataField::raw ? type.bytes() : entries_for(type);
  if (used.field != DataField::raw && used.field != field_for(type.dtype)) {
    report(faults, "E107", where,
           cat("values of type ", to_string(type.dtype), " do not belong into ", name_of(used.field)));
    return {};
  }
  if (used.count != wanted || tensor.string_data_size() > 0) {
    report_count(faults, where, type, used.field, used.count);
    return {};
  }
  switch (used.field) {
    case DataField::floats: return Constant::of(type, narrow(tensor.float_data(), type.dtype));
    case DataField::int32s: return Constant::of(type, narrow(tensor.int32_data(), type.dtype));
    case DataField::int64s: return Constant::of(type, narrow(tensor.int64_data(), type.dtype));
    case DataField::doubles: return Constant::of(type, narrow(tensor.double_data(), type.dtype));
    case DataField::uint64s: return Constant::of(type, narrow(tensor.uint64_data(), type.dtype));
    case DataField::raw: break;
  }
  return Constant::of(type, {tensor.raw_data().begin(), tensor.raw_data().end()});
}

}  // namespace

std::optional<TensorType> read_tensor_type(const onnx::TensorProto& tensor, const Where& where, Diagnostics* faults) {
  const std::optional<DType> dtype = dtype_from_onnx(tensor.data_type());
  if (!dtype) {
    report(faults, "E107", where, cat("its element type, number ", tensor.data_type(), ", is unknown"));
    return {};
  }
  if (tensor.dims_size() > kMaxRank) {
    report(faults, "E207", where,
           cat("it has ", tensor.dims_size(), " dimensions; at most ", kMaxRank, " are supported"));
    return {};
  }
  TensorType type{*dtype, Shape(std::vector<int64_t>(tensor.dims().begin(), tensor.dims().end()))};
  if (!checked_bytes(type)) {
    report(faults, "E207", where, "its shape " + to_string(type.shape) + " is absurd");
    return {};
  }
  return type;
}

std::optional<Constant> read_tensor(const onnx::TensorProto& tensor, const Where& where, DataSources* sources,
                                    Diagnostics* faults) {
  const std::optional<TensorType> type = read_tensor_type(tensor, where, faults);
  if (!type) return {};
  if (tensor.data_location() == onnx::TensorProto::EXTERNAL) {
    const bool has_own = tensor.float_data_size() + tensor.int32_data_size() + tensor.int64_data_size() +
                                 tensor.double_data_size() + tensor.uint64_data_size() + tensor.string_data_size() >
                             0 ||
                         !tensor.raw_data().empty();
    if (has_own || type->dtype == DType::string) {
      report(faults, "E107", where,
             has_own ? "it is stored externally and has data of its own" : "strings cannot be stored externally");
      return {};
    }
    return sources->external.read(tensor, *type, where, faults);
  }
  const Blob* blob = find_blob(tensor.raw_data(), sources->blobs);
  if (blob == nullptr) return from_fields(tensor, *type, where, faults);
  if (type->dtype == DType::string) {
    report(faults, "E107", where, "strings do not belong into raw_data");
    return {};
  }
  return from_blob(*blob, *type, where, *sources, faults);
}

}  // namespace tarn::model
