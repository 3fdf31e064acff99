// The integers of normalisations whose scale and bias are multiples of a part of the output's step.
#include "ops/norm_form.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "program/spread_forms.h"

namespace tarn::ops {
namespace {

TEST(NormForm, FewBitsTellMultiplesOfASmallPartOfAStep) {
  std::mt19937 random(11);
  for (int run = 0; run < 400; ++run) {
    const float step = std::exp(std::uniform_real_distribution<float>(-6, 0)(random));
    NormNumbers numbers{.count = 48, .epsilon = 1e-5, .x_scale = 0.05, .y_scale = step, .y_zero = run % 256 - 128};
    std::vector<int> scale, bias;
    for (int i = 0; i < 48; ++i) {
      scale.push_back(static_cast<int>(random() % 4000) - 500);
      bias.push_back(static_cast<int>(random() % 1000) - 500);
      if (std::abs(bias.back()) % 64 == 32) ++bias.back();
      numbers.scale.push_back(static_cast<float>(scale.back() / 64.0 * step));
      numbers.bias.push_back(static_cast<float>(bias.back() / 64.0 * step));
    }
    const auto form = norm_form(numbers);
    ASSERT_TRUE(form);
    for (size_t i = 1; i < 48; ++i) {
      ASSERT_EQ((int64_t{form->scale[i]} - form->scale[0]) * (scale[1] - scale[0]),
                (int64_t{form->scale[1]} - form->scale[0]) * (scale[i] - scale[0]));
      ASSERT_EQ(int64_t{form->bias[i]} - form->bias[0],
                (int64_t{bias[i]} - bias[0]) * (int64_t{1} << (form->post - 6)));
    }
    for (const auto& [of, most] : {std::pair(&form->scale, 12), std::pair(&form->bias, 10)}) {
      const auto spread = program::short_numbers(*of);
      ASSERT_TRUE(spread);
      EXPECT_LE(spread->bits, most);
    }
  }
}

TEST(NormForm, OtherNumbersStayAsTheyAre) {
  const NormNumbers numbers{
      .count = 3, .epsilon = 0, .x_scale = 1, .y_scale = 0.1F, .y_zero = 0, .scale = {0.9, 1.7, M_PI}, .bias = {}};
  const auto form = norm_form(numbers);
  ASSERT_TRUE(form);
  const double unit = form->scale[2] / (M_PI / static_cast<double>(0.1F));
  EXPECT_NEAR(unit, std::exp2(std::nearbyint(std::log2(unit))), unit * 1e-8);
  EXPECT_FALSE(program::short_numbers(form->scale));
}

}  // namespace
}  // namespace tarn::ops
