// --weights stream: which steps find their weights read, because the step before has begun to.
#pragma once
#include "schedule/schedule.h"

namespace tarn::schedule {

// The reading of this step's weights is begun by the step before it: they hold their memory from then on. Where that
// cannot be known beforehand, around branches and loops and at the very first step, and where there is no room for the
// weights of both, a step reads its weights itself.
bool is_read_ahead(const program::Program& program, const Schedule& schedule, size_t step);

}  // namespace tarn::schedule
