// Assumed inputs: where a model cannot be built because integers that are handed over at run time decide sizes, the
// values that lead to the declared shapes of the outputs are worked out, taken for granted, and checked by every run.
#pragma once
#include <functional>
#include <optional>

#include "graph/build.h"

namespace tarn::graph {

// The graph under such assumptions, which Graph::expectations then tells; nothing when `faults` have other causes, when
// no values are found, or when the answer would depend on one that the declared shapes do not decide. `attempt` builds
// the model once.
std::optional<Built> build_assuming(const model::Model& model, const BuildOptions& options, const Diagnostics& faults,
                                    const std::function<Result<Built>(const BuildOptions&)>& attempt);

}  // namespace tarn::graph
