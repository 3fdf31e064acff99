#include <iostream>

#include "cli/commands.h"
#include "support/diagnostic.h"
#include "support/nearest.h"
#include "support/printable.h"
#include "support/text.h"

namespace tarn::cli {

int run_explain(int argc, char** argv) {
  const bool asked = argc > 1 && (std::string_view(argv[1]) == "--help" || std::string_view(argv[1]) == "-h");
  const std::string code = argc > 1 && !asked ? upper(argv[1]) : "";
  const DiagnosticKind* kind = find_diagnostic(code);
  if (!kind) {
    std::vector<std::string> codes;
    for (const DiagnosticKind& k : diagnostic_catalog()) codes.emplace_back(k.code);
    if (!code.empty())
      std::cerr << "tarn: there is no diagnostic '" << printable(argv[1]) << "'" << did_you_mean(code, codes) << "\n";
    std::ostream& out = asked ? std::cout : std::cerr;
    out << "usage: tarn explain CODE, with one of:\n";
    for (const DiagnosticKind& k : diagnostic_catalog()) out << "  " << k.code << "  " << k.title << "\n";
    return asked ? 0 : 2;
  }
  std::cout << kind->code << ": " << kind->title << " (exit code " << kind->exit_code << ")\n"
            << kind->meaning << "\n"
            << kind->remedy << "\n";
  return 0;
}

}  // namespace tarn::cli
