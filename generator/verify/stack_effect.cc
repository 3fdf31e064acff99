// What single instructions of Thumb, RV32 and x86-64 do to the stack pointer. Unknown movements are said to be unknown;
// instructions that only read or write through the pointer do nothing.
#include <algorithm>
#include <charconv>
#include <string_view>

#include "support/text.h"
#include "verify/machine_stack.h"

namespace tarn::verify {
namespace {

using Flow = StackEffect::Flow;

// A number as objdump writes it: "#-16", "16", "$0x28", "-32".
std::optional<int64_t> number(std::string_view text) {
  while (!text.empty() && (text.front() == '#' || text.front() == '$' || text.front() == ' ')) text.remove_prefix(1);
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const bool hex = text.starts_with("0x");
  if (hex) text.remove_prefix(2);
  uint64_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
  if (fault != std::errc() || end == text.data()) return {};
  return negative ? -static_cast<int64_t>(value) : static_cast<int64_t>(value);
}

std::vector<std::string> operands_of(const Instruction& instruction) {
  std::vector<std::string> parts = split(instruction.operands, ',');
  for (std::string& part : parts) part.erase(0, std::min(part.find_first_not_of(' '), part.size()));
  return parts;
}

// Registers in "{r4, r5-r7, lr}" or "{d8-d11}", weighed in bytes.
int64_t list_bytes(std::string_view operands) {
  const size_t open = operands.find('{'), close = operands.find('}');
  if (open == std::string_view::npos || close == std::string_view::npos) return 4;
  int64_t bytes = 0;
  for (const std::string& part : split(operands.substr(open + 1, close - open - 1), ',')) {
    std::string_view range = part;
    while (range.starts_with(' ')) range.remove_prefix(1);
    const int64_t each = range.starts_with('d') ? 8 : 4;
    const size_t dash = range.find('-');
    int64_t count = 1;
    if (dash != std::string_view::npos) {
      const auto first = number(range.substr(1, dash - 1)), last = number(range.substr(dash + 2));
      if (first && last) count = *last - *first + 1;
    }
    bytes += each * count;
  }
  return bytes;
}

bool is_condition(std::string_view suffix) {
  static constexpr std::string_view all[] = {"eq", "ne", "cs", "hs", "cc", "lo", "mi", "pl",
                                             "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le"};
  return std::find(std::begin(all), std::end(all), suffix) != std::end(all);
}

// "popne" -> true when it is `base` with a condition or without; sets `conditional`.
bool is_form_of(std::string_view mnemonic, std::string_view base, bool& conditional) {
  if (!mnemonic.starts_with(base)) return false;
  const std::string_view rest = mnemonic.substr(base.size());
  if (!rest.empty() && !is_condition(rest)) return false;
  conditional = !rest.empty();
  return true;
}

// The constant that the nearest earlier instructions put into a register: "ldr r4, [pc, #8] @ (1234 <f>)" or
// "movs r3, #155; lsls r3, r3, #2".
std::optional<int64_t> thumb_constant(const MachineCode& code, size_t at, const std::string& register_name) {
  std::optional<int64_t> shift;
  for (size_t i = at; i > 0 && at - i < 16 && code.instructions[i].follows; --i) {
    const Instruction& earlier = code.instructions[i - 1];
    const std::vector<std::string> parts = operands_of(earlier);
    if (parts.empty() || parts[0] != register_name) continue;
    if (earlier.mnemonic == "lsls" && parts.size() == 3 && parts[1] == register_name && !shift) {
      shift = number(parts[2]);
      continue;
    }
    if (earlier.mnemonic == "movs" && parts.size() == 2 && parts[1].starts_with('#')) {
      const std::optional<int64_t> value = number(parts[1]);
      if (!value || shift.value_or(0) < 0 || shift.value_or(0) > 31) return {};
      return static_cast<int32_t>(static_cast<uint32_t>(*value) << shift.value_or(0));
    }
    std::string_view place = earlier.comment;
    if (place.starts_with('(')) place.remove_prefix(1);
    const std::optional<uint64_t> address = printed_target(place);
    if (earlier.mnemonic != "ldr" || !address || shift) return {};
    const std::optional<size_t> data = instruction_at(code, *address);
    if (!data || !code.instructions[*data].mnemonic.empty()) return {};
    const std::optional<int64_t> value = number(code.instructions[*data].comment);
    if (!value) return {};
    return static_cast<int32_t>(static_cast<uint32_t>(*value));
  }
  return {};
}

// Branches, calls and returns of Thumb; false when the instruction is none.
bool thumb_flow(const Instruction& instruction, StackEffect& effect) {
  const std::string_view m = instruction.mnemonic;
  const std::string_view o = instruction.operands;
  effect.target = printed_target(o);
  if (m == "cbz" || m == "cbnz" || m == "le" || m == "letp" || m == "wls" || m.starts_with("wlstp")) {
    effect.flow = effect.target ? Flow::branch : Flow::next;
  } else if (is_form_of(m, "blx", effect.conditional)) {
    effect.flow = effect.target ? Flow::call : Flow::indirect_call;
  } else if (is_form_of(m, "bx", effect.conditional)) {
    effect.flow = o == "lr" ? Flow::end : Flow::indirect_jump;
  } else if (m == "bl") {
    effect.flow = Flow::call;
  } else if (m == "b") {
    effect.flow = Flow::jump;
  } else if (m.starts_with('b') && is_condition(m.substr(1))) {
    effect.flow = Flow::branch;
  } else if (m.starts_with("bl") && is_condition(m.substr(2))) {
    effect.flow = Flow::call;
  } else if (m == "tbb" || m == "tbh" || (m.starts_with("add") && o.starts_with("pc,"))) {
    effect.flow = Flow::indirect_jump;
  } else if (is_form_of(m, "mov", effect.conditional) && o.starts_with("pc,")) {
    effect.flow = o == "pc, lr" ? Flow::end : Flow::indirect_jump;
  } else if (m == "udf" || m == "bkpt") {
    effect.flow = m == "udf" ? Flow::end : Flow::next;
  } else {
    return false;
  }
  return true;
}

StackEffect thumb_effect(const MachineCode& code, size_t at) {
  const Instruction& instruction = code.instructions[at];
  const std::string_view m = instruction.mnemonic;
  const std::string& o = instruction.operands;
  StackEffect effect;
  if (thumb_flow(instruction, effect)) return effect;
  const std::vector<std::string> parts = operands_of(instruction);
  const bool list_to_pc = o.find("pc}") != std::string::npos;
  bool& conditional = effect.conditional;
  if (is_form_of(m, "push", conditional) || is_form_of(m, "vpush", conditional) ||
      ((m.starts_with("stmdb") || m.starts_with("vstmdb")) && o.starts_with("sp!"))) {
    effect.grows = list_bytes(o);
  } else if (is_form_of(m, "pop", conditional) || is_form_of(m, "vpop", conditional) ||
             ((m.starts_with("ldmia") || m.starts_with("vldmia")) && o.starts_with("sp!"))) {
    effect.grows = -list_bytes(o);
    if (list_to_pc) effect.flow = Flow::end;
    conditional = conditional || (m.starts_with("ldmia") && m.size() > 5);
  } else if (o.find("[sp, #") != std::string::npos && o.ends_with("]!")) {  // store or load with write-back before
    effect.grows = -number(o.substr(o.find("[sp, #") + 5)).value_or(0);
  } else if (o.find("[sp], #") != std::string::npos) {  // and after
    effect.grows = -number(o.substr(o.find("[sp], #") + 6)).value_or(0);
    if (o.starts_with("pc,")) effect.flow = Flow::end;
  } else if (o.starts_with("pc,") && m.starts_with("ldr")) {
    effect.flow = Flow::indirect_jump;
  } else if (!parts.empty() && parts[0] == "sp" && (m.starts_with("sub") || m.starts_with("add"))) {
    std::optional<int64_t> amount = number(parts.back());
    if (!amount && parts.back().starts_with('r')) amount = thumb_constant(code, at, parts.back());
    effect.unknown = !amount;
    effect.grows = m.starts_with("sub") ? amount.value_or(0) : -amount.value_or(0);
  } else if (!parts.empty() && parts[0] == "sp" && m.starts_with("mov")) {
    effect.grows = 0;  // back to a frame pointer: at most as deep as now
  } else if (!parts.empty() && (parts[0] == "sp" || parts[0] == "sp!") && !m.starts_with("cm") &&
             !m.starts_with("tst")) {
    effect.unknown = true;
  }
  return effect;
}

StackEffect riscv_effect(const MachineCode& code, size_t at) {
  const Instruction& instruction = code.instructions[at];
  const std::string_view m = instruction.mnemonic;
  const std::vector<std::string> parts = operands_of(instruction);
  StackEffect effect;
  effect.target = printed_target(instruction.operands);
  if (!effect.target) effect.target = printed_target(instruction.comment);
  const bool stores = m == "sw" || m == "sh" || m == "sb";
  if (m == "ret" || (m == "jr" && instruction.operands == "ra")) {
    effect.flow = Flow::end;
  } else if (m == "j" || m == "jr") {
    effect.flow = effect.target ? Flow::jump : Flow::indirect_jump;
  } else if (m == "jal" || m == "jalr") {
    // With another link register the callee is an out-of-line prologue, which moves this function's pointer.
    effect.unknown = parts.size() > 1 && parts[0].starts_with('t');
    effect.flow = effect.target ? Flow::call : Flow::indirect_call;
  } else if (m.starts_with('b') && effect.target) {
    effect.flow = Flow::branch;
  } else if (!parts.empty() && parts[0] == "sp" && !stores) {
    const bool adds = (m == "add" || m == "addi") && parts.size() == 3;
    const bool from_frame = m == "mv" || (adds && parts[1] != "sp");  // back to a frame pointer
    const std::optional<int64_t> amount = adds && !from_frame ? number(parts[2]) : std::nullopt;
    effect.unknown = !from_frame && !amount;
    effect.grows = -amount.value_or(0);
  }
  return effect;
}

// "-0x18(%rsp)", but not "-0x18(%rsp,%rax,4)": bytes below the pointer that an instruction uses.
int64_t x86_red_zone(const std::string& operands) {
  const size_t at = operands.find("(%rsp");
  if (at == std::string::npos) return 0;
  size_t begin = at;
  while (begin > 0 && operands[begin - 1] != ',' && operands[begin - 1] != ' ') --begin;
  return std::max<int64_t>(0, -number(std::string_view(operands).substr(begin, at - begin)).value_or(0));
}

// Prefixes are printed as mnemonics of their own.
Instruction without_prefix(Instruction instruction) {
  static constexpr std::string_view prefixes[] = {"bnd", "notrack", "rep", "repz", "repnz", "lock", "data16", "cs"};
  while (std::find(std::begin(prefixes), std::end(prefixes), instruction.mnemonic) != std::end(prefixes)) {
    const std::string rest = instruction.operands;
    const size_t space = std::min(rest.find(' '), rest.size());
    instruction.mnemonic = rest.substr(0, space);
    instruction.operands = rest.substr(std::min(rest.find_first_not_of(' ', space), rest.size()));
  }
  return instruction;
}

StackEffect x86_effect(const MachineCode& code, size_t at) {
  const Instruction instruction = without_prefix(code.instructions[at]);
  const std::string_view m = instruction.mnemonic;
  const std::string& o = instruction.operands;
  StackEffect effect;
  effect.touches = x86_red_zone(o);
  const bool indirect = o.find('*') != std::string::npos;
  if (indirect) {  // through memory that a relocation fills: the code that chooses is known
    const std::optional<uint64_t> slot = printed_target(instruction.comment);
    if (slot && code.late_bound.contains(*slot)) effect.target = code.late_bound.at(*slot);
  } else {
    effect.target = printed_target(o);
  }
  const std::vector<std::string> parts = operands_of(instruction);
  const bool moves_sp = !parts.empty() && parts.back() == "%rsp";
  if (m.starts_with("ret") || m == "hlt" || m == "ud2") {
    effect.flow = Flow::end;
  } else if (m.starts_with("call")) {
    effect.flow = effect.target ? Flow::call : Flow::indirect_call;
  } else if (m.starts_with("jmp")) {
    effect.flow = effect.target ? Flow::jump : Flow::indirect_jump;
  } else if (m.starts_with('j') || m.starts_with("xbegin")) {
    effect.flow = Flow::branch;
  } else if (m.starts_with("push")) {
    effect.grows = 8;
  } else if (m.starts_with("pop") && !m.starts_with("popcnt")) {
    effect.grows = -8;
  } else if (m == "leave" || m == "leaveq") {
    effect.grows = -8;  // back to the frame pointer and more: at most as deep as now
  } else if (moves_sp && (m.starts_with("sub") || m.starts_with("add")) && o.starts_with('$')) {
    effect.grows = (m.starts_with("sub") ? 1 : -1) * number(parts[0]).value_or(0);
  } else if (moves_sp && m.starts_with("and") && o.starts_with('$')) {
    effect.grows = -1 - static_cast<int64_t>(static_cast<int32_t>(number(parts[0]).value_or(-1)));
  } else if (moves_sp && m.starts_with("lea") && o.ends_with("(%rsp),%rsp")) {
    effect.grows = -number(parts[0]).value_or(0);
    effect.touches = 0;
  } else if (moves_sp && m.starts_with("lea")) {
    effect.touches = 0;  // from a frame pointer, back up
  } else if (moves_sp && !m.starts_with("cmp") && !m.starts_with("test") && !m.starts_with("mov")) {
    effect.unknown = true;
  }
  return effect;
}

}  // namespace

StackEffect stack_effect(const MachineCode& code, size_t instruction) {
  switch (code.isa) {
    case Isa::thumb: return thumb_effect(code, instruction);
    case Isa::riscv32: return riscv_effect(code, instruction);
    case Isa::x86_64: return x86_effect(code, instruction);
    case Isa::other: break;
  }
  return {.unknown = true};
}

}  // namespace tarn::verify
