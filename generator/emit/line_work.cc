#include "emit/line_work.h"

#include <algorithm>

#include "emit/normal_call.h"
#include "emit/stream_ports.h"
#include "program/operands.h"
#include "stream/network/chains.h"
#include "stream/network/grid.h"
#include "stream/network/join_lines.h"
#include "support/check.h"
#include "support/text.h"
#include "time/quotients.h"

namespace tarn::emit {

namespace {

using program::Argument;
using program::LineArgument;
using program::LineCall;
using program::LineMap;
using program::Operation;
using program::TensorId;
using stream::Actor;
using How = LineArgument::How;

class StepCounter {
 public:
  explicit StepCounter(const Analysis& analysis)
      : analysis_(analysis), plan_(*analysis.stream), program_(analysis.program), called_(by_calls(plan_)) {}

  LineStep count(int number, int64_t line) {
    step_ = {number, {}, {}};
    const Actor& actor = plan_.actors[static_cast<size_t>(number)];
    if (actor.what != Actor::What::operation) port(actor, line);
    else add(called_ ? "called_steps" : "steps");
    if (!called_) add("run_steps");
    if (actor.line_buffer) chain(actor, line);
    else if (actor.whole) whole(actor);
    else if (!actor.operations.empty()) of_line(actor, line);
    return std::move(step_);
  }

 private:
  void add(const std::string& term, int64_t count = 1) {
    if (count != 0) step_.terms[term] += count;
  }

  // A pointer to a line that is found in its memory: a remainder, which some cores find step by step.
  void find_line(TensorId id, int64_t line, const std::string& term = "lines", bool of_memory = false) {
    const stream::LineView& view = plan_.views[id.pos()];
    const bool outside = view.memory < 0;
    const stream::Memory* memory = outside ? nullptr : &plan_.memories[static_cast<size_t>(view.memory)];
    const bool ring = memory && (of_memory || view.by_lines);
    const int64_t slots = ring ? memory->slots : program_[id].geometry.lines;
    const int64_t at = line + (ring && !of_memory ? view.first_line : 0);
    add(term);
    if (memory && memory->addressing == stream::Addressing::table) add("table_lines");
    timing::Quotients quotients;
    quotients.add(static_cast<uint64_t>(std::max<int64_t>(0, at) / std::max<int64_t>(1, slots)));
    add("quotient_steps", quotients.steps);
    add("quotient_ones", quotients.ones);
  }

  void find_rows(TensorId id, const LineMap& map, int64_t line) {
    add("row_calls");
    if (map.table) return add("rows_by_table", map.count);
    for (int64_t j = 0; j < map.count; ++j) {
      if (map.exact) add("divided_rows");
      const int64_t number = row_of(map, line, j);
      if (number >= 0 && number < program_[id].geometry.lines) find_line(id, number, "rows");
      else add("rows_outside");
    }
  }

  void whole(const Actor& actor) { step_.calls.push_back({actor.operations.front()}); }

  // A line that comes in or goes out.
  void port(const Actor& actor, int64_t line) {
    const bool feed = actor.what == Actor::What::feed;
    const TensorId id = actor.tensor;
    const program::Tensor& t = program_[id];
    add(feed ? "pushes" : "pulls");
    if (!actor.operations.empty()) return;
    find_line(id, line, "lines", actor.lines != t.geometry.lines);
    const int64_t bits = t.type.bytes() * 8 / std::max<int64_t>(1, t.geometry.count());
    add(cat(feed ? "pushed_" : "pulled_", bits, "_bits"), t.geometry.count() / actor.lines);
  }

  // Of an accumulator it is a line taken in.
  void of_line(const Actor& actor, int64_t line) {
    if (actor.joined) return joined(actor, line);
    if (actor.at_once > 1) return together(actor, line);
    const program::OperationId id = actor.operations.front();
    const Operation& operation = program_[id];
    const TensorId made = stream::only_result(operation);
    for (size_t c = 0; c < operation.line_form->calls.size(); ++c) {
      const LineCall& call = operation.line_form->calls[c];
      const bool each = call.when == LineCall::When::each;
      if (actor.gathered == 0 && !each && line != accumulated_at(operation, call)) continue;
      for (int64_t i = 0; i < (each ? std::max<int64_t>(1, actor.gathered) : 1); ++i) {
        LineKernelCall made_call{id, static_cast<int>(c), line, 1, 0, program_[made].geometry.pixels};
        if (actor.gathered > 0) add("gathered");
        arguments(actor, operation, call, line + i, made_call);
        if (actor.flat) made_call.flat_elements = flat_elements(operation);
        step_.calls.push_back(normal_lines(program_, operation, call, made_call));
      }
    }
  }

