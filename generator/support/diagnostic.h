// What a user's fault is told as: a stable code, where, what is wrong and what to do about it.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace tarn {

enum class Severity { error, warning };

// The place a diagnostic speaks of. Empty parts are left out of the text.
struct Where {
  std::string file;         // the model, as the user named it
  std::optional<int> node;  // its position in the model's node list
  std::string node_name;
  std::string op;  // "Conv", or "com.microsoft.FusedConv" outside ai.onnx
  std::string tensor;

  bool operator==(const Where&) const = default;
};

struct Diagnostic {
  std::string code;  // "E203"; see diagnostic_catalog.cc for the meaning of each
  Where where;
  std::string message;
  std::string hint;  // may be empty

  Severity severity() const { return code.starts_with('W') ? Severity::warning : Severity::error; }
  bool operator==(const Diagnostic&) const = default;
};

using Diagnostics = std::vector<Diagnostic>;

// "MODEL: node 14 'conv3' (Conv): error E203: ..." and, on a second line, "  hint: ...".
std::string to_text(const Diagnostic&);
// The same as one JSON object on one line.
std::string to_json(const Diagnostic&);

// The exit code that a list of diagnostics asks for (interface.md): that of its first error.
int exit_code(const Diagnostics&);

// An entry of the catalogue: what `tarn explain CODE` prints.
struct DiagnosticKind {
  const char* code;
  int exit_code;
  const char* title;
  const char* meaning;
  const char* remedy;
};
const std::vector<DiagnosticKind>& diagnostic_catalog();
const DiagnosticKind* find_diagnostic(const std::string& code);

}  // namespace tarn
