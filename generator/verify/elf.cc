#include "verify/elf.h"

#include <cstring>

namespace tarn::verify {
namespace {

constexpr uint32_t kSymbolTable = 2, kRelocationsWithAddends = 4;
constexpr uint16_t kUndefined = 0, kCommon = 0xfff2, kFirstReserved = 0xff00;
constexpr uint64_t kMostEntries = 10'000'000;

// Integers at offsets of a file that may be anything: a read outside it clears `good` and gives 0.
struct Reader {
  const std::string& content;
  bool good = true;

  bool within(uint64_t offset, uint64_t bytes) const {
    return offset <= content.size() && bytes <= content.size() - offset;
  }
  uint64_t integer(uint64_t offset, int bytes) {
    if (!within(offset, static_cast<uint64_t>(bytes))) {
      good = false;
      return 0;
    }
    uint64_t value = 0;
    for (int i = bytes; i-- > 0;)
      value = value << 8 | static_cast<unsigned char>(content[offset + static_cast<uint64_t>(i)]);
    return value;
  }
  std::string text(uint64_t table, uint64_t table_bytes, uint64_t at) {
    if (!within(table, table_bytes) || at >= table_bytes) {
      good = false;
      return "";
    }
    const char* begin = content.data() + table + at;
    return std::string(begin, strnlen(begin, table_bytes - at));
  }
};

// Where the two classes keep what is read here.
struct Layout {
  int word;                                                                // bytes of an address
  int section_table, section_entry, section_count;                         // in the header
  int entry_bytes, flags, address, offset, size, link, align, entry_size;  // in a section header
  int symbol_bytes, value, symbol_size, info, index;                       // in a symbol
};
constexpr Layout k32 = {4, 32, 46, 48, 40, 8, 12, 16, 20, 24, 32, 36, 16, 4, 8, 12, 14};
constexpr Layout k64 = {8, 40, 58, 60, 64, 8, 16, 24, 32, 40, 48, 56, 24, 8, 16, 4, 6};

struct Table {
  uint64_t offset = 0, bytes = 0, link = 0;
};

std::vector<ElfSymbol> read_symbols(Reader& in, const Layout& at, const Table& table, const Table& names,
                                    size_t sections) {
  std::vector<ElfSymbol> symbols;
  const uint64_t count = table.bytes / static_cast<uint64_t>(at.symbol_bytes);
  if (!in.within(table.offset, table.bytes) || count > kMostEntries) in.good = false;
  for (uint64_t i = 1; i < count && in.good; ++i) {  // the first is always empty
    const uint64_t base = table.offset + i * static_cast<uint64_t>(at.symbol_bytes);
    const auto field = [&](int offset, int bytes) { return in.integer(base + static_cast<uint64_t>(offset), bytes); };
    ElfSymbol symbol;
    symbol.name = in.text(names.offset, names.bytes, field(0, 4));
    symbol.address = field(at.value, at.word);
    symbol.bytes = field(at.symbol_size, at.word);
    const uint64_t info = field(at.info, 1), index = field(at.index, 2);
    symbol.chooser = (info & 15) == 10;  // STT_GNU_IFUNC
    symbol.function = symbol.chooser || (info & 15) == 2;
    symbol.global = (info >> 4) != 0;
    symbol.common = index == kCommon;
    if (index != kUndefined && index < kFirstReserved) {
      if (index >= sections) in.good = false;
      symbol.section = static_cast<int>(index);
    }
    symbols.push_back(std::move(symbol));
  }
  return symbols;
}

void read_relocations(Reader& in, const Table& table, std::vector<ElfRelocation>& relocations) {
  if (!in.within(table.offset, table.bytes) || table.bytes / 24 > kMostEntries) in.good = false;
  for (uint64_t at = 0; at + 24 <= table.bytes && in.good; at += 24) {
    const uint64_t base = table.offset + at;
    relocations.push_back(
        {in.integer(base, 8), in.integer(base + 16, 8), static_cast<uint32_t>(in.integer(base + 8, 4))});
  }
}

}  // namespace

std::optional<Elf> read_elf(const std::string& content) {
  if (content.size() < 52 || std::memcmp(content.data(), "\177ELF", 4) != 0 || content[5] != 1) return {};
  if (content[4] != 1 && content[4] != 2) return {};
  const Layout& at = content[4] == 1 ? k32 : k64;
  Reader in{content};
  const uint64_t first = in.integer(static_cast<uint64_t>(at.section_table), at.word);
  const uint64_t entry = in.integer(static_cast<uint64_t>(at.section_entry), 2);
  const uint64_t count = in.integer(static_cast<uint64_t>(at.section_count), 2);
  const uint64_t names = in.integer(static_cast<uint64_t>(at.section_count) + 2, 2);
  if (!in.good || (count > 0 && entry < static_cast<uint64_t>(at.entry_bytes)) || !in.within(first, entry * count))
    return {};

  Elf elf;
  std::vector<Table> tables;
  std::vector<uint64_t> name_offsets;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t base = first + i * entry;
    const auto field = [&](int offset, int bytes) { return in.integer(base + static_cast<uint64_t>(offset), bytes); };
    ElfSection section;
    name_offsets.push_back(field(0, 4));
    section.type = static_cast<uint32_t>(field(4, 4));
    section.flags = field(at.flags, at.word);
    section.address = field(at.address, at.word);
    section.bytes = field(at.size, at.word);
    section.align = field(at.align, at.word);
    tables.push_back({field(at.offset, at.word), section.bytes, field(at.link, 4)});
    elf.sections.push_back(std::move(section));
  }
  if (count > 0 && names >= count) return {};
  for (uint64_t i = 0; i < count && in.good; ++i) {
    elf.sections[i].name = in.text(tables[names].offset, tables[names].bytes, name_offsets[i]);
    if (elf.sections[i].type == kRelocationsWithAddends && elf.sections[i].allocated() && at.word == 8) {
      read_relocations(in, tables[i], elf.relocations);
    }
    if (elf.sections[i].type != kSymbolTable) continue;
    if (tables[i].link >= count) return {};
    elf.symbols = read_symbols(in, at, tables[i], tables[tables[i].link], elf.sections.size());
  }
  if (!in.good) return {};
  return elf;
}

const ElfSymbol* find_symbol(const Elf& elf, const std::string& name) {
  const ElfSymbol* found = nullptr;
  for (const ElfSymbol& symbol : elf.symbols) {
    if (symbol.name != name || (symbol.section < 0 && !symbol.common)) continue;
    if (symbol.global) return &symbol;
    if (!found) found = &symbol;
  }
  return found;
}

const ElfSymbol* function_at(const Elf& elf, uint64_t address) {
  for (const ElfSymbol& symbol : elf.symbols) {
    const uint64_t first = symbol.address & ~uint64_t{1};  // the lowest bit says Thumb
    if (symbol.function && symbol.section >= 0 && address >= first && address - first < symbol.bytes) return &symbol;
  }
  return nullptr;
}

}  // namespace tarn::verify
