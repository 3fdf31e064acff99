#include "model/wire_scan.h"

#include <cstring>

namespace tarn::model {

namespace {

constexpr size_t kSmallestBlob = 1024;  // below this a copy costs less than the bookkeeping
constexpr size_t kMarkerBytes = 16;
constexpr char kMarkerStart[] = "tarnblob";
constexpr int kMaxDepth = 100;  // protobuf's own limit
// What protobuf builds from one length-delimited field is a few hundred bytes at most, whatever the field holds.
constexpr size_t kMaxFields = size_t{4} << 20;
constexpr size_t kMaxSkeletonBytes = size_t{128} << 20;

enum class Message {
  model,
  graph,
  node,
  attribute,
  tensor,
  sparse,
  value_info,
  type,
  tensor_type,
  holder,
  shape,
  function,
  leaf
};

// Where a field leads. Fields that are not listed are left out of the skeleton: nobody reads them.
struct Field {
  uint32_t number;
  Message content;  // leaf: kept as it is
};

// onnx.proto, onnx 1.22.
constexpr Field kModel[] = {{1, Message::leaf}, {7, Message::graph}, {8, Message::leaf}, {25, Message::function}};
constexpr Field kGraph[] = {{1, Message::node},        {2, Message::leaf},        {5, Message::tensor},
                            {11, Message::value_info}, {12, Message::value_info}, {13, Message::value_info},
                            {15, Message::sparse}};
constexpr Field kNode[] = {{1, Message::leaf},      {2, Message::leaf}, {3, Message::leaf}, {4, Message::leaf},
                           {5, Message::attribute}, {7, Message::leaf}, {8, Message::leaf}};
constexpr Field kAttribute[] = {
    {1, Message::leaf},    {2, Message::leaf},   {3, Message::leaf},  {4, Message::leaf},  {5, Message::tensor},
    {6, Message::graph},   {7, Message::leaf},   {8, Message::leaf},  {9, Message::leaf},  {10, Message::tensor},
    {11, Message::graph},  {14, Message::type},  {15, Message::type}, {20, Message::leaf}, {21, Message::leaf},
    {22, Message::sparse}, {23, Message::sparse}};
constexpr Field kTensor[] = {{1, Message::leaf},  {2, Message::leaf},  {4, Message::leaf},  {5, Message::leaf},
                             {6, Message::leaf},  {7, Message::leaf},  {8, Message::leaf},  {9, Message::leaf},
                             {10, Message::leaf}, {11, Message::leaf}, {13, Message::leaf}, {14, Message::leaf}};
constexpr Field kSparse[] = {{1, Message::tensor}, {2, Message::tensor}, {3, Message::leaf}};
constexpr Field kValueInfo[] = {{1, Message::leaf}, {2, Message::type}};
constexpr Field kType[] = {{1, Message::tensor_type}, {4, Message::holder},      {5, Message::holder},
                           {7, Message::leaf},        {8, Message::tensor_type}, {9, Message::holder}};
constexpr Field kTensorType[] = {{1, Message::leaf}, {2, Message::shape}};
constexpr Field kHolder[] = {{1, Message::type},
                             {2, Message::type}};  // sequence, optional: 1; map: its key is a number, 2
constexpr Field kShape[] = {{1, Message::leaf}};
constexpr Field kFunction[] = {
    {1, Message::leaf}, {4, Message::leaf},  {5, Message::leaf},       {6, Message::leaf},        {7, Message::node},
    {9, Message::leaf}, {10, Message::leaf}, {11, Message::attribute}, {12, Message::value_info}, {13, Message::leaf}};

std::span<const Field> fields_of(Message message) {
  switch (message) {
    case Message::model: return kModel;
    case Message::graph: return kGraph;
    case Message::node: return kNode;
    case Message::attribute: return kAttribute;
    case Message::tensor: return kTensor;
    case Message::sparse: return kSparse;
    case Message::value_info: return kValueInfo;
    case Message::type: return kType;
    case Message::tensor_type: return kTensorType;
    case Message::holder: return kHolder;
    case Message::shape: return kShape;
    case Message::function: return kFunction;
    case Message::leaf: return {};
  }
  return {};
}

const Field* find_field(Message message, uint32_t number) {
  for (const Field& field : fields_of(message)) {
    if (field.number == number) return &field;
  }
  return nullptr;
}

enum WireType : uint32_t { kVarint = 0, kFixed64 = 1, kLengthDelimited = 2, kFixed32 = 5 };

// One field as it stands in the file.
struct Raw {
  uint32_t number = 0;
  uint32_t wire = 0;
  std::span<const uint8_t> whole;    // tag and all
  std::span<const uint8_t> payload;  // of a length-delimited one
};

void append_varint(std::string* out, uint64_t value) {
  while (value >= 0x80) {
    *out += static_cast<char>((value & 0x7F) | 0x80);
    value >>= 7;
  }
  *out += static_cast<char>(value);
}

// Lengths inside are known only afterwards: a varint padded to a fixed size is written over the place kept free.
constexpr size_t kLengthBytes = 5;
void write_length(std::string* out, size_t at) {
  size_t length = out->size() - at - kLengthBytes;
  for (size_t i = 0; i < kLengthBytes; ++i, length >>= 7) {
    (*out)[at + i] = static_cast<char>((length & 0x7F) | (i + 1 < kLengthBytes ? 0x80 : 0));
  }
}

void append_field(std::string* out, uint32_t number, std::string_view payload) {
  append_varint(out, (uint64_t{number} << 3) | kLengthDelimited);
  append_varint(out, payload.size());
  out->append(payload);
}

void append(std::string* out, std::span<const uint8_t> bytes) {
  out->append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

class Scanner {
 public:
  Scanner(std::span<const uint8_t> file, Skeleton* out) : file_(file), out_(out) {}

  bool message(std::span<const uint8_t> bytes, Message kind, int depth, std::string* out) {
    if (depth > kMaxDepth) return fault(bytes.data(), "messages are nested too deep");
    size_t taken_out = kNothing;
    if (kind == Message::tensor && !find_large_data(bytes, &taken_out)) return false;
    for (size_t at = 0; at < bytes.size();) {
      const size_t start = at;
      Raw field;
      if (!next(bytes, &at, &field)) return false;
      if (start == taken_out) {
        append_field(out, static_cast<uint32_t>(DataField::raw), marker(field));
        continue;
      }
      const Field* known = find_field(kind, field.number);
      if (known == nullptr) continue;
      if (known->content == Message::leaf || field.wire != kLengthDelimited) {
        append(out, field.whole);
      } else {
        append_varint(out, (uint64_t{field.number} << 3) | kLengthDelimited);
        const size_t length_at = out->size();
        out->append(kLengthBytes, '\0');
        if (!message(field.payload, known->content, depth + 1, out)) return false;
        write_length(out, length_at);
      }
      if (out->size() > kMaxSkeletonBytes)
        return too_large(field.whole.data(), "the graph alone takes more than 128 MiB");
    }
    return true;
  }

  std::optional<ScanFault> fault() const { return fault_; }

 private:
  static constexpr size_t kNothing = ~size_t{0};

  bool fault(const uint8_t* at, std::string what) {
    fault_ = {ScanFault::Kind::malformed, static_cast<size_t>(at - file_.data()), std::move(what)};
    return false;
  }
  bool too_large(const uint8_t* at, std::string what) {
    fault_ = {ScanFault::Kind::too_large, static_cast<size_t>(at - file_.data()), std::move(what)};
    return false;
  }

  bool next(std::span<const uint8_t> bytes, size_t* at, Raw* field) {
    const size_t start = *at;
    const uint8_t* here = bytes.data() + start;
    uint64_t tag;
    if (!read_varint(bytes, at, &tag) || tag > UINT32_MAX || (tag >> 3) == 0) return fault(here, "no protobuf field");
    field->number = static_cast<uint32_t>(tag >> 3);
    field->wire = static_cast<uint32_t>(tag & 7);
    uint64_t length = 0;
    switch (field->wire) {
      case kVarint:
        if (!read_varint(bytes, at, &length)) return fault(here, "a number is cut off");
        length = 0;
        break;
      case kFixed64: length = 8; break;
      case kFixed32: length = 4; break;
      case kLengthDelimited:
        if (!read_varint(bytes, at, &length)) return fault(here, "a length is cut off");
        if (++fields_ > kMaxFields) return too_large(here, "more than 4 million fields");
        break;
      default: return fault(here, "no protobuf field");
    }
    if (length > bytes.size() - *at) return fault(here, "a field reaches beyond the end");
    field->payload = bytes.subspan(*at, static_cast<size_t>(length));
    *at += static_cast<size_t>(length);
    field->whole = bytes.subspan(start, *at - start);
    return true;
  }

  // The offset of the one data field of a tensor when it is worth taking out. A tensor with several stays as it is:
  // protobuf joins or overrides them.
  bool find_large_data(std::span<const uint8_t> bytes, size_t* found) {
    size_t data_fields = 0, large = kNothing;
    const size_t fields_before = fields_;
    for (size_t at = 0; at < bytes.size();) {
      const size_t start = at;
      Raw field;
      if (!next(bytes, &at, &field)) return false;
      switch (static_cast<DataField>(field.number)) {
        case DataField::raw:
        case DataField::floats:
        case DataField::int32s:
        case DataField::int64s:
        case DataField::doubles:
        case DataField::uint64s: break;
        default: continue;
      }
      ++data_fields;
      if (field.wire != kLengthDelimited) continue;
      if (field.payload.size() >= kSmallestBlob || looks_like_marker(field)) large = start;
    }
    fields_ = fields_before;  // this was a first look; the walk counts them
    *found = data_fields == 1 ? large : kNothing;
    return true;
  }

  // Data that happens to look like a marker is taken out as well, so that it is not mistaken for one.
  static bool looks_like_marker(const Raw& field) {
    return field.number == static_cast<uint32_t>(DataField::raw) && field.payload.size() == kMarkerBytes &&
           std::memcmp(field.payload.data(), kMarkerStart, 8) == 0;
  }

  std::string marker(const Raw& field) {
    std::string text(kMarkerStart, 8);
    const uint64_t index = out_->blobs.size();
    text.append(reinterpret_cast<const char*>(&index), sizeof index);
    out_->blobs.push_back({static_cast<DataField>(field.number), field.payload});
    return text;
  }

  std::span<const uint8_t> file_;
  Skeleton* out_;
  size_t fields_ = 0;
  std::optional<ScanFault> fault_;
};

}  // namespace

bool read_varint(std::span<const uint8_t> bytes, size_t* at, uint64_t* value) {
  uint64_t result = 0;
  for (unsigned shift = 0; shift < 70 && *at < bytes.size(); shift += 7) {
    const uint8_t byte = bytes[(*at)++];
    if (shift < 64) result |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) {
      *value = result;
      return true;
    }
  }
  return false;
}

std::optional<ScanFault> scan_wire(std::span<const uint8_t> file, RootMessage root, Skeleton* out) {
  Scanner scanner(file, out);
  scanner.message(file, root == RootMessage::model ? Message::model : Message::tensor, 0, &out->bytes);
  return scanner.fault();
}

const Blob* find_blob(const std::string& raw_data, const std::vector<Blob>& blobs) {
  if (raw_data.size() != kMarkerBytes || std::memcmp(raw_data.data(), kMarkerStart, 8) != 0) return nullptr;
  uint64_t index;
  std::memcpy(&index, raw_data.data() + 8, sizeof index);
  return index < blobs.size() ? &blobs[static_cast<size_t>(index)] : nullptr;
}

}  // namespace tarn::model
