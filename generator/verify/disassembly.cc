#include "verify/disassembly.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace tarn::verify {
namespace {

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

// A hexadecimal number at the start of `text`; what follows it stays in `text`.
std::optional<uint64_t> take_hex(std::string_view& text) {
  uint64_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (fault != std::errc() || end == text.data()) return {};
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return value;
}

// "00008000 <name>:"
std::optional<Label> parse_label(std::string_view line) {
  const std::optional<uint64_t> address = take_hex(line);
  if (!address || !line.starts_with(" <") || !line.ends_with(">:")) return {};
  return Label{*address, std::string(line.substr(2, line.size() - 4))};
}

// "    8004:\tldr.w\tr3, [pc, #8]\t@ (8010 <f+0x10>)"
std::optional<Instruction> parse_instruction(std::string_view line, Isa isa) {
  line = trim(line);
  const std::optional<uint64_t> address = take_hex(line);
  if (!address || !line.starts_with(":\t")) return {};
  line = trim(line.substr(2));
  Instruction result;
  result.address = *address;
  const size_t comment = line.find(isa == Isa::thumb ? '@' : '#');
  if (comment != std::string_view::npos) {
    result.comment = trim(line.substr(comment + 1));
    line = trim(line.substr(0, comment));
  }
  const size_t space = line.find_first_of(" \t");
  std::string_view mnemonic = line.substr(0, space);
  if (isa == Isa::thumb && (mnemonic.ends_with(".n") || mnemonic.ends_with(".w"))) mnemonic.remove_suffix(2);
  if (space != std::string_view::npos) result.operands = trim(line.substr(space));
  if (mnemonic.starts_with('.')) {
    result.comment = result.operands;  // ".word 0x12": data, its value
    result.operands.clear();
  } else {
    result.mnemonic = mnemonic;
  }
  return result;
}

void add_symbols(MachineCode& code, const Elf& image) {
  constexpr uint32_t kX86Irelative = 37;
  for (const ElfSymbol& symbol : image.symbols) {
    if (!symbol.function || symbol.section < 0) continue;
    const uint64_t address = code.isa == Isa::thumb ? symbol.address & ~uint64_t{1} : symbol.address;
    if (symbol.global) {
      code.functions[symbol.name] = address;
    } else {
      code.functions.try_emplace(symbol.name, address);
    }
    if (symbol.chooser) code.choosers.insert(address);
  }
  for (const ElfRelocation& relocation : image.relocations) {
    if (code.isa != Isa::x86_64 || relocation.type != kX86Irelative) continue;
    code.late_bound[relocation.address] = relocation.addend;
    code.choosers.insert(relocation.addend);
  }
}

}  // namespace

MachineCode parse_disassembly(std::string_view text, Isa isa, const Elf& image) {
  MachineCode code;
  code.isa = isa;
  add_symbols(code, image);
  bool follows = false;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (std::optional<Instruction> instruction = parse_instruction(line, isa)) {
      instruction->follows = follows;
      follows = true;
      code.instructions.push_back(std::move(*instruction));
    } else if (std::optional<Label> label = parse_label(line)) {
      code.labels.push_back(std::move(*label));
    } else if (!trim(line).empty()) {
      follows = false;  // a new section, or "..." for zeros
    }
  }
  std::stable_sort(code.instructions.begin(), code.instructions.end(),
                   [](const Instruction& a, const Instruction& b) { return a.address < b.address; });
  std::stable_sort(code.labels.begin(), code.labels.end(),
                   [](const Label& a, const Label& b) { return a.address < b.address; });
  return code;
}

std::optional<size_t> instruction_at(const MachineCode& code, uint64_t address) {
  const auto at = std::lower_bound(code.instructions.begin(), code.instructions.end(), address,
                                   [](const Instruction& i, uint64_t a) { return i.address < a; });
  if (at == code.instructions.end() || at->address != address) return {};
  return static_cast<size_t>(at - code.instructions.begin());
}

const Label* label_of(const MachineCode& code, uint64_t address) {
  const auto after = std::upper_bound(code.labels.begin(), code.labels.end(), address,
                                      [](uint64_t a, const Label& label) { return a < label.address; });
  return after == code.labels.begin() ? nullptr : &*(after - 1);
}

std::optional<uint64_t> printed_target(std::string_view text) {
  const size_t mark = text.find(" <");
  if (mark == std::string_view::npos) return {};
  size_t begin = mark;
  while (begin > 0 && std::isxdigit(static_cast<unsigned char>(text[begin - 1]))) --begin;
  std::string_view number = text.substr(begin, mark - begin);
  return take_hex(number);
}

}  // namespace tarn::verify
