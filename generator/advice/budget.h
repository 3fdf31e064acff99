// Budgets: does the plan fit, and if not, which changes would make it fit? Every change is planned before it is told.
#pragma once
#include <functional>

#include "compile.h"
#include "report/report.h"

namespace tarn::advice {

struct Budgets {
  std::optional<int64_t> ram, flash;  // bytes
};

// Sets the report's budgets. E301 (exit 5) or E302 (exit 6) over RAM, E303 over flash, E309 or E310 over the
// banks: all that do not hold.
Diagnostics check_budgets(const Budgets& budgets, const std::string& model_path, report::Report& report);

// The bytes of RAM beside the arena (stack, static data) that code emitted for an analysis takes, where they can be
// measured.
using Measure = std::function<std::optional<int64_t>(const Analysis&)>;

// W301 where a plan by lines that nobody asked for by name takes the place of whole layers, and of their NAME_run.
Diagnostics warn_of_lines(const std::string& model_path, const report::Report& report);

// What would bring the model below `ram` bytes and into its banks: each change applied to the options and planned anew,
// those that do not help included, because that is an answer too. The last row joins all that help, if none does alone.
// Of report.streams only those that fit are told.
std::vector<report::Advice> advise(const Analysis& analysis, const report::Report& report, std::optional<int64_t> ram,
                                   const Measure& measure);

// The hint of diagnostics that tell of too little RAM: whether the advice helps.
std::string hint_of(const std::vector<report::Advice>& advice);

}  // namespace tarn::advice
