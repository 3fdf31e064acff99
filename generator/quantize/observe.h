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

// By group: what its tensors took on all samples; and by part of the samples what they took on the others, for ranges
// that are tried on samples that they do not come from. Sample s belongs to part s % without.size(); a single sample
// has no others.
struct Seen {
  std::vector<Observed> all;
  std::vector<std::vector<Observed>> without;
};

// Without what masks leave out; floors of known operands go to `quantisation`. E420 for tensors that took numbers that
// are not finite.
Result<Seen> observe(const graph::Graph& graph, const Scheme& scheme, const Network& network,
                     const std::vector<Sample>& samples, const std::string& path, Quantisation& quantisation);

}  // namespace tarn::quantize
