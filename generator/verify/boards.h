// Where emitted code can be run: this machine, for AArch64 an emulated Linux process, and for every other target the
// emulated boards that stand for it, each with its compiler flags and memory map.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tarn::verify {

enum class Target {
  host,
  x86_64_v3,
  x86_64_v4,
  aarch64,
  cortex_m0,
  cortex_m3,
  cortex_m4,
  cortex_m7,
  cortex_m33,
  cortex_m55,
  rv32imac,
  rv32imafc
};

const std::vector<Target>& all_targets();
std::string to_string(Target);  // "host", "cortex-m4", "rv32imac"
// Also without "cortex-": "m4". Empty when there is no such target.
std::optional<Target> parse_target(std::string_view name);

enum class Architecture { native, aarch64, arm, riscv };
Architecture architecture_of(Target);
// Runs as a process of an operating system, not on a board.
bool is_process(Target);
// What code for a --target (any name, also "generic") is built for when it runs on this machine: the host with the
// instructions that the target has, where the two are of one family.
Target native_target(std::string_view target);
// Can this machine run it without an emulator? The host always.
bool runs_natively(Target);

struct Region {
  int64_t address = 0, bytes = 0;
  bool operator==(const Region&) const = default;
};

// One way to lay an image out on one board. Regions may be the same.
struct Board {
  std::string name;               // as results state it: "mps2-an386"
  std::vector<std::string> qemu;  // machine options
  Region boot;                    // vectors and reset code
  Region code;                    // text and constants
  Region ram;                     // stack, .data, .bss
  Region large;                   // the arena and the caller's buffers
  int64_t stack_bytes = 0;
};

// From the most realistic to the roomiest; an image is placed on the first that holds it. Empty for processes.
std::vector<Board> boards_of(Target);

// "-mcpu=cortex-m4", ...; empty for the host.
std::vector<std::string> cpu_flags(Target);

// The emulator's program; empty where none is needed.
std::string emulator_of(Target);

// A slow emulated processor's multiply-accumulates per second of CPU time: a lower limit, for time limits.
int64_t macs_per_second(Target);

}  // namespace tarn::verify
