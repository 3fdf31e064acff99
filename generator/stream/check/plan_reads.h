// What a step of a plan by lines reads, by the operations' own walks: the checker's view, which knows nothing of how
// the plan was made.
#pragma once
#include <vector>

#include "stream/plan.h"

namespace tarn::stream {

using program::Span;

struct Read {
  TensorId tensor;
  size_t argument = 0;
  Span lines;             // of the memory
  bool together = false;  // the kernel is handed all of them as one piece
  size_t operation = 0;   // position in Actor::operations
};

// The memory's lines that lines [first, end) of a tensor lie in.
Span memory_lines(const program::Program& program, const LinePlan& plan, TensorId id, int64_t first, int64_t end);
// All of the tensor's.
Span memory_lines(const program::Program& program, const LinePlan& plan, TensorId id);

// What line r of an actor that runs operations needs. A line-buffer operator: what its operations read but did not
// make.
std::vector<Read> reads_of(const program::Program& program, const LinePlan& plan, const Actor& actor, int64_t r);

// An actor that makes lines of a memory, and the tensor it makes in them.
struct Producer {
  size_t actor = 0;
  TensorId tensor;
  Span lines;  // of the memory
};

// Who makes lines of each memory; several make parts of the same lines, or stand in one another's place.
std::vector<std::vector<Producer>> producers_of(const program::Program& program, const LinePlan& plan);

// Do two tensors of one memory share bytes of a line? Channels beside each other in one pixel do not.
bool share_bytes(const program::Program& program, const LinePlan& plan, TensorId a, TensorId b);

// The operand of a line-buffer operator's middle operation that its window moves over.
const program::Argument& window_operand(const program::Program& program, const Actor& actor);

}  // namespace tarn::stream
