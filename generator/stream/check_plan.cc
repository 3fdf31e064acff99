#include "stream/check_plan.h"

#include <algorithm>
#include <set>

#include "stream/arena_map.h"
#include "support/text.h"

namespace tarn::stream {

namespace {

using program::Argument;
using program::Operation;
using program::Program;
using program::Span;
using program::Tensor;

constexpr size_t kMostFindings = 8;

size_t Z(int64_t i) { return static_cast<size_t>(i); }

class Checker {
 public:
  Checker(const Program& program, const Plan& plan) : program_(program), plan_(plan), done_(plan.actors.size(), 0) {}

  std::vector<std::string> run() {
    if (!well_formed()) return findings_;
    if (plan_.mode == Mode::resident) {
      for (TensorId id : program_.inputs) write_tensor(id);
    }
    if (plan_.driver >= 0) write_line(plan_.driver, 0);
    for (size_t s = 0; s < plan_.steps.size() && findings_.size() < kMostFindings; ++s) {
      step_ = s;
      run_step(plan_.steps[s]);
    }
    finish();
    return findings_;
  }

 private:
  void fault(const std::string& what) {
    if (findings_.size() < kMostFindings) findings_.push_back(cat("step ", step_, ": ", what));
  }

  // Addresses inside the arena, actors and words that exist.
  bool well_formed() {
    for (size_t m = 0; m < plan_.memories.size(); ++m) {
      const Memory& memory = plan_.memories[m];
      const bool table = memory.addressing == Addressing::table;
      if (table ? static_cast<int64_t>(memory.table.size()) != memory.lines : memory.slots < 1) fault(cat("memory ", m, " has no places"));
    }
    std::vector<int> expanded;
    for (const Word& word : plan_.words) {
      for (int64_t t = 0; t < word.times; ++t) expanded.insert(expanded.end(), word.actors.begin(), word.actors.end());
    }
    bool same = expanded.size() == plan_.steps.size();
    for (size_t s = 0; same && s < expanded.size(); ++s) same = expanded[s] == plan_.steps[s].actor;
    if (!same) fault("the words are not the steps");
    return findings_.empty();
  }

  const Memory& memory(int m) const { return plan_.memories[Z(m)]; }
  int64_t address(int m, int64_t line) const { return memory(m).address(line); }

  void write_line(int m, int64_t line) {
    const int64_t at = address(m, line);
    if (at < 0 || at + memory(m).line_bytes > plan_.arena) fault(cat("memory ", m, " line ", line, " lies outside the arena"));
    // A line is written once, or part by part while it is there.
    if (!born_.insert({m, line}).second) fault(cat("memory ", m, " line ", line, " has lost what was written to it"));
    map_.write(at, memory(m).line_bytes, {m, line});
  }

  bool line_there(int m, int64_t line) const { return map_.holds(address(m, line), memory(m).line_bytes, {m, line}); }

  // The memory's lines that lines [first, end) of a tensor lie in.
  Span lines_of(TensorId id, int64_t first, int64_t end) const {
    const LineView& view = plan_.views[id.pos()];
    if (first >= end) return {};
    if (view.by_lines) return {view.first_line + first, view.first_line + end};
    const Tensor& t = program_[id];
    const int64_t line_bytes = memory(view.memory).line_bytes;
    const int64_t start = view.first_line * line_bytes + view.offset, pitch = t.geometry.pixels * view.pixel_pitch * t.element_bytes();
    const int64_t last = ((t.geometry.pixels - 1) * view.pixel_pitch + t.geometry.channels) * t.element_bytes();
    const int64_t whole = is_packed(t.type.dtype) ? t.bytes() : (end - 1) * pitch + last;
    return {(start + (is_packed(t.type.dtype) ? 0 : first * pitch)) / line_bytes, (start + whole + line_bytes - 1) / line_bytes};
  }

  Span lines_of(TensorId id) const { return lines_of(id, 0, program_[id].geometry.lines); }

  void write_tensor(TensorId id) {
    const LineView& view = plan_.views[id.pos()];
    if (view.memory < 0) return;
    const Span span = lines_of(id);
    for (int64_t l = span.first; l < span.end; ++l) {
      // Other tensors may have written other parts of the line.
      if (!line_there(view.memory, l)) write_line(view.memory, l);
    }
  }

