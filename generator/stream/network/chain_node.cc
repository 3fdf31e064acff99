// What a line-buffer operator reads, line by line and column by column, through all of its layers.
#include <algorithm>

#include "planner/index.h"
#include "stream/network/grid.h"
#include "stream/network/net.h"
#include "stream/network/overlap_distance.h"

namespace tarn::stream {

namespace {

using program::Argument;
using program::Operation;
using program::Tensor;
using program::Walk;

// Is this operand made by another operation of the chain?
bool made_within(const Program& program, const Chain& chain, size_t position, size_t argument) {
  return position > 0 && program[chain.operations[position]].arguments[argument].tensor ==
                             only_result(program[chain.operations[position - 1]]);
}

bool walks(const Program& program, const Argument& a, TensorId made) {
  if (!walks_lines(a)) return false;
  const program::Geometry &x = program[a.tensor].geometry, &y = program[made].geometry;
  if (a.walk->identity) return x.lines == y.lines && x.pixels == y.pixels;
  return static_cast<int64_t>(a.walk->lines.size()) == y.lines &&
         static_cast<int64_t>(a.walk->columns.size()) == y.pixels;
}

Span lines_at(const Walk& walk, int64_t line) { return walk.identity ? Span{line, line + 1} : walk.lines[Z(line)]; }

Span join(Span a, Span b) {
  if (a.first >= a.end) return b;
  if (b.first >= b.end) return a;
  return {std::min(a.first, b.first), std::max(a.end, b.end)};
}

class Reader {
 public:
  Reader(const Program& program, const Net& net, const Chain& chain, const ChainShape& shape)
      : program_(program), net_(net), chain_(chain), shape_(shape) {
    const Operation& mid = program[chain.operations[chain.mid]];
    mid_columns_ = columns_read(program, mid, main_argument(program, chain, chain.mid));
  }

  std::optional<Access> read(size_t position, size_t argument) const {
    const Operation& operation = program_[chain_.operations[position]];
    const Argument& a = operation.arguments[argument];
    if (a.role != Argument::Role::read || made_within(program_, chain_, position, argument)) return {};
    const LineView& view = net_.views[a.tensor.pos()];
    const Memory& memory = net_.memories[Z(view.memory)];
    Access access;
    access.memory = view.memory;
    access.operation = position;
    access.argument = static_cast<int>(argument);
    access.all = cover(program_, view, memory, a.tensor, {0, program_[a.tensor].geometry.lines});
    if (!walks(program_, a, only_result(operation))) return access;
    for (size_t r = 0; r < shape_.fresh.size(); ++r) {
      access.lines.push_back(
          cover(program_, view, memory, a.tensor, lines(position, *a.walk, static_cast<int64_t>(r))));
    }
    if (view.by_lines) access.overlap_distance = distance(position, argument, view);
    return access;
  }

 private:
  // The lines of an operand that step r reads.
  Span lines(size_t position, const Walk& walk, int64_t r) const {
    if (position >= chain_.mid) return lines_at(walk, r);
    Span all;
    for (int64_t line = shape_.fresh[Z(r)].first; line < shape_.fresh[Z(r)].end; ++line)
      all = join(all, lines_at(walk, line));
    return all;
  }

  // A chunk's inputs are read before any of its output is written; pixel by pixel is the finest chunk there is.
  std::optional<int64_t> distance(size_t position, size_t argument, const LineView& read) const {
    const Operation& operation = program_[chain_.operations[position]];
    const LineView& made = net_.views[shape_.result.pos()];
    if (position + 1 == chain_.operations.size() && position > chain_.mid) {
      return overlap_distance_of(program_, operation, argument, shape_.result, read, made, false, 0);
    }
    const std::vector<Span> own = columns_read(program_, operation, argument);
    const Tensor &x = program_[operation.arguments[argument].tensor], &y = program_[shape_.result];
    const int64_t x_pixel = read.pixel_pitch * x.element_bytes(), y_pixel = made.pixel_pitch * y.element_bytes();
    int64_t distance = 0;
    for (int64_t p = 0; p < y.geometry.pixels; ++p) {
      const Span needed = columns(position, own, p);
      if (needed.first >= needed.end) continue;
      const int64_t written = p * y_pixel + y.geometry.channels * y.element_bytes();
      distance = std::max(distance, made.offset - read.offset + written - needed.first * x_pixel);
    }
    return distance;
  }

  Span columns(size_t position, const std::vector<Span>& own, int64_t p) const {
    if (position >= chain_.mid) return own[Z(p)];
    Span all;
    for (int64_t c = mid_columns_[Z(p)].first; c < mid_columns_[Z(p)].end; ++c) all = join(all, own[Z(c)]);
    return all;
  }

  const Program& program_;
  const Net& net_;
  const Chain& chain_;
  const ChainShape& shape_;
  std::vector<Span> mid_columns_;
};

}  // namespace

NetNode chain_node(const Program& program, const Net& net, const Chain& chain, const ChainShape& shape) {
  NetNode node;
  node.actor.operations = chain.operations;
  node.actor.line_buffer = shape.form;
  node.lines = node.actor.lines = static_cast<int64_t>(shape.fresh.size());
  const Reader reader(program, net, chain, shape);
  for (size_t position = 0; position < chain.operations.size(); ++position) {
    for (size_t argument = 0; argument < program[chain.operations[position]].arguments.size(); ++argument) {
      if (auto access = reader.read(position, argument)) node.reads.push_back(std::move(*access));
    }
  }
  const LineView& view = net.views[shape.result.pos()];
  node.memory = view.memory;
  node.made =
      cover(program, view, net.memories[Z(view.memory)], shape.result, {0, program[shape.result].geometry.lines});
  return node;
}

}  // namespace tarn::stream
