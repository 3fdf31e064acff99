// The program of --selftest: runs emitted code on stored data.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "compile.h"
#include "report/report.h"

namespace tarn::emit {

// Stored data of one run, in the order of the model's inputs, outputs and states.
struct SelfTestData {
  // An output, and how far it may be off: see verify/compare.h. part: 2^(4-b) of codes of b bits, 0 without.
  struct Output {
    std::vector<uint8_t> bytes;
    double relative = 0, scaled = 0, part = 0;
  };
  std::vector<std::vector<uint8_t>> inputs;
  std::vector<Output> outputs;
  // What a state holds before the run, and behind it.
  struct State {
    std::vector<uint8_t> before;
    Output after;
  };
  std::vector<State> states;
};

// A program that runs the emitted code on `data` and exits with 0 when the outputs agree.
std::string selftest_source(const Analysis& analysis, const report::Report& report, const SelfTestData& data);

}  // namespace tarn::emit
