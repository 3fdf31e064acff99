#include "cli/terminal.h"

#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "cli/progress_line.h"
#include "support/standard_streams.h"

namespace tarn::cli {

bool wants_colour(int stream) {
  const char* refused = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  if (refused != nullptr && *refused != '\0') return false;
  return ::isatty(stream) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

std::string with_coloured_verdicts(std::string text) {
  for (const auto& [verdict, colour] :
       {std::pair{"  DOES NOT FIT", "\033[1;31m"}, {"  FITS", "\033[1;32m"}, {"\nFIX", "\033[1;36m"}}) {
    const std::string word = verdict;
    const size_t blank = word[0] == ' ' ? 2 : 1;
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + word.size())) {
      text.insert(at + word.size(), "\033[0m");
      text.insert(at + blank, colour);
    }
  }
  return text;
}

Result<Done> print_report(const report::Report& report) {
  const std::string text = report::to_text(report);
  return print_result(wants_colour(STDOUT_FILENO) ? with_coloured_verdicts(text) : text);
}

std::string coloured(const Diagnostic& d, bool colour) {
  std::string text = to_text(d);
  if (!colour) return text;
  const bool error = d.severity() == Severity::error;
  const std::string word = (error ? "error " : "warning ") + d.code + ":";
  const size_t message = text.find(word);
  const size_t hint = d.hint.empty() ? std::string::npos : text.rfind("\n  hint: ");
  if (hint != std::string::npos) text = text.substr(0, hint + 3) + "\033[36mhint:\033[0m" + text.substr(hint + 8);
  return text.substr(0, message) + (error ? "\033[1;31m" : "\033[1;33m") + word + "\033[0m" +
         text.substr(message + word.size());
}

void print(const Diagnostics& diagnostics, bool as_json) {
  ProgressLine::clear();
  const bool colour = !as_json && wants_colour(STDERR_FILENO);
  for (const Diagnostic& d : diagnostics) std::cerr << (as_json ? to_json(d) : coloured(d, colour)) << "\n";
}

}  // namespace tarn::cli
