// Reads little-endian ELF files, 32 and 64 bits: sections and symbols, nothing else.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tarn::verify {

struct ElfSection {
  std::string name;
  uint32_t type = 0;
  uint64_t flags = 0, address = 0, bytes = 0, align = 0;

  bool allocated() const { return (flags & 2) != 0; }
  bool writable() const { return (flags & 1) != 0; }
  bool executable() const { return (flags & 4) != 0; }
};

struct ElfSymbol {
  std::string name;
  uint64_t address = 0, bytes = 0;
  bool function = false, global = false;
  bool chooser = false;  // an "indirect function": code that returns the address of what to run
  bool common = false;   // a tentative definition that has no section yet
  int section = -1;      // index into Elf::sections; -1: undefined, absolute or common
};

// Of sections that are loaded, 64-bit files only.
struct ElfRelocation {
  uint64_t address = 0, addend = 0;
  uint32_t type = 0;
};

struct Elf {
  std::vector<ElfSection> sections;
  std::vector<ElfSymbol> symbols;
  std::vector<ElfRelocation> relocations;
};

// Empty when the bytes are no such file, or damaged.
std::optional<Elf> read_elf(const std::string& content);

// The symbol of that name that is defined, global ones first; null when there is none.
const ElfSymbol* find_symbol(const Elf& elf, const std::string& name);

// The function that covers an address; null when none does.
const ElfSymbol* function_at(const Elf& elf, uint64_t address);

}  // namespace tarn::verify
