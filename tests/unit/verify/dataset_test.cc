// Where data are looked for: what cannot be looked through is not said to be empty.
#include "verify/dataset.h"

#include <gtest/gtest.h>

#include "tiny.h"
#include "verify/files.h"

namespace tarn::verify {
namespace {

TEST(ListFolder, IsByNameAndHasAll) {
  const TestFolder folder;
  for (const char* name : {"c", "a", "b"}) folder.write(name, "");
  std::error_code error;
  std::vector<std::string> names;
  for (const auto& entry : list_folder(folder.path(), error)) names.push_back(entry.path().filename().string());
  EXPECT_FALSE(error);
  EXPECT_EQ(names, (std::vector<std::string>{"a", "b", "c"}));
}

TEST(ListFolder, SaysWhyItCannotBeRead) {
  std::error_code error;
  EXPECT_TRUE(list_folder("/dev/null", error).empty());
  EXPECT_EQ(error, std::errc::not_a_directory);
}

TEST(DataFolders, AreSortedByNumber) {
  const TestFolder folder;
  for (const char* name : {"test_data_set_10", "test_data_set_9", "other"})
    std::filesystem::create_directory(folder.path() + "/" + name);
  folder.write("test_data_set_1", "no folder");
  const auto found = data_folders(folder.path() + "/model.onnx");
  ASSERT_TRUE(found);
  EXPECT_EQ(*found,
            (std::vector<std::string>{folder.path() + "/test_data_set_9", folder.path() + "/test_data_set_10"}));
}

TEST(DataFolders, AreNotSaidToBeNoneWhereTheyCannotBeLookedFor) {
  const auto found = data_folders("/dev/null/model.onnx");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.faults().front().code, "E405");
}

}  // namespace
}  // namespace tarn::verify
