// Budgets of time: does a run take few enough instructions, and if not, where do they go and what would save them?
#pragma once
#include "compile.h"
#include "report/report.h"

namespace tarn::advice {

struct TimeLimits {
  std::optional<int64_t> instructions;  // --instructions
  std::optional<int64_t> nanoseconds;   // --time, at `clock`
  std::optional<int64_t> clock;         // Hz

  bool any() const { return instructions || nanoseconds; }
  // The least of what both allow; time as if each instruction took one cycle.
  int64_t most() const;
};

// Sets the report's budgets of instructions and time. E313 (exit 5) over by more than the estimate's error, E314
// (exit 6) where less decides, or where steps are not modelled.
Diagnostics check_time(const TimeLimits& limits, const std::string& model_path, report::Report& report);

// The same of a run that was executed: nothing is estimated.
Diagnostics check_executed(const TimeLimits& limits, const std::string& model_path, int64_t executed,
                           report::Report& report);

// Changes of options that save instructions: each planned and predicted anew. `ram` is kept to.
std::vector<report::Advice> advise_time(const Analysis& analysis, const report::Report& report, int64_t most,
                                        std::optional<int64_t> ram);

// The hint of E313 and E314: whether the advice helps.
std::string hint_of_time(const std::vector<report::Advice>& advice);

}  // namespace tarn::advice
