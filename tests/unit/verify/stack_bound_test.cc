// The bound against the stack measured in real runs, over call trees of known shapes; and what has no bound.
#include "verify/stack_bound.h"

#include "tiny.h"
#include "verify/machine_stack.h"

namespace tarn::verify {
namespace {

// Leaves of two sizes below branches, one of them reached along two ways.
const char* const kTree = R"(
#define LEAF(name, words) \
  __attribute__((noinline)) static float name(float v) { volatile float q[words]; int32_t k; \
    for (k = 0; k < words; ++k) { q[k] = v * (float)k; } return q[words - 1] + q[0]; }
LEAF(small_leaf, 8)
LEAF(large_leaf, 40)
__attribute__((noinline)) static float middle(float v) { volatile float q[20]; int32_t k;
  for (k = 0; k < 20; ++k) { q[k] = v; } return large_leaf(q[3]) * q[4] + small_leaf(q[5]); }
__attribute__((noinline)) static float other(float v) { return large_leaf(v) + 1.0f; }
)";

const char* const kManyArguments = R"(
__attribute__((noinline)) static float sum(const float *a, const float *b, const float *c, const float *d, const float *e,
    const float *f, const float *g, int32_t h, float i, float j) {
  volatile float q[6] = {1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f};
  return a[0] + b[1] + c[2] + d[3] + e[0] + f[1] + g[2] + (float)h + i * j + q[2];
}
)";

const char* const kSwitch = R"(
__attribute__((noinline)) static float pick(int32_t which, float v) {
  volatile float q[4] = {1.0f, 2.0f, 3.0f, 4.0f};
  switch (which) {
    case 0: q[1] = v; break;
    case 1: q[2] += v * 3.0f; break;
    case 2: q[0] = q[1] - v; break;
    case 3: q[3] = q[1] * q[2]; break;
    case 4: q[2] = v / q[1]; break;
    case 5: q[0] = -v; break;
    case 6: q[0] = v * v; break;
    default: q[0] = 0.0f; break;
  }
  return q[0] + q[1] + q[2] + q[3];
}
)";

struct Case {
  const char* name;
  Tiny tiny;
};

std::vector<Case> cases() {
  const auto each = [](const std::string& value) { return "for (i = 0; i < 4; ++i) { y[i] = " + value + "; }"; };
  return {
      {"Tree", {kTree, each("middle(x[i]) + other(x[i])")}},
      {"ManyArguments", {kManyArguments, each("sum(x, x, x, x, x, x, x, i, x[i], 2.0f)")}},
      {"Switch", {kSwitch, each("pick(i, x[i])") + "\nfor (i = 4; i < 8; ++i) { y[i - 4] += pick(i, x[i - 4]); }"}},
      {"DoubleArithmetic", {"", each("(float)(((double)x[i] * 1.1 + 3.0) / ((double)x[i] * (double)x[i] + 0.3))")}},
      {"LongDivision", {"", each("(float)((int64_t)(x[i] * 1000.0f) * 123456789 / ((int64_t)i + 3))")}},
      {"Mathematics", {"", each("expf(x[i]) + logf(x[i] * x[i] + 1.0f)")}},
      {"Copies",
       {"", "memcpy(y, x, 16); memset((float *)arena + 8, 1, (uint32_t)(x[0] * x[0]) + 5u);\n" + each("y[i] + x[i]")}},
      {"OneCopy", {"", "memcpy(y, x, 16);"}}};
}

// Every case where frames are hardest to know, and on the others those whose code differs from there.
std::vector<std::tuple<Target, size_t>> selection() {
  std::vector<std::tuple<Target, size_t>> all;
  for (size_t i = 0; i < cases().size(); ++i) {
    all.emplace_back(Target::host, i);
    all.emplace_back(Target::cortex_m0, i);
    if (i == 0 || i == 3 || i == 5 || i == 7) {
      all.emplace_back(Target::cortex_m4, i);
      all.emplace_back(Target::rv32imac, i);
    }
  }
  return all;
}

class Bound : public testing::TestWithParam<std::tuple<Target, size_t>> {};

TEST_P(Bound, IsNeverBelowTheMeasuredStackAndLittleAboveIt) {
  const auto& [target, index] = GetParam();
  const TestFolder folder;
  const std::vector<Sample> samples = {{{bytes_of({0.7f, -1.3f, 3.5f, 0.25f})}, {}},
                                       {{bytes_of({1.7f, 12.0f, -7.5f, 0})}, {}}};
  const Result<Measurement> result = run_on(write_tiny(folder, cases()[index].tiny), target, samples);
  SKIP_WITHOUT_TOOLS(result);
  EXPECT_TRUE(result->passed()) << texts(result->faults);
  ASSERT_TRUE(result->stack_bound) << result->stack_bound_missing;
  EXPECT_GE(*result->stack_bound, *result->stack) << join(result->stack_path, " ");
  EXPECT_LE(static_cast<double>(*result->stack_bound), 1.25 * static_cast<double>(*result->stack))
      << join(result->stack_path, " ");
}

