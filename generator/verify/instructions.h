// Executed instructions of an emulated run, counted by a plugin inside QEMU, and which code they were.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "support/result.h"
#include "verify/profile.h"
#include "verify/toolchain.h"

namespace tarn::verify {

// Compiles the plugin with the host's compiler into the scratch folder. E402 without one, E403 when it fails.
Result<Done> build_counter(const std::string& scratch, const std::string& emulator);

// QEMU's options that count from `start` up to `end`; results go to files in the folder QEMU runs in.
std::vector<std::string> counter_options(uint64_t start, uint64_t end, bool profile);

// One per window; empty when the files are missing or malformed.
std::vector<uint64_t> read_counts(const std::string& scratch);
std::vector<Profile> read_profiles(const std::string& path);

}  // namespace tarn::verify
