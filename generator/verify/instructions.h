// Executed instructions of an emulated run, counted by a plugin inside QEMU, and what they would cost a Cortex-M4.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "support/result.h"
#include "verify/disassembly.h"
#include "verify/toolchain.h"

namespace tarn::verify {

using Histogram = std::map<uint64_t, uint64_t>;  // address of an instruction -> times executed

// Compiles the plugin with the host's compiler into the scratch folder. E402 without one, E403 when it fails.
Result<Done> build_counter(const std::string& scratch, const std::string& emulator);

// QEMU's options that count from `start` up to `end`; results go to files in the folder QEMU runs in.
std::vector<std::string> counter_options(uint64_t start, uint64_t end, bool histogram);

// One count per window; empty when the files are missing or malformed.
std::vector<uint64_t> read_counts(const std::string& scratch);
Histogram read_histogram(const std::string& scratch);

// Cycles of a Cortex-M4 without wait states, after the instruction timings of its Technical Reference Manual (Arm
// 100166, 3.3): an estimate, as the histogram does not tell which branches were taken. Pipelining of neighbouring
// loads and stores is taken from the order in memory.
uint64_t estimate_m4_cycles(const MachineCode& code, const Histogram& histogram);

}  // namespace tarn::verify
