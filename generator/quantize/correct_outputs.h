// Biases of the last layers, by what all of the network's codes together do to their sums.
#pragma once
#include "quantize/choose_ranges.h"

namespace tarn::quantize {

// Errors of all layers come together in the last ones, and a part of them is the same for all samples: the biases of
// the layers that outputs are sums of take it out, where samples that it was not found on are the better for it.
Result<Done> correct_outputs(const Trial& trial, Quantisation& quantisation);

}  // namespace tarn::quantize
