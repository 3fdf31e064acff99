// Kernels of windows that are rings (--state-window ring), told by kernels that do the same on windows that lie in
// order.
#pragma once
#include <optional>
#include <string>
#include <utility>

#include "time/terms.h"

namespace tarn::timing {

// The kernel and the parameters of a call that takes as long but for some instructions for each row; nothing: it is of
// no ring.
std::optional<std::pair<std::string, Parameters>> call_like_ring(const std::string& kernel,
                                                                 const Parameters& parameters);

}  // namespace tarn::timing
