// What the steps of a network are estimated to take, in executed instructions and in cycles
// (generator/doc/time_model.md).
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compile.h"
#include "time/cost.h"

namespace tarn::report {

struct StepTime {
  int64_t instructions = 0;
  std::optional<int64_t> cycles;  // where the core's timing is known
  std::string why;                // what makes it slow (time/reason.h)

  int64_t ticks() const { return cycles.value_or(instructions); }
};

struct TimeFigures {
  std::string target;
  timing::Memories memories;                   // that the cycles wait for
  std::vector<std::optional<StepTime>> steps;  // of each step, where its kernel is modelled
  int64_t modelled = 0;                        // the sum of their instructions
  std::optional<int64_t> modelled_cycles;
  int64_t less = 0, more = 0;  // instructions, as data decide
  int64_t missing_steps = 0, missing_macs = 0;
  std::map<std::string, int64_t>
      missing;      // kernels that are not modelled, or not for such calls: and in how many steps
  std::string why;  // the network as a whole is not modelled
  // Percent: the furthest that a call of these kernels was off, among those not fitted on, data aside.
  double worst_error = 0;

  // The `most` slowest steps that are modelled, the slowest first.
  std::vector<size_t> slowest(size_t most) const;

  // There is no total without every step.
  bool complete() const { return missing_steps == 0 && why.empty(); }
  std::optional<int64_t> instructions() const { return complete() ? std::optional(modelled) : std::nullopt; }
  int64_t least() const { return modelled - less; }
  int64_t most() const { return modelled + more; }
  std::optional<int64_t> cycles() const { return complete() ? modelled_cycles : std::nullopt; }
};

// Of emitted code that runs on `target`; nothing where no kernel is modelled there.
std::optional<TimeFigures> time_figures(const Analysis& analysis, const std::string& target);

// Instructions that a run is predicted to take, and between which they lie as data decide.
struct PredictedRun {
  int64_t instructions = 0, least = 0, most = 0;
};

// W406 where a run took over 5 % more or less than predicted, and data do not explain it.
std::optional<Diagnostic> check_prediction(const std::string& on, const PredictedRun& predicted, int64_t executed);

// "11.6 M"
std::string in_short(int64_t instructions);

}  // namespace tarn::report