  void need(TensorId id, Span span, const char* why) {
    const int m = plan_.views[id.pos()].memory;
    if (m < 0) return;
    for (int64_t l = span.first; l < span.end; ++l) {
      if (!line_there(m, l)) return fault(cat(why, " '", program_[id].name, "': line ", l, " of memory ", m, " is not there"));
    }
  }

  // The kernel is handed the tensor's lines one after the other.
  void need_together(TensorId id) {
    const LineView& view = plan_.views[id.pos()];
    if (view.memory < 0 || memory(view.memory).line_bytes == 0) return;
    const Span span = lines_of(id);
    const Tensor& t = program_[id];
    if (view.by_lines && t.geometry.lines > 1 && t.geometry.pixels * view.pixel_pitch * t.element_bytes() != memory(view.memory).line_bytes) {
      return fault(cat("'", t.name, "' is not in one piece"));
    }
    for (int64_t l = span.first; l + 1 < span.end; ++l) {
      if (address(view.memory, l + 1) != address(view.memory, l) + memory(view.memory).line_bytes) {
        return fault(cat("'", program_[id].name, "' is not in one piece"));
      }
    }
  }

  void run_step(const Step& step) {
    const Actor& actor = plan_.actors[Z(step.actor)];
    int64_t& done = done_[Z(step.actor)];
    if (step.first_line != done || step.lines != 1) return fault(cat("actor ", step.actor, " makes line ", step.first_line, " after ", done));
    ++done;
    switch (actor.what) {
      case Actor::What::feed: return feed(step);
      case Actor::What::drain: return drain(actor, step.first_line);
      case Actor::What::operation: break;
    }
    const Operation& operation = program_[actor.operations[0]];
    if (actor.line_buffer) return buffered(actor, step.first_line);
    if (actor.whole) whole(operation);
    else if (actor.accumulate) accumulate(actor, operation, step.first_line);
    else make(actor, operation, step.first_line);
  }

  // An input comes from its first line to its last, then perhaps again.
  void feed(const Step& step) {
    const Actor& actor = plan_.actors[Z(step.actor)];
    for (size_t n = 0; n < plan_.actors.size(); ++n) {
      const Actor& other = plan_.actors[n];
      if (other.what != Actor::What::feed || other.port != actor.port || static_cast<int>(n) == step.actor) continue;
      if (done_[n] != (other.pass < actor.pass ? other.lines : 0)) fault(cat("pass ", actor.pass, " of input ", actor.port, " comes out of turn"));
    }
    write_line(plan_.views[actor.tensor.pos()].memory, step.first_line);
  }

  void drain(const Actor& actor, int64_t line) {
    const TensorId id = actor.tensor;
    const Span all = lines_of(id);
    need(id, actor.whole ? all : Span{all.first + line, all.first + line + 1}, "handing out");
  }

  void whole(const Operation& operation) {
    const auto check = [&] {
      for (const Argument& a : operation.arguments) {
        if (!a.tensor.valid() || a.role == Argument::Role::scratch || a.role == Argument::Role::write) continue;
        need(a.tensor, lines_of(a.tensor), "reading");
        need_together(a.tensor);
      }
    };
    check();
    for (const Argument& a : operation.arguments) {
      if (a.tensor.valid() && a.role == Argument::Role::scratch) write_line(plan_.views[a.tensor.pos()].memory, 0);
    }
    check();
    for (const Argument& a : operation.arguments) {
      if (!a.tensor.valid() || (a.role != Argument::Role::write && a.role != Argument::Role::update)) continue;
      need_together(a.tensor);
      write_tensor(a.tensor);
    }
    // Whole kernels read while they write.
    check();
    for (const Argument& a : operation.arguments) {
      if (a.tensor.valid() && a.role == Argument::Role::scratch && !line_there(plan_.views[a.tensor.pos()].memory, 0)) fault("scratch is overwritten");
    }
  }

