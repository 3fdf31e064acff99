#include "verify/decode.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace tarn::verify {
namespace {

using Names = std::initializer_list<std::string_view>;

bool one_of(std::string_view text, Names names) { return std::find(names.begin(), names.end(), text) != names.end(); }

bool begins(std::string_view text, Names names) {
  return std::any_of(names.begin(), names.end(), [&](std::string_view name) { return text.starts_with(name); });
}

uint64_t span(uint64_t first, uint64_t count) { return first + count > 48 ? 0 : ((uint64_t{1} << count) - 1) << first; }

// "r3", "lr", "s5", "d2", "q1": its bits; 0 for anything else.
uint64_t register_bits(std::string_view name) {
  static constexpr std::pair<std::string_view, uint64_t> named[] = {{"sl", 10}, {"fp", 11}, {"ip", 12},
                                                                    {"sp", 13}, {"lr", 14}, {"pc", 15}};
  for (const auto& [text, bit] : named) {
    if (name == text) return uint64_t{1} << bit;
  }
  if (name.size() < 2 || name.size() > 3) return 0;
  uint64_t number = 0;
  for (const char c : name.substr(1)) {
    if (!std::isdigit(static_cast<unsigned char>(c))) return 0;
    number = number * 10 + static_cast<uint64_t>(c - '0');
  }
  if (name[0] == 'r') return number < 16 ? span(number, 1) : 0;
  if (name[0] == 's') return number < 32 ? span(16 + number, 1) : 0;
  if (name[0] == 'd') return number < 16 ? span(16 + 2 * number, 2) : 0;
  if (name[0] == 'q') return number < 8 ? span(16 + 4 * number, 4) : 0;
  return 0;
}

uint64_t count_bits(uint64_t bits) {
  uint64_t count = 0;
  for (; bits != 0; bits &= bits - 1) ++count;
  return count;
}

// The registers of each operand, in order; those of a list or an address together.
struct Operands {
  std::vector<uint64_t> each;
  bool writes_base = false;  // "[r0, #4]!", "[r0], #4", "r0!"
  bool shifted = false;

  uint64_t all(size_t from = 0) const {
    uint64_t bits = 0;
    for (size_t i = from; i < each.size(); ++i) bits |= each[i];
    return bits;
  }
};

Operands parse_operands(std::string_view text) {
  Operands found;
  size_t depth = 0;
  uint64_t bits = 0, before_dash = 0;
  const auto end_operand = [&] {
    found.each.push_back(bits);
    bits = 0;
  };
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') depth = depth > 0 ? depth - 1 : 0;
    if (c == ']' && i + 1 < text.size() && text[i + 1] == ',') found.writes_base = true;
    if (c == '!') found.writes_base = true;
    if (c == ',' && depth == 0) end_operand();
    if (std::isalpha(static_cast<unsigned char>(c)) == 0) {
      ++i;
      continue;
    }
    size_t end = i;
    while (end < text.size() && std::isalnum(static_cast<unsigned char>(text[end])) != 0) ++end;
    const std::string_view word = text.substr(i, end - i);
    uint64_t one = register_bits(word);
    if (i > 0 && text[i - 1] == '-' && one != 0 && before_dash != 0) {  // "s0-s7"
      for (uint64_t at = before_dash; at < one; at <<= 1) bits |= at;
    }
    if (one_of(word, {"lsl", "lsr", "asr", "ror"})) found.shifted = true;
    bits |= one;
    before_dash = one;
    i = end;
  }
  if (!text.empty()) end_operand();
  return found;
}

constexpr std::string_view kConditions[] = {"eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc",
                                            "hi", "ls", "ge", "lt", "gt", "le", "hs", "lo"};

Kind kind_of(std::string_view m, std::string_view full, std::string_view operands) {
  const bool vector = operands.find('q') != std::string_view::npos && m.starts_with("v");
  if (vector) {
    if (begins(m, {"vldr", "vld2", "vld4"})) return Kind::vector_load;
    if (begins(m, {"vstr", "vst2", "vst4"})) return Kind::vector_store;
    return Kind::vector_arithmetic;
  }
  if (m == "nop" || m.starts_with("it") || m.starts_with("vpt") || m.starts_with("vpst")) return Kind::nothing;
  if (m == "le" || m == "letp") return Kind::loop_end;
  if (m == "bl" || m == "blx") return Kind::call;
  if (one_of(m, {"b", "bx", "cbz", "cbnz", "tbb", "tbh"}) ||
      (m.size() == 3 && m[0] == 'b' &&
       std::find(std::begin(kConditions), std::end(kConditions), m.substr(1)) != std::end(kConditions)))
    return Kind::branch;
  if (begins(m, {"ldm", "pop", "vldm", "vpop", "ldrd"})) return Kind::load_many;
  if (begins(m, {"stm", "push", "vstm", "vpush", "strd"})) return Kind::store_many;
  if (begins(m, {"ldr", "vldr"})) return Kind::load;
  if (begins(m, {"str", "vstr"})) return Kind::store;
  if (begins(m, {"sdiv", "udiv"})) return Kind::divide;
  if (begins(m, {"vdiv", "vsqrt"})) return Kind::float_divide;
  if (begins(m, {"vmla", "vmls", "vfma", "vfms", "vnml", "vfnm"})) return Kind::float_accumulate;
  if (begins(m, {"vmov", "vmrs", "vmsr", "vcmp"}))
    return full.starts_with("vcmp") ? Kind::float_arithmetic : Kind::float_move;
  if (m.starts_with("v")) return Kind::float_arithmetic;
  if (begins(m, {"smull", "umull", "smlal", "umlal", "umaal"})) return Kind::multiply_long;
  if (one_of(m, {"mla", "mls"})) return Kind::accumulate;
  if (begins(m, {"mul"})) return Kind::multiply;
  if (begins(m, {"sml",  "smu",  "smm",   "sxtb16", "uxtb16", "sxtab16", "uxtab16", "sadd",   "uadd",   "ssub", "usub",
                 "qadd", "qsub", "qdadd", "qdsub",  "shadd",  "uhadd",   "usad",    "ssat16", "usat16", "sel",  "pkh"}))
    return Kind::dsp;
  return Kind::alu;
}

