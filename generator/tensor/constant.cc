#include "tensor/constant.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "support/check.h"
#include "tensor/coded_values.h"
#include "tensor/numeric.h"

namespace tarn {

namespace {

std::vector<uint8_t> zeroed(const TensorType& type) { return std::vector<uint8_t>(static_cast<size_t>(type.bytes())); }

}  // namespace

Constant Constant::of(TensorType type, std::vector<uint8_t> data) {
  TARN_CHECK(type.dtype != DType::string && static_cast<int64_t>(data.size()) == type.bytes());
  auto owner = std::make_shared<const std::vector<uint8_t>>(std::move(data));
  Constant c;
  c.type_ = std::move(type);
  c.data_ = {owner->data(), owner->size()};
  c.owner_ = std::move(owner);
  return c;
}

Constant Constant::mapped(TensorType type, std::span<const uint8_t> data, std::shared_ptr<const void> owner) {
  TARN_CHECK(type.dtype != DType::string && static_cast<int64_t>(data.size()) == type.bytes());
  Constant c;
  c.type_ = std::move(type);
  c.data_ = data;
  c.owner_ = std::move(owner);
  return c;
}

Constant Constant::splat(TensorType type, std::vector<uint8_t> element) {
  TARN_CHECK(type.dtype != DType::string && static_cast<int64_t>(element.size()) == bytes_for(type.dtype, 1));
  auto owner = std::make_shared<const std::vector<uint8_t>>(std::move(element));
  Constant c;
  c.kind_ = Kind::splat;
  c.type_ = std::move(type);
  c.data_ = {owner->data(), owner->size()};
  c.owner_ = std::move(owner);
  return c;
}

Constant Constant::absent(TensorType type, std::string source) {
  Constant c;
  c.kind_ = Kind::absent;
  c.type_ = std::move(type);
  c.owner_ = std::make_shared<const char>();  // tells it apart from every other: copies share it
  c.source_ = std::move(source);
  return c;
}

Constant Constant::coded(Shape shape, std::shared_ptr<const CodedValues> values,
                         std::shared_ptr<const CodePlaces> places) {
  TARN_CHECK(places || shape.count() == values->codes.count());
  Constant c;
  c.kind_ = Kind::coded;
  c.type_ = {DType::float32, std::move(shape)};
  c.coded_ = std::move(values);
  c.places_ = std::move(places);
  return c;
}

Constant Constant::made(TensorType type, std::shared_ptr<const MadeBytes> bytes) {
  TARN_CHECK(type.dtype == DType::int8 || type.dtype == DType::uint8);
  Constant c;
  c.kind_ = Kind::made;
  c.type_ = std::move(type);
  c.made_ = std::move(bytes);
  return c;
}

Constant Constant::strings(Shape shape, std::vector<std::string> values) {
  TARN_CHECK(static_cast<int64_t>(values.size()) == shape.count());
  Constant c;
  c.kind_ = Kind::strings;
  c.type_ = {DType::string, std::move(shape)};
  c.strings_ = std::make_shared<const std::vector<std::string>>(std::move(values));
  return c;
}

Constant Constant::ints(DType type, Shape shape, const std::vector<int64_t>& values) {
  TARN_CHECK(static_cast<int64_t>(values.size()) == shape.count());
  const TensorType full{type, std::move(shape)};
  std::vector<uint8_t> data = zeroed(full);
  // Weights of integer layers: millions of them.
  if (type == DType::int8 || type == DType::uint8) {
    for (size_t i = 0; i < values.size(); ++i) data[i] = static_cast<uint8_t>(values[i]);
    return of(full, std::move(data));
  }
  for (size_t i = 0; i < values.size(); ++i) write_int(type, data.data(), static_cast<int64_t>(i), values[i]);
  return of(full, std::move(data));
}

Constant Constant::floats(DType type, Shape shape, const std::vector<double>& values) {
  TARN_CHECK(static_cast<int64_t>(values.size()) == shape.count());
  const TensorType full{type, std::move(shape)};
  std::vector<uint8_t> data = zeroed(full);
  for (size_t i = 0; i < values.size(); ++i) write_double(type, data.data(), static_cast<int64_t>(i), values[i]);
  return of(full, std::move(data));
}

Constant Constant::scalar(DType type, double value) { return floats(type, Shape{}, {value}); }

const std::vector<std::string>& Constant::strings() const {
  TARN_CHECK(kind_ == Kind::strings);
  return *strings_;
}

std::vector<uint8_t> Constant::bytes() const {
  TARN_CHECK(has_values());
  if (kind_ == Kind::data) return {data_.begin(), data_.end()};
  std::vector<uint8_t> out = zeroed(type_);
  if (kind_ == Kind::coded || kind_ == Kind::made) {
    copy_bytes(0, out);
    return out;
  }
  for (size_t at = 0; at < out.size(); at += data_.size()) std::memcpy(&out[at], data_.data(), data_.size());
  return out;
}

void Constant::copy_bytes(int64_t first, std::span<uint8_t> out) const {
  TARN_CHECK(has_values() && first >= 0 && static_cast<int64_t>(out.size()) <= type_.bytes() - first);
  if (out.empty()) return;
  if (kind_ == Kind::made) return made_->copy(first, out);
  if (kind_ == Kind::coded) {
    for (size_t i = 0; i < out.size();) {
      const int64_t at = first + static_cast<int64_t>(i), within = at % 4;
      std::array<uint8_t, 4> element{};
      write_double(DType::float32, element.data(), 0, real(at / 4));
      for (auto b = static_cast<size_t>(within); b < element.size() && i < out.size(); ++b) out[i++] = element[b];
    }
    return;
  }
  if (kind_ == Kind::data) {
    std::memcpy(out.data(), data_.data() + first, out.size());
    return;
  }
  // One element, then what is there once more: twice as much each time.
  size_t done = std::min(data_.size(), out.size());
  for (size_t i = 0; i < done; ++i) out[i] = data_[(static_cast<size_t>(first) + i) % data_.size()];
  for (size_t more = 0; done < out.size(); done += more) {
    more = std::min(done, out.size() - done);
    std::memcpy(out.data() + done, out.data(), more);
  }
}

std::span<const uint8_t> Constant::contiguous() const {
  if (kind_ == Kind::data) return data_;
  // One element repeated once is all there is.
  if (kind_ == Kind::splat && static_cast<int64_t>(data_.size()) == type_.bytes()) return data_;
  return {};
}

int64_t Constant::stored_index(int64_t index) const {
  TARN_CHECK((kind_ == Kind::data || kind_ == Kind::splat) && index >= 0 && index < count());
  if (kind_ == Kind::data) return index;
  return is_packed(dtype()) ? index % (8 / bits_of(dtype())) : 0;
}

int64_t Constant::code_of(int64_t index) const {
  TARN_CHECK(kind_ == Kind::coded && index >= 0 && index < count());
  return places_ ? places_->of(index) : index;
}

double Constant::real(int64_t index) const {
  if (kind_ == Kind::coded) return static_cast<double>(coded_->value_of(code_of(index)));
  if (kind_ == Kind::made) return static_cast<double>(integer(index));
  return read_as_double(dtype(), data_.data(), stored_index(index));
}

int64_t Constant::integer(int64_t index) const {
  if (kind_ == Kind::coded) {
    const double value = real(index);
    return read_as_int(DType::float64, &value, 0);
  }
  if (kind_ == Kind::made) {
    uint8_t byte = 0;
    copy_bytes(index, {&byte, 1});
    return read_as_int(dtype(), &byte, 0);
  }
  return read_as_int(dtype(), data_.data(), stored_index(index));
}

std::optional<Constant> Constant::strided(const Shape& shape, const std::vector<int64_t>& strides,
                                          int64_t offset) const {
  if (kind_ != Kind::coded || shape.count() == 0) return {};
  const CodePlaces from = places_ ? *places_ : CodePlaces{0, {count()}, {1}};
  // The step of one along each axis of `from`, in elements; and where the first element is along it.
  std::vector<int64_t> steps(from.dims.size(), 1), at(from.dims.size());
  for (size_t axis = from.dims.size(); axis-- > 1;) steps[axis - 1] = steps[axis] * from.dims[axis];
  CodePlaces to{from.of(offset), shape.dims, std::vector<int64_t>(shape.dims.size(), 0)};
  for (size_t axis = 0; axis < steps.size(); ++axis) at[axis] = offset / steps[axis] % from.dims[axis];
  std::vector<int64_t> last = at;
  for (size_t axis = 0; axis < shape.dims.size(); ++axis) {
    const int64_t moved = shape.dims[axis] - 1;
    if (moved == 0 || strides[axis] == 0) continue;
    size_t along = 0;
    while (along + 1 < steps.size() && (from.dims[along] == 1 || steps[along] > std::abs(strides[axis]))) ++along;
    if (strides[axis] % steps[along] != 0) return {};
    const int64_t times = strides[axis] / steps[along];
    last[along] += times * moved;
    if (last[along] < 0 || last[along] >= from.dims[along]) return {};
    to.strides[axis] = times * from.strides[along];
  }
  return coded(shape, coded_, std::make_shared<const CodePlaces>(std::move(to)));
}

std::vector<double> Constant::reals() const {
  std::vector<double> out(static_cast<size_t>(count()));
  for (size_t i = 0; i < out.size(); ++i) out[i] = real(static_cast<int64_t>(i));
  return out;
}

std::vector<int64_t> Constant::integers() const {
  std::vector<int64_t> out(static_cast<size_t>(count()));
  if (kind_ == Kind::made) {
    std::array<uint8_t, 4096> piece;
    for (size_t at = 0; at < out.size(); at += piece.size()) {
      const size_t count = std::min(piece.size(), out.size() - at);
      copy_bytes(static_cast<int64_t>(at), {piece.data(), count});
      for (size_t i = 0; i < count; ++i)
        out[at + i] = dtype() == DType::int8 ? static_cast<int8_t>(piece[i]) : piece[i];
    }
    return out;
  }
  if (kind_ == Kind::data && (dtype() == DType::int8 || dtype() == DType::uint8)) {
    for (size_t i = 0; i < out.size(); ++i) out[i] = dtype() == DType::int8 ? static_cast<int8_t>(data_[i]) : data_[i];
    return out;
  }
  for (size_t i = 0; i < out.size(); ++i) out[i] = integer(static_cast<int64_t>(i));
  return out;
}

void Constant::read(int64_t first, std::span<float> out) const {
  const auto wanted = static_cast<int64_t>(out.size());
  TARN_CHECK(has_values() && first >= 0 && wanted <= count() - first);
  if (kind_ == Kind::coded) {
    for (float& value : out) value = coded_->value_of(code_of(first++));
    return;
  }
  if (kind_ == Kind::made) {
    std::array<uint8_t, 4096> piece;
    for (int64_t done = 0; done < wanted;) {
      const int64_t count = std::min<int64_t>(piece.size(), wanted - done);
      copy_bytes(first + done, {piece.data(), static_cast<size_t>(count)});
      read_as_floats(dtype(), piece.data(), 0, count, out.data() + done);
      done += count;
    }
    return;
  }
  if (kind_ == Kind::data) return read_as_floats(dtype(), data_.data(), first, wanted, out.data());
  if (!is_packed(dtype())) {
    if (wanted > 0) std::fill(out.begin(), out.end(), static_cast<float>(real(first)));
    return;
  }
  for (int64_t i = 0; i < wanted; ++i) out[static_cast<size_t>(i)] = static_cast<float>(real(first + i));
}

Constant Constant::reshaped(Shape shape) const {
  TARN_CHECK(shape.count() == count());
  Constant c = *this;
  c.type_.shape = std::move(shape);
  return c;
}

namespace {

class PartOfBytes final : public MadeBytes {
 public:
  PartOfBytes(std::shared_ptr<const MadeBytes> whole, int64_t first) : whole_(std::move(whole)), first_(first) {}
  void copy(int64_t first, std::span<uint8_t> out) const override { whole_->copy(first_ + first, out); }

