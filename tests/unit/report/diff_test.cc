#include "report/diff.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace tarn::report {
namespace {

std::string write(const std::string& name, const std::string& text) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("tarn_diff_test_" + std::to_string(::getpid()) + name)).string();
  std::ofstream(path) << text;
  return path;
}

std::string report(int arena, int conv_bytes) {
  return R"({"schema": "tarn-report/1", "model": {"file": "m.onnx"}, "ram": {"arena": )" + std::to_string(arena) +
         R"(, "total": )" + std::to_string(arena + 100) + R"(}, "plan": {"proof": "optimal", "peak_step": 0},
         "tensors": [{"name": "conv_out", "bytes": )" +
         std::to_string(conv_bytes) + R"(, "offset": 0}],
         "steps": [{"step": 0, "kernel": "conv2d_f32", "nodes": ["conv"], "live_bytes": )" +
         std::to_string(arena) + R"(}]})";
}

TEST(Diff, TellsWhatGrewAndWhy) {
  const std::string before = write("a.json", report(1000, 600)), after = write("b.json", report(1500, 1100));
  const Result<Diff> diff = compare_reports(
      before, after, {*parse_condition("arena>+0"), *parse_condition("arena>+60%"), *parse_condition("total>1600")});
  ASSERT_TRUE(diff);
  EXPECT_NE(diff->text.find("1 000 -> 1 500  (+500, +50.0 %)"), std::string::npos) << diff->text;
  EXPECT_NE(diff->text.find("+500 B  conv_out"), std::string::npos) << diff->text;
  EXPECT_EQ(diff->failed, std::vector<std::string>{"arena>+0"});
}

TEST(Diff, EqualReportsHaveNoChange) {
  const std::string one = write("c.json", report(1000, 600));
  const Result<Diff> diff = compare_reports(one, one, {*parse_condition("arena>+0")});
  ASSERT_TRUE(diff);
  EXPECT_NE(diff->text.find("no change"), std::string::npos);
  EXPECT_TRUE(diff->failed.empty());
}

TEST(Diff, RefusesWhatIsNoReport) {
  const std::string good = write("d.json", report(1, 1));
  for (const char* text : {"", "[]", "{", "{\"schema\": \"other\"}"}) {
    const Result<Diff> diff = compare_reports(good, write("e.json", text), {});
    ASSERT_FALSE(diff) << text;
    EXPECT_EQ(diff.faults()[0].code, "E307");
  }
}

TEST(Diff, ConditionsAreReadOrRefused) {
  EXPECT_EQ(parse_condition("arena>+5%")->measure, Condition::Measure::percent);
  EXPECT_EQ(parse_condition("stack>+16")->limit, 16);
  EXPECT_FALSE(parse_condition("weights<1024")->greater);
  EXPECT_EQ(parse_condition("arena > 10K")->limit, 10240);
  EXPECT_EQ(parse_condition("arena>+1.5M")->measure, Condition::Measure::change);
  for (const char* text : {"", "arena>5K%", "arena>K", "arena", "arena>", "nothing>1", "arena>x", "arena>1x", ">1"})
    EXPECT_FALSE(parse_condition(text)) << text;
}

}  // namespace
}  // namespace tarn::report
