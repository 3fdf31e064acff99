#include "verify/execute.h"

#include <algorithm>
#include <numeric>

#include "support/text.h"
#include "verify/files.h"
#include "verify/harness.h"
#include "verify/process.h"

namespace tarn::verify {
namespace {

// Exit codes of templates/verify/tarn_harness.h.
enum : int { kStatus = 10, kInput = 11, kOutput = 12, kGuard = 13, kStack = 14, kMemory = 15, kFault = 16 };

constexpr int64_t kStartSeconds = 30;
constexpr int64_t kProgramMemory = int64_t{16} << 30;

// The value of the harness's line "tarn: KEY VALUE"; the last one counts.
std::optional<int64_t> said(const std::string& text, const std::string& key) {
  const std::string mark = "tarn: " + key + " ";
  const size_t at = text.rfind(mark);
  if (at == std::string::npos) return {};
  return std::atoll(text.c_str() + at + mark.size());
}

Diagnostic failed(const Toolchain& tools, const std::string& what) {
  return {"E406", {}, cat("on ", to_string(tools.target), ": ", what), ""};
}

std::string fault_text(const Image& image, const std::string& err) {
  const auto pc = static_cast<uint64_t>(said(err, "fault_pc").value_or(0));
  std::string text = "the processor faulted";
  if (const ElfSymbol* function = function_at(image.elf, pc))
    text += cat(" in ", function->name, "+", pc - (function->address & ~uint64_t{1}));
  return cat(text, " (pc ", pc, ", cause ", said(err, "fault_cause").value_or(0), ")");
}

// The last lines a program wrote, for the message.
std::string last_words(const std::string& text) {
  if (text.empty()) return "";
  constexpr size_t kMost = 1500;
  return ":\n" + text.substr(text.size() > kMost ? text.size() - kMost : 0);
}

std::string why(const Ended& ended, const Command& command, const Image& image) {
  if (ended.how == Ended::How::exited) {
    switch (ended.code) {
      case kStatus:
        return cat("the run function returned ", static_cast<int32_t>(said(ended.err, "status").value_or(0)));
      case kInput: return "the harness could not read its input";
      case kOutput: return "the harness could not write its output";
      case kGuard: return "bytes beside the arena were written";
      case kStack: return "the stack overflowed";
      case kMemory: return "the harness got no memory";
      case kFault: return fault_text(image, ended.err);
      default: break;
    }
  }
  return describe(ended, command) + (ended.how == Ended::How::out_of_time ? "" : last_words(ended.err));
}

// Equal bytes from runs of the same sample.
std::optional<std::string> unstable_output(const Firmware& firmware, const std::vector<Output>& a,
                                           const std::vector<Output>& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    if (!(a[i] == b[i])) return firmware.outputs[i].name;
  }
  return {};
}

Result<std::vector<std::vector<Output>>> gather(const Toolchain& tools, const Firmware& firmware, const RunPlan& plan,
                                                size_t samples, const std::string& content) {
  const auto runs = parse_output_file(content, firmware, plan);
  if (!runs) return failed(tools, "the program's output is not what its interface says");
  std::vector<std::vector<Output>> results(samples);
  std::vector<size_t> order = plan.single;
  for (const auto& [first, second] : plan.interleaved) {
    order.push_back(first);
    order.push_back(second);
  }
  for (size_t i = 0; i < order.size(); ++i) {
    std::vector<Output>& result = results[order[i]];
    if (result.empty() && i < plan.single.size()) {
      result = (*runs)[i];
    } else if (const auto name = unstable_output(firmware, result, (*runs)[i])) {
      return failed(tools,
                    cat("output '", *name, "' is not the same in ",
                        i < plan.single.size()
                            ? "a second run: it depends on memory that was not written, or on state outside the arena"
                            : "a run whose steps alternate with those of another: state is kept outside the arena"));
    }
  }
  return results;
}

}  // namespace

