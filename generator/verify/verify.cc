#include "verify/verify.h"

#include <cmath>
#include <filesystem>

#include "support/checked.h"
#include "support/text.h"
#include "verify/build.h"
#include "verify/core_timing.h"
#include "verify/execute.h"
#include "verify/harness.h"
#include "verify/stack_bound.h"

namespace tarn::verify {
namespace {

constexpr int64_t kHarnessStack = 512;  // what the harness itself needs above the model's frames

std::optional<Diagnostic> check_samples(const Firmware& firmware, const std::vector<Sample>& samples) {
  const auto misfit = [](const std::string& what) {
    return Diagnostic{"E405", {}, what, "Give one with --data DIR, or use --reference naive."};
  };
  if (samples.empty()) return misfit("there is no data to run the model on");
  for (const Sample& sample : samples) {
    if (sample.inputs.size() != firmware.inputs.size()) {
      return misfit(cat("the data has ", sample.inputs.size(), " inputs, the model ", firmware.inputs.size()));
    }
    if (!sample.outputs.empty() && sample.outputs.size() != firmware.outputs.size()) {
      return misfit(cat("the data has ", sample.outputs.size(), " outputs, the model ", firmware.outputs.size()));
    }
    for (size_t i = 0; i < sample.inputs.size(); ++i) {
      const Port& port = firmware.inputs[i];
      const auto bytes = static_cast<int64_t>(sample.inputs[i].size());
      if (sample.size ? bytes > port.type.bytes() : bytes != port.type.bytes()) {
        return misfit(cat("input '", port.name, "' has ", sample.inputs[i].size(),
                          " bytes in the data, the model takes ", port.type.bytes()));
      }
    }
  }
  return {};
}

// The functions that do the work.
std::vector<std::string> entries_of(const Firmware& firmware) {
  if (!firmware.by_lines) return {firmware.name + "_run"};
  std::vector<std::string> entries;
  for (const Port& port : firmware.inputs) {
    if (port.lines > 0) entries.push_back(firmware.name + "_push_" + port.c_name);
  }
  for (const Port& port : firmware.outputs) {
    if (port.lines > 0) entries.push_back(firmware.name + "_pull_" + port.c_name);
  }
  return entries;
}

struct Linked {
  Image image;
  std::optional<Board> board;
  StackBound bound;
  MachineCode code;
};

Result<Linked> link_on(const Toolchain& tools, const std::string& scratch, const Objects& objects, const Board* board,
                       const std::vector<std::string>& roots, const BuildOptions& options, std::string& misfit) {
  Result<std::optional<Image>> image = link(tools, scratch, objects, board, options, &misfit);
  if (!image) return image.faults();
  Linked linked;
  if (!*image) return linked;
  linked.image = std::move(**image);
  linked.bound.why_not = "the compiler writes no call graph";
  if (board) linked.board = *board;
  if (!options.whole_program) linked.bound.why_not = "it was not asked for";
  if (!options.whole_program || tools.isa == Isa::other || objects.calls.empty() || options.sanitize) return linked;
  linked.code = disassemble(tools, scratch, linked.image);
  for (const std::string& root : roots) {
    Result<StackBound> bound = stack_bound(objects.calls, linked.code, root);
    if (!bound) return bound.faults();
    const bool deeper = !bound->bytes || bound->bytes > linked.bound.bytes;
    if (&root == &roots.front() || (linked.bound.bytes && deeper)) linked.bound = *bound;
  }
  return linked;
}

// The first board that holds the image with its stack.
Result<Linked> link_somewhere(const Toolchain& tools, const std::string& scratch, const Objects& objects,
                              const Firmware& firmware, const BuildOptions& options) {
  std::string misfit;
  if (is_process(tools.target)) return link_on(tools, scratch, objects, nullptr, entries_of(firmware), options, misfit);
  const std::vector<Board> boards = boards_of(tools.target);
  for (const Board& board : boards) {
    Result<Linked> linked = link_on(tools, scratch, objects, &board, entries_of(firmware), options, misfit);
    if (!linked) return linked;
    if (!linked->board) continue;
    if (linked->bound.bytes.value_or(0) + kHarnessStack <= board.stack_bytes) return linked;
    misfit = cat("stack by ", *linked->bound.bytes + kHarnessStack - board.stack_bytes, " bytes");
  }
  const Footprint sum = footprint(objects, firmware.name, firmware.banks);
  return Diagnostic{
      "E408",
      {},
      cat("the model does not fit ", boards.back().name, ": ", sum.text + sum.rodata, " bytes of code and constants, ",
          sum.arena, " of arena, ", sum.data, " of other data; over its memory: ", misfit),
      "Choose a board with more memory, or verify on the host."};
}

void compare_all(const Firmware& firmware, const std::vector<Sample>& samples, Measurement& measured) {
  for (size_t s = 0; s < samples.size(); ++s) {
    for (size_t i = 0; i < samples[s].outputs.size(); ++i) {
      const Comparison one = compare(firmware.outputs[i], measured.results[s][i], samples[s].outputs[i]);
      if (measured.outputs.size() <= i) {
        measured.outputs.push_back(one);
      } else {
        accumulate(measured.outputs[i], one);
      }
    }
  }
  for (const Comparison& output : measured.outputs) {
    if (output.mismatches == 0) continue;
    const std::string what = output.shape_differs
                                 ? "its shape differs"
                                 : cat(output.mismatches, " elements differ, by at most ", output.max_abs, " (",
                                       output.max_rel, " relative; ", output.absolute, " absolute allowed)");
    Where where;
    where.tensor = output.name;
    measured.faults.push_back({"E404", where, cat("on ", measured.on, ": ", what), ""});
  }
}

void compare_figures(const Firmware& firmware, Measurement& measured) {
  const auto check = [&](const char* what, std::optional<int64_t> predicted, int64_t found) {
    if (!predicted || *predicted == found) return;
    measured.faults.push_back(
        {"E407", {}, cat("on ", measured.on, ": ", what, " is ", found, " bytes, predicted ", *predicted), ""});
  };
  // C has no empty arrays: a firmware that needs no arena defines one byte.
  if (firmware.arena_bytes == 0 && measured.arena == 1) measured.arena = 0;
  check("the arena", firmware.arena_bytes, measured.arena);
  check("static data", firmware.static_bytes, measured.static_bytes);
  if (measured.stack && measured.stack_bound && *measured.stack > *measured.stack_bound) {
    measured.faults.push_back({"E407",
                               {},
                               cat("on ", measured.on, ": the stack is ", *measured.stack,
                                   " bytes deep, above the bound of ", *measured.stack_bound),
                               ""});
  }
}

}  // namespace

Result<Measurement> run_on(const Firmware& firmware, Target target, const std::vector<Sample>& samples,
                           const VerifyOptions& options) {
  if (const std::optional<Diagnostic> misfit = check_samples(firmware, samples)) return *misfit;
  const Result<Toolchain> tools = find_toolchain(target);
  if (!tools) return tools.faults();
  const Result<Scratch> scratch = Scratch::make();
  if (!scratch) return scratch.faults();
  std::error_code fault;
  std::filesystem::create_symlink(std::filesystem::absolute(firmware.folder), *scratch / "firmware", fault);
  const Result<Done> written = write_harness(firmware, *scratch / "harness");
  if (!written) return written.faults();

  const bool native = architecture_of(target) == Architecture::native;
  const BuildOptions build{.sanitize = options.sanitize && native,
                           .firmware_flags = options.firmware_flags,
                           .harness_flags = {},
                           .banks = firmware.banks,
                           .whole_program = options.bound_stack || !native,
                           .own_objects = {}};
  const Result<Objects> objects =
      compile(*tools, scratch->path(), {firmware.name, firmware.sources, harness_sources(*tools, "harness.c")}, build);
  if (!objects) return objects.faults();
  Result<Linked> linked = link_somewhere(*tools, scratch->path(), *objects, firmware, build);
  if (!linked) return linked.faults();

  const Result<Executed> executed =
      execute(*tools, scratch->path(), linked->image, linked->board, firmware, samples, options);
  if (!executed) return executed.faults();

  Measurement measured;
  measured.on = to_string(target);
  if (linked->board) measured.board = linked->board->name;
  const Footprint sum = footprint(*objects, firmware.name, firmware.banks);
  measured.arena = sum.arena;
  measured.static_bytes = sum.data;
  measured.text = sum.text;
  measured.rodata = sum.rodata;
  // RISC-V keeps the stack pointer at multiples of sixteen: it stood below the last byte that was written.
  const int64_t frames = tools->isa == Isa::riscv32 ? 16 : 1;
  if (!build.sanitize) measured.stack = round_up(executed->stack, frames);
  measured.stack_bound = linked->bound.bytes;
  measured.stack_path = linked->bound.path;
  measured.stack_bound_missing = linked->bound.why_not;
  measured.instructions = executed->instructions;
  measured.profile = executed->profile;
  if (measured.profile && has_timing(target))
    measured.cycles = std::llround(cost_of(linked->code, *measured.profile, target).cycles);
  measured.results = executed->results;
  compare_all(firmware, samples, measured);
  if (!build.sanitize) compare_figures(firmware, measured);  // sanitizers add data of their own
  return measured;
}

}  // namespace tarn::verify
