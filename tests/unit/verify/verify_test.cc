#include "verify/verify.h"

#include "sample.h"
#include "tiny.h"

namespace tarn::verify {
namespace {

std::string test_name(const testing::TestParamInfo<Target>& info) {
  std::string name = to_string(info.param);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class EveryTarget : public testing::TestWithParam<Target> {};

// Every figure that does not depend on the compiler is known to the byte.
TEST_P(EveryTarget, RunsTheSampleAndMeasuresIt) {
  const Result<Measurement> result = run_on(sample_firmware(), GetParam(), sample_data(3));
  SKIP_WITHOUT_TOOLS(result);
  EXPECT_TRUE(result->passed()) << texts(result->faults);
  EXPECT_EQ(result->on, to_string(GetParam()));
  EXPECT_EQ(result->arena, 96);
  EXPECT_EQ(result->static_bytes, 0);
  EXPECT_GE(result->rodata, 688);  // the weights, and what the compiler makes constants of
  EXPECT_LE(result->rodata, 760);
  EXPECT_GT(result->text, 200);
  EXPECT_LT(result->text, 1000);
  ASSERT_EQ(result->outputs.size(), 1u);
  EXPECT_EQ(result->outputs[0].mismatches, 0);
  EXPECT_LT(result->outputs[0].max_abs, 2e-7);
  ASSERT_EQ(result->results.size(), 3u);
  EXPECT_NE(result->results[0], result->results[1]);
  ASSERT_TRUE(result->stack);
  EXPECT_EQ(result->instructions.has_value(), !is_process(GetParam()));
  if (GetParam() == Target::aarch64) return;  // its machine code is not read
  ASSERT_TRUE(result->stack_bound) << result->stack_bound_missing;
  EXPECT_GE(*result->stack_bound, *result->stack);
  EXPECT_LE(*result->stack_bound, 1.25 * static_cast<double>(*result->stack));
  EXPECT_EQ(result->stack_path.front(), "kws_run");
}

class CallersBuffers : public testing::TestWithParam<Target> {};

TEST_P(CallersBuffers, AreReadAndWritten) {
  Firmware firmware;
  firmware.name = "mix";
  firmware.folder = std::string(TARN_SOURCE_DIR) + "/tests/unit/verify/sample_caller";
  firmware.sources = {"mix.c"};
  firmware.caller_io = true;
  firmware.inputs = {
      float_port("a", "", {6}), {"b", "b", "", {DType::int8, {6}}, {}}, float_port("nothing", "", {0, 3})};
  firmware.outputs = {float_port("kept", "", {6}),
                      {"sums", "sums", "", {DType::float64, {6}}, {}},
                      {"flags", "flags", "", {DType::boolean, {6}}, {}}};
  firmware.outputs[0].runtime_axes = {0};
  firmware.arena_bytes = 32;
  firmware.static_bytes = 0;
  const std::vector<double> sums = {2, 0.5, 2.5, -4, 5, -11};
  std::vector<uint8_t> sum_bytes(48);
  std::memcpy(sum_bytes.data(), sums.data(), 48);
  const Sample sample = {{bytes_of({1, 0.5f, -0.5f, -4, 2, 0}), {1, 0, 3, 0, 3, 0xf5}, {}},
                         {{bytes_of({1, 0.5f, 2}), {3}}, {sum_bytes, {6}}, {{1, 0, 1, 0, 1, 0}, {6}}}};
  const Sample none = {{bytes_of({-1, -1, -1, -1, -1, -1}), {1, 1, 1, 1, 1, 1}, {}}, {}};
  const Result<Measurement> result = run_on(firmware, GetParam(), {sample, none});
  SKIP_WITHOUT_TOOLS(result);
  EXPECT_TRUE(result->passed()) << texts(result->faults);
  EXPECT_EQ(result->outputs.size(), 3u);
  EXPECT_EQ(result->results[0][0].shape, (Shape{3}));
  EXPECT_EQ(result->results[1][0].shape, (Shape{0}));
  EXPECT_TRUE(result->results[1][0].bytes.empty());
}

INSTANTIATE_TEST_SUITE_P(Targets, EveryTarget, testing::ValuesIn(all_targets()), test_name);
INSTANTIATE_TEST_SUITE_P(Targets, CallersBuffers,
                         testing::Values(Target::host, Target::cortex_m0, Target::cortex_m4, Target::rv32imac),
                         test_name);

class EveryBoard : public testing::TestWithParam<Target> {};

// 10 MB do not fit the first memory of any board but RISC-V's: the arena moves to the larger one.
TEST_P(EveryBoard, PlacesALargeArena) {
  const TestFolder folder;
  const Tiny tiny{.before = "",
                  .body =
                      "for (i = 0; i < 4; ++i) { ((float *)arena)[2621436 + i] = 2.0f * x[i]; }\n"
                      "for (i = 0; i < 4; ++i) { y[i] = ((float *)arena)[2621436 + i]; }",
                  .arena_bytes = 10 << 20};
  const Result<Measurement> result = run_on(write_tiny(folder, tiny), GetParam(), tiny_data());
  SKIP_WITHOUT_TOOLS(result);
  EXPECT_TRUE(result->passed()) << texts(result->faults);
  EXPECT_EQ(result->arena, 10 << 20);
}

INSTANTIATE_TEST_SUITE_P(Boards, EveryBoard,
                         testing::Values(Target::cortex_m0, Target::cortex_m4, Target::cortex_m7, Target::cortex_m33,
                                         Target::cortex_m55, Target::rv32imafc),
                         test_name);

TEST(Board, M0FallsBackToALargerBoardAndSaysSo) {
  const TestFolder folder;
  Result<Measurement> result =
      run_on(write_tiny(folder, {.before = "", .arena_bytes = 8192}), Target::cortex_m0, tiny_data());
  SKIP_WITHOUT_TOOLS(result);
  EXPECT_EQ(result->board, "microbit");
  result = run_on(write_tiny(folder, {.before = "", .arena_bytes = 16384}), Target::cortex_m0, tiny_data());
  ASSERT_TRUE(result.ok()) << texts(result.faults());
  EXPECT_EQ(result->board, "mps2-an385 (a Cortex-M3 that runs the v6-M code)");
}

TEST(Board, TooSmallForTheArena) {
  const TestFolder folder;
  const Result<Measurement> result =
      run_on(write_tiny(folder, {.before = "", .arena_bytes = 17 << 20}), Target::cortex_m4, tiny_data());
  ASSERT_FALSE(result.ok());
  if (result.faults()[0].code == "E402") GTEST_SKIP() << texts(result.faults());
  EXPECT_EQ(result.faults()[0].code, "E408");
  EXPECT_NE(result.faults()[0].message.find("17825792 of arena"), std::string::npos) << texts(result.faults());
}

TEST(Board, TooSmallForTheWeights) {
  const TestFolder folder;
  const Tiny tiny{
      .before = "static const uint8_t weights[5000000] = {1u, 2u};",
      .body = "for (i = 0; i < 4; ++i) { y[i] = x[i] * (float)weights[1 + ((volatile int32_t *)arena)[3]]; }"};
  const Result<Measurement> result = run_on(write_tiny(folder, tiny), Target::cortex_m4, tiny_data());
  ASSERT_FALSE(result.ok());
  if (result.faults()[0].code == "E402") GTEST_SKIP() << texts(result.faults());
  EXPECT_EQ(result.faults()[0].code, "E408");
  EXPECT_NE(result.faults()[0].message.find("code by "), std::string::npos) << texts(result.faults());
}

TEST(Measure, CountsOfInstructionsAreExactAndRepeatable) {
  const TestFolder folder;
  // A loop of known length: 100 rounds of two instructions, one before it, and `return 0`: movs, bx.
  const Tiny tiny{
      .before = "",
      .body =
          "__asm__ volatile(\".syntax unified\\n movs r3, #100\\n1: subs r3, #1\\n bne 1b\" : : : \"r3\", \"cc\");"};
  Firmware firmware = write_tiny(folder, tiny);
  firmware.outputs.clear();
  const Result<Measurement> once = run_on(firmware, Target::cortex_m3, {{{bytes_of({0, 0, 0, 0})}, {}}});
  SKIP_WITHOUT_TOOLS(once);
  EXPECT_EQ(once->instructions, 203);
  for (Target target : {Target::cortex_m4, Target::rv32imac}) {
    const Result<Measurement> first = run_on(sample_firmware(), target, sample_data(1));
    const Result<Measurement> second = run_on(sample_firmware(), target, sample_data(1));
    SKIP_WITHOUT_TOOLS(first);
    EXPECT_EQ(first->instructions, second->instructions);
  }
}

TEST(Measure, EstimatesCycles) {
  VerifyOptions options;
  options.profile = true;
  const Result<Measurement> result = run_on(sample_firmware(), Target::cortex_m4, sample_data(1), options);
  SKIP_WITHOUT_TOOLS(result);
  ASSERT_TRUE(result->profile);
  EXPECT_EQ(static_cast<int64_t>(result->profile->instructions()), result->instructions);
  ASSERT_TRUE(result->cycles);
  EXPECT_GT(*result->cycles, *result->instructions);
  EXPECT_LT(*result->cycles, 3 * *result->instructions);
}

// Weights that an assembly file includes are constants like others, found from any folder.
TEST(Measure, IncludedBinaryWeights) {
  const TestFolder folder;
  Firmware firmware = write_tiny(folder, {.before = "extern const float tiny_weights[4];",
                                          .body = "for (i = 0; i < 4; ++i) { y[i] = tiny_weights[i] * x[i]; }"});
  const std::vector<uint8_t> weights = bytes_of({2, 2, 2, 2});
  folder.write("tiny_weights.bin", std::string(weights.begin(), weights.end()));
  folder.write("tiny_weights.S",
               ".section .rodata\n.balign 16\n.globl tiny_weights\ntiny_weights:\n.incbin \"tiny_weights.bin\"\n"
               ".section .note.GNU-stack,\"\",%progbits\n");
  firmware.sources.push_back("tiny_weights.S");
  for (Target target : {Target::host, Target::cortex_m0, Target::rv32imac}) {
    const Result<Measurement> result = run_on(firmware, target, tiny_data());
    SKIP_WITHOUT_TOOLS(result);
    EXPECT_TRUE(result->passed()) << texts(result->faults);
    EXPECT_EQ(result->rodata, 16);
  }
}

TEST(Measure, RunsWithClang) {
  setenv("CC", "clang-14", 1);
  const Result<Measurement> result = run_on(sample_firmware(), Target::host, sample_data(2));
  unsetenv("CC");
  if (find_program("clang-14").empty()) GTEST_SKIP() << "no clang-14";
  ASSERT_TRUE(result.ok()) << texts(result.faults());
  EXPECT_TRUE(result->passed()) << texts(result->faults);
  EXPECT_FALSE(result->stack_bound);
  EXPECT_NE(result->stack_bound_missing, "");
}

// Of the host alone: boards are chosen by their stack.
TEST(Measure, TheBoundOfTheStackIsLeftOutWhereNobodyAsks) {
  VerifyOptions options;
  options.bound_stack = false;
  for (const Target target : {Target::host, Target::cortex_m4}) {
    const Result<Measurement> result = run_on(sample_firmware(), target, sample_data(1), options);
    if (!result.ok() && result.faults()[0].code == "E402") GTEST_SKIP() << result.faults()[0].message;
    ASSERT_TRUE(result.ok()) << texts(result.faults());
    EXPECT_TRUE(result->passed()) << texts(result->faults);
    EXPECT_TRUE(result->stack);
    EXPECT_EQ(result->stack_bound.has_value(), target != Target::host);
    EXPECT_EQ(result->stack_bound_missing.empty(), target != Target::host) << result->stack_bound_missing;
  }
}

TEST(Measure, MissingToolsAreAllNamed) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nowhere", 1);
  const Result<Measurement> board = run_on(sample_firmware(), Target::cortex_m4, sample_data(1));
  const Result<Measurement> host = run_on(sample_firmware(), Target::host, sample_data(1));
  setenv("PATH", path.c_str(), 1);
  ASSERT_FALSE(board.ok());
  EXPECT_EQ(board.faults().size(), 3u) << texts(board.faults());
  EXPECT_EQ(board.faults()[0].code, "E402");
  EXPECT_NE(board.faults()[0].hint.find("gcc-arm-none-eabi"), std::string::npos);
  EXPECT_NE(board.faults()[2].hint.find("qemu-system-arm"), std::string::npos);
  ASSERT_FALSE(host.ok());
  EXPECT_EQ(host.faults()[0].code, "E402");
}

}  // namespace
}  // namespace tarn::verify
