#include "stream/check/overwrite.h"

#include <algorithm>

#include "planner/index.h"
#include "stream/network/chains.h"
#include "stream/network/grid.h"
#include "support/text.h"

namespace tarn::stream {

using program::Argument;
using program::Program;
using program::Tensor;

namespace {

// A line of x that is read while one of y is made: where they begin and end in the arena.
struct Meeting {
  const Tensor &tx, &ty;
  const LineView &xv, &yv;
  int64_t x, x_end, y, y_end;
  bool apart;  // no byte is both's, or the pixels of both lie beside each other in one line

  Meeting(const Program& program, const LinePlan& plan, const Actor& actor, const Read& read, int64_t line,
          int64_t made)
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

// Elements written one after the other, each when the one at its place has been read: where each of y lies
// (y + pixel * y_pixel + channel * y_element), and each of x.
struct Writing {
  int64_t y, y_pixel, y_element, x, x_pixel, x_element, pixels, channels, x_end;
};

// A number of pixels of one run, in which both addresses move by constant steps: `to` and `next` of the first, the
// element that is read next. Whether one is written below x_end and past what is read next.
bool run_writes_ahead(const Writing& w, int64_t to, int64_t to_step, int64_t next, int64_t next_step, int64_t count) {
  if (to >= w.x_end) return false;
  // The last one that is below x_end; steps are positive. A linear function is largest at an end.
  if (to_step > 0) count = std::min(count, (w.x_end - to - 1) / to_step + 1);
  const int64_t last = count - 1;
  return count > 0 && (to + w.y_element > next || to + last * to_step + w.y_element > next + last * next_step);
}

// Lines may have millions of elements: along the longer of the two sides it is one comparison.
bool writes_ahead(const Writing& w) {
  if (w.pixels < 1 || w.channels < 1) return false;
  const int64_t within = w.channels - 1;  // elements of a pixel that another of it follows
  if (w.pixels <= w.channels) {
    for (int64_t p = 0; p < w.pixels; ++p) {
      const int64_t to = w.y + p * w.y_pixel, from = w.x + p * w.x_pixel;
      if (run_writes_ahead(w, to, w.y_element, from + w.x_element, w.x_element, within)) return true;
    }
  } else {
    for (int64_t c = 0; c < within; ++c) {
      const int64_t to = w.y + c * w.y_element, next = w.x + (c + 1) * w.x_element;
      if (run_writes_ahead(w, to, w.y_pixel, next, w.x_pixel, w.pixels)) return true;
    }
  }
  // The last element of a pixel, and the first of the next one.
  return run_writes_ahead(w, w.y + within * w.y_element, w.y_pixel, w.x + w.x_pixel, w.x_pixel, w.pixels - 1);
}

// The line made may stand over a line read, as long as no pixel is written over what it or a later pixel needs.
std::optional<std::string> pixel_by_pixel(const Program& program, const LinePlan& plan, const Actor& actor,
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
  const auto written_over = [&] { return cat("'", ty.name, "' is written over '", tx.name, "'"); };
  if (actor.flat || (walk.identity && walk.read_before_write && tx.geometry.channels == ty.geometry.channels)) {
    const int64_t channels = actor.flat ? 1 : ty.geometry.channels;
    const int64_t pixels = actor.flat ? (m.y_end - m.y) / ye : ty.geometry.pixels;
    const int64_t xp = actor.flat ? xe : xv.pixel_pitch * xe, yp = actor.flat ? ye : yv.pixel_pitch * ye;
    const int64_t x0 = m.x + (actor.flat ? 0 : xv.offset), y0 = m.y + (actor.flat ? 0 : yv.offset);
    const Writing writing{y0, yp, ye, x0, xp, xe, pixels, channels, m.x_end};
    if (writes_ahead(writing)) return written_over();
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
      return written_over();
    }
  }
  return {};
}

std::vector<Span> window_columns(const Program& program, const Actor& actor) {
  const program::Operation& mid = program[actor.operations[actor.line_buffer->mid]];
  return columns_read(program, mid, static_cast<size_t>(&window_operand(program, actor) - mid.arguments.data()));
}

// As pixel_by_pixel, with the columns that the layers before the window need for a pixel.
std::optional<std::string> chunk_by_chunk(const Program& program, const LinePlan& plan, const Actor& actor,
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

std::optional<std::string> overwritten(const Program& program, const LinePlan& plan, const Actor& actor,
                                       const Read& read, int64_t line, int64_t made) {
  const bool inner = read.operation + 1 < actor.operations.size();
  return inner ? chunk_by_chunk(program, plan, actor, read, line, made)
               : pixel_by_pixel(program, plan, actor, read, line, made);
}

}  // namespace tarn::stream
