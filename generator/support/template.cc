#include "support/template.h"

#include <cctype>
#include <unordered_map>

#include "support/check.h"
#include "support/embedded.h"

namespace tarn {

namespace {
const std::unordered_map<std::string_view, std::string_view>& by_path() {
  static const auto index = [] {
    std::unordered_map<std::string_view, std::string_view> map;
    for (const EmbeddedFile& file : embedded_files()) map.emplace(file.path, file.text);
    return map;
  }();
  return index;
}
}  // namespace

bool has_embedded(std::string_view path) { return by_path().contains(path); }

std::string_view embedded_text(std::string_view path) {
  auto it = by_path().find(path);
  if (it == by_path().end()) TARN_FAIL("no embedded file " + std::string(path));
  return it->second;
}

std::string fill_holes(std::string_view text, const std::map<std::string, std::string>& holes) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '@') {
      out += text[i];
      continue;
    }
    size_t end = i + 1;
    while (end < text.size() && (std::isupper(static_cast<unsigned char>(text[end])) || text[end] == '_')) ++end;
    if (end == i + 1 || end >= text.size() || text[end] != '@') {
      out += text[i];
      continue;
    }
    const std::string name(text.substr(i + 1, end - i - 1));
    auto it = holes.find(name);
    if (it == holes.end()) TARN_FAIL("nothing to fill the hole @" + name + "@ with");
    out += it->second;
    i = end;
  }
  return out;
}

std::string fill_template(const std::string& path, const std::map<std::string, std::string>& holes) {
  return fill_holes(embedded_text(path), holes);
}

}  // namespace tarn
