#include "support/diagnostic.h"

#include "support/printable.h"
#include "support/text.h"

namespace tarn {

namespace {

// Further lines are indented: no name in a message can pass for a diagnostic of its own.
std::string indented(const std::string& text) {
  std::vector<std::string> lines = split(text, '\n');
  for (std::string& line : lines) line = printable(line);
  return join(lines, "\n  ");
}

}  // namespace

std::string to_text(const Diagnostic& d) {
  std::string out;
  const Where& w = d.where;
  if (!w.file.empty()) out += printable(w.file) + ": ";
  if (w.node || !w.node_name.empty() || !w.op.empty()) {
    out += "node";
    if (w.node) out += cat(" ", *w.node);
    if (!w.node_name.empty()) out += " '" + printable(w.node_name) + "'";
    if (!w.op.empty()) out += " (" + printable(w.op) + ")";
    out += ": ";
  }
  if (!w.tensor.empty()) out += "tensor '" + printable(w.tensor) + "': ";
  out += (d.severity() == Severity::error ? "error " : "warning ") + d.code + ": " + indented(d.message);
  if (!d.hint.empty()) out += "\n  hint: " + indented(d.hint);
  return out;
}

std::string to_json(const Diagnostic& d) {
  const Where& w = d.where;
  std::string out = "{\"code\": " + json_string(d.code) +
                    ", \"severity\": " + (d.severity() == Severity::error ? "\"error\"" : "\"warning\"");
  auto add = [&](const char* key, const std::string& value) {
    if (!value.empty()) out += std::string(", \"") + key + "\": " + json_string(value);
  };
  add("file", w.file);
  if (w.node) out += cat(", \"node\": ", *w.node);
  add("node_name", w.node_name);
  add("op", w.op);
  add("tensor", w.tensor);
  add("message", d.message);
  add("hint", d.hint);
  return out + "}";
}

int exit_code(const Diagnostics& faults) {
  for (const Diagnostic& d : faults) {
    if (d.severity() != Severity::error) continue;
    const DiagnosticKind* kind = find_diagnostic(d.code);
    return kind ? kind->exit_code : 70;
  }
  return 0;
}

const DiagnosticKind* find_diagnostic(const std::string& code) {
  for (const DiagnosticKind& kind : diagnostic_catalog()) {
    if (code == kind.code) return &kind;
  }
  return nullptr;
}

}  // namespace tarn
