// Asks the rules of one operator without a graph around it.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "ops/op.h"

namespace tarn::ops {

class RoomFacts {
 public:
  RoomFacts(std::string domain, std::string op, int version) {
    node_.domain = std::move(domain);
    node_.op = std::move(op);
    node_.version = version;
  }
  RoomFacts& with(const std::string& name, graph::Attribute value) {
    node_.attributes[name] = std::move(value);
    return *this;
  }
  RoomFacts& input(DType type, Shape shape) { return add({type, std::move(shape)}, nullptr); }
  RoomFacts& input(Constant value) {
    constants_.push_back(std::make_shared<const Constant>(std::move(value)));
    return add(constants_.back()->type(), constants_.back().get());
  }
  RoomFacts& omitted() {
    node_.inputs.push_back({});
    types_.push_back({});
    values_.push_back(nullptr);
    return *this;
  }
  RoomFacts& outputs(size_t count) {
    declared_.resize(count);
    return *this;
  }
  RoomFacts& declares(TensorType type, bool bound = false) {
    declared_.push_back(std::move(type));
    bounds_.push_back(bound);
    return *this;
  }

  Facts facts() {
    if (declared_.empty()) declared_.resize(1);
    Facts f{node_, types_, values_, declared_};
    f.declared_bound = bounds_;
    f.marks = &marks;
    return f;
  }
  // The fault's code, or the types.
  std::string infer() {
    const OperatorEntry* entry = find_entry(node_.domain, node_.op);
    if (!entry || !entry->infer) return "no rule";
    const Answer<Types> answer = entry->infer(facts());
    if (const Fault* fault = std::get_if<Fault>(&answer)) return fault->code;
    std::string text;
    for (const TensorType& type : std::get<Types>(answer)) text += (text.empty() ? "" : " ") + to_string(type);
    return text;
  }
  std::optional<Constant> fold() {
    const OperatorEntry* entry = find_entry(node_.domain, node_.op);
    const Answer<Types> answer = entry->infer(facts());
    if (!entry->fold || std::holds_alternative<Fault>(answer)) return {};
    auto values = entry->fold(facts(), std::get<Types>(answer));
    if (!values) return {};
    return values->at(0);
  }

  std::vector<RuntimeMark> marks;

 private:
  RoomFacts& add(TensorType type, const Constant* value) {
    node_.inputs.push_back(graph::ValueId(node_.inputs.size()));
    types_.push_back(std::move(type));
    values_.push_back(value);
    return *this;
  }
  Node node_;
  std::vector<std::shared_ptr<const Constant>> constants_;  // shared with copies
  std::vector<TensorType> types_, declared_;
  std::vector<const Constant*> values_;
  std::vector<bool> bounds_;
};

inline Constant ints(Shape shape, const std::vector<int64_t>& values, DType type = DType::int64) {
  return Constant::ints(type, std::move(shape), values);
}
inline Constant floats(Shape shape, const std::vector<double>& values) {
  return Constant::floats(DType::float32, std::move(shape), values);
}

}  // namespace tarn::ops
