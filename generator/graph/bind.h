// Symbolic dimensions and the numbers the user gave for them.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/model.h"
#include "tensor/shape.h"

namespace tarn::graph {

class Binding {
 public:
  explicit Binding(const std::map<std::string, int64_t>& given) : given_(given) {}

  // The number for a dimension of a graph input, also where its name is an expression of names that have numbers;
  // remembers what is missing.
  std::optional<int64_t> input_dim(const model::Dim& dim, const std::string& input, int axis);
  // The same elsewhere (declared shapes): a symbol that is not bound is merely unknown.
  std::optional<int64_t> declared_dim(const model::Dim& dim) const;
  // The number given for the dimension is no input's size: it bounds what is known only at run time.
  bool is_bound(const model::Dim& dim) const;

  const std::map<std::string, int64_t>& used() const { return used_; }
  // Names given that no dimension of the model has.
  std::vector<std::string> unknown_names(const std::set<std::string>& declared_symbols) const;
  // The names under which what is missing would be given, each once.
  std::vector<std::string> missing_names() const;
  // E202 for all that is missing, empty when nothing is.
  Diagnostics faults(const std::string& file) const;

 private:
  struct Missing {
    std::string name, input;
    int axis;
  };
  std::optional<int64_t> derived_dim(const std::string& symbol);
  // Once others have numbers, it has one.
  bool follows(const Missing& missing) const;
  std::map<std::string, int64_t> given_;
  std::map<std::string, int64_t> used_;
  std::vector<Missing> missing_;
};

}  // namespace tarn::graph
