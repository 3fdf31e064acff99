// What joining layers costs, as the models of kernels and of the driver tell it (generator/doc/time_model.md).
#pragma once
#include <optional>

#include "compile.h"
#include "stream/cost/chain_cost.h"
#include "stream/joining/choose.h"

namespace tarn {

// For plans of the analysis' network by lines; nothing where part of that has no model. Each line of a chain is taken
// for one away from the borders. `analysis` has to outlive them, and has a plan of no addresses while they are asked.
std::optional<stream::Costs> line_costs(Analysis& analysis, const stream::Layers& layers, int64_t time_by_layers);

// Of a program that has no plan by layers: its time by layers is taken for that by lines.
std::optional<stream::Costs> line_costs(const CompileOptions& options, const program::Program& program,
                                        const stream::Layers& layers);

}  // namespace tarn
