#include "verify/boards.h"

#include "support/target_flags.h"

namespace tarn::verify {
namespace {

constexpr int64_t kKib = 1024, kMib = 1024 * 1024;

struct TargetFacts {
  Target target;
  const char* name;
  Architecture architecture;
  std::vector<std::string> cpu_flags;
  int64_t macs_per_second;
};

const std::vector<TargetFacts>& facts() {
  using enum Architecture;
  static const std::vector<TargetFacts> table = {
      {Target::host, "host", native, {}, 20'000'000},
      {Target::x86_64_v3, "x86-64-v3", native, {target_flag("x86-64-v3")}, 20'000'000},
      {Target::x86_64_v4, "x86-64-v4", native, {target_flag("x86-64-v4")}, 20'000'000},
      {Target::aarch64, "aarch64", aarch64, {target_flag("aarch64")}, 2'000'000},
      {Target::cortex_m0, "cortex-m0", arm, {"-mcpu=cortex-m0", "-mthumb"}, 500'000},
      {Target::cortex_m3, "cortex-m3", arm, {"-mcpu=cortex-m3", "-mthumb"}, 500'000},
      {Target::cortex_m4,
       "cortex-m4",
       arm,
       {"-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"},
       2'000'000},
      {Target::cortex_m7,
       "cortex-m7",
       arm,
       {"-mcpu=cortex-m7", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv5-d16"},
       2'000'000},
      {Target::cortex_m33,
       "cortex-m33",
       arm,
       {"-mcpu=cortex-m33", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv5-sp-d16"},
       2'000'000},
      {Target::cortex_m55, "cortex-m55", arm, {"-mcpu=cortex-m55", "-mthumb", "-mfloat-abi=hard"}, 1'000'000},
      // ISA specification 2.2: there the csr instructions belong to the base, and gcc finds the right libraries.
      {Target::rv32imac, "rv32imac", riscv, {"-misa-spec=2.2", "-march=rv32imac", "-mabi=ilp32"}, 500'000},
      {Target::rv32imafc, "rv32imafc", riscv, {"-misa-spec=2.2", "-march=rv32imafc", "-mabi=ilp32f"}, 1'000'000},
  };
  return table;
}

const TargetFacts& facts_of(Target target) { return facts()[static_cast<size_t>(target)]; }

// The MPS2 boards: 4 MB of code at 0, 4 MB of RAM, and 16 MB more for arenas that do not fit there.
std::vector<Board> mps2(const std::string& name, Region code, Region ram, Region large) {
  const std::vector<std::string> machine = {"-M", name};
  return {{name, machine, code, code, ram, ram, 64 * kKib}, {name, machine, code, code, ram, large, 64 * kKib}};
}

std::vector<Board> m0_boards() {
  const Region flash = {0, 256 * kKib}, sram = {0x20000000, 16 * kKib};
  std::vector<Board> boards = {{"microbit", {"-M", "microbit"}, flash, flash, sram, sram, 2 * kKib}};
  for (Board& board : mps2("mps2-an385", {0, 4 * kMib}, {0x20000000, 4 * kMib}, {0x21000000, 16 * kMib})) {
    board.name += " (a Cortex-M3 that runs the v6-M code)";
    boards.push_back(board);
  }
  return boards;
}

// The first 512 KB are tightly coupled memory; whatever does not fit moves to SRAM, and last to the DDR memory.
std::vector<Board> m55_boards() {
  const std::vector<std::string> machine = {"-M", "mps3-an547"};
  const Region itcm = {0, 512 * kKib}, dtcm = {0x20000000, 512 * kKib};
  const Region code_sram = {0x01000000, 2 * kMib}, data_sram = {0x21000000, 4 * kMib};
  const Region code_ddr = {0x60000000, 256 * kMib}, data_ddr = {0x70000000, 256 * kMib};
  return {{"mps3-an547", machine, itcm, itcm, dtcm, dtcm, 64 * kKib},
          {"mps3-an547", machine, itcm, code_sram, dtcm, data_sram, 64 * kKib},
          {"mps3-an547", machine, itcm, code_ddr, dtcm, data_ddr, 64 * kKib}};
}

// One flat memory, cut in two. The page below the second part stays free: the reset code forbids it.
std::vector<Board> riscv_boards() {
  const Region code = {0x80000000, 256 * kMib - 4 * kKib}, ram = {0x90000000, 256 * kMib};
  return {{"virt", {"-M", "virt", "-bios", "none", "-m", "512M"}, code, code, ram, ram, 64 * kKib}};
}

}  // namespace

const std::vector<Target>& all_targets() {
  static const std::vector<Target> targets = [] {
    std::vector<Target> all;
    for (const TargetFacts& fact : facts()) all.push_back(fact.target);
    return all;
  }();
  return targets;
}

std::string to_string(Target target) { return facts_of(target).name; }

std::optional<Target> parse_target(std::string_view name) {
  for (const TargetFacts& fact : facts()) {
    if (name == fact.name || "cortex-" + std::string(name) == fact.name) return fact.target;
  }
  return {};
}

Architecture architecture_of(Target target) { return facts_of(target).architecture; }

std::vector<std::string> cpu_flags(Target target) { return facts_of(target).cpu_flags; }

int64_t macs_per_second(Target target) { return facts_of(target).macs_per_second; }

bool is_process(Target target) {
  return architecture_of(target) == Architecture::native || architecture_of(target) == Architecture::aarch64;
}

bool runs_natively(Target target) {
  switch (target) {
    case Target::host: return true;
#if defined(__x86_64__)
    case Target::x86_64_v3: return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    case Target::x86_64_v4:
      return runs_natively(Target::x86_64_v3) && __builtin_cpu_supports("avx512f") &&
             __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512vl");
#elif defined(__aarch64__)
    case Target::aarch64: return true;
#endif
    default: return false;
  }
}

Target native_target(std::string_view name) {
  const Target target = parse_target(name).value_or(Target::host);
  if (is_process(target) && runs_natively(target)) return target;
  // Sums over vectors are fused there as on the target, and then have the same bits.
  if (target == Target::aarch64 && runs_natively(Target::x86_64_v3)) return Target::x86_64_v3;
  return Target::host;
}

std::string emulator_of(Target target) {
  switch (architecture_of(target)) {
    case Architecture::native: return "";
    case Architecture::aarch64: return runs_natively(target) ? "" : "qemu-aarch64";
    case Architecture::arm: return "qemu-system-arm";
    case Architecture::riscv: return "qemu-system-riscv32";
  }
  return "";
}

std::vector<Board> boards_of(Target target) {
  const Region code = {0, 4 * kMib}, ram = {0x20000000, 4 * kMib}, psram = {0x21000000, 16 * kMib};
  switch (target) {
    case Target::host:
    case Target::x86_64_v3:
    case Target::x86_64_v4:
    case Target::aarch64: return {};
    case Target::cortex_m0: return m0_boards();
    case Target::cortex_m3: return mps2("mps2-an385", code, ram, psram);
    case Target::cortex_m4: return mps2("mps2-an386", code, ram, psram);
    case Target::cortex_m7: return mps2("mps2-an500", code, ram, {0x60000000, 16 * kMib});
    // The secure aliases, where the processor starts.
    case Target::cortex_m33:
      return mps2("mps2-an505", {0x10000000, 4 * kMib}, {0x38000000, 2 * kMib}, {0x80000000, 16 * kMib});
    case Target::cortex_m55: return m55_boards();
    case Target::rv32imac:
    case Target::rv32imafc: return riscv_boards();
  }
  return {};
}

}  // namespace tarn::verify
