// tarn --man: the manual page, made of the help that the commands print.
#include <iostream>

#include "cli/commands.h"
#include "support/diagnostic.h"
#include "support/text.h"

namespace tarn::cli {

namespace {

// Text that roff shall print as it stands.
std::string verbatim(const std::string& text) {
  std::string result = ".nf\n";
  for (const std::string& line : split(text, '\n')) {
    std::string safe;
    for (char c : line) safe += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
    result += (safe.starts_with(".") || safe.starts_with("'") ? "\\&" : "") + safe + "\n";
  }
  return result + ".fi\n";
}

void print_section(const std::string& name, const std::string& help) {
  const size_t title_end = help.find('\n') < help.size() ? help.find('\n') + 1 : 0;
  std::cout << ".SH " << upper(name) << "\n" << verbatim(help.substr(title_end));
}

}  // namespace

int print_man_page() {
  std::cout << ".TH TARN 1 \"\" \"tarn " TARN_VERSION
               "\" \"User Commands\"\n"
               ".SH NAME\ntarn \\- plain C99 with one statically planned arena, from an ONNX model\n"
               ".SH SYNOPSIS\n.B tarn\n.I COMMAND\n.RI [ ARGUMENTS ]\n"
               ".SH DESCRIPTION\n"
               "Plans the memory of a neural network for a microcontroller, proves how small it can be, and writes C "
               "code that needs\n"
               "no heap and no interpreter. The commands are analyze, generate, verify, quantize, plan, ops, explain, "
               "diff, compare, completion and help.\n";
  for (Command command : {Command::analyze, Command::generate, Command::verify}) {
    print_section(name_of(command), help_text(command));
  }
  print_section("quantize", quantize_help());
  print_section("plan", plan_help());
  print_section("diff", diff_help());
  print_section("compare", compare_help());
  std::cout << ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : std::vector<std::pair<int, const char*>>{{0, "success"},
                                                                              {2, "usage"},
                                                                              {3, "unreadable or invalid model"},
                                                                              {4, "not supported"},
                                                                              {5, "over budget, proved"},
                                                                              {6, "over budget, not proved"},
                                                                              {7, "verification failed"},
                                                                              {70, "internal error"}}) {
    std::cout << ".TP\n" << code << "\n" << meaning << "\n";
  }
  std::cout << ".SH DIAGNOSTICS\n";
  for (const DiagnosticKind& kind : diagnostic_catalog())
    std::cout << ".TP\n" << kind.code << "\n" << kind.title << "\n";
  return 0;
}

}  // namespace tarn::cli
