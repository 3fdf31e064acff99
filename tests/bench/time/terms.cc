// Prints the terms of every call of a network: terms MODEL [options of `tarn analyze`].
//
// A line per step: "STEP KERNEL NAME=COUNT ...", or "STEP KERNEL none" where the kernel has no terms.
// terms --code TARGET KERNEL... : the compiler's version, then a line "KERNEL HASH" for each.
// terms --cost TARGET PROGRAM PROFILE : a line per window of the profile (verify/profile.h): instructions, cycles,
// jumps, bytes of code, loads of constants and their bytes.
#include "time/terms.h"

#include <iomanip>
#include <iostream>
#include <variant>

#include "cli/options.h"
#include "emit/fields.h"
#include "tests/bench/time/kernel_code.h"
#include "verify/build.h"
#include "verify/profile.h"

using namespace tarn;

namespace {

void print_step(const Analysis& analysis, size_t s) {
  const program::Operation& operation = analysis.program[analysis.schedule.steps[s].operation];
  if (operation.kernel.empty()) return;
  std::cout << s << " " << operation.kernel;
  const auto terms =
      timing::terms_of(analysis.options.target, operation.kernel, emit::call_parameters(analysis, operation));
  if (!terms) std::cout << " none";
  else
    for (const timing::Term& term : *terms) std::cout << " " << term.name << "=" << std::setprecision(15) << term.count;
  std::cout << "\n";
}

int print_code(int argc, char** argv) {
  std::optional<timing::KernelCode> code = timing::KernelCode::make(argc > 2 ? argv[2] : "");
  if (!code) {
    std::cerr << "no such target, or no compiler for it\n";
    return 1;
  }
  std::cout << code->compiler() << "\n";
  for (int i = 3; i < argc; ++i) std::cout << argv[i] << " " << code->hash(argv[i]) << "\n";
  return 0;
}

int print_cost(int argc, char** argv) {
  const auto target = verify::parse_target(argc > 4 ? argv[2] : "");
  const auto tools = target ? verify::find_compiler(*target, "", verify::cpu_flags(*target)) : std::nullopt;
  const auto elf = tools ? verify::read_elf(verify::read_file(argv[3]).value_or("")) : std::nullopt;
  if (!elf) {
    std::cerr << "no such target, no compiler for it, or no program\n";
    return 1;
  }
  const verify::MachineCode code = verify::disassemble(*tools, ".", {argv[3], *elf});
  for (const verify::Profile& window : verify::read_profiles(argv[4])) {
    const verify::RunCost cost = verify::cost_of(code, window, *target);
    std::cout << std::fixed << std::setprecision(0) << cost.instructions << " " << cost.cycles << " " << cost.jumps
              << " " << cost.code_bytes << " " << cost.reads << " " << cost.read_bytes << "\n";
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "--code") return print_code(argc, argv);
  if (argc > 1 && std::string(argv[1]) == "--cost") return print_cost(argc, argv);
  const auto parsed = cli::parse_options(cli::Command::analyze, argc, argv);
  if (const auto* usage = std::get_if<cli::UsageError>(&parsed)) {
    for (const std::string& message : usage->messages) std::cerr << message << "\n";
    return 2;
  }
  const Result<Analysis> analysis = analyze(std::get<cli::Options>(parsed).compile);
  if (!analysis) {
    for (const Diagnostic& fault : analysis.faults()) std::cerr << to_text(fault) << "\n";
    return 1;
  }
  for (size_t s = 0; s < analysis->schedule.steps.size(); ++s) print_step(*analysis, s);
  return 0;
}
