#include "ops/folding.h"

#include <cstring>

#include "tensor/numeric.h"

namespace tarn::ops {

namespace {

// Copies elements between stored buffers of one type.
class Mover {
 public:
  Mover(const Constant& in, DType dtype)
      : dtype_(dtype), packed_(is_packed(dtype)), size_(static_cast<size_t>(bytes_for(dtype, 1))) {
    if (in.contiguous().empty()) owned_ = in.bytes();
    data_ = owned_.empty() ? in.contiguous().data() : owned_.data();
  }
  // So many side by side.
  void move(int64_t from, uint8_t* out, int64_t to, int64_t count = 1) const {
    if (!packed_) {
      std::memcpy(out + static_cast<size_t>(to) * size_, data_ + static_cast<size_t>(from) * size_,
                  static_cast<size_t>(count) * size_);
      return;
    }
    for (int64_t i = 0; i < count; ++i) write_int(dtype_, out, to + i, read_as_int(dtype_, data_, from + i));
  }

 private:
  DType dtype_;
  bool packed_;
  size_t size_;
  std::vector<uint8_t> owned_;
  const uint8_t* data_;
};

// What needs no copying of elements: absent data, splats, strings. Empty: copy.
std::optional<Constant> shortcut(const Constant& in, const TensorType& out) {
  if (in.is_absent()) return Constant::absent(out, in.source());
  if (in.is_splat() && out.shape.count() > 0) {
    std::vector<uint8_t> element(static_cast<size_t>(bytes_for(in.dtype(), 1)));
    in.copy_bytes(0, element);
    return Constant::splat(out, std::move(element));
  }
  return {};
}

}  // namespace

std::optional<Constant> pick_strided(const Constant& in, const TensorType& out, const std::vector<int64_t>& strides,
                                     int64_t offset) {
  if (in.dtype() == DType::string) {
    std::vector<int64_t> indices;
    std::vector<int64_t> at(out.shape.dims.size(), 0);
    for (int64_t i = 0; i < out.shape.count(); ++i) {
      int64_t index = offset;
      for (size_t axis = 0; axis < at.size(); ++axis) index += at[axis] * strides[axis];
      indices.push_back(index);
      for (size_t axis = at.size(); axis-- > 0;) {
        if (++at[axis] < out.shape.dims[axis]) break;
        at[axis] = 0;
      }
    }
    return pick(in, out, indices);
  }
  if (auto quick = shortcut(in, out)) return quick;
  if (auto codes = in.strided(out.shape, strides, offset)) return codes;
  const Mover mover(in, in.dtype());
  std::vector<uint8_t> bytes(static_cast<size_t>(out.bytes()));
  // The last axes whose elements lie side by side are copied at once.
  size_t outer = out.shape.dims.size();
  int64_t run = 1;
  for (; outer > 0 && (strides[outer - 1] == run || out.shape.dims[outer - 1] == 1); --outer)
    run *= out.shape.dims[outer - 1];
  std::vector<int64_t> at(outer, 0);
  int64_t index = offset;
  const int64_t count = out.shape.count();
  for (int64_t i = 0; i < count; i += run) {
    mover.move(index, bytes.data(), i, run);
    for (size_t axis = at.size(); axis-- > 0;) {
      index += strides[axis];
      if (++at[axis] < out.shape.dims[axis]) break;
      index -= strides[axis] * out.shape.dims[axis];
      at[axis] = 0;
    }
  }
  return Constant::of(out, std::move(bytes));
}

std::optional<Constant> pick(const Constant& in, const TensorType& out, const std::vector<int64_t>& indices) {
  if (in.dtype() == DType::string) {
    if (in.is_absent()) return {};
    std::vector<std::string> values;
    for (int64_t i : indices) values.push_back(in.strings()[static_cast<size_t>(i)]);
    return Constant::strings(out.shape, std::move(values));
  }
  if (auto quick = shortcut(in, out)) return quick;
  const Mover mover(in, in.dtype());
  std::vector<uint8_t> bytes(static_cast<size_t>(out.bytes()));
  for (size_t i = 0; i < indices.size(); ++i) mover.move(indices[i], bytes.data(), static_cast<int64_t>(i));
  return Constant::of(out, std::move(bytes));
}

bool all_known(const Facts& facts) {
  for (size_t i = 0; i < facts.types.size(); ++i) {
    if (facts.node.inputs[i] && !facts.values[i]) return false;
  }
  return true;
}

bool any_absent(const Facts& facts) {
  for (const Constant* value : facts.values) {
    if (value && value->is_absent()) return true;
  }
  return false;
}

Constants absent_like(const Facts& facts, const Types& outputs) {
  std::string source;
  for (const Constant* value : facts.values) {
    if (value && value->is_absent() && source.empty()) source = value->source();
  }
  Constants constants;
  for (const TensorType& type : outputs) constants.push_back(Constant::absent(type, source));
  return constants;
}

}  // namespace tarn::ops
