// What joining layers costs in time.
#pragma once
#include <functional>

#include "stream/network/chains.h"

namespace tarn::stream {

// Instructions of a run.
struct Times {
  int64_t by_layers = 0, by_lines = 0;  // without chains
};

struct Costs {
  Times times;
  // What a chain executes beyond its layers line by line: calls for few pixels, and columns that move.
  std::function<int64_t(const Chain&)> of_chain;
};

// Where kernels have no models of their time (line_costs.h): roughly, enough to order chains and chunks by. `program`
// has to outlive them.
Costs estimated_costs(const Program& program);

}  // namespace tarn::stream
