#include "stream/cost/chain_cost.h"

#include <algorithm>

#include "program/operands.h"
#include "stream/network/grid.h"

namespace tarn::stream {

namespace {

using program::Operation;

// All times are in instructions. Kernels that state no cost of a call (LineForm::call_macs is 0): the start of a call,
// what a call adds for each channel, one multiplication, and the bookkeeping of a chunk.
constexpr int64_t kCall = 30, kCallPerChannel = 4, kPlain = 4;
constexpr int64_t kPlainChunk = 40;
// The bookkeeping of a chunk in a chain with a kernel that does state it.
constexpr int64_t kChunk = 300;

// Kernels that state the cost of a call, in hundredths of an instruction. They work on several pixels at once.
struct Pace {
  // Loading one weight, which all pixels at work share; one product; turning the sums of one channel into elements, for
  // all pixels at work; widening one input element, where channels are a multiple of four, and where they are not; the
  // rest of the work for one pixel, and for all that are at work.
  int64_t weight, product, sum, read, read_singly, pixel, block;
};
constexpr Pace kBlocks = {75, 69, 2600, 175, 1500, 3000, 0};
constexpr Pace kSinglePixels = {0, 140, 1400, 0, 0, 0, 0};
// Sixteen products at a time, of blocks of pixels and of single ones; sixteen channels of a depthwise layer.
constexpr Pace kSixteens = {13, 8, 1350, 20, 20, 10000, 19000};
constexpr Pace kSingleSixteens = {0, 16, 500, 20, 20, 10000, 15000};
// Four pixels of four outputs: a loaded weight meets all of them, there or not.
constexpr Pace kFours = {940, 0, 8000, 350, 350, 0, 10000};
constexpr Pace kChannels = {0, 63, 0, 0, 0, 0, 0};

bool is_told(const Operation& operation) { return operation.line_form && operation.line_form->call_macs > 0; }

// Blocks of pixels go on from line to line where layers run as a whole.
bool in_blocks(const Operation& operation) { return is_told(operation) && operation.line_form->pixels_at_once > 1; }

const Pace& pace_of(const Operation& operation) {
  switch (operation.line_form->pace) {
    case program::LineForm::Pace::sixteens: return in_blocks(operation) ? kSixteens : kSingleSixteens;
    case program::LineForm::Pace::channels: return kChannels;
    case program::LineForm::Pace::fours: return kFours;
    default: return in_blocks(operation) ? kBlocks : kSinglePixels;
  }
}

bool comes_in_fours(const Program& program, const Operation& operation) {
  return program[source_operand(operation).tensor].geometry.channels % 4 == 0;
}

// Pixels of a line, without the call.
int64_t pixels_time(const Program& program, const Operation& operation, int64_t pixels) {
  const program::Geometry& g = program[only_result(operation)].geometry;
  const int64_t macs = operation.macs / std::max<int64_t>(1, g.lines * g.pixels);
  if (!is_told(operation)) return kPlain * pixels * macs;
  const Pace& pace = pace_of(operation);
  const int64_t at_once = operation.line_form->pixels_at_once, blocks = (pixels + at_once - 1) / at_once;
  const int64_t products = (blocks * pace.weight + pixels * pace.product) * macs, sums = blocks * g.channels * pace.sum,
                elements = macs / std::max<int64_t>(1, g.channels);
  const int64_t read = comes_in_fours(program, operation) ? pace.read : pace.read_singly;
  return (products + sums + blocks * pace.block + pixels * (elements * read + pace.pixel)) / 100;
}

int64_t call_time(const Program& program, const Operation& operation, int64_t pixels) {
  const int64_t channels = program[only_result(operation)].geometry.channels;
  const int64_t call = is_told(operation) ? operation.line_form->call_macs : kCall + kCallPerChannel * channels;
  return call + pixels_time(program, operation, pixels);
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
    done = std::max(until, next);
  }
  const program::Tensor& middle = program[shape.middle];
  int64_t cost = 0;
  bool told = false;
  for (size_t i = 0; i < chain.operations.size(); ++i) {
    const Operation& operation = program[chain.operations[i]];
    const program::Geometry& g = program[only_result(operation)].geometry;
    int64_t line = -call_time(program, operation, g.pixels);
    for (int64_t n : i < chain.mid ? fresh : made) line += n > 0 ? call_time(program, operation, n) : 0;
    cost += line * g.lines;
    told = told || is_told(operation);
  }
  const auto lines = static_cast<int64_t>(shape.fresh.size());
  cost += lines * static_cast<int64_t>(made.size()) * (told ? kChunk : kPlainChunk);
  if (chain.mid > 0) {
    const int64_t pixel_bytes = middle.geometry.channels * middle.element_bytes();
    const int64_t bytes =
        (middle.geometry.lines * middle.geometry.pixels + lines * shape.form.window_lines * held) * pixel_bytes;
    cost += told ? bytes : bytes / 2;
  }
  return cost;
}

Times times_of(const Program& program) {
  Times times;
  for (const Operation& operation : program.operations) {
    const TensorId made = only_result(operation);
    if (!made.valid() || !operation.line_form) {
      times.by_layers += kPlain * operation.macs;
      times.by_lines += kPlain * operation.macs;
      continue;
    }
    const program::Geometry& g = program[made].geometry;
    const int64_t by_lines = g.lines * call_time(program, operation, g.pixels);
    times.by_layers += in_blocks(operation) ? pixels_time(program, operation, g.lines * g.pixels) : by_lines;
    times.by_lines += by_lines;
  }
  return times;
}

}  // namespace tarn::stream
