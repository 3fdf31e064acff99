// A range of sizes under a RAM budget: the largest that fits, and the next one by itself, which does not.
#include <regex>

#include "support/text.h"
#include "unit/cli/executable.h"
#include "unit/model/onnx_text.h"

namespace tarn::cli {
namespace {

constexpr const char* kRangeNet = R"(g (float[N, 6] x) => (float[N, N] p)
  <float[6, 6] w = {1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1}>
  { q = MatMul(x, w)  t = Transpose<perm = [1, 0]>(q)  s = MatMul(x, t)  p = Softmax(s) })";

class Range : public testing::Test {
 protected:
  void SetUp() override { model_ = scratch_.write("net.onnx", model::parse_graph(kRangeNet)); }
  verify::Ended tarn(const std::string& line) const { return run_tarn(line, fs::path(model_).parent_path().string()); }

 private:
  const model::ScratchFolder scratch_;
  std::string model_;
};

TEST_F(Range, TheLargestSizeThatFits) {
  // With the stack measured by a compiler, and without. By layers: N = 25 is over by less than what lines may save,
  // undecided.
  for (const char* compiler : {" --stream off", " --stream off --cc none"}) {
    const verify::Ended ended = tarn(cat("analyze net.onnx --dim N=1..48 --ram 4K", compiler));
    ASSERT_EQ(ended.code, 0) << ended.err;
    std::smatch found;
    const std::regex line(R"(largest N that fits 4 096 B: (\d+); (\d+)\.\.48 do not \(proved\))");
    ASSERT_TRUE(std::regex_search(ended.out, found, line)) << ended.out;
    // Stacks as this machine's compiler lays them out: where no target is named they stand for a microcontroller's, so
    // no kernel may take more of them here because it can.
    EXPECT_GE(std::stoi(found.str(1)), 20) << ended.out;
    EXPECT_EQ(tarn(cat("analyze net.onnx --ram 4K --dim N=", found.str(1), compiler)).code, 0) << found.str();
    EXPECT_EQ(tarn(cat("analyze net.onnx --ram 4K --dim N=", found.str(2), compiler)).code, 5) << found.str();
  }
}

// One firmware for all sizes: its arena is what the budget is about, and verify runs several of them.
TEST_F(Range, OneFirmwareForAllSizes) {
  const verify::Ended fits = tarn("generate net.onnx --dim N=1..20 --ram 4K --cc none -o fits");
  EXPECT_EQ(fits.code, 0) << fits.err;
  const verify::Ended over = tarn("generate net.onnx --dim N=1..48 --ram 4K --cc none -o over");
  EXPECT_EQ(over.code, 5) << over.out;
  const verify::Ended verified = tarn("verify net.onnx --dim N=1..9 --reference naive");
  EXPECT_EQ(verified.code, 0) << verified.err;
  EXPECT_NE(verified.out.find("at N = 1, 2, 3, 5, 7, 8, 9"), std::string::npos) << verified.out;
}

TEST_F(Range, AllOrNoneMayFit) {
  const verify::Ended all = tarn("analyze net.onnx --dim N=1..4 --ram 64K --cc none");
  EXPECT_EQ(all.code, 0) << all.err;
  EXPECT_NE(all.out.find("N = 4 fits 65 536 B: the end of the range"), std::string::npos) << all.out;
  const verify::Ended none = tarn("analyze net.onnx --dim N=20..24 --ram 100 --cc none");
  EXPECT_EQ(none.code, 5) << none.out;
  EXPECT_NE(none.out.find("no N of the range fits 100 B (proved)"), std::string::npos) << none.out;
}

// The model's only open dimension, which nothing on the command line binds.
TEST_F(Range, AnOpenDimensionNeedsNoOption) {
  const verify::Ended open = tarn("analyze net.onnx --cc none --report r.json");
  ASSERT_EQ(open.code, 0) << open.err;
  EXPECT_NE(open.out.find("OVER N in 1..8  8 points planned"), std::string::npos) << open.out;
  EXPECT_NE(open.out.find("the model leaves N open; what stands above is of N=1"), std::string::npos) << open.out;
  EXPECT_NE(open.err.find("W206"), std::string::npos) << open.err;
  EXPECT_TRUE(std::regex_search(open.out, std::regex("beyond +16: 1 792 B, 32: .* B, 64: .* B"))) << open.out;
  for (const int n : {16, 32, 64}) {
    const std::string alone = tarn(cat("analyze net.onnx --cc none --stream off --dim N=", n)).out;
    std::smatch arena, told;
    ASSERT_TRUE(std::regex_search(alone, arena, std::regex("RAM +arena ([0-9 ]+) B"))) << alone;
    ASSERT_TRUE(std::regex_search(open.out, told, std::regex(cat("[ ,]", n, ": ([0-9 ]+) B"))));
    EXPECT_EQ(told.str(1), arena.str(1)) << n;
  }
  EXPECT_EQ(tarn("generate net.onnx --cc none -o out").code, 2) << "firmware has one size";
}

TEST_F(Range, TheLargestOpenSizeThatFits) {
  const verify::Ended open = tarn("analyze net.onnx --cc none --ram 4K --stream off");
  ASSERT_EQ(open.code, 0) << open.err;
  std::smatch found;
  const std::regex line(R"(largest N that fits 4 096 B: (\d+); (\d+)\.\.\d+ do not \(proved\))");
  ASSERT_TRUE(std::regex_search(open.out, found, line)) << open.out;
  EXPECT_EQ(tarn(cat("analyze net.onnx --cc none --ram 4K --stream off --dim N=", found.str(1))).code, 0);
  EXPECT_EQ(tarn(cat("analyze net.onnx --cc none --ram 4K --stream off --dim N=", found.str(2))).code, 5);
}

// What cannot be known behind an input without a size is no fault of its own.
TEST_F(Range, OneFaultForACause) {
  const model::ScratchFolder scratch;
  const std::string net = scratch.write("net.onnx", model::parse_graph(R"(g (float[N, M] x, bool c) => (float[K] y)
    { z = If(c) <then_branch = g1 () => (float[A] t) { t = NonZero(x) }, else_branch = g2 () => (float[B] e) { e = NonZero(x) }>
      y = Relu(z) })"));
  const verify::Ended ended = tarn("generate " + net + " -o out --cc none");
  EXPECT_EQ(ended.code, 2) << ended.err;
  EXPECT_NE(ended.err.find("E202"), std::string::npos) << ended.err;
  EXPECT_EQ(ended.err.find("E206"), std::string::npos) << ended.err;
}

TEST_F(Range, NamesThatAreExpressionsFollow) {
  const model::ScratchFolder scratch;
  const std::string net = scratch.write(
      "net.onnx",
      model::parse_graph(
          R"(g (float[1, 1, N] x, float[1, "floor((N-1)/2)+1"] z) => (float[1, 1, M] y) <float[1, 1, 1] w = {2}>
             { a = Conv<strides = [2]>(x, w)  y = Mul(a, z) })"));
  const verify::Ended none = tarn("generate " + net + " -o out --cc none");
  EXPECT_EQ(none.code, 2);
  EXPECT_NE(none.err.find("dimension not bound: 'N' (axis 2 of input 'x')"), std::string::npos) << none.err;
  EXPECT_EQ(none.err.find("floor"), std::string::npos) << none.err;
  const verify::Ended open = tarn("analyze " + net + " --cc none");
  EXPECT_NE(open.out.find("OVER N in 1..8  8 points planned"), std::string::npos) << open.out << open.err;
  EXPECT_EQ(tarn("generate " + net + " -o out --cc none --dim N=1..9").code, 0);
  EXPECT_EQ(tarn("analyze " + net + " --cc none --dim N=4 --dim floor((N-1)/2)+1=3").code, 3) << "given, it is that";
}

TEST_F(Range, SeveralOpenDimensionsAreNamed) {
  const model::ScratchFolder scratch;
  const std::string two =
      scratch.write("two.onnx", model::parse_graph("g (float[N, M] x) => (float[N, M] y) { y = Relu(x) }"));
  const verify::Ended ended = tarn("analyze " + two + " --cc none");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(ended.err.find("W206"), std::string::npos) << ended.err;
  EXPECT_NE(ended.out.find("OVER N in 1..6, M in 1..6"), std::string::npos) << ended.out;
  for (const std::string& command : {"generate -o " + scratch.path("out") + " ", std::string("analyze --ram 4K ")}) {
    const verify::Ended refused = tarn(command + two + " --cc none");
    EXPECT_EQ(refused.code, 2) << command;
    EXPECT_NE(refused.err.find("--dim N=1 --dim M=1"), std::string::npos) << refused.err;
  }
  const verify::Ended one = tarn("analyze " + two + " --cc none --dim M=3");
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_NE(one.out.find("OVER N in 1..8"), std::string::npos) << one.out;
}

TEST_F(Range, ADimensionThatTheModelDoesNotHave) {
  const verify::Ended ended = tarn("analyze net.onnx --dim N=2 --dim M=1..4 --cc none");
  EXPECT_NE(ended.err.find("E209"), std::string::npos) << ended.err;
}

}  // namespace
}  // namespace tarn::cli
