// What is printed, and in which colours.
#pragma once
#include <string>

#include "report/report.h"
#include "support/diagnostic.h"

namespace tarn::cli {

// Whether a stream (STDERR_FILENO, STDOUT_FILENO) is a terminal that shows colours, and NO_COLOR is not set.
bool wants_colour(int stream);
// A report's text with its verdicts and what would fit in colour.
std::string with_coloured_verdicts(std::string text);
// The report on stdout, coloured where a terminal shows it.
Result<Done> print_report(const report::Report& report);
// A diagnostic's text, with its code and hint in colour where asked for.
std::string coloured(const Diagnostic& diagnostic, bool colour);

// Prints diagnostics on stderr, as text or (--diagnostics json) as JSON lines.
void print(const Diagnostics& diagnostics, bool as_json);

}  // namespace tarn::cli
