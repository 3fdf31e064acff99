#include "quantize/labels.h"

#include <charconv>

#include "support/text.h"
#include "verify/files.h"

namespace tarn::quantize {

Result<std::vector<size_t>> read_labels(const std::string& path, size_t samples) {
  const std::optional<std::string> text = verify::read_file(path);
  if (!text) return Diagnostic{"E420", {.file = path}, "the labels cannot be read", "name a file of text"};
  std::vector<size_t> labels;
  std::string word;
  for (const char c : *text + "\n") {
    const bool between = c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',';
    if (!between) {
      word += c;
      continue;
    }
    if (word.empty()) continue;
    uint32_t label = 0;
    const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), label);
    if (fault != std::errc() || end != word.data() + word.size()) {
      return Diagnostic{
          "E420",
          {.file = path},
          cat("label ", labels.size() + 1, " is no whole number of 0 or more: '", word.substr(0, 40), "'"),
          "write one number for each sample"};
    }
    labels.push_back(label);
    word.clear();
  }
  if (labels.size() != samples) {
    return Diagnostic{"E420",
                      {.file = path},
                      cat("there are ", labels.size(), " labels for ", samples, samples == 1 ? " sample" : " samples"),
                      "write one number for each sample, in the order of the data"};
  }
  return labels;
}

}  // namespace tarn::quantize
