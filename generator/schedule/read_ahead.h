// --weights stream: which steps find their weights read, because a step before has begun to.
#pragma once
#include "schedule/schedule.h"

namespace tarn::schedule {

// The step that begins to read this step's weights, before its kernel runs: they hold their memory from then on. As a
// rule it is the one before; with Staging::early the last one that reads weights itself, or the one behind that where
// there is no room for the weights of both. Where that cannot be known beforehand, around branches and loops and at the
// very first step, and where there is no room for the weights of both, a step reads its weights itself.
size_t read_begin(const program::Program& program, const Schedule& schedule, size_t step);
bool is_read_ahead(const program::Program& program, const Schedule& schedule, size_t step);

// The step whose weights this one begins to read for it, if there is one.
std::optional<size_t> begun_by(const program::Program& program, const Schedule& schedule, size_t step);

}  // namespace tarn::schedule
