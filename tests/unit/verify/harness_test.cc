#include "verify/harness.h"

#include <gtest/gtest.h>

#include "sample.h"
#include "verify/call_graph.h"
#include "verify/instructions.h"

namespace tarn::verify {
namespace {

TEST(Fill, ReplacesOnlyKnownHoles) {
  EXPECT_EQ(fill("a @x@ b @y@ @z@ @", {{"x", "1"}, {"y", ""}}), "a 1 b  @z@ @");
  EXPECT_EQ(fill("", {}), "");
}

TEST(Targets, HaveNamesBoardsAndFlags) {
  for (Target target : all_targets()) {
    EXPECT_EQ(parse_target(to_string(target)), target);
    EXPECT_EQ(boards_of(target).empty(), is_process(target));
    EXPECT_EQ(cpu_flags(target).empty(), target == Target::host);
    for (const Board& board : boards_of(target)) {
      const std::string script = link_script(board, {});
      EXPECT_EQ(script.find('@'), std::string::npos) << script;
    }
  }
  EXPECT_EQ(parse_target("m4"), Target::cortex_m4);
  EXPECT_FALSE(parse_target("m5"));
  EXPECT_FALSE(parse_target(""));
}

TEST(Header, HasNoHoleLeft) {
  Firmware firmware = sample_firmware();
  EXPECT_EQ(firmware_header(firmware).find('@'), std::string::npos);
  firmware.inputs.clear();
  firmware.outputs.clear();
  EXPECT_EQ(firmware_header(firmware).find('@'), std::string::npos);
}

TEST(Runs, RepeatTheFirstSampleAndInterleaveFirstAndLast) {
  const RunPlan plan = plan_runs(3, true, true);
  EXPECT_EQ(plan.single, (std::vector<size_t>{0, 0, 1, 2}));
  EXPECT_EQ(plan.interleaved, (std::vector<std::pair<size_t, size_t>>{{0, 2}}));
  EXPECT_TRUE(plan_runs(1, true, false).interleaved.empty());
  EXPECT_EQ(plan_runs(2, false, false).single, (std::vector<size_t>{0, 1}));
  EXPECT_EQ(input_file(plan, sample_data(3)).size(), 8u + 6 * 64);
}

TEST(OutputFile, MustHaveTheLengthThatTheInterfaceGives) {
  Firmware firmware = sample_firmware();
  const RunPlan plan = plan_runs(1, true, false);
  EXPECT_TRUE(parse_output_file(std::string(32, 'x'), firmware, plan));
  EXPECT_FALSE(parse_output_file(std::string(31, 'x'), firmware, plan));
  EXPECT_FALSE(parse_output_file(std::string(33, 'x'), firmware, plan));
  firmware.outputs[0].runtime_axes = {1};
  const std::string run = std::string(16, 'x') + std::string("\3\0\0\0", 4);
  const auto parsed = parse_output_file(run + run, firmware, plan);
  ASSERT_TRUE(parsed);
  EXPECT_EQ((*parsed)[0][0].shape, (Shape{1, 3}));
  EXPECT_EQ((*parsed)[0][0].bytes.size(), 12u);
  const std::string impossible = std::string(16, 'x') + std::string("\5\0\0\0", 4);
  EXPECT_FALSE(parse_output_file(impossible + impossible, firmware, plan));
}

TEST(CallGraph, IsReadFromGccsFile) {
  CallGraph graph;
  EXPECT_TRUE(
      add_call_graph("graph: { title: \"dir/a.c\"\n"
                     "node: { title: \"dir/a.c:leaf\" label: \"leaf\\ndir/a.c:4:40\\n48 bytes (static)\" }\n"
                     "node: { title: \"top\" label: \"top\\ndir/a.c:5:7\\n32 bytes (dynamic)\\n1 dynamic objects\" }\n"
                     "node: { title: \"expf\" label: \"expf\\n/usr/include/math.h:361:14\" shape : ellipse }\n"
                     "edge: { sourcename: \"top\" targetname: \"dir/a.c:leaf\" label: \"dir/a.c:5:72\" }\n"
                     "edge: { sourcename: \"top\" targetname: \"expf\" }\n"
                     "edge: { sourcename: \"top\" targetname: \"expf\" }\n}\n",
                     "one.c", graph));
  EXPECT_EQ(graph.size(), 3u);
  EXPECT_EQ(graph["one.c:leaf"].stack_bytes, 48);
  EXPECT_EQ(graph["one.c:leaf"].symbol, "leaf");
  EXPECT_TRUE(graph["top"].dynamic);
  EXPECT_FALSE(graph["expf"].stack_bytes);
  EXPECT_EQ(graph["top"].calls, (std::vector<std::string>{"one.c:leaf", "expf"}));
  EXPECT_FALSE(add_call_graph("nonsense", "x.c", graph));
}

TEST(Cycles, FollowTheTable) {
  const MachineCode code = parse_disassembly(
      "00000000 <f>:\n   0:\tldr\tr0, [r1, #0]\n   2:\tldr\tr2, [r1, #4]\n   4:\tldmia\tr3!, {r4, r5, r6}\n   "
      "6:\tvmla.f32\ts0, s1, s2\n"
      "   a:\tsubs\tr0, #1\n   c:\tbne.n\t0 <f>\n   e:\tpop\t{r4, pc}\n",
      Isa::thumb, {});
  const Profile profile{{{0, 6, 10}, {14, 1, 1}}, {{12, 0, 9}, {12, 14, 1}, {14, 100, 1}}, 0, 0};
  // ldr 2, ldr behind ldr 1, three words 4, vmla 3, subs 1, nine times taken 3 and once not 1; pop of two words and a
  // refill 5.
  const RunCost cost = cost_of(code, profile, Target::cortex_m4);
  EXPECT_EQ(cost.cycles, 10 * (2 + 1 + 4 + 3 + 1) + 9 * 3 + 1 + 5);
  EXPECT_EQ(cost.instructions, 61);
  EXPECT_EQ(cost.jumps, 10);
  EXPECT_EQ(cost.code_bytes, 10 * 14 + 4);
}

}  // namespace
}  // namespace tarn::verify