  // Several lines in a step: one call of a kernel that makes them together, or one after the other.
  void together(const Actor& actor, int64_t line) {
    const program::OperationId id = actor.operations.front();
    const Operation& operation = program_[id];
    const program::LineForm& form = *operation.line_form;
    const int64_t lines = stream::lines_of_step(actor, line);
    LineKernelCall made{id, 0, line, 1, 0, program_[stream::only_result(operation)].geometry.pixels};
    if (actor.flat) made.flat_elements = flat_elements(operation);
    for (int64_t l = line; l < line + lines; ++l) {
      made.line = l;
      arguments(actor, operation, form.calls.front(), l, made);
      if (!form.together) step_.calls.push_back(normal_lines(program_, operation, form.calls.front(), made));
    }
    if (!form.together) return;
    made.call = kTogether;
    made.line = line;
    made.lines = lines;
    step_.calls.push_back(normal_lines(program_, operation, form.calls.front(), made));
  }

  // Several lines that are one to the kernel, or several as windows stand.
  void joined(const Actor& actor, int64_t line) {
    const program::OperationId id = actor.operations.front();
    const Operation& operation = program_[id];
    const LineCall& call = operation.line_form->calls.front();
    const int64_t pixels = program_[stream::only_result(operation)].geometry.pixels, end = line + actor.at_once;
    for (int64_t l = line; l < end;) {
      const int64_t lines = side_by_side(operation, call, l, end - l);
      LineKernelCall made{id, 0, l, 1, 0, pixels * lines};
      made.joined = lines;
      if (!operation.line_form->joins) made.flat_elements = lines * flat_elements(operation);
      arguments(actor, operation, call, l, made);
      step_.calls.push_back(normal_lines(program_, operation, call, made));
      l += lines;
    }
  }

  // As the step finds out at run time.
  int64_t side_by_side(const Operation& operation, const LineCall& call, int64_t line, int64_t most) {
    if (!stream::reads_windows(operation)) return most;
    for (const LineArgument& a : call.arguments) {
      if (a.how != How::rows) continue;
      const TensorId id = operation.arguments[a.argument].tensor;
      const int64_t lines = program_[id].geometry.lines, slots = memory_of(plan_, id).slots;
      add("comparisons", a.map.count);
      for (int64_t j = 0; j < a.map.count; ++j) {
        const int64_t at = row_of(a.map, line, j), s = a.map.scale;
        const int64_t left = at < 0 ? -at : at < lines ? std::min(slots - at % slots, lines - at) : (most - 1) * s + 1;
        most = std::min(most, (left + s - 1) / s);
      }
    }
    return most;
  }

  // The line of its operand at which an accumulator makes this call.
  int64_t accumulated_at(const Operation& operation, const LineCall& call) const {
    return call.when == LineCall::When::first ? 0 : program_[source_operand(operation).tensor].geometry.lines - 1;
  }

  int64_t flat_elements(const Operation& operation) const {
    const TensorId made = stream::only_result(operation);
    const int memory = plan_.views[made.pos()].memory;
    const stream::Memory& of =
        plan_.memories[memory >= 0 ? static_cast<size_t>(memory) : plan_.storage[made].buffer.pos()];
    return of.line_bytes / program_[made].element_bytes();
  }

  void arguments(const Actor& actor, const Operation& operation, const LineCall& call, int64_t line,
                 LineKernelCall& made) {
    for (const LineArgument& a : call.arguments) {
      const Argument& operand = operation.arguments[a.argument];
      if (a.how == How::rows) find_rows(operand.tensor, a.map, line);
      if (a.how == How::apart) made.apart = apart(actor, operation, call, line);
      if (a.how != How::line) continue;
      if (operand.role == Argument::Role::read && actor.what == Actor::What::feed) continue;
      if (a.number != 0) add("padded_lines");
      if (a.map.table) add("lines_by_table");
      const int64_t at = actor.accumulate && operand.role != Argument::Role::read
                             ? 0
                             : (a.map.scale * line + a.map.first) / std::max<int64_t>(1, a.map.divide);
      find_line(operand.tensor, at, "lines", actor.flat);
    }
  }

