#include "report/read_json.h"

#include <google/protobuf/util/json_util.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "support/read_up_to.h"
#include "support/text.h"

namespace tarn::report {

Result<Object> read_report(const std::string& path) {
  auto fault = [&](const std::string& what) {
    return Diagnostic{"E307", {.file = path}, what, "give a file written by --report FILE.json"};
  };
  std::ifstream in(path, std::ios::binary);
  constexpr size_t kMostBytes = size_t{1} << 28;
  const std::optional<std::string> content = read_up_to(in, kMostBytes);
  if (!content) return fault("is larger than 256 MiB");
  if (content->empty() || in.bad()) return fault("cannot be read");
  Object object;
  const auto status = google::protobuf::util::JsonStringToMessage(*content, &object);
  if (!status.ok()) return fault("is not JSON");
  if (!text_at(object, "schema").starts_with("tarn-report/")) return fault("is no report of tarn's");
  return object;
}

const Value* find(const Object& object, const std::string& path) {
  const Object* at = &object;
  const std::vector<std::string> keys = split(path, '.');
  for (size_t i = 0; i < keys.size(); ++i) {
    const auto it = at->fields().find(keys[i]);
    if (it == at->fields().end()) return nullptr;
    if (i + 1 == keys.size()) return &it->second;
    if (!it->second.has_struct_value()) return nullptr;
    at = &it->second.struct_value();
  }
  return nullptr;
}

std::optional<double> number(const Object& object, const std::string& path) {
  const Value* value = find(object, path);
  if (!value || value->kind_case() != Value::kNumberValue) return {};
  return value->number_value();
}

int64_t whole(const Object& object, const std::string& path) {
  const double value = number(object, path).value_or(0);
  return std::abs(value) < 9e15 ? static_cast<int64_t>(value) : 0;
}

std::string text_at(const Object& object, const std::string& path) {
  const Value* value = find(object, path);
  return value && value->kind_case() == Value::kStringValue ? value->string_value() : "";
}

std::vector<const Object*> rows_at(const Object& object, const std::string& path) {
  std::vector<const Object*> rows;
  const Value* value = find(object, path);
  if (!value || !value->has_list_value()) return rows;
  for (const Value& row : value->list_value().values()) {
    if (row.has_struct_value()) rows.push_back(&row.struct_value());
  }
  return rows;
}

std::vector<std::string> texts_at(const Object& object, const std::string& path) {
  std::vector<std::string> texts;
  const Value* value = find(object, path);
  if (!value || !value->has_list_value()) return texts;
  for (const Value& text : value->list_value().values()) texts.push_back(text.string_value());
  return texts;
}

}  // namespace tarn::report
