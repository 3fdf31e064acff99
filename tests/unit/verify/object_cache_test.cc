// What an object depends on decides where it is kept; a hit is what that very compile would give.
#include "verify/object_cache.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>

#include "support/text.h"
#include "tiny.h"
#include "verify/code_figures.h"
#include "verify/files.h"

namespace tarn::verify {
namespace {

class ObjectCache : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("TARN_CACHE_DIR", (folder_.path() + "/cache").c_str(), 1);
    tools_.cc = find_host_compiler();
    ASSERT_FALSE(tools_.cc.empty());
    write("a.c", "#include <near.h>\n  # include \"far.h\"\n#include <stdint.h>\n");
    write("near.h", "#include \"deep.h\"\n");
    write("deep.h", "#define DEEP 1\n");
    write("unread.h", "#define UNREAD 1\n");
  }
  void TearDown() override { ::unsetenv("TARN_CACHE_DIR"); }

  void write(const std::string& name, const std::string& text) {
    ASSERT_TRUE(write_file(folder_.path() + "/" + name, text));
  }
  std::string stem(const std::vector<std::string>& flags = {"-O2"}) const {
    return cached_stem(object_cache_folder(), tools_, flags, "src/a.c", {folder_.path()});
  }

  const TestFolder folder_;
  Toolchain tools_;
};

TEST_F(ObjectCache, EveryThingThatACompileReadsCounts) {
  std::set<std::string> stems{stem()};
  EXPECT_TRUE(stems.begin()->starts_with(folder_.path() + "/cache/code/"));
  EXPECT_EQ(stem(), *stems.begin());
  write("unread.h", "#define UNREAD 2\n");
  EXPECT_EQ(stem(), *stems.begin()) << "nothing includes it";
  EXPECT_TRUE(stems.insert(stem({"-O1"})).second);
  write("deep.h", "#define DEEP 2\n");
  EXPECT_TRUE(stems.insert(stem()).second) << "included through another";
  write("far.h", "int far;\n");
  EXPECT_TRUE(stems.insert(stem()).second) << "it was not there";
  write("a.c", "#include <near.h>\n");
  EXPECT_TRUE(stems.insert(stem()).second);
  tools_.cc.push_back("-m32");
  EXPECT_TRUE(stems.insert(stem()).second);
  tools_.cc = {"false"};
  EXPECT_TRUE(stems.insert(stem()).second) << "another compiler";
}

TEST_F(ObjectCache, AHitIsWholeAndTheSame) {
  const std::string place = stem(), made = folder_.path() + "/made";
  EXPECT_FALSE(is_cached(tools_, place));
  EXPECT_FALSE(is_cached(tools_, ""));
  write("made.o", "object");
  tools_.call_graphs = true;
  keep_cached(tools_, made, place);  // without made.ci
  EXPECT_FALSE(is_cached(tools_, place));
  write("made.ci", "calls");
  keep_cached(tools_, made, place);
  EXPECT_TRUE(is_cached(tools_, place));
  EXPECT_EQ(read_file(place + ".o"), "object");
  EXPECT_EQ(read_file(place + ".ci"), "calls");
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path() + "/cache/code"))
    EXPECT_TRUE((std::set<std::string>{".o", ".ci", ".txt"}).contains(entry.path().extension().string()))
        << entry.path();
}

TEST_F(ObjectCache, WithoutAPlaceNothingIsKept) {
  write("file", "");
  ::setenv("TARN_CACHE_DIR", (folder_.path() + "/file").c_str(), 1);
  EXPECT_EQ(stem(), "");
  keep_cached(tools_, folder_.path() + "/made", "");
}

TEST_F(ObjectCache, TextsStandUnderTheirKeys) {
  EXPECT_FALSE(kept_text("key"));
  keep_text("key", "one\ntwo");
  EXPECT_EQ(kept_text("key"), "one\ntwo");
  EXPECT_FALSE(kept_text("key "));
  keep_text("key", "three");
  EXPECT_EQ(kept_text("key"), "three");
}

// The compiler is a script that counts how often it is started.
TEST_F(ObjectCache, FiguresAreMeasuredOnceForTheSameCode) {
  const std::string compiler = folder_.path() + "/compiler", starts = folder_.path() + "/starts";
  write("compiler", cat("#!/bin/sh\necho x >> ", starts, "\nexec ", tools_.cc[0], " \"$@\"\n"));
  std::filesystem::permissions(compiler, std::filesystem::perms::owner_all);
  write("a.c", "#include \"near.h\"\nint n_run(void);\nint n_run(void) { return DEEP; }\n");
  const auto measured = [&] {
    std::vector<SourceText> files;
    for (const char* name : {"a.c", "near.h", "deep.h"})
      files.push_back({name, *read_file(folder_.path() + "/" + name)});
    const auto figures = code_figures(files, "n", {.cc = compiler});
    EXPECT_TRUE(figures && *figures && (*figures)->stack);
    return std::pair((*figures)->code, *(*figures)->stack);
  };
  const auto count = [&] { return read_file(starts)->size(); };
  const auto first = measured();
  const size_t asked = count();
  EXPECT_EQ(measured(), first);
  EXPECT_EQ(count(), asked) << "not started again";
  write("deep.h",
        "static inline int more(int x) { volatile int y[64]; y[x] = x; return y[x] * 3; }\n#define DEEP more(2)\n");
  const auto second = measured();
  EXPECT_GT(second.second, first.second) << "another stack";
  EXPECT_GT(count(), asked);
}

}  // namespace
}  // namespace tarn::verify
