// Constant: a tensor known when generating: weights, shapes, folded values. Big ones are never copied: they stay in the
// mapped file, are one repeated element, or are made of the model's codes or of its bytes in another order, until the
// emitter writes them out piece by piece.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tensor/shape.h"

namespace tarn {

struct CodedValues;
struct CodePlaces;

// Bytes that are made of others whenever they are read.
class MadeBytes {
 public:
  virtual ~MadeBytes() = default;
  virtual void copy(int64_t first, std::span<uint8_t> out) const = 0;  // [first, first + out.size())
};

class Constant {
 public:
  // Owned bytes in ONNX's layout (little-endian, packed types packed). data.size() == type.bytes().
  static Constant of(TensorType type, std::vector<uint8_t> data);
  // Bytes inside something kept alive by `owner` (a mapped file).
  static Constant mapped(TensorType type, std::span<const uint8_t> data, std::shared_ptr<const void> owner);
  // `element` (one element's bytes) repeated; packed types repeat a whole byte.
  static Constant splat(TensorType type, std::vector<uint8_t> element);
  // External data that is not there: shape and type are known, values are not. `source` names the missing file.
  static Constant absent(TensorType type, std::string source);
  // float32 values that are made of codes whenever they are read; `places`: null, or where they are among the codes.
  static Constant coded(Shape shape, std::shared_ptr<const CodedValues> values,
                        std::shared_ptr<const CodePlaces> places = nullptr);
  // int8 or uint8 elements that are made whenever they are read.
  static Constant made(TensorType type, std::shared_ptr<const MadeBytes> bytes);
  // Strings, kept for the entries that read keys (LabelEncoder, TreeEnsembleClassifier).
  static Constant strings(Shape shape, std::vector<std::string> values);
  // Small constants from numbers.
  static Constant ints(DType type, Shape shape, const std::vector<int64_t>& values);
  static Constant floats(DType type, Shape shape, const std::vector<double>& values);
  static Constant scalar(DType type, double value);

  const TensorType& type() const { return type_; }
  const Shape& shape() const { return type_.shape; }
  DType dtype() const { return type_.dtype; }
  int64_t count() const { return type_.shape.count(); }
  bool is_splat() const { return kind_ == Kind::splat; }
  bool is_absent() const { return kind_ == Kind::absent; }
  const std::string& source() const { return source_; }  // of an absent one
  bool is_strings() const { return kind_ == Kind::strings; }
  const std::vector<std::string>& strings() const;
  const CodedValues* codes() const { return coded_.get(); }  // null: not of codes
  int64_t code_of(int64_t index) const;                      // of an element's code among them
  // Of codes: the elements at offset + sum(at[axis] * strides[axis]) for `at` over `shape`, still of codes; nothing
  // where strides do not go along axes.
  std::optional<Constant> strided(const Shape& shape, const std::vector<int64_t>& strides, int64_t offset) const;

  // All bytes; materialises a splat, codes and what is made. Not for absent ones.
  std::vector<uint8_t> bytes() const;
  // A view of all bytes when they exist contiguously (owned or mapped), else empty.
  std::span<const uint8_t> contiguous() const;

  // Stored bytes [first, first + out.size()); a splat is not materialised.
  void copy_bytes(int64_t first, std::span<uint8_t> out) const;

  // Single elements, converted; index in [0, count()). Here and below: any numeric type but the complex ones, not
  // absent.
  double real(int64_t index) const;
  int64_t integer(int64_t index) const;
  std::vector<double> reals() const;
  std::vector<int64_t> integers() const;
  // Elements [first, first + out.size()) as float32, for weight packing without a copy of the whole.
  void read(int64_t first, std::span<float> out) const;

  // The same data under another shape with as many elements.
  Constant reshaped(Shape shape) const;

  // The elements [first, first + shape.count()), without a copy where they lie one after the other or are made; packed
  // types begin with a whole byte.
  Constant slice(int64_t first, Shape shape) const;

  // The same bytes under another type of as many.
  Constant seen_as(TensorType type) const;

  // Equal type and bytes (a splat equals its materialised form); an absent one equals its own copies.
  bool same_as(const Constant& other) const;

 private:
  enum class Kind { data, splat, absent, coded, made, strings };
  bool has_values() const { return kind_ != Kind::absent && kind_ != Kind::strings; }
  int64_t stored_index(int64_t index) const;
  Kind kind_ = Kind::data;
  TensorType type_;
  std::span<const uint8_t> data_;      // data: everything; splat: one element
  std::shared_ptr<const void> owner_;  // keeps data_ alive; of an absent one: its identity
  std::string source_;
  std::shared_ptr<const std::vector<std::string>> strings_;
  std::shared_ptr<const CodedValues> coded_;
  std::shared_ptr<const CodePlaces> places_;
  std::shared_ptr<const MadeBytes> made_;
};

}  // namespace tarn
