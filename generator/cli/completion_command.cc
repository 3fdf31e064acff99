// tarn completion SHELL: made of what the commands declare, so that it never says anything else.
#include <iostream>

#include "cli/commands.h"
#include "cli/declare.h"
#include "support/diagnostic.h"
#include "support/text.h"

namespace tarn::cli {

namespace {

constexpr Command kPlanned[] = {Command::analyze, Command::generate, Command::verify};

std::string options_of(Command command) {
  std::string words;
  for (const std::string& name : option_names(declare(command))) words += (words.empty() ? "--" : " --") + name;
  return words;
}

std::string codes() {
  std::string words;
  for (const DiagnosticKind& kind : diagnostic_catalog()) words += cat(words.empty() ? "" : " ", kind.code);
  return words;
}

// Inside single quotes, for all three shells; a description ends at its first clause.
std::string quoted(const std::string& text) {
  std::string safe;
  for (char c : text.substr(0, text.find_first_of(";:("))) safe += c == '\'' || c == '\\' ? ' ' : c;
  return "'" + safe + "'";
}

// Bash: words for what stands before the cursor; zsh runs the same through its own emulation.
void print_bash() {
  std::cout << "_tarn() {\n"
               "  local current=${COMP_WORDS[COMP_CWORD]} words=\n"
               "  COMPREPLY=()\n"
               "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
               "    words='"
            << join(command_names(), " ")
            << " --help --version'\n"
               "  else\n"
               "    case ${COMP_WORDS[1]} in\n";
  for (Command command : kPlanned) {
    std::cout << "      " << name_of(command) << ") case $current in -*) words='" << options_of(command)
              << "' ;; esac ;;\n";
  }
  std::cout << "      explain) words='" << codes()
            << "' ;;\n"
               "      help) words='"
            << join(command_names(), " ")
            << "' ;;\n"
               "      completion) words='bash zsh fish' ;;\n"
               "    esac\n"
               "  fi\n"
               "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
               "}\n"
               "complete -o default -F _tarn tarn\n";
}

void print_fish() {
  for (const std::string& command : command_names())
    std::cout << "complete -c tarn -n __fish_use_subcommand -a " << command << "\n";
  for (Command command : kPlanned) {
    const cxxopts::Options options = declare(command);
    for (const std::string& group : option_groups()) {
      for (const cxxopts::HelpOptionDetails& option : options.group_help(group).options) {
        std::cout << "complete -c tarn -n '__fish_seen_subcommand_from " << name_of(command) << "' -l "
                  << option.l.front() << (option.s.empty() ? "" : " -s " + option.s) << (option.is_boolean ? "" : " -r")
                  << " -d " << quoted(option.desc) << "\n";
      }
    }
  }
  std::cout << "complete -c tarn -f -n '__fish_seen_subcommand_from explain' -a '" << codes()
            << "'\ncomplete -c tarn -f -n '__fish_seen_subcommand_from completion' -a 'bash zsh fish'\n";
}

}  // namespace

std::vector<std::string> command_names() {
  return {"analyze", "generate", "verify",  "quantize",   "plan", "ops",
          "explain", "diff",     "compare", "completion", "help"};
}

int run_completion(int argc, char** argv) {
  const std::string shell = argc > 1 ? argv[1] : "";
  if (shell == "bash") {
    print_bash();
  } else if (shell == "zsh") {
    std::cout << "#compdef tarn\nautoload -U +X bashcompinit && bashcompinit\n";
    print_bash();
  } else if (shell == "fish") {
    print_fish();
  } else {
    const bool asked = shell == "--help" || shell == "-h";
    (asked ? std::cout : std::cerr) << "usage: tarn completion bash|zsh|fish\n"
                                       "  bash: source <(tarn completion bash)\n"
                                       "  zsh:  source <(tarn completion zsh)\n"
                                       "  fish: tarn completion fish | source\n";
    return asked ? 0 : 2;
  }
  return 0;
}

}  // namespace tarn::cli
