#include "schedule/read_ahead.h"

namespace tarn::schedule {

bool is_read_ahead(const program::Program& program, const Schedule& schedule, size_t step) {
  if (step == 0 || program.codes.valid()) return false;
  const Step &own = schedule.steps[step], &before = schedule.steps[step - 1];
  const std::optional<program::Staging>& weights = program[own.operation].staging;
  const std::optional<program::Staging>& others = program[before.operation].staging;
  return weights && !weights->made && !weights->alone && !(others && others->alone) && own.parent < 0 &&
         before.parent < 0 && program[before.operation].control == program::Control::none;
}

}  // namespace tarn::schedule
