// Runs the tarn executable, as a user would.
#pragma once
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "support/text.h"
#include "verify/process.h"

namespace tarn::cli {

namespace fs = std::filesystem;

inline verify::Ended run_tarn(const std::vector<std::string>& arguments, const std::string& folder) {
  verify::Command command{.arguments = {TARN_EXECUTABLE}, .folder = folder, .cpu_seconds = 120};
  command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
  return verify::run(command);
}

// "generate model.onnx -o out", split at blanks.
inline verify::Ended run_tarn(const std::string& line, const std::string& folder) {
  std::vector<std::string> arguments;
  for (const std::string& word : split(line, ' ')) {
    if (!word.empty()) arguments.push_back(word);
  }
  return run_tarn(arguments, folder);
}

inline std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// Path below the folder -> content.
inline std::map<std::string, std::string> files_in(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files[fs::relative(entry.path(), folder).string()] = content_of(entry.path());
  }
  return files;
}

}  // namespace tarn::cli
