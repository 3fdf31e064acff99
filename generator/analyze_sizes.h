// One firmware for every size of run-time dimensions: the network at each of them, one plan.
#pragma once
#include "compile.h"

namespace tarn {

Result<Analysis> analyze_sizes(const CompileOptions& options);

}  // namespace tarn
