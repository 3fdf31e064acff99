// What the entries of one operand (unary.cc) and of two (binary.cc) have in common.
#include "ops/elementwise.h"

#include "support/text.h"

namespace tarn::ops {

bool is_variant(const Node& node, const char* attribute, const char* variant) {
  if (!attribute) return true;
  if (std::string(attribute) == "fmod") return std::to_string(node.integer("fmod", 0)) == variant;
  return node.text(attribute, std::string(attribute) == "approximate" ? "none" : "") == variant;
}

std::string elementwise_kernel_name(const std::string& op, const char* variant, DType type) {
  return "tarn_" + lower_case(op) + (variant ? "_" + lower_case(variant) : "") + "_" + kernel_suffix(type);
}

std::string elementwise_kernel_name(const std::string& op, DType type) {
  const std::string name = elementwise_kernel_name(op, nullptr, type);
  return elementwise_kernel(name) ? name : "";
}

Walk elementwise_walk() {
  Walk walk;
  walk.identity = true;
  walk.read_before_write = true;
  return walk;
}

std::vector<Field> run_fields(const Lowering& low, ValueId x, const Shape& shape, size_t y) {
  const bool constant = low.constant(x) != nullptr;
  const int64_t dense = shape.rank() > 0 ? shape[shape.rank() - 1] : 1;
  return {{"outer", program::Run{true, constant ? y : 0}},
          {"inner", program::Run{false, constant ? y : 0}},
          {"x_pitch", constant ? FieldValue(dense) : FieldValue(program::Pitch{program::Pitch::Of::pixel, 0})},
          {"y_pitch", program::Pitch{program::Pitch::Of::pixel, y}}};
}

}  // namespace tarn::ops
