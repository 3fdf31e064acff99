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
  std::optional<int64_t> cycles() const;  // what --time leaves at the clock
  // Of a whole network's estimate; cycles as instructions where the core's timing is not known.
  bool keeps(const report::TimeFigures& time) const;
};

// Sets the report's budgets of instructions and time. E313 (exit 5) where instructions are over by more than the
// estimate's error, for a time those of a core that begins no two in a cycle; E314 (exit 6) where less decides, or
// where steps are not modelled.
Diagnostics check_time(const TimeLimits& limits, const std::string& model_path, report::Report& report);

// The same of a run whose instructions were counted; its cycles are the estimate's for so many more or fewer.
Diagnostics check_executed(const TimeLimits& limits, const std::string& model_path, int64_t executed,
                           report::Report& report);

// Changes of options that save instructions: each planned and predicted anew. `ram` is kept to.
std::vector<report::Advice> advise_time(const Analysis& analysis, const report::Report& report,
                                        const TimeLimits& limits, std::optional<int64_t> ram);

// The hint of E313 and E314: whether the advice helps.
std::string hint_of_time(const std::vector<report::Advice>& advice);

}  // namespace tarn::advice
