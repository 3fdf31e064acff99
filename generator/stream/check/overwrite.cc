#include "stream/check/overwrite.h"

#include <algorithm>

#include "stream/network/chains.h"
#include "stream/network/grid.h"
#include "support/text.h"

namespace tarn::stream {

using program::Argument;
using program::Program;
using program::Tensor;

namespace {

size_t Z(int64_t i) { return static_cast<size_t>(i); }

// A line of x that is read while one of y is made: where they begin and end in the arena.
struct Meeting {
  const Tensor &tx, &ty;
  const LineView &xv, &yv;
  int64_t x, x_end, y, y_end;
  bool apart;  // no byte is both's, or the pixels of both lie beside each other in one line

  Meeting(const Program& program, const Plan& plan, const Actor& actor, const Read& read, int64_t line, int64_t made)
      : tx(program[read.tensor]),
        ty(program[only_result(program[actor.operations.back()])]),
        xv(plan.views[read.tensor.pos()]),
        yv(plan.views[only_result(program[actor.operations.back()]).pos()]) {
    const Memory &xm = plan.memories[Z(xv.memory)], &ym = plan.memories[Z(yv.memory)];
    x = xm.address(line);
    x_end = x + xm.line_bytes;
    y = ym.address(made);
    y_end = y + ym.line_bytes;
    apart = y >= x_end || y_end <= x || (xv.memory == yv.memory && line == made);
  }
};

// The line made may stand over a line read, as long as no pixel is written over what it or a later pixel needs.
std::optional<std::string> pixel_by_pixel(const Program& program, const Plan& plan, const Actor& actor,
                                          const Read& read, int64_t line, int64_t made) {
  const Meeting m(program, plan, actor, read, line, made);
  if (m.apart) return {};
  const Tensor &tx = m.tx, &ty = m.ty;
  const LineView &xv = m.xv, &yv = m.yv;
  if (!actor.overlapping) return "a line stands over one that is read, and the actor is not told";
  const Argument& a = program[actor.operations[read.operation]].arguments[read.argument];
  if (!a.walk || read.together) return cat("'", ty.name, "' stands over '", tx.name, "', which is read as a whole");
  const program::Walk& walk = *a.walk;
  const int64_t xe = tx.element_bytes(), ye = ty.element_bytes();
  const auto collision = [&](int64_t write_first, int64_t write_end, int64_t need_first) {
    return write_first < m.x_end && write_end > need_first;
  };
  if (actor.flat || (walk.identity && walk.read_before_write && tx.geometry.channels == ty.geometry.channels)) {
    const int64_t channels = actor.flat ? 1 : ty.geometry.channels;
    const int64_t pixels = actor.flat ? (m.y_end - m.y) / ye : ty.geometry.pixels;
    const int64_t xp = actor.flat ? xe : xv.pixel_pitch * xe, yp = actor.flat ? ye : yv.pixel_pitch * ye;
    const int64_t x0 = m.x + (actor.flat ? 0 : xv.offset), y0 = m.y + (actor.flat ? 0 : yv.offset);
    for (int64_t i = 0; i + 1 < pixels * channels; ++i) {
      const int64_t next = i + 1, to = y0 + i / channels * yp + i % channels * ye;
      if (collision(to, to + ye, x0 + next / channels * xp + next % channels * xe))
        return cat("'", ty.name, "' is written over '", tx.name, "'");
    }
    return {};
  }
  int64_t column = tx.geometry.pixels;
  for (int64_t p = ty.geometry.pixels; p-- > 0;) {
    const int64_t later = column;  // the first column that pixels after p need
    const Span span = walk.identity ? Span{p, p + 1} : walk.columns[Z(p)];
    if (span.first < span.end) column = std::min(column, span.first);
    const bool ahead = walk.read_before_write && xe == ye && (!walk.identity || ty.geometry.channels == 1);
    const int64_t needed = ahead ? later : column;
    if (needed >= tx.geometry.pixels) continue;
    const int64_t to = m.y + yv.offset + p * yv.pixel_pitch * ye;
    if (collision(to, to + ty.geometry.channels * ye, m.x + xv.offset + needed * xv.pixel_pitch * xe)) {
      return cat("'", ty.name, "' is written over '", tx.name, "'");
    }
  }
  return {};
}

std::vector<Span> window_columns(const Program& program, const Actor& actor) {
  const program::Operation& mid = program[actor.operations[actor.line_buffer->mid]];
  return columns_read(program, mid, static_cast<size_t>(&window_operand(program, actor) - mid.arguments.data()));
}

// As pixel_by_pixel, with the columns that the layers before the window need for a pixel.
std::optional<std::string> chunk_by_chunk(const Program& program, const Plan& plan, const Actor& actor,
                                          const Read& read, int64_t line, int64_t made) {
  const Meeting m(program, plan, actor, read, line, made);
  if (m.apart) return {};
  const Tensor &tx = m.tx, &ty = m.ty;
  const LineView &xv = m.xv, &yv = m.yv;
  const Argument& a = program[actor.operations[read.operation]].arguments[read.argument];
  if (!a.walk || read.together) return cat("'", ty.name, "' stands over '", tx.name, "', which is read as a whole");
  const std::vector<Span> own = columns_read(program, program[actor.operations[read.operation]], read.argument);
  std::vector<Span> window;
  if (read.operation < actor.line_buffer->mid) window = window_columns(program, actor);
  int64_t needed = tx.geometry.pixels;
  for (int64_t p = ty.geometry.pixels; p-- > 0;) {
    const Span middle = window.empty() ? Span{p, p + 1} : window[Z(p)];
    for (int64_t c = middle.first; c < middle.end; ++c) {
      const Span span = own[Z(c)];
      if (span.first < span.end) needed = std::min(needed, span.first);
    }
    const int64_t to = m.y + yv.offset + p * yv.pixel_pitch * ty.element_bytes();
    const int64_t from = m.x + xv.offset + needed * xv.pixel_pitch * tx.element_bytes();
    if (needed < tx.geometry.pixels && to < m.x_end && to + ty.geometry.channels * ty.element_bytes() > from) {
      return cat("'", ty.name, "' is written over '", tx.name, "'");
    }
  }
  return {};
}

}  // namespace

std::optional<std::string> overwritten(const Program& program, const Plan& plan, const Actor& actor, const Read& read,
                                       int64_t line, int64_t made) {
  const bool inner = read.operation + 1 < actor.operations.size();
  return inner ? chunk_by_chunk(program, plan, actor, read, line, made)
               : pixel_by_pixel(program, plan, actor, read, line, made);
}

}  // namespace tarn::stream
