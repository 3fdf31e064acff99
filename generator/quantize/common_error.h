// What the errors of several runs have in common, told by runs that it was not found on.
#pragma once
#include <vector>

namespace tarn::quantize {

// What errors, by sample and channel, have in common, the less of it the less sure it is. Nothing where the samples
// tell each other nothing.
std::vector<double> common_error(const std::vector<std::vector<double>>& errors);

}  // namespace tarn::quantize
