#include "verify/on_board.h"

#include <cinttypes>
#include <cstdio>
#include <filesystem>

#include "support/printable.h"
#include "support/text.h"
#include "verify/process.h"

namespace tarn::verify {

namespace {

// Building, flashing and running: an hour by the clock, not by the processor.
constexpr int64_t kSeconds = 360;
constexpr size_t kLogBytes = 1 << 20;

Diagnostic no_result(const std::string& what) {
  return {"E406",
          {},
          "on board: " + what,
          "--run names a command that builds the files of $TARN_FIRMWARE into the firmware, flashes it and prints what "
          "the board says"};
}

// "scores: 0 of 10 differ, largest error 3 millionths of the largest value", "scores: 2 of 10 moved by roundings to
// codes"
bool take_output(const std::string& line, BoardRun& run) {
  const size_t colon = line.find(": ");
  int64_t wrong = 0, count = 0, millionths = 0;
  if (colon == std::string::npos) return false;
  const char* rest = line.c_str() + colon + 2;
  Comparison output;
  output.name = line.substr(0, colon);
  int read = 0;
  if (std::sscanf(rest, "%" SCNd64 " of %" SCNd64 " differ, largest error %" SCNd64 " millionths", &wrong, &count,
                  &millionths) == 3) {
    output.mismatches = wrong;
    output.max_abs = static_cast<double>(millionths) / 1e6;
  } else if (std::sscanf(rest, "%" SCNd64 " of %" SCNd64 " moved by %n", &wrong, &count, &read) == 2 && read > 0) {
    output.moved = wrong;
    output.code_bits = 8;
  } else {
    return false;
  }
  run.outputs.push_back(output);
  return true;
}

void take_line(const std::string& line, BoardRun& run) {
  int64_t number = 0;
  int read = 0;
  if (std::sscanf(line.c_str(), "cycles: %" SCNd64, &number) == 1) run.cycles = number;
  else if (std::sscanf(line.c_str(), "stack: %" SCNd64, &number) == 1) run.stack = number;
  else if (take_output(line, run)) return;
  else if (const size_t colon = line.find(": "); colon != std::string::npos) {
    if (std::sscanf(line.c_str() + colon, ": %" SCNd64 " of %*d bytes written%n", &number, &read) == 1 && read > 0)
      run.arena_written += number;
  }
}

}  // namespace

Result<BoardRun> parse_selftest(const std::string& log, const std::string& name, const std::string& plan_id) {
  const std::string mark = "tarn selftest ";
  std::optional<BoardRun> run;
  std::string of;
  bool ended = false;
  for (std::string line : split(log, '\n')) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    if (const size_t at = line.find(mark); at != std::string::npos) {
      run = BoardRun{};
      of = line.substr(at + mark.size());
      ended = false;
    } else if (run && !ended) {
      ended = line == "PASSED" || line == "FAILED";
      run->passed = line == "PASSED";
      take_line(line, *run);
    }
  }
  if (!run) return no_result("nothing of the self-test is in what the command printed");
  if (of != name + " " + plan_id)
    return no_result("the board runs the self-test of '" + printable(of) + "', not of '" + name + " " + plan_id + "'");
  if (!ended) return no_result("the self-test did not come to its end");
  return *run;
}

Result<BoardRun> run_on_board(const std::string& command, const std::string& folder, const std::string& name,
                              const std::string& plan_id) {
  Command shell;
  shell.arguments = {"/usr/bin/env", "TARN_FIRMWARE=" + std::filesystem::absolute(folder).string(), "/bin/sh", "-c",
                     command};
  shell.cpu_seconds = kSeconds;
  shell.output_bytes = kLogBytes;
  const Ended ended = run(shell);
  // A self-test that fails may end its program so.
  Result<BoardRun> result = parse_selftest(ended.out, name, plan_id);
  if (!result && !ended.ok()) {
    const std::string last = printable(first_line(ended.err));
    return no_result("'" + printable(command) + "': " + describe(ended, shell) + (last.empty() ? "" : ": " + last));
  }
  return result;
}

}  // namespace tarn::verify
