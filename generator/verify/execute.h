// Runs a linked image, on the host or under QEMU, and reads back what it did.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "support/result.h"
#include "verify/build.h"
#include "verify/firmware.h"
#include "verify/instructions.h"
#include "verify/process.h"
#include "verify/verify.h"

namespace tarn::verify {

struct Executed {
  std::vector<std::vector<Output>> results;  // by sample
  int64_t stack = 0;
  std::optional<int64_t> instructions;
  std::optional<Profile> profile;  // of the first run
};

// E406 when it crashes, faults, runs out of time, writes beside its arena, returns a status, or gives different outputs
// for the same inputs: depends on memory that it has not written, or keeps state outside the arena.
Result<Executed> execute(const Toolchain& tools, const std::string& scratch, const Image& image,
                         const std::optional<Board>& board, const Firmware& firmware,
                         const std::vector<Sample>& samples, const VerifyOptions& options);

// The command that runs an image in the scratch folder, counting instructions between two symbols if both are there.
Command run_command(const Toolchain& tools, const Image& image, const std::optional<Board>& board, int64_t cpu_seconds,
                    const std::vector<std::string>& counter);

}  // namespace tarn::verify
