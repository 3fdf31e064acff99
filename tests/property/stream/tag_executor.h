// Runs a plan by lines on an array in which every byte says what it holds: which byte of which line of which tensor's
// memory. Every element that a kernel would read must be what it expects at that very moment, pixel by pixel.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "program/program.h"
#include "stream/network/grid.h"
#include "stream/plan.h"

namespace tarn::stream {

class TagExecutor {
 public:
  TagExecutor(const program::Program& program, const LinePlan& plan)
      : program_(program), plan_(plan), bytes_(static_cast<size_t>(plan.arena), 0), done_(plan.actors.size(), 0) {}

  // Wrong bytes read, among them those of outputs that are missing in the end.
  int64_t run() {
    if (plan_.mode == Mode::resident) {
      for (TensorId id : program_.inputs) fill(id);
    }
    for (const ScheduleLoop& loop : plan_.loops) {
      for (int64_t t = 0; t < loop.times; ++t) {
        for (int actor : loop.actors) step(static_cast<size_t>(actor));
      }
    }
    for (size_t port = 0; port < program_.outputs.size(); ++port) {
      const TensorId id = program_.outputs[port];
      if (!drained(port)) read_lines(id, 0, program_[id].geometry.lines);
    }
    return wrong_;
  }

 private:
  using Geometry = program::Geometry;

  bool drained(size_t port) const {
    for (const Actor& actor : plan_.actors) {
      if (actor.what == Actor::What::drain && actor.port == port) return true;
    }
    return false;
  }

  // Address of an element, and what stands there when it is right.
  struct Spot {
    int64_t at = 0;
    uint64_t tag = 0;
  };
  Spot spot(TensorId id, int64_t line, int64_t pixel, int64_t channel) const {
    const LineView& view = plan_.views[id.pos()];
    const Memory& memory = plan_.memories[static_cast<size_t>(view.memory)];
    const program::Tensor& t = program_[id];
    const int64_t element = t.element_bytes();
    int64_t within = view.offset + (pixel * view.pixel_pitch + channel) * element, row = view.first_line + line;
    if (!view.by_lines) {
      within += (view.first_line * memory.line_bytes) + line * t.geometry.pixels * view.pixel_pitch * element;
      row = within / memory.line_bytes;
      within %= memory.line_bytes;
    }
    const uint64_t tag = (static_cast<uint64_t>(view.memory) + 1) << 48 | static_cast<uint64_t>(row) << 24 |
                         static_cast<uint64_t>(within);
    return {memory.address(row) + within, tag};
  }

  void read(TensorId id, int64_t line, int64_t pixel, int64_t channel) {
    const Spot s = spot(id, line, pixel, channel);
    for (int64_t b = 0; b < program_[id].element_bytes(); ++b) {
      const bool right = s.at >= 0 && s.at + b < plan_.arena &&
                         bytes_[static_cast<size_t>(s.at + b)] == s.tag + static_cast<uint64_t>(b);
      wrong_ += !right;
    }
  }

  void write(TensorId id, int64_t line, int64_t pixel, int64_t channel) {
    const Spot s = spot(id, line, pixel, channel);
    for (int64_t b = 0; b < program_[id].element_bytes(); ++b) {
      if (s.at < 0 || s.at + b >= plan_.arena) ++wrong_;
      else bytes_[static_cast<size_t>(s.at + b)] = s.tag + static_cast<uint64_t>(b);
    }
  }

  void read_pixel(TensorId id, int64_t line, int64_t pixel) {
    for (int64_t c = 0; c < program_[id].geometry.channels; ++c) read(id, line, pixel, c);
  }
  void write_pixel(TensorId id, int64_t line, int64_t pixel) {
    for (int64_t c = 0; c < program_[id].geometry.channels; ++c) write(id, line, pixel, c);
  }

