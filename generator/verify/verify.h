// Runs emitted code on a target, compares what it computes and measures what it takes.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/result.h"
#include "verify/boards.h"
#include "verify/compare.h"
#include "verify/firmware.h"
#include "verify/instructions.h"

namespace tarn::verify {

struct VerifyOptions {
  bool sanitize = false;           // host only: ASan and UBSan; stack and instructions are not measured then
  bool repeat = true;              // the first sample twice, on complementary garbage: nothing unwritten may matter
  bool interleave = true;          // host only: two runs step by step in turn, on two arenas
  bool count_instructions = true;  // emulated targets
  bool bound_stack = true;         // host: the bound of the stack, from the image; boards are chosen by it
  bool profile = false;            // keep which code ran how often, and estimate cycles from it
  int64_t cpu_seconds = 0;         // time limit of the run; 0: follows from the MACs
  std::vector<std::string> firmware_flags;  // added when the emitted files are compiled
};

// What the report's `verify` key holds, and more. Bytes are of the linked image or the objects of the emitted code.
struct Measurement {
  std::string on;                   // "cortex-m4"
  std::string board;                // "mps2-an386"; empty for the host
  std::vector<Comparison> outputs;  // the worst over all samples; empty without expected outputs
  int64_t arena = 0, static_bytes = 0, text = 0, rodata = 0;
  std::optional<int64_t> stack;  // bytes used by <name>_run, the largest over all runs
  std::optional<int64_t> stack_bound;
  std::vector<std::string> stack_path;  // the chain of calls that the bound follows
  std::string stack_bound_missing;      // why there is no bound
  std::optional<int64_t> instructions;  // of the first run
  // Of the first run, with VerifyOptions::profile; cycles where the core's timing is known (core_timing.h).
  std::optional<Profile> profile;
  std::optional<int64_t> cycles;
  std::vector<std::vector<Output>> results;  // by sample
  Diagnostics faults;                        // E404: outputs differ; E407: figures differ from the prediction

  bool passed() const { return faults.empty(); }
};

// Compiles and runs the firmware over all samples. Differences are in Measurement::faults. What prevents a measurement
// is a fault of the result: E402 a tool is missing, E403 does not compile, E405 samples do not fit the firmware, E406
// crashed, faulted, out of time or damaged memory, E407 stack without a bound, E408 does not fit the board.
Result<Measurement> run_on(const Firmware& firmware, Target target, const std::vector<Sample>& samples,
                           const VerifyOptions& options = {});

}  // namespace tarn::verify
