#include "emit/emit.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "emit/depfile.h"
#include "emit/literals.h"
#include "emit/names.h"
#include "report/report.h"
#include "unit/compile/analysed.h"

namespace tarn::emit {
namespace {

namespace fs = std::filesystem;

TEST(Literals, FloatsComeBackExactly) {
  uint32_t state = 1;
  std::vector<uint32_t> patterns = {0, 0x80000000, 1, 0x807FFFFF, 0x00800000, 0x7F7FFFFF, 0x3F800000, 0x3F800001};
  for (int i = 0; i < 200000; ++i) patterns.push_back(state = state * 1664525 + 1013904223);
  for (uint32_t bits : patterns) {
    const float value = std::bit_cast<float>(bits);
    if (!std::isfinite(value)) continue;
    const std::string text = float_literal(value);
    ASSERT_EQ(text.back(), 'f') << text;
    ASSERT_EQ(std::bit_cast<uint32_t>(std::strtof(text.c_str(), nullptr)), bits) << text;
    std::string element;
    int column = 0;
    append_elements(element, DType::float32, {reinterpret_cast<const uint8_t*>(&value), sizeof value}, column);
    ASSERT_EQ(std::bit_cast<uint32_t>(std::strtof(element.c_str(), nullptr)), bits) << element;
    ASSERT_LE(element.size(), 16u) << element;
  }
  EXPECT_EQ(float_literal(INFINITY), "TARN_INF_F");
  EXPECT_EQ(float_literal(-INFINITY), "-TARN_INF_F");
  EXPECT_EQ(float_literal(NAN), "TARN_NAN_F");
}

TEST(Literals, DoublesComeBackExactly) {
  uint64_t state = 1;
  std::vector<uint64_t> patterns = {
      0, uint64_t{1} << 63, 1, 0x000FFFFFFFFFFFFF, 0x0010000000000000, 0x7FEFFFFFFFFFFFFF};
  for (int i = 0; i < 100000; ++i) patterns.push_back(state = state * 6364136223846793005u + 1442695040888963407u);
  for (uint64_t bits : patterns) {
    const double value = std::bit_cast<double>(bits);
    if (!std::isfinite(value)) continue;
    ASSERT_EQ(std::bit_cast<uint64_t>(std::strtod(double_literal(value).c_str(), nullptr)), bits)
        << double_literal(value);
  }
}

TEST(Literals, IntegersAreValidC) {
  EXPECT_EQ(int_literal(0), "0");
  EXPECT_EQ(int_literal(-5), "-5");
  // -2147483648 is not an int constant in C: the minus is an operator on a larger one.
  EXPECT_NE(int_literal(INT32_MIN), "-2147483648");
  EXPECT_NE(int_literal(INT64_MIN, true).find("1"), std::string::npos);
}

TEST(Names, IdentifiersAreC) {
  for (const char* name :
       {"", "1", "a b", "a/b:0", "int", "class", "_x", "___", "a-b", "größe", "x\ny", "\"", "arena"}) {
    const std::string id = identifier(name);
    ASSERT_FALSE(id.empty());
    EXPECT_TRUE(std::isalpha(static_cast<unsigned char>(id[0]))) << id;
    for (char c : id) EXPECT_TRUE(std::isalnum(static_cast<unsigned char>(c)) || c == '_') << id;
    EXPECT_EQ(identifier(id), id);
    EXPECT_NE(id, name);
  }
}

TEST(Names, NoTwoAreAlikeEvenInCapitals) {
  Names names;
  std::set<std::string> seen;
  for (const char* name : {"x", "X", "x_2", "x", "x.", "x_", "X_2", "conv/1", "conv:1", "conv_1"}) {
    std::string id = names.unique(name);
    for (char& c : id) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    EXPECT_TRUE(seen.insert(id).second) << id;
  }
}

TEST(Depfile, BlanksAndDollarsAreEscaped) {
  EXPECT_EQ(depfile({"out/a b.c", "x$y.c"}, {"m.onnx", "w #1.bin"}),
            "out/a\\ b.c x$$y.c: \\\n  m.onnx \\\n  w\\ \\#1.bin\n");
}

std::map<std::string, std::string> content(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    files[fs::relative(entry.path(), folder).string()] = text.str();
  }
  return files;
}

using Listing = std::map<std::string, std::string>;

TEST(WriteFiles, AllOrNothing) {
  const model::ScratchFolder scratch;
  scratch.write("out/old.c", std::string("old"));
  scratch.write("out/folder.c/keep", std::string(""));
  const Listing before = content(scratch.path("out"));
  const auto result = write_files(
      scratch.path("out"), {text_file("new.c", "new"), text_file("old.c", "changed"), text_file("folder.c", "no")});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.faults()[0].code, "E401");
  EXPECT_EQ(content(scratch.path("out")), before);
}