  struct Read {
    TensorId tensor;
    size_t argument = 0;
    Span lines;
    bool together = false;
    size_t operation = 0;  // of a line-buffer operator
  };

  // What line r of an operation needs.
  std::vector<Read> reads(const Actor& actor, const Operation& operation, TensorId result, int64_t r) const {
    std::vector<Read> reads;
    for (size_t i = 0; i < operation.arguments.size(); ++i) {
      const Argument& a = operation.arguments[i];
      if (a.role != Argument::Role::read || !a.tensor.valid()) continue;
      const program::Geometry &x = program_[a.tensor].geometry, &y = program_[result].geometry;
      Read read{a.tensor, i, lines_of(a.tensor), false, 0};
      const bool walks = a.walk && !a.walk->same_place;
      if (actor.accumulate) {
        if (reads.empty()) read.lines = lines_of(a.tensor, r, r + 1);
      } else if (walks && actor.flat) {
        read.lines = {r, r + 1};
      } else if (walks && a.walk->identity && x.lines == y.lines && x.pixels == y.pixels) {
        read.lines = lines_of(a.tensor, r, r + 1);
      } else if (walks && !a.walk->identity && static_cast<int64_t>(a.walk->lines.size()) == y.lines) {
        const Span own = a.walk->lines[Z(r)];
        read.lines = lines_of(a.tensor, own.first, own.end);
      } else {
        read.together = true;
      }
      reads.push_back(read);
    }
    return reads;
  }

  static TensorId result_of(const Operation& operation) {
    for (const Argument& a : operation.arguments) {
      if (a.role == Argument::Role::write) return a.tensor;
    }
    return {};
  }

  void need_all(const std::vector<Read>& reads) {
    for (const Read& read : reads) {
      need(read.tensor, read.lines, "reading");
      if (read.together) need_together(read.tensor);
    }
  }

  // Scratch may stand nowhere where the step reads or writes.
  void take_scratch(const Actor& actor, int64_t r) {
    if (actor.scratch >= 0) write_line(actor.scratch, r);
  }
  void keep_scratch(const Actor& actor, int64_t r) {
    if (actor.scratch >= 0 && !line_there(actor.scratch, r)) fault("scratch is overwritten");
  }

  void accumulate(const Actor& actor, const Operation& operation, int64_t r) {
    const TensorId result = result_of(operation);
    const std::vector<Read> needed = reads(actor, operation, result, r);
    need_all(needed);
    take_scratch(actor, r);
    if (actor.accumulator >= 0) {
      if (r == 0) write_line(actor.accumulator, 0);
      if (!line_there(actor.accumulator, 0)) fault("the sums are overwritten");
    }
    need_all(needed);
    if (r == actor.lines - 1) write_tensor(result);
    need_all(needed);
    keep_scratch(actor, r);
    if (actor.accumulator >= 0 && !line_there(actor.accumulator, 0)) fault("the sums are overwritten");
  }

  void make(const Actor& actor, const Operation& operation, int64_t r) {
    const TensorId result = result_of(operation);
    const std::vector<Read> needed = reads(actor, operation, result, r);
    need_all(needed);
    take_scratch(actor, r);
    need_all(needed);
    const LineView& view = plan_.views[result.pos()];
    const int64_t line = actor.flat ? r : view.first_line + r;
    for (const Read& read : needed) {
      const int m = plan_.views[read.tensor.pos()].memory;
      for (int64_t l = read.lines.first; m >= 0 && l < read.lines.end; ++l) pixel_by_pixel(actor, operation, read, l, result, line);
    }
    if (!line_there(view.memory, line)) write_line(view.memory, line);
    keep_scratch(actor, r);
  }

