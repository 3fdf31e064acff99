// Prints the terms of every call of a network: terms MODEL [options of `tarn analyze`].
//
// A line per step: "STEP KERNEL NAME=COUNT ...", or "STEP KERNEL none" where the kernel has no terms. Of a network by
// lines "STEP FUNCTION costs=... MODEL/NAME=COUNT ...": of what the line step takes the costs of the layers' loops, as
// the stored models tell them, and terms of the models of functions; a last line for all steps together. Where lines
// come in and go out a line for each of them, with the steps behind it, by the names "push:INPUT" and "pull:OUTPUT".
// Of a step that unpacks weights "STEP tarn_unpack costs=... NAME=COUNT ..." and no other line.
// Of a loop or branch "STEP control costs=... MODEL/NAME=COUNT ..." for all that is inside it, which has no line.
// With "--zeros=INPUT:PERCENT,..." as the last argument so many of these inputs' values are zeros
// (program/likely_zeros.h). terms --code TARGET KERNEL... : the compiler's version, then a line "KERNEL HASH" for each.
// terms --kernels FOLDER KERNEL... : writes their texts. terms --calls TARGET : the same lines for calls that standard
// input tells, "KERNEL PARAMETER=NUMBER ..." each.
// terms --cost TARGET PROGRAM PROFILE : a line per window of the profile (verify/profile.h): instructions, cycles,
// jumps, bytes of code, loads of constants and their bytes.
#include "time/terms.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <variant>

#include "cli/options.h"
#include "emit/fields.h"
#include "emit/stream_ports.h"
#include "report/control_time.h"
#include "report/line_time.h"
#include "support/text.h"
#include "tests/bench/time/kernel_code.h"
#include "verify/build.h"
#include "verify/profile.h"

using namespace tarn;

