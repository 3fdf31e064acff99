#include "report/tensor_lives.h"

#include <algorithm>

#include "schedule/read_ahead.h"

namespace tarn::report {

std::vector<lifetimes::Life> tensor_lives(const Analysis& analysis,
                                          const std::vector<program::OperationId>& operations) {
  const program::Program& program = analysis.program;
  const lifetimes::Storage& storage = analysis.stream ? analysis.stream->storage : analysis.storage;
  const auto steps = static_cast<int64_t>(operations.size());
  std::vector<lifetimes::Life> lives(program.tensors.size(), lifetimes::Life{-1, 0});
  auto touch = [&](program::TensorId id, int64_t first, int64_t end) {
    // A part is alive within its whole, so the whole's life covers it.
    for (program::TensorId t = id; t.valid(); t = storage.whole[t.pos()]) {
      lifetimes::Life& life = lives[t.pos()];
      life.first = life.first < 0 ? first : std::min(life.first, first);
      life.end = std::max(life.end, end);
    }
  };
  for (program::TensorId id : program.inputs) touch(id, 0, std::min<int64_t>(1, steps));
  for (int64_t s = 0; s < steps; ++s) {
    const auto at = static_cast<size_t>(s);
    if (!analysis.stream && schedule::is_read_ahead(program, analysis.schedule, at))
      touch(program[operations[at]].staging->buffer,
            static_cast<int64_t>(schedule::read_begin(program, analysis.schedule, at)), s);
    for (const program::Argument& a : program[operations[static_cast<size_t>(s)]].arguments) {
      if (a.tensor.valid()) touch(a.tensor, s, s + 1);
    }
  }
  for (program::TensorId id : program.outputs) touch(id, steps, steps);
  for (program::TensorId id : program::held_tensors(program)) touch(id, 0, steps);
  if (program.set_size.valid()) touch(program.set_size, 0, steps);
  // An output that is a view nobody reads is told as alive in the last step.
  for (program::TensorId id : program.outputs)
    lives[id.pos()].first = std::min(lives[id.pos()].first, std::max<int64_t>(0, steps - 1));
  return lives;
}

}  // namespace tarn::report
