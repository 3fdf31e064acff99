// Joining layers costs time: their kernels are called for few pixels, and columns move. From the choice with the least
// arena to one that takes little more time than the network's layers.
#pragma once
#include "stream/choose.h"

namespace tarn::stream {

// Lines in rings. `layers`: those of the choice. Where a goal in bytes is given (SearchLimits::room), only time that
// it spares; else the least arena within a share of the network's time.
Choice spare_time(Choice choice, const Program& program, const Layers& layers, const Options& options,
                  const SearchLimits& limits, Work& work);

}  // namespace tarn::stream
