#include "emit/depfile.h"

namespace tarn::emit {

namespace {

std::string escaped(const std::string& name) {
  std::string text;
  for (char c : name) {
    if (c == ' ' || c == '#' || c == '\\') text += '\\';
    if (c == '$') text += '$';
    text += c;
  }
  return text;
}

}  // namespace

std::string depfile(const std::vector<std::string>& targets, const std::vector<std::string>& dependencies) {
  std::string text;
  for (const std::string& target : targets) text += (text.empty() ? "" : " ") + escaped(target);
  text += ":";
  for (const std::string& dependency : dependencies) text += " \\\n  " + escaped(dependency);
  return text + "\n";
}

}  // namespace tarn::emit