INSTANTIATE_TEST_SUITE_P(Trees, Bound, testing::ValuesIn(selection()), [](const auto& info) {
  std::string name = to_string(std::get<0>(info.param)) + "_" + cases()[std::get<1>(info.param)].name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

std::string refusal(const std::string& before, const std::string& body) {
  const TestFolder folder;
  const Result<Measurement> result = run_on(write_tiny(folder, {before, body}), Target::cortex_m4, tiny_data());
  return texts(result.ok() ? result->faults : result.faults());
}

#define EXPECT_REFUSAL(before, body, words)                           \
  do {                                                                \
    const std::string text = refusal(before, body);                   \
    if (text.find("E402") != std::string::npos) GTEST_SKIP() << text; \
    EXPECT_NE(text.find("E407"), std::string::npos) << text;          \
    EXPECT_NE(text.find(words), std::string::npos) << text;           \
  } while (0)

TEST(NoBound, Recursion) {
  EXPECT_REFUSAL(
      "static float pong(float v, int32_t n);\n"
      "__attribute__((noinline)) static float ping(float v, int32_t n) { return n > 0 ? pong(v, n - 1) * 2.0f : v; }\n"
      "__attribute__((noinline)) static float pong(float v, int32_t n) { return n > 0 ? ping(v, n - 1) + 1.0f : v; }",
      "y[0] = ping(x[0], (int32_t)x[1]);", "recursion through tiny_run -> ");
}

TEST(NoBound, CallThroughAPointer) {
  EXPECT_REFUSAL("typedef float (*function)(float);\nextern function volatile chosen;\nfunction volatile chosen = 0;",
                 "y[0] = chosen(x[0]);", "calls through a pointer");
}

TEST(NoBound, FrameOfVariableSize) {
  EXPECT_REFUSAL("", "{ volatile float q[(uint32_t)x[0]]; q[0] = 1.0f; y[0] = q[0]; }",
                 "tiny_run has a frame of variable size");
}

// Code by hand: the walk over machine code follows branches, calls, tables and tail calls.
MachineCode thumb(const std::string& listing) { return parse_disassembly(listing, Isa::thumb, {}); }

Depth depth_at(const MachineCode& code, uint64_t entry) {
  std::map<uint64_t, Depth> known;
  return machine_stack(code, entry, known);
}

TEST(MachineStack, FollowsEveryPath) {
  const MachineCode code = thumb(
      "00000100 <f>:\n 100:\tpush\t{r4, r5, lr}\n 102:\tcbz\tr0, 10a <f+0xa>\n 104:\tsub\tsp, #20\n 106:\tbl\t200 <g>\n"
      " 10a:\tadd\tsp, #20\n 10c:\tpop\t{r4, r5, pc}\n\n"
      "00000200 <g>:\n 200:\tstr.w\tlr, [sp, #-8]!\n 204:\tvpush\t{d8-d9}\n 208:\tvpop\t{d8-d9}\n 20c:\tb.n\t300 <h>\n"
      "00000300 <h>:\n 300:\tsub.w\tsp, sp, #1024\t@ 0x400\n 304:\tadd.w\tsp, sp, #1024\t@ 0x400\n 308:\tldr.w\tpc, "
      "[sp], #8\n");
  EXPECT_EQ(depth_at(code, 0x300).bytes, 1024);
  EXPECT_EQ(depth_at(code, 0x200).bytes, 8 + 1024);
  EXPECT_EQ(depth_at(code, 0x100).bytes, 12 + 20 + 8 + 1024);
}

TEST(MachineStack, TakesEveryPlaceBehindATableForReachable) {
  const MachineCode code = thumb(
      "00000100 <f>:\n 100:\ttbb\t[pc, r0]\n 104:\t.word\t0x00000402\n 108:\tpush\t{r0-r7}\n 10a:\tpop\t{r0-r7}\n "
      "10c:\tbx\tlr\n"
      " 10e:\tsub\tsp, #40\t@ 0x28\n 110:\tadd\tsp, #40\t@ 0x28\n 112:\tbx\tlr\n");
  EXPECT_EQ(depth_at(code, 0x100).bytes, 40);
}

TEST(MachineStack, SaysWhatItCannotBound) {
  const MachineCode code = thumb(
      "00000100 <f>:\n 100:\tpush\t{lr}\n 102:\tblx\tr3\n 104:\tpop\t{pc}\n"
      "00000200 <g>:\n 200:\tpush\t{r0}\n 202:\tb.n\t200 <g>\n"
      "00000300 <h>:\n 300:\tsub\tsp, r3\n 302:\tbx\tlr\n"
      "00000400 <i>:\n 400:\tpush\t{lr}\n 402:\tbl\t400 <i>\n 406:\tpop\t{pc}\n");
  EXPECT_EQ(depth_at(code, 0x100).why_not, "a call through a pointer");
  EXPECT_NE(depth_at(code, 0x200).why_not.find("an endless movement in g"), std::string::npos);
  EXPECT_NE(depth_at(code, 0x300).why_not.find("an unknown movement of the stack pointer in h: sub sp, r3"),
            std::string::npos);
  EXPECT_EQ(depth_at(code, 0x400).why_not, "recursion");
  EXPECT_EQ(depth_at(code, 0x500).why_not, "a jump into nowhere");
}

TEST(MachineStack, FindsConstantsOfLargeFrames) {
  const MachineCode code = thumb(
      "00000100 <f>:\n 100:\tldr\tr4, [pc, #8]\t@ (10c <f+0xc>)\n 102:\tadd\tsp, r4\n 104:\tmovs\tr3, #155\t@ 0x9b\n"
      " 106:\tlsls\tr3, r3, #2\n 108:\tadd\tsp, r3\n 10a:\tbx\tlr\n 10c:\t.word\t0xfffffd94\n");
  EXPECT_EQ(depth_at(code, 0x100).bytes, 620);
}

TEST(MachineStack, ReadsRiscv) {
  const MachineCode code = parse_disassembly(
      "80000000 <f>:\n80000000:\tadd\tsp,sp,-32\n80000002:\tsw\tra,28(sp)\n80000004:\tbeqz\ta0,8000000c <f+0xc>\n"
      "80000008:\tjal\t80000100 <g>\n8000000c:\tlw\tra,28(sp)\n8000000e:\tadd\tsp,sp,32\n80000010:\tret\n"
      "80000100 <g>:\n80000100:\taddi\tsp,sp,-48\n80000104:\taddi\tsp,sp,48\n80000108:\tj\t80000200 <h>\n"
      "80000200 <h>:\n80000200:\tret\n",
      Isa::riscv32, {});
  EXPECT_EQ(depth_at(code, 0x80000000).bytes, 80);
}

// gcc's figure of a frame leaves out what its alignment to 32 bytes may take.
TEST(StackBound, CountsAlignedFramesOfX86) {
  MachineCode code = parse_disassembly(
      "0000000000001000 <run>:\n"
      "    1000:\tpush   %rbp\n"
      "    1001:\tmov    %rsp,%rbp\n"
      "    1004:\tand    $0xffffffffffffffe0,%rsp\n"
      "    1008:\tsub    $0x40,%rsp\n"
      "    100c:\tcall   *%rax\n"
      "    100e:\tleave\n"
      "    100f:\tret\n"
      "0000000000001010 <next>:\n"
      "    1010:\tand    $0xffffffffffffff00,%rsp\n",
      Isa::x86_64, {});
  code.functions["run"] = 0x1000;
  const CallGraph graph{{"run", {"run", 80, false, {}}}};
  const Result<StackBound> bound = stack_bound(graph, code, "run");
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->bytes, 80 + 31);
}

TEST(MachineStack, ReadsX86) {
  MachineCode code = parse_disassembly(
      "0000000000401000 <f>:\n  401000:\tpush   %rbx\n  401001:\tsub    $0x20,%rsp\n  401005:\tcall   401100 <g>\n"
      "  40100a:\tadd    $0x20,%rsp\n  40100e:\tpop    %rbx\n  40100f:\tret\n"
      "0000000000401100 <g>:\n  401100:\tmov    %rax,-0x18(%rsp)\n  401105:\tnotrack jmp *%rax\n  401107:\tbnd ret\n"
      "0000000000401200 <choose>:\n  401200:\tlea    -0x107(%rip),%rax        # 401100 <g>\n  401207:\tmov    "
      "$0x401000,%eax\n  40120c:\tret\n"
      "0000000000401300 <plt>:\n  401300:\tjmp    *0xa6fe2(%rip)        # 4a8000 <slot>\n",
      Isa::x86_64, {});
  EXPECT_EQ(depth_at(code, 0x401100).bytes, 24);               // the red zone
  EXPECT_EQ(depth_at(code, 0x401000).bytes, 8 + 32 + 8 + 24);  // the return address of g
  code.choosers.insert(0x401200);
  code.late_bound[0x4a8000] = 0x401200;
  EXPECT_EQ(depth_at(code, 0x401300).bytes, 72);
}

}  // namespace
}  // namespace tarn::verify
