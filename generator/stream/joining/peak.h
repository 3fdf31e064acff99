// What the chains of a choice hold where most is alive.
#pragma once
#include <vector>

#include "stream/joining/choose.h"

namespace tarn::stream {

// Chains of the segment that has most alive, those with most memory of their own first.
std::vector<size_t> chains_at_peak(const JoinedLayers& choice);

// Window and scratch of a chain, which it needs while a step of it runs.
int64_t own_bytes(const Program& program, const Chain& chain);

// The most that is alive while a chain of the choice runs, beside its own window and scratch.
int64_t alive_beside(const JoinedLayers& choice, const Chain& chain);

}  // namespace tarn::stream