namespace {

// By input, what the network itself does not tell.
std::map<std::string, int64_t> given_zeros;

// What is only moved has as many.
void follow_zeros(const program::Program& program) {
  for (const program::Operation& operation : program.operations) {
    const auto of = [&](program::Argument::Role role) {
      const auto at = std::find_if(operation.arguments.begin(), operation.arguments.end(),
                                   [&](const program::Argument& a) { return a.role == role; });
      return at == operation.arguments.end() ? std::string() : program[at->tensor].name;
    };
    const auto given = given_zeros.find(of(program::Argument::Role::read));
    const bool moved = operation.view || operation.kernel.starts_with("tarn_transpose_");
    if (moved && given != given_zeros.end()) given_zeros[of(program::Argument::Role::write)] = given->second;
  }
}

timing::Parameters parameters_of(const Analysis& analysis, const program::Operation& operation) {
  timing::Parameters found = emit::call_parameters(analysis, operation);
  for (size_t i = 0; i < operation.arguments.size(); ++i) {
    const program::Argument& a = operation.arguments[i];
    if (a.role != program::Argument::Role::read) continue;
    const auto given = given_zeros.find(analysis.program[a.tensor].name);
    if (given != given_zeros.end()) found[cat("zeros.", i)] = given->second;
  }
  return found;
}

// Those that are fitted with the loop around them: they run nowhere else.
bool is_loops_own(const std::string& kernel) { return kernel == "tarn_slice_get" || kernel == "tarn_slice_put"; }

// Of a loop or branch: what the steps inside take, as the stored models tell it, and terms of what is fitted with it.
void print_control(const Analysis& analysis, size_t s) {
  const std::string target = analysis.options.target;
  const std::vector<schedule::Step>& steps = analysis.schedule.steps;
  std::vector<timing::Prediction> one;
  for (const schedule::Step& step : steps) {
    const program::Operation& operation = analysis.program[step.operation];
    one.push_back({timing::Cost{}, 0, 0, "", {}});
    if (!operation.kernel.empty() && !is_loops_own(operation.kernel))
      one.back() = timing::predict(target, operation.kernel, emit::call_parameters(analysis, operation));
  }
  const report::ControlTime times = report::control_time(analysis, one);
  timing::Cost costs;
  std::map<std::string, double> terms;
  for (size_t i = s; i < static_cast<size_t>(steps[s].end); ++i) {
    const program::Operation& operation = analysis.program[steps[i].operation];
    const bool loop = operation.control == program::Control::loop;
    if (loop || operation.control == program::Control::branch) {
      terms[loop ? "loop/call" : "branch/call"] += times.times[i];
      if (loop)
        terms["loop/trips"] += times.times[i] * static_cast<double>(report::trips_of(analysis, operation)->most);
      continue;
    }
    if (i > s && !operation.kernel.empty()) terms["loop/inside"] -= times.times[i];
    if (is_loops_own(operation.kernel)) {
      const auto own = timing::terms_of(target, operation.kernel, emit::call_parameters(analysis, operation));
      for (const timing::Term& term : *own) terms[operation.kernel + "/" + term.name] += times.times[i] * term.count;
    } else if (!one[i].cost) {
      std::cout << s << " control none\n";
      return;
    } else {
      costs.add(*one[i].cost, times.times[i]);
    }
  }
  std::cout << s << " control costs=" << std::setprecision(15) << costs.instructions << "," << costs.cycles << ","
            << costs.jumps << "," << costs.code_bytes << "," << costs.reads << "," << costs.read_bytes;
  for (const auto& [term, count] : terms) std::cout << " " << term << "=" << count;
  std::cout << "\n";
}

void print_terms(const std::optional<timing::Terms>& terms) {
  if (!terms) std::cout << " none";
  else
    for (const timing::Term& term : *terms) std::cout << " " << term.name << "=" << std::setprecision(15) << term.count;
  std::cout << "\n";
}

// Of a step that unpacks weights: what its kernel takes, as the stored models tell it, and terms of the decoder.
bool print_unpacking(const Analysis& analysis, const program::Operation& operation, size_t s) {
  std::map<std::string, double> terms;
  for (const program::Staging::Part& part : operation.staging->parts) {
    const program::Weight& weight = analysis.program[part.weight];
    if (!weight.plain || weight.spread) continue;
    const auto own = timing::terms_of(analysis.options.target, "tarn_unpack", weight.plain->work);
    for (const timing::Term& term : own.value_or(timing::Terms{})) terms[term.name] += term.count;
  }
  if (terms.empty()) return false;
  const timing::Prediction kernel =
      timing::predict(analysis.options.target, operation.kernel, parameters_of(analysis, operation));
  std::cout << s << " tarn_unpack";
  if (kernel.cost) {
    const timing::Cost& c = *kernel.cost;
    std::cout << std::setprecision(15) << " costs=" << c.instructions << "," << c.cycles << "," << c.jumps << ","
              << c.code_bytes << "," << c.reads << "," << c.read_bytes;
    for (const auto& [term, count] : terms) std::cout << " " << term << "=" << count;
    std::cout << "\n";
  } else {
    std::cout << " none\n";
  }
  return true;
}

void print_step(const Analysis& analysis, size_t s) {
  const program::Operation& operation = analysis.program[analysis.schedule.steps[s].operation];
  if (analysis.schedule.steps[s].parent >= 0) return;  // counted with the step around it
  if (operation.control != program::Control::none) return print_control(analysis, s);
  if (operation.kernel.empty()) return;
  if (operation.staging && analysis.program.codes.valid() && print_unpacking(analysis, operation, s)) return;
  std::cout << s << " " << operation.kernel;
  print_terms(timing::terms_of(analysis.options.target, operation.kernel, parameters_of(analysis, operation)));
}

// A window of counting: the sum of some steps.
class LineWindow {
 public:
  explicit LineWindow(const Analysis& analysis) : analysis_(analysis), target_(analysis.options.target) {}

  void add(const emit::LineStep& step, bool run) {
    for (const emit::LineKernelCall& call : step.calls) {
      const timing::LineCallOf of = report::timed_call(analysis_, call);
      const timing::Prediction loops = timing::predict_loops(target_, of);
      if (!loops.cost) known_ = false;
      else costs_.add(*loops.cost);
      for (const timing::Term& term : timing::own_terms(target_, of))
        terms_[of.function + "/" + term.name] += term.count;
      if (name_.empty()) name_ = of.function;
    }
    for (const timing::Term& term : report::driver_terms(target_, step)) {
      if (run || term.name != "run_steps") terms_[std::string(timing::kLineDriver) + "/" + term.name] += term.count;
    }
  }

