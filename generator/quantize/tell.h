// What a user of `tarn quantize` should know of the result: W403, W404.
#pragma once
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "quantize/quantize.h"
#include "quantize/ranges.h"
#include "quantize/scheme.h"
#include "support/diagnostic.h"

namespace tarn::quantize {

// Layers that stay in floats, and data that say little. `recurrent`: nodes whose weights become codes all the same.
Diagnostics tell_of_scheme(const graph::Graph& graph, size_t samples, const Scheme& scheme,
                           const std::vector<Observed>& seen, const std::set<size_t>& recurrent,
                           const Options& options);

// What a plan computes in floats although it has codes on both sides; not what is meant to be in floats. Plans name a
// node without a name by its operator and first output. `floats`: names and operators of the plan's steps.
void tell_of_floats(const std::vector<std::pair<std::string, std::string>>& floats, const graph::Graph& graph,
                    const Scheme& scheme, const std::string& path, Diagnostics& told);

}  // namespace tarn::quantize
