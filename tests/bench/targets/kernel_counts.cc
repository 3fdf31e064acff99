// Executed instructions, and on the Cortex-M4 estimated cycles, of single kernels on emulated boards.
// A source under test defines:
//   const uint32_t bench_macs; void bench_setup(void); void bench_run(void);
// and optionally uint32_t bench_check(void), a number made of its results.
#include <cstdlib>
#include <filesystem>
#include <iomanip>
#include <iostream>

#include "support/text.h"
#include "verify/build.h"
#include "verify/execute.h"
#include "verify/harness.h"
#include "verify/instructions.h"
#include "verify/process.h"

namespace tarn::verify {
namespace {

constexpr const char* kUsage =
    "usage: kernel_counts [--on LIST] [--flags \"...\"] SOURCE...\n"
    "  --on LIST      targets, separated by commas; default cortex-m4\n"
    "  --flags \"...\"  added to -std=c99 -O2 -ffp-contract=off when the sources are compiled\n"
    "A SOURCE that is written +FILE is linked with the one before it.\n";

// One program: a source with bench_run and the kernels that it calls.
struct Program {
  std::string name;
  std::vector<std::string> sources;
};

struct Arguments {
  std::vector<Target> targets = {Target::cortex_m4};
  std::vector<std::string> flags;
  std::vector<Program> programs;
};

std::vector<std::string> words(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (std::string& part : split(text, separator)) {
    if (!part.empty()) parts.push_back(std::move(part));
  }
  return parts;
}

std::optional<Arguments> parse(const std::vector<std::string>& given) {
  Arguments arguments;
  for (size_t i = 0; i < given.size(); ++i) {
    const bool value_follows = i + 1 < given.size();
    if (given[i] == "--on" && value_follows) {
      arguments.targets.clear();
      for (const std::string& name : words(given[++i], ',')) {
        const std::optional<Target> target = parse_target(name);
        if (!target || *target == Target::host) return {};
        arguments.targets.push_back(*target);
      }
    } else if (given[i] == "--flags" && value_follows) {
      arguments.flags = words(given[++i], ' ');
    } else if (given[i].starts_with("+") && !arguments.programs.empty()) {
      arguments.programs.back().sources.push_back(given[i].substr(1));
    } else if (given[i].starts_with("-")) {
      return {};
    } else {
      arguments.programs.push_back({std::filesystem::path(given[i]).stem().string(), {given[i]}});
    }
  }
  return arguments;
}

struct Counted {
  uint64_t instructions = 0, cycles = 0;
  int64_t macs = 0, check = 0;
  bool has_check = false;
};

int64_t said(const std::string& text, const std::string& key) {
  const size_t at = text.rfind("tarn: " + key + " ");
  return at == std::string::npos ? -1 : std::atoll(text.c_str() + at + 7 + key.size());
}

Result<Counted> count(const Program& program, Target target, const std::vector<std::string>& flags) {
  const Result<Toolchain> tools = find_toolchain(target);
  if (!tools) return tools.faults();
  const Result<Scratch> scratch = Scratch::make();
  if (!scratch) return scratch.faults();
  const Result<Done> written = write_harness({}, *scratch / "harness");
  if (!written) return written.faults();

  std::error_code fault;
  std::filesystem::create_symlink("/", *scratch / "firmware", fault);
  Parts parts{"bench", {}, harness_sources(*tools, "bench.c")};
  for (const std::string& source : program.sources) {
    parts.firmware.push_back(std::filesystem::absolute(source).lexically_normal().string().substr(1));
  }
  const BuildOptions options{false, false, flags};
  const Result<Objects> objects = compile(*tools, scratch->path(), parts, options);
  if (!objects) return objects.faults();
  const Result<Done> counter = build_counter(scratch->path(), tools->emulator);
  if (!counter) return counter.faults();
  std::string overflow;
  for (const Board& board : boards_of(target)) {
    Result<std::optional<Image>> image = link(*tools, scratch->path(), *objects, &board, options, &overflow);
    if (!image) return image.faults();
    if (!*image) continue;
    const ElfSymbol* start = find_symbol((**image).elf, "bench_run");
    const ElfSymbol* end = find_symbol((**image).elf, "tarn_returned");
    if (!start || !end) break;
    Command command = run_command(*tools, **image, board, 600,
                                  counter_options(start->address & ~uint64_t{1}, end->address & ~uint64_t{1}, true));
    command.folder = scratch->path();
    const Ended ended = run(command);
    const std::vector<uint64_t> counts = read_counts(scratch->path());
    if (!ended.ok() || counts.empty()) return Diagnostic{"E406", {}, describe(ended, command) + "\n" + ended.err, ""};
    Counted counted;
    counted.instructions = counts[0];
    counted.macs = said(ended.err, "macs");
    counted.has_check = ended.err.find("tarn: check ") != std::string::npos;
    counted.check = said(ended.err, "check");
    const std::vector<Profile> profiles = read_profiles(scratch->path() + "/profile.txt");
    if (!profiles.empty()) {
      const RunCost cost = cost_of(disassemble(*tools, scratch->path(), **image), profiles[0], target);
      counted.cycles = static_cast<uint64_t>(cost.cycles);
    }
    return counted;
  }
  return Diagnostic{"E408", {}, "does not fit the board: " + overflow, ""};
}

void print(const Program& program, Target target, const Counted& counted) {
  const auto macs = static_cast<double>(counted.macs);
  std::cout << std::left << std::setw(24) << program.name << std::setw(12) << to_string(target) << std::right
            << std::setw(12) << counted.macs << " MACs " << std::setw(14) << counted.instructions << " instructions "
            << std::fixed << std::setprecision(3) << std::setw(9) << static_cast<double>(counted.instructions) / macs
            << " per MAC";
  if (counted.cycles > 0) {
    std::cout << std::setw(14) << counted.cycles << " cycles " << std::setw(9)
              << static_cast<double>(counted.cycles) / macs << " per MAC";
  }
  if (counted.has_check) std::cout << "  check " << counted.check;
  std::cout << std::endl;
}

}  // namespace
}  // namespace tarn::verify

int main(int count, char** values) {
  using namespace tarn::verify;
  const std::optional<Arguments> arguments = parse({values + 1, values + count});
  if (!arguments || arguments->programs.empty() || arguments->targets.empty()) {
    std::cerr << kUsage;
    return 2;
  }
  int status = 0;
  for (const Program& program : arguments->programs) {
    for (Target target : arguments->targets) {
      const tarn::Result<Counted> counted = tarn::verify::count(program, target, arguments->flags);
      if (counted.ok()) {
        print(program, target, *counted);
      } else {
        for (const tarn::Diagnostic& fault : counted.faults()) std::cerr << tarn::to_text(fault) << "\n";
        status = tarn::exit_code(counted.faults());
      }
    }
  }
  return status;
}