  void read_lines(TensorId id, int64_t first, int64_t end) {
    for (int64_t l = first; l < end; ++l) {
      for (int64_t p = 0; p < program_[id].geometry.pixels; ++p) read_pixel(id, l, p);
    }
  }
  void write_line(TensorId id, int64_t line) {
    for (int64_t p = 0; p < program_[id].geometry.pixels; ++p) write_pixel(id, line, p);
  }
  void fill(TensorId id) {
    for (int64_t l = 0; l < program_[id].geometry.lines; ++l) write_line(id, l);
  }

  // Scratch and sums hold nothing that anybody expects.
  void scribble(int memory) {
    if (memory < 0) return;
    const Memory& m = plan_.memories[static_cast<size_t>(memory)];
    for (int64_t b = 0; b < m.line_bytes; ++b) bytes_[static_cast<size_t>(m.address(0) + b)] = 1;
  }

  void step(size_t number) {
    const Actor& actor = plan_.actors[number];
    const int64_t r = done_[number], lines = lines_of_step(actor, r);
    done_[number] += lines;
    if (actor.what == Actor::What::feed) return write_line(actor.tensor, r);
    if (actor.what == Actor::What::drain) return read_lines(actor.tensor, r, r + 1);
    if (actor.line_buffer) return join(number, r);
    const program::Operation& operation = program_[actor.operations[0]];
    scribble(actor.scratch);
    if (actor.accumulate && r == 0) scribble(actor.accumulator);
    TensorId result;
    for (const program::Argument& a : operation.arguments) {
      if (a.role == program::Argument::Role::write) result = a.tensor;
    }
    if (actor.whole || actor.accumulate) {
      for (const program::Argument& a : operation.arguments) {
        if (a.role != program::Argument::Role::read && a.role != program::Argument::Role::update) continue;
        if (actor.accumulate) read_lines(a.tensor, r, r + 1);
        else read_lines(a.tensor, 0, program_[a.tensor].geometry.lines);
      }
      if (actor.accumulate) scribble(actor.accumulator);
      if (result.valid() && (!actor.accumulate || r == actor.lines - 1)) fill(result);
      return;
    }
    if (actor.at_once > 1) make_together(operation, result, r, lines);
    else make(operation, result, r);
  }

  // Several lines, whose pixels wait in blocks: all that is read may be before any is written, or behind the last but
  // one.
  void make_together(const program::Operation& operation, TensorId result, int64_t first, int64_t lines) {
    const auto read_all = [&](bool again) {
      for (int64_t r = first; r < first + lines; ++r) {
        for (int64_t p = 0; p < program_[result].geometry.pixels; ++p) read_of(operation, r, p, again);
      }
    };
    read_all(false);
    for (int64_t r = first; r < first + lines; ++r) write_line(result, r);
    read_all(true);
  }

