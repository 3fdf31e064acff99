// Which layers may be joined, and what their kernels must know to work on some pixels of a line.
#include "stream/network/chains.h"

#include "stream/network/grid.h"
#include "unit/compile/joined.h"

namespace tarn {
namespace {

// What is made before the window stands where its input does: floats on their way to codes have no room there.
TEST(Chains, NothingIsJoinedAcrossTypes) {
  const std::string text =
      "g (float[1, 2, 12, 12] image) => (int8[1, 4, 12, 12] y) <" + ones("u", "4, 2, 1, 1", 8) +
      ", float s = {0.5}, int8 z = {0}, float[4] t = {0.5, 0.5, 0.5, 0.5}, int8[4] n = {0, 0, 0, 0}, " + "int8" +
      ones("v", "4, 4, 3, 3", 144).substr(5) + R"(> {
    a = Conv(image, u)  b = QuantizeLinear(a, s, z)  y = QLinearConv <pads = [1, 1, 1, 1]>(b, s, z, v, t, n, s, z) })";
  const Analysis a = fed_by_pixels(text);
  for (const stream::Chain& chain : chains_of(a)) {
    for (size_t i = 0; i < chain.mid; ++i) {
      const auto type = [&](size_t at) { return a.program[stream::only_result(a.program[chain.operations[at]])].type; };
      EXPECT_EQ(type(i).dtype, type(chain.mid - 1).dtype);
    }
  }
  EXPECT_EQ(a.program[stream::only_result(a.program[a.schedule.steps.front().operation])].type.dtype, DType::float32);
}

// Casts between types of other sizes are made pixel after pixel too.
TEST(Chains, CastsKnowWhereTheNextPixelLies) {
  const Analysis a = fed_by_pixels("g (float[1, 3, 8, 8] x) => (int64[1, 3, 8, 8] y) { y = Cast <to = 7>(x) }");
  int casts = 0;
  for (const program::Operation& operation : a.program.operations) {
    if (!operation.line_form || operation.line_form->params.type != "tarn_cast_params") continue;
    ++casts;
    for (const program::Field& field : operation.line_form->params.fields) {
      if (!field.name.ends_with("pitch")) continue;
      const auto* pitch = std::get_if<int64_t>(&field.value);
      EXPECT_TRUE(pitch && *pitch == 3) << field.name;
    }
  }
  EXPECT_EQ(casts, 1);
}

}  // namespace
}  // namespace tarn
