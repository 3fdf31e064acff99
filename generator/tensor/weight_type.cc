#include "tensor/weight_type.h"

#include <charconv>

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
  // A float16 has no scale to share.
  if (*kind == WeightType::Kind::f16 && (text.size() - rest.size()) != 0) return {};
  type->kind = *kind;
  return WeightRule{std::string(equals == std::string_view::npos ? std::string_view() : rest.substr(0, equals)), *type};
}

std::optional<WeightType> weight_type_from(std::string_view text) {
  const auto rule = weight_rule_from(text);
  if (!rule || !rule->layer.empty()) return {};
  return rule->type;
}

std::string to_string(const WeightType& type) {
  if (type.kind == WeightType::Kind::f16) return "f16";
  std::string text = type.kind == WeightType::Kind::int8 ? "int8" : "int4";
  if (type.share == WeightType::Share::tensor) text += ":tensor";
  if (type.share == WeightType::Share::channel) text += ":channel";
  if (type.share == WeightType::Share::block) text += ":block=" + std::to_string(type.block);
  return text + (type.asymmetric ? ",asymmetric" : "");
}

}  // namespace tarn
