// Ports of networks that remember: an input that became a state does not move the others' facts.
#include <gtest/gtest.h>

#include "emit/names.h"
#include "report/report.h"
#include "unit/compile/analysed.h"

namespace tarn::report {
namespace {

constexpr const char* kStateBeforeCodes = R"(g (float[1,4] h, float[1,4] x) => (float[1,4] h_next, float[1,4] y)
  <float s = {0.25}, int8 z = {3}, float[4,4] w = {1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16}> {
    q = QuantizeLinear(x, s, z)  a = DequantizeLinear(q, s, z)  y = MatMul(a, w)  h_next = Add(h, y) })";

TEST(Ports, CodesStayWithTheirInput) {
  CompileOptions options;
  options.quantized_io = true;
  const Report plain = make_report(analyze_ok(kStateBeforeCodes, options), {});
  ASSERT_EQ(plain.inputs.size(), 2u);
  ASSERT_FALSE(plain.inputs[0].codes);
  ASSERT_TRUE(plain.inputs[1].codes);
  options.states = {{"h_next", "h"}};
  const Analysis analysis = analyze_ok(kStateBeforeCodes, options);
  const Report kept = make_report(analysis, {});
  ASSERT_EQ(kept.inputs.size(), 1u);
  EXPECT_EQ(kept.inputs[0].name, "x");
  EXPECT_EQ(kept.inputs[0].codes, plain.inputs[1].codes);
  // Updated where it lies, and called as its input.
  ASSERT_EQ(kept.states.size(), 1u);
  EXPECT_TRUE(kept.states[0].in_place) << kept.states[0].why;
  const emit::CNames names = emit::make_names("net", analysis.program);
  EXPECT_EQ(names.tensors[analysis.program.states[0].pos()], "h");
}

TEST(Ports, AStateHasTheShapeOfItsOutput) {
  CompileOptions options;
  options.states = {{"y", "h"}};
  const Result<Analysis> wrong = try_analyze(
      "g (float[2,2] h) => (float[1,4] y) <int64[2] s = {1,4}> { r = Relu(h)  y = Reshape(r, s) }", options);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.faults()[0].code, "E209");
  EXPECT_NE(wrong.faults()[0].message.find("float32[1,4]"), std::string::npos) << wrong.faults()[0].message;
}

// Two initializers: one defaults an input, the other is a constant.
TEST(Ports, AnInputWithAnInitializerIsAStateByName) {
  CompileOptions options;
  options.states_by_name = true;
  const Report kept =
      make_report(analyze_ok(R"(g (float[2] x, float[2] s_in) => (float[2] y, float[2] s_out, float[2] t_out)
      <float[2] s_in = {1, 2}, float[2] t_in = {3, 4}> { s_out = Mul(s_in, x)  t_out = Mul(t_in, x)  y = Add(s_out, t_out) })",
                             options),
                  {});
  ASSERT_EQ(kept.states.size(), 1u);
  EXPECT_EQ(kept.states[0].in, "s_in");
  EXPECT_TRUE(kept.states[0].first);
}

}  // namespace
}  // namespace tarn::report
