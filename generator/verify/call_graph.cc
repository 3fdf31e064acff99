#include "verify/call_graph.h"

#include <algorithm>
#include <charconv>

#include "support/text.h"

namespace tarn::verify {
namespace {

// The value of `key: "..."` in a line of the VCG language; quotes inside are escaped.
std::optional<std::string> field(std::string_view line, std::string_view key) {
  const size_t at = line.find(std::string(key) + ": \"");
  if (at == std::string_view::npos) return {};
  std::string value;
  for (size_t i = at + key.size() + 3; i < line.size() && line[i] != '"'; ++i) {
    if (line[i] == '\\' && i + 1 < line.size()) value += line[i++];
    value += line[i];
  }
  return value;
}

// The label is "name\nplace\n48 bytes (static)\n0 dynamic objects", with the line ends written as \n.
void read_stack(const std::string& label, CalledFunction& function) {
  for (size_t at = label.find("\\n"); at != std::string::npos; at = label.find("\\n", at + 1)) {
    const char* begin = label.c_str() + at + 2;
    int64_t bytes = 0;
    const auto [end, fault] = std::from_chars(begin, label.c_str() + label.size(), bytes);
    const std::string_view rest(end);
    if (fault != std::errc() || !rest.starts_with(" bytes (")) continue;
    function.stack_bytes = bytes;
    function.dynamic = rest.starts_with(" bytes (dynamic") && !rest.starts_with(" bytes (dynamic,bounded");
    return;
  }
}

}  // namespace

bool add_call_graph(std::string_view text, const std::string& file, CallGraph& graph) {
  if (!text.starts_with("graph:")) return false;
  // "firmware/a.c:local" -> a key that no other file has.
  const auto key_of = [&](const std::string& title) {
    return title.find(':') == std::string::npos ? title : file + ":" + title.substr(title.rfind(':') + 1);
  };
  for (const std::string& line : split(text, '\n')) {
    const std::optional<std::string> title = field(line, "title"), label = field(line, "label");
    const std::optional<std::string> from = field(line, "sourcename"), to = field(line, "targetname");
    if (line.starts_with("node:") && title && label) {
      CalledFunction& function = graph[key_of(*title)];
      function.symbol = title->substr(title->rfind(':') + 1);
      read_stack(*label, function);
    } else if (line.starts_with("edge:") && from && to) {
      std::vector<std::string>& calls = graph[key_of(*from)].calls;
      const std::string key = key_of(*to);
      if (std::find(calls.begin(), calls.end(), key) == calls.end()) calls.push_back(key);
    }
  }
  return true;
}

}  // namespace tarn::verify
