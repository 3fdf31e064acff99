// Does a plan by lines do what it says? It is run step by step on a map of the arena that knows which line of which
// memory each byte holds: every line read must be there whole, nothing may be written over what is still to be read,
// and in the end the outputs must be there. Knows nothing of lives, rings, overlap distances or packing; runs on every
// plan, in release builds too.
#pragma once
#include <string>
#include <vector>

#include "stream/plan.h"

namespace tarn::stream {

// What is wrong, at most a few findings; empty: nothing.
std::vector<std::string> check_plan(const program::Program& program, const LinePlan& plan);

}  // namespace tarn::stream
