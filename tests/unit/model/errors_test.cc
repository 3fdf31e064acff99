// The folders of tests/errors through the library: load, then infer. See tests/errors/make.py for their format.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "unit/model/onnx_text.h"

namespace tarn::model {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> lines_of(const fs::path& file) {
  std::vector<std::string> out;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

// What loading and inferring say about a model.
Diagnostics judge(const std::string& path) {
  const Result<Model> model = load_onnx(path);
  if (!model) return model.faults();
  Diagnostics out = model->warnings;
  const Inferred inferred = infer_graph(model->graph, model->opsets);
  out.insert(out.end(), inferred.faults.begin(), inferred.faults.end());
  return out;
}

TEST(Errors, EveryFolder) {
  std::set<std::string> codes_seen;
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(fs::path(TARN_SOURCE_DIR) / "tests/errors")) {
    if (fs::exists(entry.path() / "expect")) folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end());
  for (const fs::path& folder : folders) {
    if (fs::exists(folder / "args")) continue;  // needs the executable
    SCOPED_TRACE(folder.filename());
    const Diagnostics found = judge(folder / "model.onnx");
    const std::vector<std::string> expected = lines_of(folder / "expect");
    ASSERT_FALSE(expected.empty());
    EXPECT_EQ("exit " + std::to_string(exit_code(found)), expected[0]) << texts(found);
    for (size_t i = 1; i < expected.size(); ++i)
      EXPECT_NE(texts(found).find(expected[i]), std::string::npos) << texts(found);
    const std::string code = folder.filename().string().substr(0, 4);
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found[0].code, code) << texts(found);
    codes_seen.insert(code);
  }
  for (const char* code :
       {"E101", "E102", "E103", "E105", "E106", "E107", "E108", "E109", "E201", "E205", "E207", "E211", "W101"}) {
    EXPECT_TRUE(codes_seen.contains(code)) << code << " has no folder";
  }
}

}  // namespace
}  // namespace tarn::model
