// The program of --selftest: runs emitted code on stored data.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "compile.h"
#include "report/report.h"

namespace tarn::emit {

// Stored data of one run, in the order of the model's inputs and outputs.
struct SelfTestData {
  std::vector<std::vector<uint8_t>> inputs, outputs;
};

// A program that runs the emitted code on `data` and exits with 0 when the outputs agree.
std::string selftest_source(const Analysis& analysis, const report::Report& report, const SelfTestData& data);

}  // namespace tarn::emit
