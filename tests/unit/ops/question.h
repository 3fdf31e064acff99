// Asks an entry for types and values as the builder does.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "ops/op.h"

namespace tarn::ops::testing {

class Question {
 public:
  explicit Question(const std::string& op, int version = 24) {
    node_.op = op;
    node_.version = version;
  }
  Question& input(DType type, Shape shape) {
    add({type, std::move(shape)}, std::nullopt);
    return *this;
  }
  Question& omitted() {
    node_.inputs.push_back({});
    types_.push_back({});
    values_.push_back(std::nullopt);
    return *this;
  }
  Question& constant(Constant value) {
    add(value.type(), value);
    return *this;
  }
  Question& ints(std::vector<int64_t> values) {
    return constant(Constant::ints(DType::int64, Shape{static_cast<int64_t>(values.size())}, values));
  }
  Question& with(const std::string& name, model::Attribute value) {
    node_.attributes[name] = std::move(value);
    return *this;
  }
  Question& declared(TensorType type) {
    declared_[0] = std::move(type);
    return *this;
  }

  Answer<Types> answer() const { return entry().infer(facts()); }
  // The type of the first output, "fault: ..." or "unknown".
  std::string type() const {
    const Answer<Types> a = answer();
    if (const Fault* fault = std::get_if<Fault>(&a)) return "fault: " + fault->code;
    const TensorType& t = std::get<Types>(a)[0];
    return t.dtype == DType::undefined ? "unknown" : to_string(t);
  }
  std::optional<Constant> folded() const {
    auto constants = entry().fold(facts(), std::get<Types>(answer()));
    if (!constants) return {};
    return (*constants)[0];
  }
  std::vector<double> reals() const {
    const auto constant = folded();
    return constant ? constant->reals() : std::vector<double>{};
  }
  std::vector<int64_t> integers() const {
    const auto constant = folded();
    return constant ? constant->integers() : std::vector<int64_t>{};
  }

 private:
  const OperatorEntry& entry() const { return *find_entry("", node_.op); }
  Facts facts() const {
    Facts facts{node_, types_, {}, declared_};
    for (const auto& value : values_) facts.values.push_back(value ? &*value : nullptr);
    return facts;
  }
  void add(TensorType type, std::optional<Constant> value) {
    node_.inputs.push_back(ValueId(types_.size()));
    types_.push_back(std::move(type));
    values_.push_back(std::move(value));
  }
  Node node_;
  Types types_, declared_ = Types(3);
  std::vector<std::optional<Constant>> values_;
};

inline Constant floats(Shape shape, const std::vector<double>& values, DType type = DType::float32) {
  return Constant::floats(type, std::move(shape), values);
}
inline Constant integers(Shape shape, const std::vector<int64_t>& values, DType type = DType::int64) {
  return Constant::ints(type, std::move(shape), values);
}

}  // namespace tarn::ops::testing
