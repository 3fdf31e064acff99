// Too much flash: which changes would make it fit? Every change is planned and compiled before it is told.
#pragma once
#include <functional>

#include "compile.h"
#include "report/report.h"

namespace tarn::advice {

// The bytes of code that an analysis emits, compiled with these flags (none: those of the report); nothing where it is
// not measured.
using MeasureCode = std::function<std::optional<int64_t>(const Analysis&, const std::vector<std::string>& flags)>;

// Weights of float layers in fewer bits, packed ones, one output of several alone, code for size (compiled with
// `small`): what each takes of flash. `ram` is kept to.
std::vector<report::Advice> advise_flash(const Analysis& analysis, const report::Report& report, int64_t flash,
                                         std::optional<int64_t> ram, const std::vector<std::string>& small,
                                         const MeasureCode& measure);

// The hint of E303: whether the advice helps.
std::string hint_of_flash(const std::vector<report::Advice>& advice);

}  // namespace tarn::advice