  // A line-buffer operator, chunk by chunk: its history and its window hold what is left of the middle tensor, or its
  // window all of it that the line needs.
  void join(size_t number, int64_t r) {
    const Actor& actor = plan_.actors[number];
    const LineBuffer& form = *actor.line_buffer;
    const program::Operation& mid = program_[actor.operations[form.mid]];
    const program::Argument& window = mid.arguments[0];
    const Geometry &middle = program_[window.tensor].geometry,
                   &y = program_[only_result(program_[actor.operations.back()])].geometry;
    const std::vector<program::Span>&lines = window.walk->lines, &columns = window.walk->columns;
    const int64_t pixel = middle.channels * program_[window.tensor].element_bytes();
    const bool before = form.mid > 0;
    const program::Span needed = lines[static_cast<size_t>(r)];
    const int64_t end = form.recompute ? needed.end : end_of(lines, r),
                  from = form.recompute ? needed.first
                         : r == 0       ? 0
                                        : end_of(lines, r - 1),
                  first = std::max(from, end - form.window_lines);
    const auto tag = [&](int64_t line, int64_t column) {
      return (static_cast<uint64_t>(number) + 0x8000) << 48 | static_cast<uint64_t>(line) << 24 |
             static_cast<uint64_t>(column * pixel);
    };
    const auto held = [&](int64_t line) {
      const Memory& history = plan_.memories[static_cast<size_t>(form.history)];
      return history.address(0) + line % form.history_lines * middle.pixels * pixel;
    };
    scribble(actor.scratch);
    scribble(form.memory);
    int64_t origin = 0, done = 0;
    const auto in_window = [&](int64_t line, int64_t column) {
      const int64_t within = ((line - first) * form.window_columns + column - origin) * pixel;
      const Memory& memory = plan_.memories[static_cast<size_t>(form.memory)];
      wrong_ += within < 0 || column - origin >= form.window_columns || within + pixel > memory.line_bytes;
      return memory.address(0) + form.window + within;
    };
    for (int64_t line = from; before && line < first; ++line) {
      for (int64_t c = 0; c < middle.pixels; ++c) {
        read_outside(actor, 0, form.mid, line, c);
        for (int64_t b = 0; b < pixel; ++b)
          bytes_[static_cast<size_t>(held(line) + c * pixel + b)] = tag(line, c) + static_cast<uint64_t>(b);
      }
    }
    for (int64_t p0 = 0; p0 < y.pixels; p0 += form.chunk) {
      const int64_t p1 = std::min(y.pixels, p0 + form.chunk);
      int64_t until = done, next = middle.pixels;
      for (int64_t p = p0; p < p1; ++p) until = std::max(until, columns[static_cast<size_t>(p)].end);
      for (int64_t p = p1; p < y.pixels; ++p) next = std::min(next, columns[static_cast<size_t>(p)].first);
      if (p1 == y.pixels) next = until;
      for (int64_t line = first; before && line < end; ++line) {
        for (int64_t c = done; c < until; ++c) {
          read_outside(actor, 0, form.mid, line, c);
          for (int64_t b = 0, at = in_window(line, c); b < pixel; ++b)
            bytes_[static_cast<size_t>(at + b)] = tag(line, c) + static_cast<uint64_t>(b);
        }
      }
      done = until;
      for (int64_t p = p0; p < p1; ++p) {
        const program::Span rows = lines[static_cast<size_t>(r)], under = columns[static_cast<size_t>(p)];
        for (int64_t line = rows.first; before && line < rows.end; ++line) {
          for (int64_t c = under.first; c < under.end; ++c) {
            const int64_t at = line >= first ? in_window(line, c) : held(line) + c * pixel;
            for (int64_t b = 0; b < pixel; ++b)
              wrong_ += bytes_[static_cast<size_t>(at + b)] != tag(line, c) + static_cast<uint64_t>(b);
          }
        }
        read_outside(actor, form.mid, actor.operations.size(), r, p);
      }
      for (int64_t p = p0; p < p1; ++p) write_pixel(only_result(program_[actor.operations.back()]), r, p);
      next = std::max(next, origin);
      for (int64_t line = first; before && line < end; ++line) {
        const bool kept = !form.recompute && r + 1 < y.lines && line >= lines[static_cast<size_t>(r) + 1].first;
        for (int64_t i = 0; i < (done - origin) * pixel; ++i) {
          const int64_t at = in_window(line, origin) + i;
          if (i >= (next - origin) * pixel)
            bytes_[static_cast<size_t>(at - (next - origin) * pixel)] = bytes_[static_cast<size_t>(at)];
          else if (kept) bytes_[static_cast<size_t>(held(line) + origin * pixel + i)] = bytes_[static_cast<size_t>(at)];
        }
      }
      origin = next;
      done = std::max(done, origin);
    }
  }

  static int64_t end_of(const std::vector<program::Span>& lines, int64_t r) {
    int64_t end = 0;
    for (int64_t i = 0; i <= r; ++i) end = std::max(end, lines[static_cast<size_t>(i)].end);
    return end;
  }