  // As the step finds out at run time.
  bool apart(const Actor& actor, const Operation& operation, const LineCall& call, int64_t line) {
    if (!actor.overlapping || actor.what == Actor::What::feed) return true;
    const TensorId y = stream::only_result(operation);
    bool all = true;
    for (const LineArgument& a : call.arguments) {
      const Argument& operand = operation.arguments[a.argument];
      if ((a.how != How::line && a.how != How::rows) || operand.role != Argument::Role::read) continue;
      add("comparisons", a.map.count);
      for (int64_t j = 0; j < a.map.count; ++j) {
        const int64_t at = a.how == How::rows ? row_of(a.map, line, j) : line;
        if (at < 0 || at >= program_[operand.tensor].geometry.lines) continue;
        const auto from = bytes_of(operand.tensor, at), to = bytes_of(y, line);
        if (!from || !to) continue;
        const bool same = a.how == How::line && operand.walk->read_before_write && from->first == to->first;
        all = all && (from->end <= to->first || to->end <= from->first || same);
      }
    }
    return all;
  }

  // In the arena.
  std::optional<program::Span> bytes_of(TensorId id, int64_t line) const {
    const stream::LineView& view = plan_.views[id.pos()];
    if (view.memory < 0) return {};
    const program::Tensor& t = program_[id];
    const stream::Memory& memory = plan_.memories[static_cast<size_t>(view.memory)];
    const int64_t length = ((t.geometry.pixels - 1) * view.pixel_pitch + t.geometry.channels) * t.element_bytes();
    const int64_t pitch = t.geometry.pixels * view.pixel_pitch * t.element_bytes();
    const int64_t first = view.by_lines ? memory.address(line + view.first_line) + view.offset
                                        : resident_address(plan_, id).value_or(0) + line * pitch;
    return program::Span{first, first + length};
  }

  // A line-buffer operator: see ChainWriter.
  void chain(const Actor& actor, int64_t r) {
    const stream::LineBuffer& form = *actor.line_buffer;
    const Operation& mid = program_[actor.operations[form.mid]];
    const LineCall& mid_call = mid.line_form->calls[0];
    const LineArgument* window = mid_call.rows();
    TARN_CHECK(window);
    const LineMap& map = window->map;
    const TensorId middle = mid.arguments[window->argument].tensor;
    const program::Geometry& held = program_[middle].geometry;
    const int64_t pixels = program_[stream::only_result(mid)].geometry.pixels;
    const int64_t chunks = (pixels + form.chunk - 1) / form.chunk, reach = map.first + (map.count - 1) * map.step + 1;
    const auto clip = [&](int64_t v) { return std::clamp<int64_t>(v, 0, held.lines); };
    const int64_t end = clip(map.scale * r + reach);
    const int64_t from = form.recompute ? clip(map.scale * r + map.first)
                         : r == 0       ? 0
                                        : clip(map.scale * (r - 1) + reach);
    const int64_t first = std::max(end - form.window_lines, from), kept = clip(map.scale * (r + 1) + map.first);
    const std::vector<program::Span> reads = stream::columns_read(program_, mid, window->argument);
    const int64_t pixel = held.channels * program_[middle].element_bytes();
    add("joined_steps");
    for (int64_t line = from; form.mid > 0 && form.history_lines > 0 && line < first; ++line) {
      for (size_t i = 0; i < form.mid; ++i) part(actor, i, line, 0, held.pixels);
    }
    const std::vector<program::Span> columns = stream::columns_of_chunks(reads, form.chunk, held.pixels);
    int64_t origin = columns.empty() ? 0 : columns[0].first, done = origin;
    for (int64_t c = 0; c < chunks; ++c) {
      const int64_t p0 = c * form.chunk, p1 = std::min(p0 + form.chunk, pixels);
      add("chunks");
      if (form.mid > 0) {
        const int64_t until = columns[static_cast<size_t>(c)].end;
        for (int64_t line = first; line < end && done < until; ++line) {
          for (size_t i = 0; i < form.mid; ++i) part(actor, i, line, done, until);
        }
        done = until;
      }
      for (size_t i = form.mid; i < actor.operations.size(); ++i) {
        if (i == form.mid && form.mid > 0) window_rows(map, held.lines, r);
        part(actor, i, r, p0, p1);
      }
      if (form.mid == 0) continue;
      const int64_t next = c + 1 < chunks ? columns[static_cast<size_t>(c) + 1].first : done;
      const int64_t read_to = std::min(next, done);
      for (int64_t line = first; line < end; ++line) {
        add("window_lines");
        if (form.history_lines > 0 && line >= kept) move((read_to - origin) * pixel);
        move((done - read_to) * pixel);
      }
      origin = next;
      done = std::max(done, origin);
    }
  }

