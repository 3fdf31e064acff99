// The numbers that tensors take on the data.
#pragma once
#include <string>
#include <vector>

#include "quantize/network.h"
#include "quantize/ranges.h"
#include "quantize/rewrite.h"
#include "quantize/samples.h"
#include "quantize/scheme.h"

namespace tarn::quantize {

std::vector<graph::ValueId> values_with_codes(const graph::Graph& graph, const Scheme& scheme);

// What each group of tensors took, without what masks leave out; floors of known operands go to `quantisation`. E420
// for tensors that took numbers that are not finite.
Result<std::vector<Observed>> observe(const graph::Graph& graph, const Scheme& scheme, const Network& network,
                                      const std::vector<Sample>& samples, const std::string& path,
                                      Quantisation& quantisation);

}  // namespace tarn::quantize