 private:
  std::shared_ptr<const MadeBytes> whole_;
  int64_t first_;
};

}  // namespace

Constant Constant::slice(int64_t first, Shape shape) const {
  TARN_CHECK(has_values() && first >= 0 && shape.count() <= count() - first);
  const int64_t at = bytes_for(dtype(), first);
  TARN_CHECK(!is_packed(dtype()) || at * 8 == first * bits_of(dtype()));
  TensorType type{dtype(), std::move(shape)};
  if (kind_ == Kind::made) return made(std::move(type), std::make_shared<PartOfBytes>(made_, at));
  if (kind_ == Kind::data) {
    const auto bytes = static_cast<size_t>(type.bytes());
    return mapped(std::move(type), data_.subspan(static_cast<size_t>(at), bytes), owner_);
  }
  std::vector<uint8_t> bytes(static_cast<size_t>(type.bytes()));
  copy_bytes(at, bytes);
  return of(std::move(type), std::move(bytes));
}

Constant Constant::seen_as(TensorType type) const {
  TARN_CHECK(has_values() && kind_ != Kind::coded && type.bytes() == type_.bytes());
  if (kind_ == Kind::splat || kind_ == Kind::made) return of(std::move(type), bytes());
  Constant c = *this;
  c.type_ = std::move(type);
  return c;
}

bool Constant::same_as(const Constant& other) const {
  if (type_ != other.type_) return false;
  if (kind_ == Kind::absent || other.kind_ == Kind::absent) return owner_ == other.owner_;
  if (kind_ == Kind::strings || other.kind_ == Kind::strings)
    return kind_ == other.kind_ && *strings_ == *other.strings_;
  if (kind_ == Kind::coded || other.kind_ == Kind::coded) {
    if (coded_ == other.coded_ && places_ == other.places_) return true;
    for (int64_t i = 0; i < count(); ++i) {
      if (!(real(i) == other.real(i))) return false;
    }
    return true;
  }
  if (kind_ == Kind::made || other.kind_ == Kind::made) {
    if (made_ == other.made_) return true;
    std::array<uint8_t, 4096> left, right;
    for (int64_t at = 0; at < type_.bytes();) {
      const auto count = static_cast<size_t>(std::min<int64_t>(left.size(), type_.bytes() - at));
      copy_bytes(at, {left.data(), count});
      other.copy_bytes(at, {right.data(), count});
      if (std::memcmp(left.data(), right.data(), count) != 0) return false;
      at += static_cast<int64_t>(count);
    }
    return true;
  }
  if (kind_ == other.kind_) return std::equal(data_.begin(), data_.end(), other.data_.begin(), other.data_.end());
  const std::span<const uint8_t> element = kind_ == Kind::splat ? data_ : other.data_;
  const std::span<const uint8_t> all = kind_ == Kind::splat ? other.data_ : data_;
  for (size_t at = 0; at < all.size(); at += element.size()) {
    if (std::memcmp(&all[at], element.data(), element.size()) != 0) return false;
  }
  return true;
}

}  // namespace tarn
