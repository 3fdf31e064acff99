// A real board: the user's own command builds, flashes and runs, and prints what the self-test on the board says.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "support/result.h"
#include "verify/verify.h"

namespace tarn::verify {

// What NAME_selftest.c printed. Figures that the processor does not tell are empty.
struct BoardRun {
  std::vector<Comparison> outputs;  // mismatches and, for floats, max_abs: their error, in parts of the largest value
  std::optional<int64_t> cycles, stack;
  int64_t arena_written = 0;  // bytes from the beginning of each arena, in all
  bool passed = false;
};

// The self-test's last run in a log that may hold anything else. E406: there is none, it is of another plan, or it did
// not come to its end.
Result<BoardRun> parse_selftest(const std::string& log, const std::string& name, const std::string& plan_id);

// Runs `command` by the shell, with the folder of the emitted files in TARN_FIRMWARE, and reads what it prints. E406
// also when it fails.
Result<BoardRun> run_on_board(const std::string& command, const std::string& folder, const std::string& name,
                              const std::string& plan_id);

}  // namespace tarn::verify
