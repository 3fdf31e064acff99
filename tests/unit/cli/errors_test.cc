// The folders of tests/errors through the executable: exit code, diagnostics, and nothing written. See
// tests/errors/make.py.
#include <fstream>
#include <regex>
#include <set>

#include "support/diagnostic.h"
#include "unit/cli/executable.h"

namespace tarn::cli {
namespace {

std::vector<std::string> lines_of(const fs::path& file) {
  std::vector<std::string> lines;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<fs::path> folders() {
  std::vector<fs::path> list;
  for (const auto& entry : fs::directory_iterator(fs::path(TARN_SOURCE_DIR) / "tests/errors")) {
    if (fs::exists(entry.path() / "expect")) list.push_back(entry.path());
  }
  std::sort(list.begin(), list.end());
  return list;
}

class Errors : public testing::TestWithParam<fs::path> {};

TEST_P(Errors, ExitCodeAndText) {
  const fs::path folder = GetParam();
  const std::vector<std::string> args = lines_of(folder / "args"), expected = lines_of(folder / "expect");
  ASSERT_FALSE(expected.empty());
  const auto before = files_in(folder);
  const verify::Ended ended = run_tarn(args.empty() ? "analyze model.onnx" : args[0], folder.string());
  ASSERT_EQ(ended.how, verify::Ended::How::exited) << ended.err;
  EXPECT_EQ(cat("exit ", ended.code), expected[0]) << ended.err;
  for (size_t i = 1; i < expected.size(); ++i)
    EXPECT_NE(ended.err.find(expected[i]), std::string::npos) << expected[i] << " in\n" << ended.err;
  EXPECT_TRUE(files_in(folder) == before) << "a file was written or changed";
  const std::string code = folder.filename().string().substr(0, 4);
  EXPECT_NE(ended.err.find((code[0] == 'W' ? "warning " : "error ") + code + ": "), std::string::npos) << ended.err;
}

std::string name_of(const testing::TestParamInfo<fs::path>& info) { return info.param.filename().string(); }
INSTANTIATE_TEST_SUITE_P(Folders, Errors, testing::ValuesIn(folders()), name_of);

// Codes whose fault a folder cannot hold: faults of ours, plans that no kernel can follow yet, a machine that is
// too small, what is said of a run that writes (both in tests/files), and what only an emulated run can tell.
TEST(ErrorFolders, EveryCode) {
  const std::set<std::string> exempt = {"E406", "E407", "E409", "E412", "W405", "W406"};
  std::set<std::string> seen;
  for (const fs::path& folder : folders()) seen.insert(folder.filename().string().substr(0, 4));
  for (const DiagnosticKind& kind : diagnostic_catalog()) {
    EXPECT_TRUE(exempt.contains(kind.code) || seen.contains(kind.code))
        << kind.code << " (" << kind.title << ") has no folder";
  }
}

// What the source can say, the catalogue explains, and has a folder by the test above.
TEST(ErrorFolders, EveryCodeOfTheSource) {
  std::set<std::string> known, said;
  for (const DiagnosticKind& kind : diagnostic_catalog()) known.insert(kind.code);
  const std::regex quoted("\"([EW][0-9]{3})\"");
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(TARN_SOURCE_DIR) / "generator")) {
    const std::string name = entry.path().filename().string();
    if ((!name.ends_with(".cc") && !name.ends_with(".h")) || name == "diagnostic_catalog.cc") continue;
    for (const std::string& line : lines_of(entry.path())) {
      for (std::sregex_iterator at(line.begin(), line.end(), quoted), end; at != end; ++at) said.insert((*at)[1]);
    }
  }
  EXPECT_GT(said.size(), 30u);
  EXPECT_EQ(said, known);
}

}  // namespace
}  // namespace tarn::cli
