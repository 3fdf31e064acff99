// Sizes known only at run time (note [run-time sizes] in op.h): a program is lowered once per world, and where the
// worlds differ, numbers become linear functions of the symbols.
#pragma once
#include <vector>

#include "graph/graph.h"
#include "program/program.h"
#include "support/result.h"

namespace tarn::ops {

// The graph with the sizes that the symbols' values give.
graph::Graph in_world(const graph::Graph& graph, const std::vector<int64_t>& symbols);

// One program out of those of the worlds 1 and up; `largest` are the symbols' largest values. E208 when they do not fit
// together. `file` names the model.
Result<program::Program> join_worlds(std::vector<program::Program> worlds, const std::vector<int64_t>& largest,
                                     const std::string& file);

}  // namespace tarn::ops