bool sets_flags(std::string_view m) {
  return begins(m, {"cmp", "cmn", "tst", "teq"}) ||
         one_of(m, {"adds", "subs", "muls", "movs", "ands", "orrs", "eors", "bics", "lsls", "lsrs", "asrs", "rors",
                    "rsbs", "negs", "mvns", "adcs", "sbcs", "vmrs"});
}

// Registers of an instruction that computes: what comes first is written, the rest is read.
void compute(std::string_view m, const Operands& operands, Decoded& d) {
  const uint64_t first = operands.each.empty() ? 0 : operands.each[0];
  const uint64_t second = operands.each.size() < 2 ? 0 : operands.each[1];
  const bool compares = begins(m, {"cmp", "cmn", "tst", "teq", "vcmp", "vmsr"});
  const bool two_results = d.kind == Kind::multiply_long || m.starts_with("smlald") || m.starts_with("smlsld");
  const bool reads_first = operands.each.size() < 3 || d.kind == Kind::float_accumulate || two_results ||
                           begins(m, {"vmla", "vmls", "vfma", "vfms", "movt", "bfi"});
  const bool moves =
      begins(m, {"mov", "vmov", "mvn", "vdup", "vcvt", "uxt", "sxt", "clz", "rev", "vneg", "vabs", "adr"});
  if (!compares) d.writes = two_results ? first | second : first;
  d.reads = operands.all(1) | (compares || (reads_first && (!moves || m == "movt")) ? first : 0);
  if (sets_flags(m)) d.writes |= kFlags;
  if (d.kind == Kind::multiply_long || d.kind == Kind::float_accumulate) d.adds_to = d.writes & d.reads;
  else if ((d.kind == Kind::accumulate || d.kind == Kind::dsp) && operands.each.size() == 4)
    d.adds_to = operands.each[3];
  if (begins(m, {"adc", "sbc"})) d.reads |= kFlags;
}

}  // namespace

Decoded decode_thumb(const Instruction& instruction, uint64_t bytes) {
  const std::string_view full = instruction.mnemonic, m = full.substr(0, full.find('.'));
  const Operands operands = parse_operands(instruction.operands);
  Decoded d;
  d.kind = kind_of(m, full, instruction.operands);
  d.bytes = bytes;
  d.shifted = operands.shifted;
  const uint64_t first = operands.each.empty() ? 0 : operands.each[0];
  const uint64_t second = operands.each.size() < 2 ? 0 : operands.each[1];
  const bool stack = begins(m, {"push", "pop", "vpush", "vpop"});
  switch (d.kind) {
    case Kind::nothing: break;
    case Kind::branch:
    case Kind::call:
    case Kind::loop_end:
      d.reads = operands.all();
      d.conditional = m.size() > 2 && m != "blx" && !m.starts_with("tb");
      if (m.size() == 3 && m[0] == 'b') d.reads |= kFlags;
      break;
    case Kind::load_many: {
      const uint64_t list = stack ? first : m.starts_with("ldrd") ? first | second : second;
      d.writes = list | (stack || operands.writes_base ? operands.all() & ~list : 0);
      d.reads = operands.all() & ~list;
      d.words = count_bits(list);
      break;
    }
    case Kind::store_many: {
      const uint64_t list = stack ? first : m.starts_with("strd") ? first | second : second;
      d.reads = operands.all();
      d.writes = operands.writes_base ? operands.all() & ~list : 0;
      d.words = count_bits(list);
      break;
    }
    case Kind::load:
    case Kind::vector_load:
      d.writes = first | (operands.writes_base ? second : 0);
      d.reads = operands.all(1);
      break;
    case Kind::store:
    case Kind::vector_store:
      d.reads = operands.all();
      d.writes = operands.writes_base ? second : 0;
      break;
    default: compute(m, operands, d);
  }
  d.to_pc = d.kind != Kind::branch && d.kind != Kind::call && (d.writes & (uint64_t{1} << 15)) != 0;
  return d;
}

}  // namespace tarn::verify
