#include "stream/check/plan_reads.h"

#include <algorithm>

#include "stream/network/grid.h"

namespace tarn::stream {

using program::Argument;
using program::Operation;
using program::Program;
using program::Tensor;

Span memory_lines(const Program& program, const LinePlan& plan, TensorId id, int64_t first, int64_t end) {
  const LineView& view = plan.views[id.pos()];
  if (first >= end || view.memory < 0) return {};
  if (view.by_lines) return {view.first_line + first, view.first_line + end};
  const Tensor& t = program[id];
  const int64_t line_bytes = plan.memories[static_cast<size_t>(view.memory)].line_bytes;
  const int64_t start = view.first_line * line_bytes + view.offset,
                pitch = t.geometry.pixels * view.pixel_pitch * t.element_bytes();
  const int64_t last = ((t.geometry.pixels - 1) * view.pixel_pitch + t.geometry.channels) * t.element_bytes();
  const int64_t whole = is_packed(t.type.dtype) ? t.bytes() : (end - 1) * pitch + last;
  return {(start + (is_packed(t.type.dtype) ? 0 : first * pitch)) / line_bytes,
          (start + whole + line_bytes - 1) / line_bytes};
}

Span memory_lines(const Program& program, const LinePlan& plan, TensorId id) {
  return memory_lines(program, plan, id, 0, program[id].geometry.lines);
}

const Argument& window_operand(const Program& program, const Actor& actor) {
  const Operation& mid = program[actor.operations[actor.line_buffer->mid]];
  return *std::find_if(mid.arguments.begin(), mid.arguments.end(),
                       [](const Argument& a) { return a.role == Argument::Role::read; });
}

std::vector<std::vector<Producer>> producers_of(const Program& program, const LinePlan& plan) {
  std::vector<std::vector<Producer>> producers(plan.memories.size());
  const auto note = [&](size_t n, TensorId id) {
    const int m = plan.views[id.pos()].memory;
    if (m >= 0) producers[static_cast<size_t>(m)].push_back({n, id, memory_lines(program, plan, id)});
  };
  for (size_t n = 0; n < plan.actors.size(); ++n) {
    const Actor& actor = plan.actors[n];
    if (actor.what == Actor::What::feed && actor.operations.empty()) note(n, actor.tensor);
    if (actor.operations.empty()) continue;
    for (const Argument& a : program[actor.operations.back()].arguments) {
      if (a.tensor.valid() && (a.role == Argument::Role::write || a.role == Argument::Role::update)) note(n, a.tensor);
    }
  }
  return producers;
}

bool share_bytes(const Program& program, const LinePlan& plan, TensorId a, TensorId b) {
  const LineView &av = plan.views[a.pos()], &bv = plan.views[b.pos()];
  const Tensor &at = program[a], &bt = program[b];
  const int64_t pixel = av.pixel_pitch * at.element_bytes();
  if (!av.by_lines || !bv.by_lines || pixel <= 0 || pixel != bv.pixel_pitch * bt.element_bytes()) return true;
  // Whole pixels side by side are told apart by where they begin in the line, channels of one pixel by where in the
  // pixel.
  const bool whole_pixels = av.pixel_pitch == at.geometry.channels && bv.pixel_pitch == bt.geometry.channels;
  const int64_t a_first = whole_pixels ? av.offset : av.offset % pixel,
                b_first = whole_pixels ? bv.offset : bv.offset % pixel;
  const int64_t a_bytes = at.geometry.channels * at.element_bytes() * (whole_pixels ? at.geometry.pixels : 1);
  const int64_t b_bytes = bt.geometry.channels * bt.element_bytes() * (whole_pixels ? bt.geometry.pixels : 1);
  return a_first < b_first + b_bytes && b_first < a_first + a_bytes;
}

namespace {

// What line r of an operation needs.
std::vector<Read> reads_of_operation(const Program& program, const LinePlan& plan, const Actor& actor, size_t position,
                                     int64_t r) {
  const Operation& operation = program[actor.operations[position]];
  const TensorId result = only_result(operation);
  std::vector<Read> reads;
  for (size_t i = 0; i < operation.arguments.size(); ++i) {
    const Argument& a = operation.arguments[i];
    if (a.role != Argument::Role::read) continue;
    const program::Geometry &x = program[a.tensor].geometry, &y = program[result].geometry;
    Read read{a.tensor, i, memory_lines(program, plan, a.tensor), false, position};
    const bool walks = walks_lines(a);
    if (actor.accumulate) {
      if (reads.empty()) read.lines = memory_lines(program, plan, a.tensor, r, r + 1);
    } else if (walks && actor.flat) {
      read.lines = {r, r + 1};
    } else if (walks && a.walk->identity && x.lines == y.lines && x.pixels == y.pixels) {
      read.lines = memory_lines(program, plan, a.tensor, r, r + 1);
    } else if (walks && static_cast<int64_t>(a.walk->lines.size()) == y.lines) {  // of an identity there are none
      const Span own = a.walk->lines[static_cast<size_t>(r)];
      read.lines = memory_lines(program, plan, a.tensor, own.first, own.end);
    } else {
      read.together = true;
    }
    reads.push_back(read);
  }
  return reads;
}

// Lines of the middle tensor that step r makes: those of its window that no earlier window had, or all of them.
Span fresh(const Program& program, const Actor& actor, int64_t r) {
  const program::Walk& walk = *window_operand(program, actor).walk;
  if (actor.line_buffer->recompute) return walk.lines[static_cast<size_t>(r)];
  int64_t before = 0;
  for (int64_t i = 0; i < r; ++i) before = std::max(before, walk.lines[static_cast<size_t>(i)].end);
  return {before, std::max(before, walk.lines[static_cast<size_t>(r)].end)};
}

}  // namespace

std::vector<Read> reads_of(const Program& program, const LinePlan& plan, const Actor& actor, int64_t r) {
  if (!actor.line_buffer) return reads_of_operation(program, plan, actor, 0, r);
  std::vector<Read> all;
  const Span middle = fresh(program, actor, r);
  for (size_t i = 0; i < actor.operations.size(); ++i) {
    const TensorId inner = i > 0 ? only_result(program[actor.operations[i - 1]]) : TensorId{};
    const bool early = i < actor.line_buffer->mid;
    for (int64_t line = early ? middle.first : r; line < (early ? middle.end : r + 1); ++line) {
      for (const Read& read : reads_of_operation(program, plan, actor, i, line)) {
        if (read.tensor != inner) all.push_back(read);
      }
    }
  }
  return all;
}

}  // namespace tarn::stream
