// A NodeQuery as shape rules read it: attributes with their defaults, dimensions as far as they are known, small
// values.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "model/onnx_schema.h"
#include "tensor/shape.h"

namespace tarn::model {

// Values longer than this are never shapes, axes or sizes.
inline constexpr int64_t kLongestShapeValue = 4096;

class NodeFacts {
 public:
  explicit NodeFacts(const NodeQuery& query);

  const NodeQuery& query() const { return query_; }
  const NodeDef& node() const { return *query_.node; }

  int inputs() const { return static_cast<int>(node().inputs.size()); }
  int outputs() const { return static_cast<int>(node().outputs.size()); }
  bool has(int input) const { return input < inputs() && !node().inputs[static_cast<size_t>(input)].empty(); }

  const Type& type(int input) const;
  DType dtype(int input) const { return type(input).dtype; }
  // -1 when not known, or no tensor.
  int rank(int input) const;
  std::optional<int64_t> dim(int input, int axis) const;
  // All dimensions, when every one is a number.
  std::optional<Shape> shape(int input) const;

  // The value of an input when it is known, numeric and short. Null else.
  const Constant* value(int input) const;
  std::optional<std::vector<int64_t>> integers(int input) const;  // of an integer type
  std::optional<std::vector<double>> reals(int input) const;      // of any numeric type

  int64_t attribute(const std::string& name, int64_t fallback) const;
  std::string attribute(const std::string& name, const char* fallback) const;
  std::optional<std::vector<int64_t>> attribute_list(const std::string& name) const;
  bool has_attribute(const std::string& name) const { return node().attributes.contains(name); }

  Diagnostic fault(const char* code, std::string message) const;

 private:
  const NodeQuery& query_;
  std::vector<Type> types_;  // those of the query; a known value's own type where the query says less
};

Type tensor_type(DType dtype, std::optional<std::vector<Dim>> dims);
Type tensor_type(DType dtype, const Shape& shape);
std::string to_string(const Type& type);  // "float32[N,3]"

}  // namespace tarn::model
