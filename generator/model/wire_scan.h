// Walks the wire format of an ONNX file without parsing it: finds large tensor data where it lies, and copies the rest,
// a skeleton that protobuf can parse in next to no memory. Also bounds what parsing can cost before it starts.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tarn::model {

// The field numbers of TensorProto that hold data.
enum class DataField { floats = 4, int32s = 5, int64s = 7, raw = 9, doubles = 10, uint64s = 11 };

// The data of one tensor, still in the file: raw bytes, or a packed repeated field (floats, doubles: little-endian; the
// integers: varints).
struct Blob {
  DataField field;
  std::span<const uint8_t> bytes;
};

struct Skeleton {
  // What protobuf parses. A tensor whose data was taken out holds a marker in raw_data. Texts and metadata that
  // nobody reads are gone too.
  std::string bytes;
  std::vector<Blob> blobs;
};

struct ScanFault {
  enum class Kind { malformed, too_large };
  Kind kind;
  size_t offset;  // in the file
  std::string what;
};

enum class RootMessage { model, tensor };

std::optional<ScanFault> scan_wire(std::span<const uint8_t> file, RootMessage root, Skeleton* out);

// The blob that a raw_data field stands for; null when the field holds plain data.
const Blob* find_blob(const std::string& raw_data, const std::vector<Blob>& blobs);

// The next base-128 varint; moves `at`. False when it does not end in time.
bool read_varint(std::span<const uint8_t> bytes, size_t* at, uint64_t* value);

}  // namespace tarn::model
