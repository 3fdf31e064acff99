// Operators that are nothing but others put together: their entry writes the body, and the builder puts it in their
// place before shapes are inferred and constants are folded. For domains without function definitions of their own.
#pragma once
#include <string>
#include <vector>

#include "model/model.h"
#include "ops/op.h"

namespace tarn::ops {

// The opset that bodies are written in.
inline constexpr int kBodyOpset = 24;

class Body {
 public:
  explicit Body(const Facts& facts);

  // The name of an input of the operator; "" where it is omitted.
  std::string input(size_t i) const;
  // Adds a node with one output; its name.
  std::string add(const std::string& op, std::vector<std::string> inputs, model::Attributes attributes = {},
                  const std::string& domain = "");
  // The same with several outputs.
  std::vector<std::string> add(size_t outputs, const std::string& op, std::vector<std::string> inputs,
                               model::Attributes attributes = {}, const std::string& domain = "");
  std::string constant(Constant value);
  std::string ints(const std::vector<int64_t>& values);  // [n]
  std::string number(double value, DType dtype);         // a scalar
  std::string reshape(const std::string& x, const std::vector<int64_t>& shape);
  std::string transpose(const std::string& x, const std::vector<int64_t>& perm);
  std::string cast(const std::string& x, DType from, DType to);  // x itself when nothing changes

  void output(size_t i, const std::string& name);
  model::GraphDefPtr finish();

 private:
  const Facts& facts_;
  model::GraphDef graph_;
  std::vector<std::string> outputs_;
  int count_ = 0;
};

}  // namespace tarn::ops