  // What operations [first, end) of a line-buffer operator read for a pixel, but what they make for one another.
  void read_outside(const Actor& actor, size_t first, size_t end, int64_t line, int64_t p) {
    for (size_t i = first; i < end; ++i) {
      for (const program::Argument& a : program_[actor.operations[i]].arguments) {
        const bool inner = i > 0 && a.tensor == only_result(program_[actor.operations[i - 1]]);
        if (a.role != program::Argument::Role::read || inner) continue;
        const program::Span lines =
            a.walk->identity ? program::Span{line, line + 1} : a.walk->lines[static_cast<size_t>(line)];
        const program::Span columns =
            a.walk->identity ? program::Span{p, p + 1} : a.walk->columns[static_cast<size_t>(p)];
        for (int64_t l = lines.first; l < lines.end; ++l) {
          for (int64_t c = columns.first; c < columns.end; ++c) read_pixel(a.tensor, l, c);
        }
      }
    }
  }

  // All that pixel p of line r reads; `again`: but what the pixel itself may stand on.
  void read_of(const program::Operation& operation, int64_t r, int64_t p, bool again) {
    for (const program::Argument& a : operation.arguments) {
      if (a.role != program::Argument::Role::read || (again && a.walk->identity && a.walk->read_before_write)) continue;
      const program::Span lines = a.walk->identity ? program::Span{r, r + 1} : a.walk->lines[static_cast<size_t>(r)];
      const program::Span columns =
          a.walk->identity ? program::Span{p, p + 1} : a.walk->columns[static_cast<size_t>(p)];
      for (int64_t l = lines.first; l < lines.end; ++l) {
        for (int64_t c = columns.first; c < columns.end; ++c) read_pixel(a.tensor, l, c);
      }
    }
  }

  // All that pixel p of line r reads, then the pixel; elementwise kernels element by element.
  void make(const program::Operation& operation, TensorId result, int64_t r) {
    const Geometry& y = program_[result].geometry;
    for (int64_t p = 0; p < y.pixels; ++p) {
      std::vector<TensorId> elementwise;
      for (const program::Argument& a : operation.arguments) {
        if (a.role != program::Argument::Role::read) continue;
        const program::Walk& walk = *a.walk;
        if (walk.identity && walk.read_before_write) {
          elementwise.push_back(a.tensor);
          continue;
        }
        const program::Span lines = walk.identity ? program::Span{r, r + 1} : walk.lines[static_cast<size_t>(r)];
        const program::Span columns = walk.identity ? program::Span{p, p + 1} : walk.columns[static_cast<size_t>(p)];
        for (int64_t l = lines.first; l < lines.end; ++l) {
          for (int64_t c = columns.first; c < columns.end; ++c) read_pixel(a.tensor, l, c);
        }
      }
      for (int64_t c = 0; c < y.channels; ++c) {
        // A part of the channels is copied into a wider pixel.
        for (TensorId id : elementwise) {
          if (c < program_[id].geometry.channels) read(id, r, p, c);
        }
        write(result, r, p, c);
        // Inputs of the pixel may be read again until its last channel is written.
        if (c + 1 < y.channels) read_again(operation, r, p);
      }
    }
  }

  void read_again(const program::Operation& operation, int64_t r, int64_t p) {
    for (const program::Argument& a : operation.arguments) {
      if (a.role != program::Argument::Role::read || (a.walk->identity && a.walk->read_before_write)) continue;
      const program::Span lines = a.walk->identity ? program::Span{r, r + 1} : a.walk->lines[static_cast<size_t>(r)];
      const program::Span columns =
          a.walk->identity ? program::Span{p, p + 1} : a.walk->columns[static_cast<size_t>(p)];
      if (lines.first < lines.end && columns.first < columns.end) read_pixel(a.tensor, lines.first, columns.first);
    }
  }

  const program::Program& program_;
  const LinePlan& plan_;
  std::vector<uint64_t> bytes_;
  std::vector<int64_t> done_;
  int64_t wrong_ = 0;
};

}  // namespace tarn::stream
