// Compiles emitted code with the harness around it, and links one image per board.
#pragma once
#include <string>
#include <vector>

#include "support/result.h"
#include "verify/boards.h"
#include "verify/call_graph.h"
#include "verify/elf.h"
#include "verify/firmware.h"
#include "verify/toolchain.h"

namespace tarn::verify {

struct BuildOptions {
  bool strict = true;                       // warnings about emitted code are errors
  bool sanitize = false;                    // host: AddressSanitizer and UndefinedBehaviorSanitizer
  std::vector<std::string> firmware_flags;  // added when emitted files are compiled
  std::vector<std::string> harness_flags;   // added when the harness's files are compiled
  std::vector<BankMemory> banks;            // several arenas, see Firmware
  bool whole_program = true;                // host: the C library in the image: its stack is known
  std::string own_objects;                  // a folder that keeps objects of C that is no kernel; empty: nothing does
};

// What one program is made of, beside what the harness always has.
struct Parts {
  std::string name;                   // of the firmware; its arena is <name>_arena
  std::vector<std::string> firmware;  // sources below <scratch>/firmware
  std::vector<std::string> harness;   // sources below <scratch>/harness
};
// The harness's sources: `main`, and what stands below it on the target.
std::vector<std::string> harness_sources(const Toolchain& tools, const std::string& main);

struct Objects {
  std::vector<std::string> all;  // paths relative to the scratch folder
  std::vector<Elf> firmware;     // the emitted code's own, in the order of the sources
  CallGraph calls;               // empty without a compiler that writes it
};

// E403 with the compiler's first words when it refuses a file.
Result<Objects> compile(const Toolchain& tools, const std::string& scratch, const Parts& parts,
                        const BuildOptions& options);

struct Image {
  std::string path;  // relative to the scratch folder
  Elf elf;
};

// `board` is null for the host. An empty optional when the image is too large for the board; `overflow` then says by
// how much. E403 for anything else that the linker refuses.
Result<std::optional<Image>> link(const Toolchain& tools, const std::string& scratch, const Objects& objects,
                                  const Board* board, const BuildOptions& options, std::string* overflow);

// The image's machine code; empty when the host has no objdump.
MachineCode disassemble(const Toolchain& tools, const std::string& scratch, const Image& image);

// Bytes that the emitted code takes, from its objects.
struct Footprint {
  int64_t arena = 0;  // of the symbol <name>_arena, or of those of all banks
  int64_t data = 0;   // other static data: .data, .bss
  int64_t text = 0;
  int64_t rodata = 0;  // weights and other constants
  bool operator==(const Footprint&) const = default;
};
Footprint footprint(const Objects& objects, const std::string& name, const std::vector<BankMemory>& banks = {});

}  // namespace tarn::verify
