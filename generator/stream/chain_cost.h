// What joining layers costs in time.
#pragma once
#include "stream/chains.h"

namespace tarn::stream {

// How many multiplications' worth of work a chain does beyond its layers line by line: calls for few pixels, and
// columns that move. Roughly: enough to order chains and chunks by.
int64_t chain_cost(const Program& program, const Chain& chain);

}  // namespace tarn::stream
