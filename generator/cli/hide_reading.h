// --weights stream: pieces and orders with which a run waits least for its weights.
#pragma once
#include <optional>

#include "cli/options.h"
#include "cli/prepare.h"

namespace tarn::cli {

// The options with which computing and waiting for weights take least together, in no larger arena. Nothing where that
// cannot be told (without a bandwidth, or where a kernel has no time), was asked before, or what is planned is the
// best.
std::optional<Options> with_hidden_reading(const Options& options, const Prepared& prepared);

}  // namespace tarn::cli
