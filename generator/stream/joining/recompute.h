// Less memory for more work: line-buffer operators that make all lines under their windows anew for each line, in place
// of keeping them (note [recompute] in network/chains.h).
#pragma once
#include <vector>

#include "stream/joining/choose.h"

namespace tarn::stream {

// Multiplications beyond one run of each layer.
int64_t extra_macs_of(const Program& program, const std::vector<Chain>& chains);

// Is what is done twice within a budget in percent of the rest?
bool is_within(double percent, int64_t extra_macs, int64_t macs);

// How many of them keep no lines.
int64_t recomputed(const std::vector<Chain>& chains);

// From `start` on, the operators where most is alive change one by one; the choices met on the way, packed quickly,
// each with less memory than the one before. Which they are depends on no budget of work, so that more of it never
// makes the least arena larger. `layers`: those of `start`. `lines`: how candidates are packed.
std::vector<JoinedLayers> recompute_lines(const JoinedLayers& start, const Program& program, const Layers& layers,
                                          const Options& options, Lines lines, const SearchLimits& limits);

// Those whose work done twice, beside `extra` of it, is within the budget; the smallest arena first, so that few of
// them are packed thoroughly.
std::vector<JoinedLayers> choices_within(const std::vector<JoinedLayers>& choices, const Program& program,
                                         double percent, int64_t extra, int64_t macs);

}  // namespace tarn::stream
