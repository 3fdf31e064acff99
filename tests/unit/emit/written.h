// Networks written out and run on the host: what tests of streaming share.
#pragma once
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/write_firmware.h"
#include "report/report.h"
#include "support/text.h"
#include "tensor/numeric.h"
#include "verify/files.h"
#include "verify/verify.h"

namespace tarn {

// The emitted files in a folder, told as the harness wants them.
inline verify::Firmware write(const Analysis& analysis, bool single_file, const std::string& folder) {
  const report::Report report = report::make_report(analysis, {});
  cli::Options options;
  options.emit.single_file = single_file;
  Result<verify::Firmware> firmware = cli::write_firmware(analysis, report, options, folder);
  EXPECT_TRUE(firmware);
  return firmware ? *firmware : verify::Firmware{};
}

inline std::vector<uint8_t> noise(const TensorType& type) {
  std::vector<uint8_t> bytes(static_cast<size_t>(type.bytes()));
  uint64_t state = 7;
  for (int64_t i = 0; i < type.shape.count(); ++i) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    write_double(type.dtype, bytes.data(), i, static_cast<double>(state >> 40) / static_cast<double>(1 << 23) - 1);
  }
  return bytes;
}

// For each input.
inline verify::Sample noise(const Analysis& analysis) {
  verify::Sample sample;
  for (program::TensorId id : analysis.program.inputs) sample.inputs.push_back(noise(analysis.program[id].type));
  return sample;
}

// Compiled in a third of the time: these tests ask which calls are made, not how fast they are or how deep their stack.
inline verify::VerifyOptions quickly() {
  verify::VerifyOptions options;
  options.firmware_flags = {"-O0"};
  options.bound_stack = false;
  return options;
}

// What the layers give one after the other, where `analysis` has a plan by lines too.
inline auto run_by_layers(Analysis analysis, const verify::Sample& sample, const std::string& folder) {
  analysis.stream.reset();
  return verify::run_on(write(analysis, false, folder), verify::Target::host, {sample}, quickly());
}

// A network "net" whose ports have their channels last, as lines have, by layers.
inline CompileOptions by_layers() {
  CompileOptions options;
  options.name = "net";
  options.nhwc_inputs = options.nhwc_outputs = true;
  options.stream.mode = stream::Mode::off;
  return options;
}

// " float[6, 5, 1, 1] w = {...}" with small numbers of both signs.
inline std::string weight(const std::string& name, const std::vector<int64_t>& dims) {
  int64_t count = 1;
  for (int64_t d : dims) count *= d;
  std::vector<std::string> values;
  uint32_t state = 5;
  for (int64_t i = 0; i < count; ++i) {
    state = state * 1664525 + 1013904223;
    values.push_back(cat((static_cast<int>(state >> 24) - 128) / 100, ".5"));
  }
  return cat("float[", join(dims), "] ", name, " = {", join(values), "}");
}

}  // namespace tarn