  // A line-buffer operator: what its layers read from outside, its history, and the line made.
  void buffered(const Actor& actor, int64_t r) {
    const LineBuffer& form = *actor.line_buffer;
    const TensorId result = result_of(program_[actor.operations.back()]);
    const std::vector<Read> needed = outside_reads(actor, r);
    const auto history = [&] {
      if (form.history >= 0 && !line_there(form.history, 0)) fault("the history is overwritten");
    };
    if (r == 0 && form.history >= 0) write_line(form.history, 0);
    need_all(needed);
    take_scratch(actor, r);
    history();
    need_all(needed);
    const LineView& view = plan_.views[result.pos()];
    for (const Read& read : needed) {
      const int m = plan_.views[read.tensor.pos()].memory;
      for (int64_t l = read.lines.first; m >= 0 && l < read.lines.end; ++l) chunk_by_chunk(actor, read, l, result, view.first_line + r);
    }
    if (!line_there(view.memory, view.first_line + r)) write_line(view.memory, view.first_line + r);
    history();
    keep_scratch(actor, r);
  }

  const Argument& window_operand(const Actor& actor) const {
    const Operation& mid = program_[actor.operations[actor.line_buffer->mid]];
    return *std::find_if(mid.arguments.begin(), mid.arguments.end(), [](const Argument& a) { return a.role == Argument::Role::read && a.tensor.valid(); });
  }

  // Lines of the middle tensor that step r makes: those of its window that no earlier window had.
  Span fresh(const Actor& actor, int64_t r) const {
    const program::Walk& walk = *window_operand(actor).walk;
    int64_t before = 0;
    for (int64_t i = 0; i < r; ++i) before = std::max(before, walk.lines[Z(i)].end);
    return {before, std::max(before, walk.lines[Z(r)].end)};
  }

  std::vector<Read> outside_reads(const Actor& actor, int64_t r) const {
    std::vector<Read> all;
    const Span middle = fresh(actor, r);
    for (size_t i = 0; i < actor.operations.size(); ++i) {
      Actor single;
      const TensorId inner = i > 0 ? result_of(program_[actor.operations[i - 1]]) : TensorId{};
      const Operation& operation = program_[actor.operations[i]];
      const bool early = i < actor.line_buffer->mid;
      for (int64_t line = early ? middle.first : r; line < (early ? middle.end : r + 1); ++line) {
        for (Read& read : reads(single, operation, result_of(operation), line)) {
          read.operation = i;
          if (read.tensor != inner) all.push_back(read);
        }
      }
    }
    return all;
  }

  // As pixel_by_pixel, with the columns that the layers before the window need for a pixel.
  void chunk_by_chunk(const Actor& actor, const Read& read, int64_t line, TensorId result, int64_t made) {
    const LineView &xv = plan_.views[read.tensor.pos()], &yv = plan_.views[result.pos()];
    const int64_t x = address(xv.memory, line), y = address(yv.memory, made);
    const int64_t x_end = x + memory(xv.memory).line_bytes;
    if (y >= x_end || y + memory(yv.memory).line_bytes <= x) return;
    const Operation& operation = program_[actor.operations[read.operation]];
    if (read.operation + 1 == actor.operations.size()) {
      Read own = read;
      own.operation = 0;
      return pixel_by_pixel(actor, operation, own, line, result, made);
    }
    const Tensor &tx = program_[read.tensor], &ty = program_[result];
    const Argument& a = operation.arguments[read.argument];
    if (!a.walk || read.together) return fault(cat("'", ty.name, "' stands over '", tx.name, "', which is read as a whole"));
    int64_t needed = tx.geometry.pixels;
    for (int64_t p = ty.geometry.pixels; p-- > 0;) {
      Span middle{p, p + 1};
      if (read.operation < actor.line_buffer->mid) middle = window_operand(actor).walk->columns[Z(p)];
      for (int64_t c = middle.first; c < middle.end; ++c) {
        const Span span = a.walk->identity ? Span{c, c + 1} : a.walk->columns[Z(c)];
        if (span.first < span.end) needed = std::min(needed, span.first);
      }
      const int64_t to = y + yv.offset + p * yv.pixel_pitch * ty.element_bytes();
      const int64_t from = x + xv.offset + needed * xv.pixel_pitch * tx.element_bytes();
      if (needed < tx.geometry.pixels && to < x_end && to + ty.geometry.channels * ty.element_bytes() > from) {
        return fault(cat("'", ty.name, "' is written over '", tx.name, "'"));
      }
    }
  }

