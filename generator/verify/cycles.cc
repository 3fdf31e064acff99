// The timing table behind estimate_m4_cycles.
#include <algorithm>
#include <string_view>

#include "support/text.h"
#include "verify/instructions.h"

namespace tarn::verify {
namespace {

constexpr uint64_t kRefill = 2;  // a taken branch costs 1 and a refill of 1 to 3

// Words in a register list: "{r4, r5, lr}", "{s0-s7}", "{d8-d9}".
uint64_t list_words(std::string_view operands) {
  const size_t open = operands.find('{'), close = operands.find('}');
  if (open == std::string_view::npos || close == std::string_view::npos) return 1;
  uint64_t words = 0;
  for (const std::string& part : split(operands.substr(open + 1, close - open - 1), ',')) {
    const size_t name = part.find_first_not_of(' ');
    const size_t dash = part.find('-');
    uint64_t count = 1;
    if (name != std::string::npos && dash != std::string::npos) {
      count +=
          static_cast<uint64_t>(std::max(0, std::atoi(part.c_str() + dash + 2) - std::atoi(part.c_str() + name + 1)));
    }
    words += count * (name != std::string::npos && part[name] == 'd' ? 2 : 1);
  }
  return words;
}

bool is_memory(std::string_view m) {
  return m.starts_with("ldr") || m.starts_with("str") || m.starts_with("vldr") || m.starts_with("vstr");
}

bool is_branch(std::string_view m) {
  static constexpr std::string_view all[] = {"b",   "bl",  "bx",  "blx", "beq", "bne", "bcs", "bcc",
                                             "bmi", "bpl", "bvs", "bvc", "bhi", "bls", "bge", "blt",
                                             "bgt", "ble", "bhs", "blo", "cbz", "cbnz"};
  return std::find(std::begin(all), std::end(all), m) != std::end(all);
}

// One execution, branches as if they were taken.
uint64_t cycles_of(const Instruction& instruction, bool after_memory) {
  const std::string full = instruction.mnemonic;
  const std::string m = full.substr(0, full.find('.'));
  const std::string& o = instruction.operands;
  const uint64_t refill = o.find("pc}") != std::string::npos || o.starts_with("pc,") ? kRefill : 0;
  if (is_branch(m)) return 1 + kRefill;
  if (m == "tbb" || m == "tbh") return 2 + kRefill;
  if (m == "ldrd") return after_memory ? 2 : 3;
  if (m == "strd") return 2;
  if (m.starts_with("ldm") || m.starts_with("stm") || m.starts_with("vldm") || m.starts_with("vstm") || m == "push" ||
      m == "pop" || m == "vpush" || m == "vpop") {
    return 1 + list_words(o) + refill;
  }
  if (m.starts_with("ldr") || m.starts_with("vldr")) return (after_memory ? 1 : 2) + refill;
  if (m.starts_with("vmla") || m.starts_with("vmls") || m.starts_with("vfma") || m.starts_with("vfms") ||
      m.starts_with("vnml") || m.starts_with("vfnm")) {
    return 3;
  }
  if (m.starts_with("vdiv") || m.starts_with("vsqrt")) return 14;
  if (m == "sdiv" || m == "udiv") return 6;  // 2 to 12
  return 1 + refill;                         // also stores: the write buffer takes them
}

}  // namespace

uint64_t estimate_m4_cycles(const MachineCode& code, const Histogram& histogram) {
  const auto times_of = [&](size_t i) {
    const auto at = i < code.instructions.size() ? histogram.find(code.instructions[i].address) : histogram.end();
    return at == histogram.end() ? uint64_t{0} : at->second;
  };
  uint64_t total = 0;
  bool after_memory = false;
  for (size_t i = 0; i < code.instructions.size(); ++i) {
    const Instruction& instruction = code.instructions[i];
    const uint64_t times = times_of(i);
    if (!instruction.follows || times == 0) after_memory = false;
    total += times * cycles_of(instruction, after_memory);
    // Where the next instruction ran less often, the branch was taken the other times; not otherwise.
    const uint64_t next = times_of(i + 1);
    const bool conditional = is_branch(instruction.mnemonic) && instruction.mnemonic != "b" &&
                             instruction.mnemonic != "bl" && instruction.mnemonic != "bx" &&
                             instruction.mnemonic != "blx";
    if (conditional && next <= times) total -= next * kRefill;
    after_memory = is_memory(instruction.mnemonic);
  }
  return total;
}

}  // namespace tarn::verify
