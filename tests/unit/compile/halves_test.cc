// Which convolutions keep the weights of two outputs in one half of a word.
#include <string>
#include <vector>

#include "unit/compile/analysed.h"

namespace tarn {
namespace {

constexpr int kInputs = 8;  // of a group

// The kernel of a convolution of single pixels on a Cortex-M4. w: [groups * outputs][kInputs].
std::string kernel_of(const std::vector<int>& w, int groups = 1) {
  const int outputs = static_cast<int>(w.size()) / kInputs, inputs = groups * kInputs;
  const auto channels = [](int n) { return "[1, " + std::to_string(n) + ", 4, 4]"; };
  std::string weights = "int8[" + std::to_string(outputs) + ", " + std::to_string(kInputs) + ", 1, 1] w = {";
  for (size_t i = 0; i < w.size(); ++i) weights += (i > 0 ? ", " : "") + std::to_string(w[i]);
  CompileOptions options;
  options.target = "cortex-m4";
  const Analysis a = analyze_ok("g (int8" + channels(inputs) + " x) => (int8" + channels(outputs) + " y) <" + weights +
                                    "}, float s = {0.02}, int8 z = {3}, int8 none = {0}> { y = QLinearConv <group = " +
                                    std::to_string(groups) + "> (x, s, z, w, s, none, s, z) }",
                                options);
  for (const program::Operation& operation : a.program.operations) {
    if (operation.kernel.find("conv2d") != std::string::npos) return operation.kernel;
  }
  return "";
}

// Weights of so many outputs, too large for 4 bits, of both signs in every output.
std::vector<int> large(int outputs) {
  std::vector<int> w;
  for (int i = 0; i < outputs * kInputs; ++i) w.push_back(i % 2 == 0 ? 100 : -127);
  return w;
}

std::vector<int> with(std::vector<int> w, int output, int k, int weight) {
  w.at(static_cast<size_t>(output * kInputs + k)) = weight;
  return w;
}

TEST(Halves, ASecondOutputsLeastWeightGoesBesideNoNegativeOne) {
  EXPECT_EQ(kernel_of(large(4)), "tarn_int_conv2d_dsp_halves_s8");
  EXPECT_EQ(kernel_of(with(large(4), 1, 0, -128)), "tarn_int_conv2d_dsp_halves_s8");  // beside 100
  EXPECT_EQ(kernel_of(with(large(4), 1, 1, -128)), "tarn_int_conv2d_dsp_s8");         // beside -127
  EXPECT_EQ(kernel_of(with(large(4), 3, 7, -128)), "tarn_int_conv2d_dsp_s8");
  EXPECT_EQ(kernel_of(with(large(4), 2, 1, -128)), "tarn_int_conv2d_dsp_halves_s8");  // of a first output
}

TEST(Halves, TheLastOfOddOutputsHasNoSecond) {
  EXPECT_EQ(kernel_of(with(large(3), 2, 1, -128)), "tarn_int_conv2d_dsp_halves_s8");
  EXPECT_EQ(kernel_of(with(large(3), 1, 1, -128)), "tarn_int_conv2d_dsp_s8");
}

// Of two groups of three outputs 0 and 1, 3 and 4 are pairs; 2 and 5 stand by themselves.
TEST(Halves, PairsAreWithinAGroup) {
  EXPECT_EQ(kernel_of(large(6), 2), "tarn_int_conv2d_dsp_halves_groups_s8");
  EXPECT_EQ(kernel_of(with(large(6), 3, 1, -128), 2), "tarn_int_conv2d_dsp_halves_groups_s8");
  EXPECT_EQ(kernel_of(with(large(6), 5, 1, -128), 2), "tarn_int_conv2d_dsp_halves_groups_s8");
  EXPECT_EQ(kernel_of(with(large(6), 4, 1, -128), 2), "tarn_int_conv2d_dsp_groups_s8");
}

}  // namespace
}  // namespace tarn
