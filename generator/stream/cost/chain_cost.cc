#include "stream/cost/chain_cost.h"

#include <algorithm>

#include "program/operands.h"
#include "stream/network/grid.h"

namespace tarn::stream {

namespace {

using program::Operation;

// Instructions: the start of a call, what a call adds for each channel, one multiplication, and the bookkeeping of a
// chunk; bytes that one instruction moves.
constexpr int64_t kCall = 30, kCallPerChannel = 4, kProduct = 4, kChunk = 40, kMoved = 2;

int64_t call_time(const Program& program, const Operation& operation, int64_t pixels) {
  const program::Geometry& g = program[only_result(operation)].geometry;
  const int64_t macs = operation.macs / std::max<int64_t>(1, g.lines * g.pixels);
  return kCall + kCallPerChannel * g.channels + kProduct * pixels * macs;
}

int64_t cost_of(const Program& program, const Chain& chain) {
  const ChainShape shape = shape_of(program, chain);
  const Operation& mid = program[chain.operations[chain.mid]];
  const std::vector<Span> columns = columns_read(program, mid, main_argument(program, chain, chain.mid));
  const auto pixels = static_cast<int64_t>(columns.size());
  std::vector<int64_t> made, fresh;  // pixels by chunk, of what mid makes and of what it reads
  int64_t done = 0, held = 0;
  for (int64_t p = 0; p < pixels; p += chain.chunk) {
    const int64_t end = std::min(pixels, p + chain.chunk);
    const int64_t until = std::max(done, columns[static_cast<size_t>(end) - 1].end);
    const int64_t next = end < pixels ? columns[static_cast<size_t>(end)].first : until;
    made.push_back(end - p);
    fresh.push_back(until - done);
    held += std::max<int64_t>(0, until - next);
    done = std::max(until, next);
  }
  const auto lines = static_cast<int64_t>(shape.fresh.size());
  int64_t lines_made = 0;  // of the middle tensor
  for (const Span& span : shape.fresh) lines_made += span.end - span.first;
  int64_t cost = 0;
  for (size_t i = 0; i < chain.operations.size(); ++i) {
    const Operation& operation = program[chain.operations[i]];
    const program::Geometry& g = program[only_result(operation)].geometry;
    int64_t line = -call_time(program, operation, g.pixels);
    const int64_t apart = line;
    for (int64_t n : i < chain.mid ? fresh : made) line += n > 0 ? call_time(program, operation, n) : 0;
    cost += line * g.lines;
    if (i < chain.mid) cost += (line - apart) * (lines_made - g.lines);
  }
  cost += lines * static_cast<int64_t>(made.size()) * kChunk;
  if (chain.mid > 0) {
    const program::Tensor& middle = program[shape.middle];
    const program::Geometry& g = middle.geometry;
    const int64_t moved = g.lines * g.pixels + lines * shape.form.window_lines * held;
    cost += moved * g.channels * middle.element_bytes() / kMoved;
  }
  return cost;
}

Times times_of(const Program& program) {
  Times times;
  for (const Operation& operation : program.operations) {
    const TensorId made = only_result(operation);
    const bool lined = made.valid() && operation.line_form;
    const program::Geometry g = lined ? program[made].geometry : program::Geometry{};
    const int64_t time = lined ? g.lines * call_time(program, operation, g.pixels) : kProduct * operation.macs;
    times.by_layers += time;
    times.by_lines += time;
  }
  return times;
}

}  // namespace

Costs estimated_costs(const Program& program) {
  return {times_of(program), [&program](const Chain& chain) { return cost_of(program, chain); }};
}

}  // namespace tarn::stream
