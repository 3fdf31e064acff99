// A budget that makes a network run by lines takes its NAME_run away: that is told, in the verdict, as a warning, and
// in the header, by which a compiler explains it.
#include "unit/cli/executable.h"
#include "unit/model/onnx_text.h"

namespace tarn::cli {
namespace {

constexpr const char* kLinesNet = R"(g (float[1, 3, 64, 64] image) => (float[1, 8, 16, 16] y)
  <float[8, 3, 1, 1] w = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24}>
  { a = MaxPool <kernel_shape = [4, 4], strides = [4, 4]> (image) y = Conv (a, w) })";

bool says(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

class Lines : public testing::Test {
 protected:
  void SetUp() override { model_ = scratch_.write("net.onnx", model::parse_graph(kLinesNet)); }
  verify::Ended tarn(const std::string& line) const { return run_tarn(line, fs::path(model_).parent_path().string()); }
  verify::Ended compile(const std::string& text, const std::string& standard) const {
    scratch_.write("main.c", text);
    return verify::run({.arguments = {"gcc", standard, "-pedantic-errors", "-Wall", "-Wextra", "-Werror", "-Iout", "-c",
                                      "main.c", "-o", "main.o"},
                        .folder = fs::path(model_).parent_path().string()});
  }
  std::string header() const { return content_of(scratch_.path("out/net.h")); }

 private:
  const model::ScratchFolder scratch_;
  std::string model_;
};

TEST_F(Lines, ABudgetThatChangesTheCallsSaysSo) {
  const verify::Ended silent = tarn("generate net.onnx -o out --ram 20K --cc none");
  EXPECT_EQ(silent.code, 0) << silent.err;
  EXPECT_TRUE(says(silent.out, "FITS by lines (--stream fed): net_push_image, and no net_run\n")) << silent.out;
  EXPECT_TRUE(says(silent.err, "net.onnx: warning W301: ")) << silent.err;
  EXPECT_EQ(silent.err.find("W301"), silent.err.rfind("W301")) << silent.err;
  EXPECT_TRUE(says(header(), "There is no net_run")) << header();
  EXPECT_TRUE(says(header(), "the budget of --ram")) << header();
  // Asked for by name, it is no surprise.
  const verify::Ended named = tarn("generate net.onnx -o out --ram 20K --stream auto --cc none");
  EXPECT_EQ(named.code, 0) << named.err;
  EXPECT_TRUE(says(named.out, "and no net_run")) << named.out;
  EXPECT_FALSE(says(named.err, "W301")) << named.err;
  const verify::Ended fed = tarn("generate net.onnx -o out --stream fed --cc none");
  EXPECT_FALSE(says(fed.err, "W301") || says(header(), "budget")) << fed.err;
  // Forbidden, it fails.
  EXPECT_EQ(tarn("generate net.onnx -o out --ram 20K --stream off --cc none").code, 5);
  // What runs is compared, and is as much too large.
  const verify::Ended over = tarn("verify net.onnx --ram 20K --stream off");
  EXPECT_EQ(over.code, 5) << over.err;
  EXPECT_TRUE(says(over.out, "outputs match") && says(over.err, "E301")) << over.out << over.err;
  EXPECT_EQ(tarn("verify net.onnx --ram 64K --stream off").code, 0);
  EXPECT_FALSE(says(tarn("generate net.onnx -o out --ram 64K --cc none").err, "W301"));
  EXPECT_TRUE(says(header(), "net_run(void *arena)")) << header();
}

TEST_F(Lines, TheCompilerExplainsWhatIsNotThere) {
  ASSERT_EQ(tarn("generate net.onnx -o out --stream fed --cc none").code, 0);
  const std::string include = "#include \"net.h\"\nint use(void *arena);\nint use(void *arena) { ";
  for (const char* standard : {"-std=c99", "-std=gnu17"}) {
    const verify::Ended fine = compile(include + "return net_lines_wanted_image(arena); }\n", standard);
    EXPECT_EQ(fine.code, 0) << fine.err;
    for (const char* call : {"(int)net_run(arena)", "(int)net_run_step(arena, 0u)"}) {
      const verify::Ended faulty = compile(include + "return " + call + "; }\n", standard);
      EXPECT_NE(faulty.code, 0);
      EXPECT_TRUE(says(faulty.err, "net_run_is_not_there_use_net_push_image")) << faulty.err;
      EXPECT_TRUE(says(faulty.err, "net.h")) << faulty.err;
    }
  }
}

TEST_F(Lines, TheHeaderTellsTheOrderOfALine) {
  ASSERT_EQ(tarn("generate net.onnx -o out --stream fed --drain --cc none").code, 0);
  EXPECT_TRUE(says(header(), "A line is float32[64][3] = [W][C]")) << header();
  EXPECT_TRUE(says(header(), "all lines are float32[1,64,64,3] (N, H, W, C), the model has [1,3,64,64]")) << header();
  EXPECT_TRUE(says(header(), "A line is float32[16][8] = [W][C]")) << header();
  ASSERT_EQ(tarn("generate net.onnx -o out --stream fed --drain --scan columns --cc none").code, 0);
  EXPECT_TRUE(says(header(), "A line is float32[64][3] = [H][C]")) << header();
  EXPECT_TRUE(says(header(), "(N, W, H, C), the model has [1,3,64,64]")) << header();
}

}  // namespace
}  // namespace tarn::cli
