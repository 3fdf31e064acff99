#include "verify/machine_stack.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "support/text.h"

namespace tarn::verify {
namespace {

using Flow = StackEffect::Flow;
constexpr int64_t kDeepest = 1 << 20;  // deeper is a loop that moves the pointer
constexpr int64_t kReturnAddress = 8;  // what a call pushes on x86-64

// One function's walk: the deepest pointer seen on arrival at every instruction.
struct Walk {
  const MachineCode& code;
  std::map<uint64_t, Depth>& known;
  std::map<size_t, int64_t> arrived;  // by position
  std::vector<size_t> open;
  int64_t deepest = 0;
  std::string fault;

  void arrive(size_t position, int64_t depth) {
    const auto [at, fresh] = arrived.try_emplace(position, depth);
    if (!fresh && at->second >= depth) return;
    at->second = depth;
    open.push_back(position);
  }
  // False when what comes next is data: behind a call that does not return, or that jumps through the table behind it.
  bool arrive_after(size_t position, int64_t depth) {
    const size_t next = position + 1;
    if (next >= code.instructions.size() || code.instructions[next].mnemonic.empty() ||
        !code.instructions[next].follows) {
      return false;
    }
    arrive(next, depth);
    return true;
  }
  void arrive_at(std::optional<uint64_t> address, int64_t depth) {
    const std::optional<size_t> position = address ? instruction_at(code, *address) : std::nullopt;
    if (position && !code.instructions[*position].mnemonic.empty()) {
      arrive(*position, depth);
    } else {
      fault = "a jump into nowhere";
    }
  }
  void call(uint64_t target, int64_t depth) {
    const Depth& below = machine_stack(code, target, known);
    if (below.bytes) {
      deepest = std::max(deepest, depth + *below.bytes);
    } else {
      fault = below.why_not;
    }
  }
  // What a C library calls when it gives up: messages and all, they are no part of a run that returns.
  bool ends_the_program(uint64_t target) const {
    static constexpr std::string_view names[] = {"abort",        "__stack_chk_fail", "__stack_chk_fail_local",
                                                 "__libc_fatal", "__fortify_fail",   "__assert_fail",
                                                 "_exit"};
    const auto is_target = [&](std::string_view name) {
      const auto at = code.functions.find(std::string(name));
      return at != code.functions.end() && at->second == target;
    };
    return std::any_of(std::begin(names), std::end(names), is_target);
  }
  // Code that returns the address of what to run, one of those that it mentions.
  void call_chosen(uint64_t chooser) {
    const Label* label = label_of(code, chooser);
    bool any = false;
    for (size_t i = instruction_at(code, chooser).value_or(code.instructions.size()); i < code.instructions.size();
         ++i) {
      const Instruction& instruction = code.instructions[i];
      if (label_of(code, instruction.address) != label) break;
      const Label* candidate = mentioned(instruction);
      if (candidate == nullptr || candidate == label) continue;
      any = true;
      call(candidate->address, 0);
    }
    if (!any) fault = "a function chosen at start-up";
  }
  // The function whose address an instruction computes; null when it computes none.
  const Label* mentioned(const Instruction& instruction) const {
    std::optional<uint64_t> address = printed_target(instruction.comment);
    const size_t constant = instruction.operands.find("$0x");
    if (constant != std::string::npos) {
      address = std::strtoull(instruction.operands.c_str() + constant + 1, nullptr, 16);
    }
    const Label* label = address ? label_of(code, *address) : nullptr;
    return label && label->address == *address ? label : nullptr;
  }
  void step(size_t position);
  void visit_the_rest(size_t from, int64_t depth);
};

void Walk::step(size_t position) {
  const StackEffect effect = stack_effect(code, position);
  const int64_t before = arrived.at(position);
  const int64_t after = effect.conditional && effect.grows < 0 ? before : before + effect.grows;
  deepest = std::max({deepest, after, before + effect.touches});
  if (effect.unknown || after > kDeepest) {
    const Instruction& at = code.instructions[position];
    const Label* label = label_of(code, at.address);
    fault = cat(effect.unknown ? "an unknown movement of the stack pointer in " : "an endless movement in ",
                label ? label->name : "?", ": ", at.mnemonic, " ", at.operands);
    return;
  }
  bool falls_through = effect.conditional;
  if (effect.target && effect.flow != Flow::next && ends_the_program(*effect.target)) {
    if (effect.flow == Flow::branch || falls_through) arrive_after(position, after);
    return;
  }
  switch (effect.flow) {
    case Flow::next: falls_through = true; break;
    case Flow::end: break;
    case Flow::branch: falls_through = true; [[fallthrough]];
    case Flow::jump:
      if (effect.target && code.choosers.contains(*effect.target)) {
        call(*effect.target, after);
      } else {
        arrive_at(effect.target, after);
      }
      break;
    case Flow::call:
      falls_through = true;
      call(*effect.target, before + (code.isa == Isa::x86_64 ? kReturnAddress : 0));
      break;
    case Flow::indirect_call: fault = "a call through a pointer"; break;
    case Flow::indirect_jump: visit_the_rest(position, before); break;
  }
  if (falls_through && !arrive_after(position, after) && effect.flow == Flow::call) visit_the_rest(position, before);
}

// A table decides where to go on: anywhere in this function.
void Walk::visit_the_rest(size_t from, int64_t depth) {
  const Label* label = label_of(code, code.instructions[from].address);
  const auto arrive_if_here = [&](size_t i) {
    if (label_of(code, code.instructions[i].address) != label) return false;
    if (!code.instructions[i].mnemonic.empty() && !arrived.contains(i)) arrive(i, depth);
    return true;
  };
  for (size_t i = from + 1; i < code.instructions.size() && arrive_if_here(i);) ++i;
  for (size_t i = from; i > 0 && arrive_if_here(i - 1);) --i;
}

}  // namespace

Depth machine_stack(const MachineCode& code, uint64_t entry, std::map<uint64_t, Depth>& known) {
  const auto [at, fresh] = known.try_emplace(entry, Depth{{}, "recursion"});
  if (!fresh) return at->second;
  Walk walk{code, known, {}, {}, 0, ""};
  if (code.choosers.contains(entry)) {
    walk.call_chosen(entry);
  } else {
    walk.arrive_at(entry, 0);
  }
  while (!walk.open.empty() && walk.fault.empty()) {
    const size_t position = walk.open.back();
    walk.open.pop_back();
    walk.step(position);
  }
  Depth& result = known[entry];
  result = walk.fault.empty() ? Depth{walk.deepest, ""} : Depth{{}, walk.fault};
  return result;
}

}  // namespace tarn::verify