  // `name`: empty for that of the first function.
  void print(size_t number, const std::string& name) const {
    std::cout << number << " " << (name.empty() ? name_ : name);
    if (!known_) {
      std::cout << " none\n";
      return;
    }
    const timing::Cost& c = costs_;
    std::cout << std::setprecision(15) << " costs=" << c.instructions << "," << c.cycles << "," << c.jumps << ","
              << c.code_bytes << "," << c.reads << "," << c.read_bytes;
    for (const auto& [term, count] : terms_) std::cout << " " << term << "=" << count;
    std::cout << "\n";
  }

 private:
  const Analysis& analysis_;
  const std::string target_;
  bool known_ = true;
  timing::Cost costs_;
  std::string name_;
  std::map<std::string, double> terms_;
};

// Every step, then all of them.
void print_run(const Analysis& analysis, const std::vector<emit::LineStep>& steps) {
  LineWindow all(analysis);
  for (size_t s = 0; s < steps.size(); ++s) {
    LineWindow one(analysis);
    one.add(steps[s], false);
    one.print(s, "");
    all.add(steps[s], true);
  }
  all.print(steps.size(), timing::kLineDriver);
}

// Every line that comes in or goes out, with the steps up to the next one; the first with those before it.
void print_calls(const Analysis& analysis, const std::vector<emit::LineStep>& steps) {
  std::optional<LineWindow> window(analysis);
  std::string name;
  size_t number = 0;
  for (const emit::LineStep& step : steps) {
    const stream::Actor& actor = analysis.stream->actors[static_cast<size_t>(step.actor)];
    if (actor.what != stream::Actor::What::operation) {
      if (!name.empty()) {
        window->print(number++, name);
        window.emplace(analysis);
      }
      name = cat(actor.what == stream::Actor::What::feed ? "push:" : "pull:", actor.port);
    }
    window->add(step, true);
  }
  if (!name.empty()) window->print(number, name);
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

int print_calls_told(const std::string& target) {
  std::string line;
  for (int i = 0; std::getline(std::cin, line); ++i) {
    std::istringstream words(line);
    std::string kernel, name, number;
    words >> kernel >> std::ws;
    timing::Parameters parameters;
    while (std::getline(words, name, '=') && std::getline(words, number, ' ')) parameters[name] = std::stoll(number);
    std::cout << i << " " << kernel;
    print_terms(timing::terms_of(target, kernel, parameters));
  }
  return 0;
}

int write_kernels(int argc, char** argv) {
  const std::string folder = argv[2];
  for (const auto& [name, text] : emit::kernel_texts({argv + 3, argv + argc})) {
    if (!verify::write_file(folder + "/" + name, text)) return 1;
  }
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
  if (argc == 3 && std::string(argv[1]) == "--calls") return print_calls_told(argv[2]);
  if (argc > 3 && std::string(argv[1]) == "--kernels") return write_kernels(argc, argv);
  if (const std::string last = argv[argc - 1]; last.starts_with("--zeros=")) {
    --argc;
    std::istringstream pairs(last.substr(last.find('=') + 1));
    for (std::string name, percent; std::getline(pairs, name, ':') && std::getline(pairs, percent, ',');)
      given_zeros[name] = std::stoll(percent);
  }
  const auto parsed = cli::parse_options(cli::Command::analyze, argc, argv);
  if (const auto* usage = std::get_if<cli::UsageError>(&parsed)) {
    for (const std::string& message : usage->messages) std::cerr << message << "\n";
    return 2;
  }
  Result<Analysis> analysis = analyze(std::get<cli::Options>(parsed).compile);
  if (!analysis) {
    for (const Diagnostic& fault : analysis.faults()) std::cerr << to_text(fault) << "\n";
    return 1;
  }
  // What is measured runs on numbers of its own.
  for (program::Tensor& tensor : analysis->program.tensors) tensor.likely.reset();
  if (analysis->stream) {
    const std::vector<emit::LineStep> steps = emit::line_steps(*analysis);
    (emit::by_calls(*analysis->stream) ? print_calls : print_run)(*analysis, steps);
    return 0;
  }
  follow_zeros(analysis->program);
  for (size_t s = 0; s < analysis->schedule.steps.size(); ++s) print_step(*analysis, s);
  return 0;
}