Command run_command(const Toolchain& tools, const Image& image, const std::optional<Board>& board, int64_t cpu_seconds,
                    const std::vector<std::string>& counter) {
  Command command;
  command.cpu_seconds = cpu_seconds;
  if (!board) {
    if (!tools.emulator.empty()) command.arguments.push_back(tools.emulator);
    command.arguments.push_back("./" + image.path);
    return command;
  }
  command.arguments = {tools.emulator};
  const auto append = [&](const std::vector<std::string>& more) {
    command.arguments.insert(command.arguments.end(), more.begin(), more.end());
  };
  append(board->qemu);
  append({"-display", "none", "-monitor", "none", "-serial", "none", "-semihosting-config", "enable=on,target=native"});
  append(counter);
  append({"-kernel", image.path});
  return command;
}

Result<Executed> execute(const Toolchain& tools, const std::string& scratch, const Image& image,
                         const std::optional<Board>& board, const Firmware& firmware,
                         const std::vector<Sample>& samples, const VerifyOptions& options) {
  const RunPlan plan = plan_runs(samples.size(), options.repeat, options.interleave && !board, firmware.by_lines);
  if (!write_file(scratch + "/in.bin", input_file(plan, samples))) {
    return Diagnostic{"E401", {}, "the scratch folder cannot be written", "Check the free space of TMPDIR."};
  }
  std::vector<std::string> counter;
  const ElfSymbol* start = find_symbol(image.elf, firmware.by_lines ? "tarn_count_from" : firmware.name + "_run");
  const ElfSymbol* end = find_symbol(image.elf, firmware.by_lines ? "tarn_count_to" : "tarn_returned");
  if (board && options.count_instructions && start && end) {
    const Result<Done> built = build_counter(scratch, tools.emulator);
    if (!built) return built.faults();
    counter = counter_options(start->address & ~uint64_t{1}, end->address & ~uint64_t{1}, options.profile);
  }
  const auto runs = static_cast<int64_t>(plan.single.size() + 2 * plan.interleaved.size());
  const int64_t slow = options.sanitize ? 10 : 1;
  const int64_t seconds = kStartSeconds + slow * runs * (1 + firmware.macs / macs_per_second(tools.target));
  Command command = run_command(tools, image, board, options.cpu_seconds > 0 ? options.cpu_seconds : seconds, counter);
  command.folder = scratch;
  if (!options.sanitize) command.memory_bytes = kProgramMemory;  // AddressSanitizer reserves terabytes
  Ended ended = run(command);
  // A QEMU that was built without plugins refuses the option; everything else can still be measured.
  if (!counter.empty() && ended.how == Ended::How::exited && ended.code == 1 &&
      ended.err.find("plugin") != std::string::npos) {
    counter.clear();
    const int64_t limit = command.cpu_seconds;
    command = run_command(tools, image, board, limit, counter);
    command.folder = scratch;
    ended = run(command);
  }
  if (!ended.ok()) return failed(tools, why(ended, command, image));

  Result<std::vector<std::vector<Output>>> results =
      gather(tools, firmware, plan, samples.size(), read_file(scratch + "/out.bin").value_or(""));
  if (!results) return results.faults();
  Executed executed;
  executed.results = std::move(*results);
  executed.stack = said(ended.err, "stack").value_or(0);
  const std::vector<uint64_t> counts = read_counts(scratch);
  // The first run is one window, by lines as many as calls have moved lines.
  const size_t windows =
      firmware.by_lines ? static_cast<size_t>(std::max<int64_t>(0, said(ended.err, "windows").value_or(0))) : 1;
  if (!counter.empty() && windows > 0 && counts.size() >= windows) {
    const auto end = counts.begin() + static_cast<std::ptrdiff_t>(windows);
    executed.instructions = static_cast<int64_t>(std::accumulate(counts.begin(), end, uint64_t{0}));
  }
  if (options.profile) {
    const std::vector<Profile> profiles = read_profiles(scratch + "/profile.txt");
    if (windows > 0 && profiles.size() >= windows)
      executed.profile = joined({profiles.begin(), profiles.begin() + static_cast<std::ptrdiff_t>(windows)});
  }
  return executed;
}

}  // namespace tarn::verify
