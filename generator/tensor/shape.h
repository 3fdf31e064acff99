// Shape: the dimensions of a tensor, all numbers. Rank 0 is a scalar; a dimension of 0 is an empty tensor.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/checked.h"
#include "tensor/dtype.h"

namespace tarn {

struct Shape {
  std::vector<int64_t> dims;

  Shape() = default;
  Shape(std::initializer_list<int64_t> d) : dims(d) {}
  explicit Shape(std::vector<int64_t> d) : dims(std::move(d)) {}

  int rank() const { return static_cast<int>(dims.size()); }
  // Checked: what a rule forgot to ask of a model's rank throws, and reads no memory beside the sizes.
  int64_t operator[](int axis) const { return dims.at(static_cast<size_t>(axis)); }
  int64_t& operator[](int axis) { return dims.at(static_cast<size_t>(axis)); }
  // Elements in all; the shape has been checked (see checked_count), so this does not overflow.
  int64_t count() const { return count(0, rank()); }
  // Elements in the axes [first, end).
  int64_t count(int first, int end) const {
    int64_t n = 1;
    for (int i = first; i < end; ++i) n *= (*this)[i];
    return n;
  }
  bool operator==(const Shape&) const = default;
};

inline constexpr int kMaxRank = 8;
inline constexpr int64_t kMaxTensorBytes = int64_t{1} << 34;  // beyond this a shape is taken for a mistake

std::string to_string(const Shape&);  // "[1,3,224,224]"

// Elements of a shape that may be hostile: empty when a dimension is negative or the product overflows.
Checked checked_count(const Shape&);
// A negative axis counts from the end. Empty when out of [-rank, rank).
std::optional<int> normalise_axis(int64_t axis, int rank);
// Numpy broadcasting; empty when the shapes do not fit.
std::optional<Shape> broadcast(const Shape& a, const Shape& b);
// Row-major strides in elements.
std::vector<int64_t> strides_of(const Shape&);

struct TensorType {
  DType dtype = DType::undefined;
  Shape shape;
  int64_t bytes() const { return bytes_for(dtype, shape.count()); }
  bool operator==(const TensorType&) const = default;
};
std::string to_string(const TensorType&);  // "float32[1,3]"

// Bytes of a tensor whose shape may be hostile: empty when the count is (see checked_count) or it takes more than
// kMaxTensorBytes. Strings count as one byte each.
Checked checked_bytes(const TensorType&);

}  // namespace tarn
