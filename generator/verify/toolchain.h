// Finds the compiler, disassembler and emulator of a target.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "support/result.h"
#include "verify/boards.h"
#include "verify/disassembly.h"

namespace tarn::verify {

struct Toolchain {
  Target target = Target::host;
  std::vector<std::string> cc;  // the compiler with its first arguments
  std::string objdump;
  std::string emulator;  // empty for the host
  Isa isa = Isa::other;
  bool call_graphs = false;  // gcc, which writes .ci files
  bool static_libc = false;  // the host's C library can be linked statically
  bool own_libc = false;     // the target has no C library: string.c and math.c of the harness stand in
};

// The host's compiler is $CC, else gcc, clang or cc. E402 names every tool that is missing, and its package.
// What was found once is known as long as $CC and $PATH stay.
Result<Toolchain> find_toolchain(Target target);

// Compiler and disassembler alone, without an emulator; nothing when they are not there. `cc` names another compiler
// ("arm-none-eabi-gcc -mthumb"), whose instruction set is asked of it under `flags`; empty: the target's own.
std::optional<Toolchain> find_compiler(Target target, const std::string& cc, const std::vector<std::string>& flags);

// The host's C compiler alone; empty when there is none.
std::vector<std::string> find_host_compiler();

}  // namespace tarn::verify
