// Scratch of layers by lines: more than they must have where that saves more time than it takes memory.
#include <string>

#include "plan_steps.h"
#include "unit/compile/analysed.h"

namespace tarn {
namespace {

// Two layers of 3 x 3 of which the second one's patches are so long that it takes them in parts.
std::string long_patches() {
  const auto weights = [](const std::string& name, int outputs, int inputs) {
    std::string text =
        "int8[" + std::to_string(outputs) + ", " + std::to_string(inputs) + ", 3, 3] " + name + " = {100";
    for (int i = 1; i < outputs * inputs * 9; ++i) text += i % 2 == 0 ? ", 100" : ", -127";
    return text + "}";
  };
  return "g (int8[1, 8, 16, 16] x) => (int8[1, 64, 16, 16] y) <" + weights("v", 64, 8) + ", " + weights("w", 64, 64) +
         ", float s = {0.02}, int8 z = {3}, int8 none = {0}> {"
         " a = QLinearConv <pads = [1, 1, 1, 1]> (x, s, z, v, s, none, s, z)"
         " y = QLinearConv <pads = [1, 1, 1, 1]> (a, s, z, w, s, none, s, z) }";
}

Analysis by_lines(stream::Mode mode, std::optional<int64_t> budget = {}) {
  CompileOptions options;
  options.target = "cortex-m4";
  options.nhwc_inputs = options.nhwc_outputs = true;
  options.stream.mode = mode;
  options.arena_budget = budget;
  return analyze_ok(long_patches(), options);
}

std::string last_kernel(const Analysis& analysis) {
  std::string last;
  for (const program::Operation& operation : analysis.program.operations) {
    if (operation.kernel.find("conv2d") != std::string::npos) last = operation.kernel;
  }
  return last;
}

TEST(LinesRoom, TimeIsWorthItsBytes) {
  Analysis roomy = by_lines(stream::Mode::resident);
  EXPECT_EQ(last_kernel(roomy), "tarn_int_conv2d_dsp_halves_s8");
  Analysis tight = by_lines(stream::Mode::resident, roomy.stream->arena - 1);
  EXPECT_EQ(last_kernel(tight), "tarn_int_conv2d_dsp_halves_parts_s8");
  EXPECT_LT(tight.stream->arena, roomy.stream->arena);
  const int64_t quick = *time_as_planned(roomy), slow = *time_as_planned(tight);
  EXPECT_LT(quick, slow);
  EXPECT_LT(static_cast<double>(quick) * static_cast<double>(roomy.stream->arena),
            static_cast<double>(slow) * static_cast<double>(tight.stream->arena));
}

// A budget that the larger plan fits is no reason against it.
TEST(LinesRoom, ABudgetThatIsMetChangesNothing) {
  const Analysis roomy = by_lines(stream::Mode::resident);
  const Analysis same = by_lines(stream::Mode::resident, roomy.stream->arena);
  EXPECT_EQ(last_kernel(same), last_kernel(roomy));
  EXPECT_EQ(same.stream->arena, roomy.stream->arena);
}

// By layers the other tensors of a step decide what room there is.
TEST(LinesRoom, ByLayersNothingIsTakenThatIsNotThere) {
  CompileOptions options;
  options.target = "cortex-m4";
  options.nhwc_inputs = options.nhwc_outputs = true;
  options.stream.mode = stream::Mode::off;
  const Analysis layers = analyze_ok(long_patches(), options);
  EXPECT_EQ(last_kernel(layers), "tarn_int_conv2d_dsp_halves_parts_s8");
}

}  // namespace
}  // namespace tarn
