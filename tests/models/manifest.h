// MANIFEST.tsv of a folder of models: a table with a head, whose column "file" holds FOLDER/model.onnx.
#pragma once
#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "support/text.h"

namespace tarn::models {

// Folder -> what the table says in the column `name`. Empty if there is no table or no such column.
inline std::map<std::string, std::string> read_manifest(const std::string& path, const std::string& name) {
  std::map<std::string, std::string> texts;
  std::ifstream in(path);
  std::string line;
  if (!std::getline(in, line)) return texts;
  const std::vector<std::string> head = split(line, '\t');
  const auto column = static_cast<size_t>(std::find(head.begin(), head.end(), name) - head.begin());
  while (std::getline(in, line)) {
    const std::vector<std::string> fields = split(line, '\t');
    if (column < fields.size()) texts[fields[0].substr(0, fields[0].find('/'))] = fields[column];
  }
  return texts;
}

}  // namespace tarn::models
