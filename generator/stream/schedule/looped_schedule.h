// Compresses the list of steps into a looped schedule.
#pragma once
#include <vector>

#include "stream/plan.h"

namespace tarn::stream {

// The shortest looped schedule of these steps (one byte for each actor, three for each loop) whose loop bodies are no
// longer than the search can afford to compare: 255 actors, fewer for long lists.
std::vector<ScheduleLoop> find_schedule_loops(const std::vector<Step>& steps);

}  // namespace tarn::stream
