// --weights stream: which steps find their weights read, because the step before has begun to.
#pragma once
#include "schedule/schedule.h"

namespace tarn::schedule {

// The reading of this step's weights is begun by the step before it: they hold their memory from then on. Where that
// cannot be known beforehand, around branches and loops and at the very first step, and where there is no room for the
// weights of both, a step reads its weights itself.
inline bool is_read_ahead(const program::Program& program, const Schedule& schedule, size_t step) {
  if (step == 0 || program.codes.valid()) return false;
  const Step &own = schedule.steps[step], &before = schedule.steps[step - 1];
  const std::optional<program::Staging>& weights = program[own.operation].staging;
  const std::optional<program::Staging>& others = program[before.operation].staging;
  return weights && !weights->alone && !(others && others->alone) && own.parent < 0 && before.parent < 0 &&
         program[before.operation].control == program::Control::none;
}

}  // namespace tarn::schedule
