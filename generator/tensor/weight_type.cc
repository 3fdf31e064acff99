#include "tensor/weight_type.h"

#include <charconv>

#include "support/text.h"

namespace tarn {

namespace {

bool take_suffix(std::string_view& text, std::string_view suffix) {
  if (!text.ends_with(suffix)) return false;
  text.remove_suffix(suffix.size());
  return true;
}

std::optional<int64_t> positive(std::string_view digits) {
  int64_t value = 0;
  const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (fault != std::errc() || end != digits.data() + digits.size() || value < 1 || value > INT32_MAX) return {};
  return value;
}

constexpr std::string_view kBlock = ":block=";

// Takes everything behind the kind off the end.
std::optional<WeightType> take_options(std::string_view& text) {
  WeightType type;
  type.asymmetric = take_suffix(text, ",asymmetric");
  if (take_suffix(text, ":tensor")) {
    type.share = WeightType::Share::tensor;
  } else if (take_suffix(text, ":channel")) {
    type.share = WeightType::Share::channel;
  } else if (const size_t at = text.rfind(kBlock); at != std::string_view::npos) {
    const auto block = positive(text.substr(at + kBlock.size()));
    if (!block) return {};
    type.share = WeightType::Share::block;
    type.block = *block;
    text = text.substr(0, at);
  }
  return type;
}

std::optional<WeightType::Kind> kind_from(std::string_view text) {
  if (text == "model") return WeightType::Kind::model;
  if (text == "f32") return WeightType::Kind::f32;
  if (text == "f16") return WeightType::Kind::f16;
  if (text == "int8") return WeightType::Kind::int8;
  if (text == "int4") return WeightType::Kind::int4;
  return {};
}

}  // namespace

std::optional<WeightRule> weight_rule_from(std::string_view text) {
  std::string_view rest = text;
  std::optional<WeightType> type = take_options(rest);
  if (!type) return {};
  const size_t equals = rest.rfind('=');
  const auto kind = kind_from(equals == std::string_view::npos ? rest : rest.substr(equals + 1));
  if (!kind || equals == 0) return {};
  // There is no scale to share, or the model has it.
  const bool whole = *kind != WeightType::Kind::int8 && *kind != WeightType::Kind::int4;
  if (whole && (text.size() - rest.size()) != 0) return {};
  type->kind = *kind;
  return WeightRule{std::string(equals == std::string_view::npos ? std::string_view() : rest.substr(0, equals)), *type};
}

std::optional<WeightType> weight_type_from(std::string_view text) {
  const auto rule = weight_rule_from(text);
  if (!rule || !rule->layer.empty()) return {};
  return rule->type;
}

std::string to_string(const WeightType& type) {
  if (type.kind == WeightType::Kind::model) return "model";
  if (type.kind == WeightType::Kind::f32 || type.kind == WeightType::Kind::f16) return cat("f", bits_of_weight(type));
  std::string text = cat("int", bits_of_weight(type));
  if (type.share == WeightType::Share::tensor) text += ":tensor";
  if (type.share == WeightType::Share::channel) text += ":channel";
  if (type.share == WeightType::Share::block) text += ":block=" + std::to_string(type.block);
  return text + (type.asymmetric ? ",asymmetric" : "");
}

int bits_of_weight(const WeightType& type) {
  switch (type.kind) {
    case WeightType::Kind::f32: return 32;
    case WeightType::Kind::f16: return 16;
    case WeightType::Kind::int8: return 8;
    case WeightType::Kind::int4: return 4;
    case WeightType::Kind::int2: return 2;
    default: return 0;
  }
}

}  // namespace tarn
