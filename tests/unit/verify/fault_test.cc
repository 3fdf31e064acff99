// Firmware that misbehaves: every kind of misbehaviour is told as what it is, on the host and on boards alike.
#include "sampling.h"
#include "tiny.h"
#include "verify/verify.h"

namespace tarn::verify {
namespace {

VerifyOptions short_limit() {
  VerifyOptions options;
  options.cpu_seconds = 1;
  return options;
}

// The text of the one fault that running `tiny` gives; "" when there is none.
std::string fault_of(const Tiny& tiny, Target target, const VerifyOptions& options = short_limit()) {
  const TestFolder folder;
  const Result<Measurement> result = run_on(write_tiny(folder, tiny), target, tiny_data(), options);
  return texts(result.ok() ? result->faults : result.faults());
}

// Skips where the tools of the target are not installed.
#define EXPECT_FAULT(tiny, target, code, words)                       \
  do {                                                                \
    const std::string text = fault_of(tiny, target);                  \
    if (text.find("E402") != std::string::npos) GTEST_SKIP() << text; \
    EXPECT_NE(text.find(code), std::string::npos) << text;            \
    EXPECT_NE(text.find(words), std::string::npos) << text;           \
    EXPECT_EQ(text.find("/tmp"), std::string::npos) << text;          \
  } while (0)

const Target kFew[] = {Target::host, Target::cortex_m0, Target::cortex_m4, Target::rv32imac};

TEST(Fault, NoneInTheTinyFirmwareItself) {
  for (Target target : kFew) EXPECT_EQ(fault_of({}, target), "") << to_string(target);
}

TEST(Fault, WrongOutput) {
  const Tiny tiny{.before = "", .body = "for (i = 0; i < 4; ++i) { y[i] = 2.01f * x[i]; }"};
  EXPECT_FAULT(tiny, Target::host, "E404", "tensor 'y': error E404: on host: 7 elements differ");
  EXPECT_FAULT(tiny, Target::cortex_m4, "E404", "on cortex-m4: 7 elements differ");
}

TEST(Fault, StatusOtherThanOk) {
  const Tiny tiny{.before = "", .body = "status = TINY_ERR;"};
  for (Target target : {Target::host, Target::cortex_m0}) EXPECT_FAULT(tiny, target, "E406", "returned -7");
}

TEST(Fault, ReadsWhatItDidNotWrite) {
  const Tiny tiny{.before = "",
                  .body =
                      "for (i = 0; i < 4; ++i) { y[i] = 2.0f * x[i]; }\n"
                      "if (((uint8_t *)arena)[40] % 2u != 0u) { y[0] += 1.0f; }"};
  for (Target target : {Target::host, Target::rv32imac})
    EXPECT_FAULT(tiny, target, "E406", "depends on memory that was not written");
}

TEST(Fault, StateOutsideTheArena) {
  const Tiny tiny{.before = "static float gain = 2.0f;",
                  .body = "for (i = 0; i < 4; ++i) { y[i] = gain * x[i]; }\ngain += 1.0f;"};
  for (Target target : {Target::host, Target::cortex_m4}) EXPECT_FAULT(tiny, target, "E406", "state outside the arena");
}

TEST(Fault, StaticDataThatWasNotPredicted) {
  const Tiny tiny{.before = "static uint8_t used[12];",
                  .body =
                      "for (i = 0; i < 4; ++i) { y[i] = 2.0f * x[i]; used[3 * i] = (uint8_t)i; }\n"
                      "if (used[arena == 0] > 1u) { status = TINY_ERR; }"};
  for (Target target : {Target::host, Target::cortex_m0})
    EXPECT_FAULT(tiny, target, "E407", "static data is 12 bytes, predicted 0");
}

TEST(Fault, WritesBehindTheArena) {
  const Tiny tiny{.before = "",
                  .body = "for (i = 0; i < 4; ++i) { y[i] = 2.0f * x[i]; }\n((volatile uint8_t *)arena)[64] = 1u;"};
  EXPECT_FAULT(tiny, Target::host, "E406", "signal 11");
  EXPECT_FAULT(tiny, Target::cortex_m4, "E406", "beside the arena");
  EXPECT_FAULT(tiny, Target::rv32imac, "E406", "beside the arena");
}

TEST(Fault, WritesBeforeTheArena) {
  const Tiny tiny{.before = "",
                  .body = "for (i = 0; i < 4; ++i) { y[i] = 2.0f * x[i]; }\n((volatile uint8_t *)arena)[-1] = 1u;"};
  for (Target target : {Target::host, Target::cortex_m4}) EXPECT_FAULT(tiny, target, "E406", "beside the arena");
}

TEST(Fault, WildStore) {
  const Tiny tiny{.before = "", .body = "*(volatile uint32_t *)(uintptr_t)0x06000000u = 1u;"};
  EXPECT_FAULT(tiny, Target::host, "E406", "signal 11");
  for (Target target : {Target::cortex_m0, Target::cortex_m4, Target::rv32imac}) {
    EXPECT_FAULT(tiny, target, "E406", "the processor faulted in tiny_run+");
  }
}

// The frame is too large for any board; its size is known, so that the bound catches it before it runs.
TEST(Fault, FrameLargerThanTheStack) {
  const Tiny tiny{
      .before = "",
      .body =
          "{ volatile uint8_t big[100000]; for (i = 0; i < 100000; ++i) { big[i] = (uint8_t)i; } y[0] = big[77]; }"};
  EXPECT_FAULT(tiny, Target::cortex_m4, "E408", "stack by");
}

// Written in assembly, so that no figure of the compiler's gives it away: pushes without end.
TEST(Fault, StackOverflow) {
  const Tiny arm{
      .before = "__attribute__((naked)) static void dive(void) { __asm__ volatile(\"1: push {r0-r3}\\n b 1b\"); }",
      .body = "dive();"};
  const std::vector<Target> cores{Target::cortex_m0, Target::cortex_m33, Target::cortex_m4, Target::cortex_m7,
                                  Target::cortex_m55};
  for (size_t i = 0, count = sampling::part(cores.size(), size_t{2}); i < count; ++i) {
    EXPECT_FAULT(arm, cores[i], "E406", "the stack overflowed");
  }
  const Tiny riscv{.before =
                       "__attribute__((naked)) static void dive(void) { __asm__ volatile(\"1: addi sp, sp, -16\\n sw "
                       "ra, 0(sp)\\n j 1b\"); }",
                   .body = "dive();"};
  EXPECT_FAULT(riscv, Target::rv32imac, "E406", "the stack overflowed");
}

TEST(Fault, EndlessLoop) {
  const Tiny tiny{.before = "",
                  .body = "while (y[0] == y[0] || y[0] != y[0]) { ((volatile float *)arena)[0] = y[0]; }"};
  EXPECT_FAULT(tiny, Target::host, "E406", "no end within 1 s");
  EXPECT_FAULT(tiny, Target::cortex_m4, "E406", "no end within 1 s");
}

TEST(Fault, DoesNotCompile) {
  EXPECT_FAULT((Tiny{.before = "", .body = "y[0] = nothing;"}), Target::host, "E403",
               "compiling tiny.c fails for host");
  EXPECT_FAULT((Tiny{.before = "static int unused;", .body = ""}), Target::cortex_m0, "E403", "unused");
}

TEST(Fault, SamplesThatDoNotFit) {
  const TestFolder folder;
  const Firmware firmware = write_tiny(folder, {});
  std::vector<Sample> samples = tiny_data();
  samples[1].inputs[0].pop_back();
  Result<Measurement> result = run_on(firmware, Target::host, samples);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.faults()[0].code, "E405");
  EXPECT_NE(result.faults()[0].message.find("15 bytes in the data, the model takes 16"), std::string::npos);
  EXPECT_FALSE(run_on(firmware, Target::host, {}).ok());
}

TEST(Fault, SanitizersSeeWhatPlainRunsDoNot) {
  const Tiny tiny{.before = "static const float table[4] = {1.0f, 2.0f, 3.0f, 4.0f};",
                  .body = "for (i = 0; i < 4; ++i) { y[i] = 2.0f * x[i] + 0.0f * table[i + (x[1] == 8.0f ? 4 : 0)]; }"};
  VerifyOptions options;
  options.sanitize = true;
  EXPECT_EQ(fault_of({}, Target::host, options), "");
  EXPECT_NE(fault_of(tiny, Target::host, options).find("index 4 out of bounds"), std::string::npos);
}

}  // namespace
}  // namespace tarn::verify
