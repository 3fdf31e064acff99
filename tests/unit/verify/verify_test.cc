#include "verify/verify.h"

#include "sample.h"

namespace tarn::verify {
namespace {

class EveryTarget : public testing::TestWithParam<Target> {};

TEST_P(EveryTarget, RunsTheSampleAndMeasuresIt) {
  const Result<Measurement> result = run_on(sample_firmware(), GetParam(), sample_data(3));
  SKIP_WITHOUT_TOOLS(result);
  EXPECT_TRUE(result->passed()) << texts(result->faults);
  printf("%-11s %-50s arena %ld static %ld text %ld rodata %ld stack %ld bound %ld (%s%s) insns %ld max_abs %g\n",
         result->on.c_str(), result->board.c_str(), result->arena, result->static_bytes, result->text, result->rodata,
         result->stack.value_or(-1), result->stack_bound.value_or(-1), join(result->stack_path, ">").c_str(),
         result->stack_bound_missing.c_str(), result->instructions.value_or(-1), result->outputs[0].max_abs);
}

INSTANTIATE_TEST_SUITE_P(Targets, EveryTarget, testing::ValuesIn(all_targets()), [](const auto& info) {
  std::string name = to_string(info.param);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace tarn::verify
