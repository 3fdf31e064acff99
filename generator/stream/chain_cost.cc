#include "stream/chain_cost.h"

#include <algorithm>

#include "stream/grid.h"

namespace tarn::stream {

namespace {

using program::Operation;

constexpr int64_t kCall = 30, kCallPerChannel = 4;  // where the room does not say
constexpr int64_t kSlower = 4;                      // kernels of such rooms take this much longer for a multiplication
constexpr int64_t kChunk = 40;                      // the bookkeeping of a chunk
constexpr int64_t kBytesMoved = 2;                  // for the time of a multiplication

int64_t call_macs(const Operation& operation, int64_t channels) {
  return operation.line_form->call_macs > 0 ? operation.line_form->call_macs : kCall + kCallPerChannel * channels;
}

// Fewer pixels than fit at once cost some of those that are missing.
int64_t call_cost(const Operation& operation, int64_t channels, int64_t pixel_macs, int64_t pixels) {
  const int64_t at_once = operation.line_form->pixels_at_once, rest = pixels % at_once;
  return call_macs(operation, channels) + (rest == 0 ? 0 : (at_once - rest) * pixel_macs / 3);
}

}  // namespace

int64_t chain_cost(const Program& program, const Chain& chain) {
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
    done = until;
  }
  const program::Tensor& middle = program[shape.middle];
  int64_t cost = 0;
  for (size_t i = 0; i < chain.operations.size(); ++i) {
    const Operation& operation = program[chain.operations[i]];
    const program::Geometry& g = program[only_result(operation)].geometry;
    const int64_t pixel_macs = operation.macs / std::max<int64_t>(1, g.lines * g.pixels);
    int64_t line = -call_cost(operation, g.channels, pixel_macs, g.pixels);
    for (int64_t n : i < chain.mid ? fresh : made) line += n > 0 ? call_cost(operation, g.channels, pixel_macs, n) : 0;
    cost += line * g.lines;
  }
  const auto lines = static_cast<int64_t>(shape.fresh.size());
  cost += lines * static_cast<int64_t>(made.size()) * kChunk;
  if (chain.mid > 0) {
    const int64_t pixel_bytes = middle.geometry.channels * middle.element_bytes();
    cost += (middle.geometry.lines * middle.geometry.pixels + lines * shape.form.window_lines * held) * pixel_bytes /
            kBytesMoved;
  }
  const bool told = std::any_of(chain.operations.begin(), chain.operations.end(),
                                [&](OperationId id) { return program[id].line_form->call_macs > 0; });
  return told ? cost : cost / kSlower;
}

}  // namespace tarn::stream
