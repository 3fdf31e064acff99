// Trades memory for time. Joined layers cost time, because kernels are called for few pixels and columns are copied;
// this turns the choice with the smallest arena into one that takes little more time than the layers do.
#pragma once
#include "stream/joining/choose.h"

namespace tarn::stream {

// Lines in rings. `layers`: those of the choice. Where a goal in bytes is given (SearchLimits::budget), only time that
// it spares; else the least arena within a share of the network's time.
JoinedLayers spare_time(JoinedLayers choice, const Program& program, const Layers& layers, const Options& options,
                        const SearchLimits& limits, Work& work);

// The choice, or `apart`, without joined layers, where the work did not suffice to bring the choice's time down to that
// share and `apart` has the lower price (price.h).
JoinedLayers cheaper(JoinedLayers choice, const JoinedLayers& apart, const Program& program,
                     const SearchLimits& limits);

}  // namespace tarn::stream