  void window_rows(const LineMap& map, int64_t lines, int64_t r) {
    for (int64_t j = 0; j < map.count; ++j) {
      const int64_t at = map.scale * r + map.first + j * map.step;
      add(at < 0 || at >= lines ? "rows_outside" : "window_rows");
    }
  }

  void move(int64_t bytes) {
    add("moves");
    add("moved_blocks", std::max<int64_t>(0, bytes) / 16);
    add("moved_bytes", std::max<int64_t>(0, bytes) % 16);
  }

  // One layer of a chain, for some columns of a line.
  void part(const Actor& actor, size_t position, int64_t line, int64_t first, int64_t end) {
    const program::OperationId id = actor.operations[position];
    const Operation& operation = program_[id];
    const LineCall& call = operation.line_form->calls[0];
    const stream::LineBuffer& form = *actor.line_buffer;
    const TensorId made = stream::only_result(operation);
    const TensorId inner = position > 0 ? stream::only_result(program_[actor.operations[position - 1]]) : TensorId{};
    const bool last = position + 1 == actor.operations.size();
    LineKernelCall one{id, 0, line, 1, first, end};
    one.apart = !stream::writes_over_reads(actor, position);
    one.counted = range_of(call, program_[made].geometry.pixels) == call.arguments.size();
    if (one.counted) {
      const std::optional<CField> run = dense_run(analysis_, operation);
      one.flat_elements = program_[made].geometry.channels * (run ? end - first : 1);
      one.counted = !run;
      add("counted_calls");
    }
    add("parts");
    for (const LineArgument& a : call.arguments) {
      if (a.how != How::line && a.how != How::rows) continue;
      const Argument& operand = operation.arguments[a.argument];
      if (operand.role == Argument::Role::write) {
        if (last) find_line(operand.tensor, line);
        continue;
      }
      if (operand.tensor == inner || (position == form.mid && form.mid > 0 && a.how == How::rows)) continue;
      if (a.how == How::line) find_line(operand.tensor, line);
      else find_rows(operand.tensor, a.map, line);
    }
    step_.calls.push_back(normal_columns(program_, operation, normal_lines(program_, operation, call, one)));
  }

  const Analysis& analysis_;
  const stream::LinePlan& plan_;
  const program::Program& program_;
  const bool called_;
  LineStep step_;
};

}  // namespace

LineStep line_step(const Analysis& analysis, int actor, int64_t line) {
  return StepCounter(analysis).count(actor, line);
}

std::vector<LineStep> line_steps(const Analysis& analysis) {
  const stream::LinePlan& plan = *analysis.stream;
  StepCounter counter(analysis);
  std::vector<int64_t> made(plan.actors.size(), 0);
  std::vector<LineStep> steps;
  const size_t again = plan.endless ? plan.endless->prologue : plan.loops.size();
  bool more = true;
  for (size_t word = 0; more && word < plan.loops.size(); ++word) {
    const stream::ScheduleLoop& loop = plan.loops[word];
    for (int64_t times = 0; more && times < loop.times; ++times) {
      for (size_t at = 0; more && at < loop.actors.size(); ++at) {
        const int actor = loop.actors[at];
        int64_t& line = made[static_cast<size_t>(actor)];
        const Actor& of = plan.actors[static_cast<size_t>(actor)];
        if (plan.endless && of.what == Actor::What::feed && line == of.lines) more = false;
        if (!more) break;
        steps.push_back(counter.count(actor, line));
        if (steps.size() == 1 && !by_calls(plan)) steps.back().terms["counters"] = static_cast<int64_t>(made.size());
        line += stream::lines_of_step(of, line);
        if (at + 1 < loop.actors.size()) continue;
        ++steps.back().terms["turns"];
        if (times + 1 == loop.times) ++steps.back().terms["words"];
      }
    }
    if (plan.endless && word + 1 == plan.loops.size()) word = again - 1;
  }
  return steps;
}

}  // namespace tarn::emit
