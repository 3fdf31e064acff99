// What joining layers costs in time.
#pragma once
#include "stream/network/chains.h"

namespace tarn::stream {

// How many instructions a chain executes beyond its layers line by line: calls for few pixels, and columns that move.
// Counted on processors with pairs of 16-bit products, and with sixteen products at a time, where entries say what
// their kernels' calls cost; elsewhere roughly: enough to order chains and chunks by.
int64_t chain_cost(const Program& program, const Chain& chain);

// How many a network executes without chains.
struct Times {
  int64_t by_layers = 0, by_lines = 0;
};
Times times_of(const Program& program);

}  // namespace tarn::stream