TEST(WriteFiles, EqualFilesAreNotTouched) {
  const model::ScratchFolder scratch;
  scratch.write("out/same.c", std::string("same"));
  scratch.write("out/other.c", std::string("old"));
  const auto long_ago = fs::last_write_time(scratch.path("out/same.c")) - std::chrono::hours(24);
  fs::last_write_time(scratch.path("out/same.c"), long_ago);
  ASSERT_TRUE(write_files(scratch.path("out"), {text_file("same.c", "same"), text_file("other.c", "new")}));
  EXPECT_EQ(fs::last_write_time(scratch.path("out/same.c")), long_ago);
  EXPECT_EQ(content(scratch.path("out")), (Listing{{"other.c", "new"}, {"same.c", "same"}}));
}

Listing emitted(const EmitOptions& options, CompileOptions compile = {}, const std::string& text = network()) {
  const model::ScratchFolder scratch;
  compile.name = "kws";
  const Analysis analysis = analyze_ok(text, compile);
  const report::Report report = report::make_report(analysis, {"tarn", "generate", "net.onnx"});
  const auto files = emit(analysis, report, options);
  EXPECT_TRUE(files);
  EXPECT_TRUE(write_files(scratch.path("out"), *files));
  return content(scratch.path("out"));
}

TEST(Emit, ExactlyTheFilesOfTheInterface) {
  const Listing split = emitted({});
  for (const char* name : {"kws_arena.h", "kws.h", "kws.c", "kws_weights.c", "kws_weights.h", "kws.json"})
    EXPECT_TRUE(split.contains(name)) << name;
  for (const auto& [name, text] : split) EXPECT_TRUE(name.starts_with("kws") || name.starts_with("tarn")) << name;
  EmitOptions single;
  single.single_file = true;
  std::set<std::string> names;
  for (const auto& [name, text] : emitted(single)) names.insert(name);
  EXPECT_EQ(names, (std::set<std::string>{"kws.h", "kws.c", "kws.json"}));
  EmitOptions arena;
  arena.arena_only = true;
  CompileOptions compile;
  compile.arena_only = true;
  const Listing header = emitted(arena, compile);
  EXPECT_TRUE(header.contains("kws_arena.h"));
  EXPECT_FALSE(header.contains("kws.c"));
  EXPECT_EQ(header.at("kws_arena.h").find("#include \""), std::string::npos);  // needs no other file
}

TEST(Emit, SameBytesTwiceAndNoPaths) {
  const Listing once = emitted({}), again = emitted({});
  EXPECT_EQ(once, again);
  for (const auto& [name, text] : once) {
    EXPECT_EQ(text.find("/tmp/"), std::string::npos) << name;
    EXPECT_EQ(text.find("tarn_test_"), std::string::npos) << name;
  }
}

TEST(Emit, WeightsAsABinary) {
  CompileOptions binary;
  binary.weights = WeightForm::incbin;
  const Listing files = emitted({}, binary);
  ASSERT_TRUE(files.contains("kws_weights.bin"));
  EXPECT_TRUE(files.contains("kws_weights.S"));
  EXPECT_FALSE(files.contains("kws_weights.c"));
}

TEST(Emit, NoWeightsAsABinary) {
  CompileOptions compile;
  compile.weights = WeightForm::incbin;
  EmitOptions binary;
  binary.single_file = true;
  const Listing files = emitted(binary, compile, "g (float[4] x) => (float[4] y) { y = Relu(x) }");
  EXPECT_FALSE(files.contains("kws_weights.h"));
  EXPECT_EQ(files.at("kws.c").find("kws_weights.h"), std::string::npos);
}

}  // namespace
}  // namespace tarn::emit
