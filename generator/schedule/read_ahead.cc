#include "schedule/read_ahead.h"

namespace tarn::schedule {

size_t read_begin(const program::Program& program, const Schedule& schedule, size_t step) {
  const Step& own = schedule.steps[step];
  const std::optional<program::Staging>& weights = program[own.operation].staging;
  if (!weights || weights->made || own.parent >= 0 || program.codes.valid()) return step;
  size_t begin = step;
  while (begin > 0) {
    const Step& before = schedule.steps[begin - 1];
    const std::optional<program::Staging>& others = program[before.operation].staging;
    if (before.parent >= 0 || program[before.operation].control != program::Control::none) break;
    if (weights->alone && (others || !weights->early)) break;
    if (others && others->alone) break;
    --begin;
    // One transfer goes on at a time: that step waits for its own first.
    if (others || !weights->early) break;
  }
  return begin;
}

bool is_read_ahead(const program::Program& program, const Schedule& schedule, size_t step) {
  return read_begin(program, schedule, step) < step;
}

std::optional<size_t> begun_by(const program::Program& program, const Schedule& schedule, size_t step) {
  for (size_t s = step + 1; s < schedule.steps.size(); ++s) {
    if (!program[schedule.steps[s].operation].staging) continue;
    if (read_begin(program, schedule, s) == step) return s;
    break;
  }
  return {};
}

}  // namespace tarn::schedule