  // The line made may stand over a line read, as long as no pixel is written over what it or a later pixel needs.
  void pixel_by_pixel(const Actor& actor, const Operation& operation, const Read& read, int64_t line, TensorId result, int64_t made) {
    const LineView &xv = plan_.views[read.tensor.pos()], &yv = plan_.views[result.pos()];
    const int64_t x = address(xv.memory, line), y = address(yv.memory, made);
    const int64_t x_end = x + memory(xv.memory).line_bytes;
    if (y >= x_end || y + memory(yv.memory).line_bytes <= x || (xv.memory == yv.memory && line == made)) return;
    if (!actor.overlapping) return fault("a line stands over one that is read, and the actor is not told");
    const Argument& a = operation.arguments[read.argument];
    const Tensor &tx = program_[read.tensor], &ty = program_[result];
    if (!a.walk || read.together) return fault(cat("'", ty.name, "' stands over '", tx.name, "', which is read as a whole"));
    const program::Walk& walk = *a.walk;
    const int64_t xe = tx.element_bytes(), ye = ty.element_bytes();
    const auto collision = [&](int64_t write_first, int64_t write_end, int64_t need_first) {
      return write_first < x_end && write_end > need_first;
    };
    if (actor.flat || (walk.identity && walk.read_before_write && tx.geometry.channels == ty.geometry.channels)) {
      const int64_t channels = actor.flat ? 1 : ty.geometry.channels;
      const int64_t pixels = actor.flat ? memory(yv.memory).line_bytes / ye : ty.geometry.pixels;
      const int64_t xp = actor.flat ? xe : xv.pixel_pitch * xe, yp = actor.flat ? ye : yv.pixel_pitch * ye;
      const int64_t x0 = x + (actor.flat ? 0 : xv.offset), y0 = y + (actor.flat ? 0 : yv.offset);
      for (int64_t i = 0; i + 1 < pixels * channels; ++i) {
        const int64_t next = i + 1, to = y0 + i / channels * yp + i % channels * ye;
        if (collision(to, to + ye, x0 + next / channels * xp + next % channels * xe)) return fault(cat("'", ty.name, "' is written over '", tx.name, "'"));
      }
      return;
    }
    int64_t column = tx.geometry.pixels;
    for (int64_t p = ty.geometry.pixels; p-- > 0;) {
      const int64_t later = column;  // the first column that pixels after p need
      const Span span = walk.identity ? Span{p, p + 1} : walk.columns[Z(p)];
      if (span.first < span.end) column = std::min(column, span.first);
      const bool ahead = walk.read_before_write && xe == ye && (!walk.identity || ty.geometry.channels == 1);
      const int64_t needed = ahead ? later : column;
      if (needed >= tx.geometry.pixels) continue;
      const int64_t to = y + yv.offset + p * yv.pixel_pitch * ye;
      if (collision(to, to + ty.geometry.channels * ye, x + xv.offset + needed * xv.pixel_pitch * xe)) {
        return fault(cat("'", ty.name, "' is written over '", tx.name, "'"));
      }
    }
  }

  void finish() {
    step_ = plan_.steps.size();
    if (plan_.driver >= 0 && !line_there(plan_.driver, 0)) fault("the driver's state is overwritten");
    std::vector<bool> drained(program_.outputs.size(), false);
    for (size_t n = 0; n < plan_.actors.size(); ++n) {
      const Actor& actor = plan_.actors[n];
      if (actor.what != Actor::What::drain) continue;
      drained[actor.port] = true;
      if (done_[n] != actor.lines) fault("an output is not handed out to its end");
    }
    for (size_t port = 0; port < program_.outputs.size(); ++port) {
      if (drained[port]) continue;
      need(program_.outputs[port], lines_of(program_.outputs[port]), "output");
      need_together(program_.outputs[port]);
    }
  }

  const Program& program_;
  const Plan& plan_;
  ArenaMap map_;
  std::set<std::pair<int, int64_t>> born_;
  std::vector<int64_t> done_;
  size_t step_ = 0;
  std::vector<std::string> findings_;
};

}  // namespace

std::vector<std::string> check_plan(const Program& program, const Plan& plan) { return Checker(program, plan).run(); }

}  // namespace tarn::stream
