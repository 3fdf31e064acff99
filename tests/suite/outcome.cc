#include "suite/outcome.h"

#include <array>
#include <cstdlib>

#include "support/text.h"

namespace tarn::suite {
namespace {

constexpr size_t kFields = 22;

std::string on_one_line(const std::string& text) {
  std::string out;
  for (char c : text) out += c == '\n' || c == '\t' || c == '\r' ? ' ' : c;
  return out;
}

std::string optional_text(const std::optional<int64_t>& value) { return value ? std::to_string(*value) : ""; }

std::optional<int64_t> optional_number(const std::string& text) {
  if (text.empty()) return {};
  return std::atoll(text.c_str());
}

}  // namespace

std::string to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::passed: return "passed";
    case Verdict::refused: return "refused";
    case Verdict::failed: return "failed";
  }
  return "";
}

bool is_refusal(const std::string& code) {
  return code.starts_with("E1") || code.starts_with("E2") || code.starts_with("E3") || code == "E402" ||
         code == "E405" || code == "E408";
}

void judge(Outcome& outcome, const Diagnostics& faults) {
  for (const Diagnostic& fault : faults) {
    if (fault.severity() != Severity::error) continue;
    outcome.code = fault.code;
    outcome.op = fault.where.op;
    outcome.message = on_one_line(fault.message);
    if (!fault.where.tensor.empty()) outcome.message = "tensor '" + fault.where.tensor + "': " + outcome.message;
    outcome.verdict = is_refusal(fault.code) ? Verdict::refused : Verdict::failed;
    return;
  }
}

std::string to_line(const Outcome& o) {
  const std::array<std::string, kFields> fields = {o.name,
                                                   o.on,
                                                   to_string(o.verdict),
                                                   o.code,
                                                   o.op,
                                                   on_one_line(o.message).substr(0, 600),
                                                   std::to_string(o.arena),
                                                   std::to_string(o.lower_bound),
                                                   std::to_string(o.naive),
                                                   std::to_string(o.macs),
                                                   std::to_string(o.parameters),
                                                   std::to_string(o.nodes),
                                                   o.proof,
                                                   optional_text(o.stack),
                                                   optional_text(o.stack_bound),
                                                   optional_text(o.instructions),
                                                   std::to_string(o.error),
                                                   std::to_string(o.seconds),
                                                   o.fixed,
                                                   std::to_string(o.variants),
                                                   std::to_string(o.same_text),
                                                   std::to_string(o.not_possible)};
  return join(fields, "\t");
}

std::optional<Outcome> from_line(const std::string& line) {
  const std::vector<std::string> f = split(line, '\t');
  if (f.size() != kFields) return {};
  Outcome o;
  o.name = f[0];
  o.on = f[1];
  o.verdict = f[2] == "passed" ? Verdict::passed : f[2] == "refused" ? Verdict::refused : Verdict::failed;
  o.code = f[3];
  o.op = f[4];
  o.message = f[5];
  o.arena = std::atoll(f[6].c_str());
  o.lower_bound = std::atoll(f[7].c_str());
  o.naive = std::atoll(f[8].c_str());
  o.macs = std::atoll(f[9].c_str());
  o.parameters = std::atoll(f[10].c_str());
  o.nodes = std::atoll(f[11].c_str());
  o.proof = f[12];
  o.stack = optional_number(f[13]);
  o.stack_bound = optional_number(f[14]);
  o.instructions = optional_number(f[15]);
  o.error = std::atof(f[16].c_str());
  o.seconds = std::atof(f[17].c_str());
  o.fixed = f[18];
  o.variants = std::atoll(f[19].c_str());
  o.same_text = std::atoll(f[20].c_str());
  o.not_possible = std::atoll(f[21].c_str());
  return o;
}

std::string kind_of(const Outcome& outcome) {
  std::string text;
  bool quoted = false;
  for (char c : outcome.message) {
    if (c == '\'') {
      if (!quoted) text += "'...'";
      quoted = !quoted;
      continue;
    }
    if (quoted) continue;
    if (c >= '0' && c <= '9') {
      if (text.empty() || text.back() != '#') text += '#';
      continue;
    }
    text += c;
  }
  if (text.size() > 110) text = text.substr(0, 107) + "...";
  return outcome.code + (outcome.op.empty() ? "" : " " + outcome.op) + ": " + text;
}

}  // namespace tarn::suite
