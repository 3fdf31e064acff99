// What the steps of a network are estimated to take, in executed instructions (generator/doc/time_model.md).
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compile.h"

namespace tarn::report {

struct TimeFigures {
  std::string target;
  std::vector<std::optional<int64_t>> steps;  // instructions of each step, where its kernel is modelled
  int64_t modelled = 0;                       // their sum
  int64_t missing_steps = 0, missing_macs = 0;
  std::map<std::string, int64_t>
      missing;             // kernels that are not modelled, or not for such calls: and in how many steps
  std::string why;         // the network as a whole is not modelled
  double worst_error = 0;  // percent: the furthest that a call of these kernels was off, among those not fitted on

  // There is no total without every step.
  std::optional<int64_t> instructions() const {
    return missing_steps == 0 && why.empty() ? std::optional(modelled) : std::nullopt;
  }
};

// Of emitted code that runs on `target`; nothing where no kernel is modelled there.
std::optional<TimeFigures> time_figures(const Analysis& analysis, const std::string& target);

// W406 where a run took over 5 % more or less than `predicted`.
std::optional<Diagnostic> check_prediction(const std::string& on, int64_t predicted, int64_t executed);

// "11.6 M"
std::string in_short(int64_t instructions);

}  // namespace tarn::report
