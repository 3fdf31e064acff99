#include "quantize/npy.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "support/text.h"

namespace tarn::quantize {

namespace {

struct Header {
  std::string descr;
  bool fortran = false;
  Shape shape;
};

// The text behind 'key': in the header, a Python dictionary written by NumPy.
std::optional<std::string_view> entry(std::string_view header, std::string_view key) {
  for (const char quote : {'\'', '"'}) {
    const std::string wanted = cat(quote, key, quote);
    size_t at = header.find(wanted);
    if (at == std::string_view::npos) continue;
    at = header.find(':', at + wanted.size());
    if (at == std::string_view::npos) return {};
    at = header.find_first_not_of(' ', at + 1);
    if (at == std::string_view::npos) return {};
    return header.substr(at);
  }
  return {};
}

std::optional<Shape> npy_shape(std::string_view text) {
  if (text.empty() || text[0] != '(') return {};
  const size_t end = text.find(')');
  if (end == std::string_view::npos) return {};
  Shape shape;
  for (const std::string& part : split(text.substr(1, end - 1), ',')) {
    const size_t first = part.find_first_not_of(' ');
    if (first == std::string::npos) continue;
    int64_t value = 0;
    const auto [rest, error] = std::from_chars(part.data() + first, part.data() + part.size(), value);
    if (error != std::errc() || value < 0 || (rest != part.data() + part.size() && *rest != ' ' && *rest != 'L'))
      return {};
    shape.dims.push_back(value);
  }
  if (shape.rank() > kMaxRank) return {};
  return shape;
}

std::optional<Header> header_of(std::string_view text) {
  const auto descr = entry(text, "descr"), order = entry(text, "fortran_order"), shape = entry(text, "shape");
  if (!descr || !order || !shape || descr->size() < 2) return {};
  const size_t end = descr->find((*descr)[0], 1);
  if (((*descr)[0] != '\'' && (*descr)[0] != '"') || end == std::string_view::npos) return {};
  Header header{std::string(descr->substr(1, end - 1)), order->starts_with("True"), {}};
  if (!header.fortran && !order->starts_with("False")) return {};
  const auto dims = npy_shape(*shape);
  if (!dims) return {};
  header.shape = *dims;
  return header;
}

std::optional<DType> dtype_of(std::string_view code) {
  struct Named {
    const char* code;
    DType type;
  };
  static constexpr Named known[] = {{"f4", DType::float32}, {"f8", DType::float64}, {"f2", DType::float16},
                                    {"i1", DType::int8},    {"i2", DType::int16},   {"i4", DType::int32},
                                    {"i8", DType::int64},   {"u1", DType::uint8},   {"u2", DType::uint16},
                                    {"u4", DType::uint32},  {"u8", DType::uint64},  {"b1", DType::boolean}};
  for (const Named& one : known) {
    if (code == one.code) return one.type;
  }
  return {};
}

// The last axis fastest, as in C.
std::vector<uint8_t> row_major(const std::vector<uint8_t>& from, const Shape& shape, size_t element) {
  std::vector<uint8_t> to(from.size());
  std::vector<int64_t> at(shape.dims.size(), 0);
  for (int64_t i = 0; i < shape.count(); ++i) {
    int64_t place = 0, stride = 1;
    for (int axis = 0; axis < shape.rank(); ++axis) {
      place += at[static_cast<size_t>(axis)] * stride;
      stride *= shape[axis];
    }
    std::copy_n(from.begin() + place * static_cast<int64_t>(element), element,
                to.begin() + i * static_cast<int64_t>(element));
    for (int axis = shape.rank() - 1; axis >= 0 && ++at[static_cast<size_t>(axis)] == shape[axis]; --axis)
      at[static_cast<size_t>(axis)] = 0;
  }
  return to;
}

}  // namespace

std::optional<Constant> read_npy(std::string_view file, std::string* why) {
  const auto fail = [&](const char* what) {
    *why = what;
    return std::nullopt;
  };
  constexpr std::string_view kMagic = "\x93NUMPY";
  if (file.size() < 10 || !file.starts_with(kMagic)) return fail("it is no NumPy array");
  const auto byte = [&](size_t i) { return static_cast<size_t>(static_cast<uint8_t>(file[i])); };
  const bool wide = byte(6) >= 2;
  if (byte(6) < 1 || byte(6) > 3 || (wide && file.size() < 12)) return fail("its version is not 1, 2 or 3");
  const size_t length = wide ? byte(8) | byte(9) << 8 | byte(10) << 16 | byte(11) << 24 : byte(8) | byte(9) << 8;
  const size_t start = wide ? 12 : 10;
  if (length > file.size() - start) return fail("it is cut off");
  const std::optional<Header> header = header_of(file.substr(start, length));
  if (!header || header->descr.size() < 3) return fail("its header is none of NumPy's arrays of numbers");
  const std::optional<DType> type = dtype_of(std::string_view(header->descr).substr(1));
  if (!type) return fail("its elements are no numbers");
  const TensorType tensor{*type, header->shape};
  const Checked bytes = checked_bytes(tensor);
  const std::string_view data = file.substr(start + length);
  if (!bytes || static_cast<size_t>(tensor.bytes()) != data.size()) return fail("its length is not that of its shape");
  std::vector<uint8_t> content(data.begin(), data.end());
  const auto element = static_cast<size_t>(bits_of(*type) / 8);
  if (header->descr[0] == '>') {
    for (size_t i = 0; i + element <= content.size(); i += element)
      std::reverse(content.begin() + static_cast<std::ptrdiff_t>(i),
                   content.begin() + static_cast<std::ptrdiff_t>(i + element));
  }
  if (header->fortran && header->shape.rank() > 1) content = row_major(content, header->shape, element);
  return Constant::of(tensor, std::move(content));
}

}  // namespace tarn::quantize
