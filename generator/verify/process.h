// Runs programs: no shell, no inherited input, bounded time, memory and output.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace tarn::verify {

struct Command {
  std::vector<std::string> arguments = {};  // the program first: a path, or a name to be found on PATH
  std::string folder = {};                  // where it runs; empty: here
  int64_t cpu_seconds = 60;                 // of the program itself; wall time is limited to ten times as much
  int64_t memory_bytes = 0;                 // address space; 0: as the caller's
  size_t output_bytes = 1 << 16;            // what is kept of each stream, the rest is read and dropped
};

struct Ended {
  enum class How { exited, signalled, out_of_time, not_started };
  How how = How::not_started;
  int code = 0;  // exit status or signal; errno when it was not started
  std::string out, err;

  bool ok() const { return how == How::exited && code == 0; }
};

// Waits for the end. A program that runs out of time is killed with everything it started.
Ended run(const Command& command);

// Several at a time, as the machine allows; the results come in the order of the commands.
std::vector<Ended> run_all(const std::vector<Command>& commands);

// "exit status 3", "signal 11 (Segmentation fault)", "no end within 60 s of CPU time", "cannot be started: ...".
std::string describe(const Ended& ended, const Command& command);

}  // namespace tarn::verify
