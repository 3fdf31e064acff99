// Machine code as objdump prints it, in a form that can be walked.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "verify/elf.h"

namespace tarn::verify {

enum class Isa { thumb, riscv32, x86_64, other };

struct Instruction {
  uint64_t address = 0;
  std::string mnemonic;  // without Thumb's width suffix; empty: data
  std::string operands;  // without comment
  std::string comment;   // what follows '@' or '#'
  bool follows = false;  // the instruction before it in the list is also the one before it in memory
};

struct Label {
  uint64_t address = 0;
  std::string name;
};

struct MachineCode {
  Isa isa = Isa::other;
  std::vector<Instruction> instructions;      // by address
  std::vector<Label> labels;                  // by address
  std::map<std::string, uint64_t> functions;  // by every name they have
  // x86-64's functions chosen at start-up: the code that chooses, and which memory holds the address it returns.
  std::set<uint64_t> choosers;
  std::map<uint64_t, uint64_t> late_bound;
};

// Of `objdump -d --no-show-raw-insn`, and the image it was made from.
MachineCode parse_disassembly(std::string_view text, Isa isa, const Elf& image);

// Position in `instructions` of the one at exactly this address.
std::optional<size_t> instruction_at(const MachineCode& code, uint64_t address);
// The label at this address or the nearest below; null when there is none.
const Label* label_of(const MachineCode& code, uint64_t address);

// The address that objdump prints before " <label>"; empty when there is none.
std::optional<uint64_t> printed_target(std::string_view text);

}  // namespace tarn::verify
