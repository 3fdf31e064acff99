#include "stream/check/check_plan.h"

#include <algorithm>
#include <limits>
#include <set>

#include "planner/index.h"
#include "stream/check/arena_map.h"
#include "stream/check/overwrite.h"
#include "stream/network/grid.h"
#include "stream/network/join_lines.h"
#include "support/text.h"

namespace tarn::stream {

namespace {

using program::Argument;
using program::Operation;
using program::Program;

constexpr size_t kMostFindings = 8;
constexpr int64_t kAllLines = std::numeric_limits<int64_t>::max();

class Checker {
 public:
  Checker(const Program& program, const LinePlan& plan)
      : program_(program),
        plan_(plan),
        producers_(producers_of(program, plan)),
        done_(plan.actors.size(), 0),
        reached_(plan.actors.size(), 0) {}

  std::vector<std::string> run() {
    if (!well_formed()) return findings_;
    if (plan_.mode == Mode::resident) {
      for (TensorId id : program_.inputs) write_tensor(id);
    }
    for (TensorId id : program_.states) write_tensor(id);
    if (program_.set_size.valid()) write_tensor(program_.set_size);
    write_line(plan_.driver, 0);
    for (size_t s = 0; s < plan_.steps.size(); ++s) {
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

  // Checks that addresses are inside the arena, that actors exist, and that the loops expand to the steps.
  bool well_formed() {
    for (size_t m = 0; m < plan_.memories.size(); ++m) {
      const Memory& memory = plan_.memories[m];
      const bool table = memory.addressing == Addressing::table;
      if (memory.slots < 1 || (table && static_cast<int64_t>(memory.table.size()) != memory.slots))
        fault(cat("memory ", m, " has no places"));
    }
    std::vector<int> expanded;
    for (const ScheduleLoop& loop : plan_.loops) {
      for (int64_t t = 0; t < loop.times; ++t) expanded.insert(expanded.end(), loop.actors.begin(), loop.actors.end());
    }
    bool same = expanded.size() == plan_.steps.size();
    for (size_t s = 0; same && s < expanded.size(); ++s) same = expanded[s] == plan_.steps[s].actor;
    if (!same) fault("the loops are not the steps");
    return findings_.empty();
  }

  const Memory& memory(int m) const { return plan_.memories[Z(m)]; }
  int64_t address(int m, int64_t line) const { return memory(m).address(line); }

  void write_line(int m, int64_t line) {
    const int64_t at = address(m, line);
    if (at < 0 || at + memory(m).line_bytes > plan_.arena)
      fault(cat("memory ", m, " line ", line, " lies outside the arena"));
    // A line is written once, or part by part while it is there.
    if (!born_.insert({m, line}).second) fault(cat("memory ", m, " line ", line, " has lost what was written to it"));
    map_.write(at, memory(m).line_bytes, {m, line});
  }

  bool line_there(int m, int64_t line) const { return map_.holds(address(m, line), memory(m).line_bytes, {m, line}); }

  Span lines_of(TensorId id) const { return memory_lines(program_, plan_, id); }

  void write_tensor(TensorId id) {
    const LineView& view = plan_.views[id.pos()];
    const Span span = lines_of(id);  // none where it is not in the arena
    for (int64_t l = span.first; l < span.end; ++l) {
      // Other tensors may have written other parts of the line.
      if (!line_there(view.memory, l)) write_line(view.memory, l);
    }
  }

  void need(TensorId id, Span span, const char* why) {
    const int m = plan_.views[id.pos()].memory;
    if (m < 0) return;
    for (int64_t l = span.first; l < span.end && !map_.intact(m, span.first, span.end); ++l) {
      if (!line_there(m, l))
        return fault(cat(why, " '", program_[id].name, "': line ", l, " of memory ", m, " is not there"));
    }
    // A line may be made in parts: every producer of bytes that are read must have made its part.
    for (const Producer& producer : producers_[Z(m)]) {
      const int64_t end = std::min(span.end, producer.lines.end);
      if (producer.actor >= running_ || std::max(span.first, producer.lines.first) >= end ||
          reached_[producer.actor] >= end)
        continue;
      if (share_bytes(program_, plan_, producer.tensor, id)) {
        return fault(cat(why, " '", program_[id].name, "': line ", end - 1, " of memory ", m, " lacks what '",
                         program_[producer.tensor].name, "' puts there"));
      }
    }
  }

  // The kernel is handed the tensor's lines one after the other.
  void need_together(TensorId id) {
    const LineView& view = plan_.views[id.pos()];
    if (view.memory < 0) return;
    const Span span = lines_of(id);
    const program::Tensor& t = program_[id];
    if (view.by_lines && t.geometry.lines > 1 &&
        t.geometry.pixels * view.pixel_pitch * t.element_bytes() != memory(view.memory).line_bytes) {
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
    if (step.first_line != done || step.lines != lines_of_step(actor, done) || step.lines < 1)
      return fault(cat("actor ", step.actor, " makes line ", step.first_line, " after ", done));
    done += step.lines;
    running_ = Z(step.actor);
    switch (actor.what) {
      case Actor::What::feed: return feed(step);
      case Actor::What::drain: return drain(actor, step.first_line);
      case Actor::What::operation: break;
    }
    if (step.lines > 1) return make_together(actor, step);
    if (!actor.whole && !actor.accumulate) return make(actor, step.first_line);
    if (actor.whole) whole(program_[actor.operations[0]]);
    else accumulate(actor, step.first_line);
    if (done == actor.lines) reached_[running_] = kAllLines;
  }

  // An input comes from its first line to its last, then perhaps again.
  void feed(const Step& step) {
    const Actor& actor = plan_.actors[Z(step.actor)];
    for (size_t n = 0; n < plan_.actors.size(); ++n) {
      const Actor& other = plan_.actors[n];
      if (other.what != Actor::What::feed || other.port != actor.port || static_cast<int>(n) == step.actor) continue;
      if (done_[n] != (other.pass < actor.pass ? other.lines : 0))
        fault(cat("pass ", actor.pass, " of input ", actor.port, " comes out of turn"));
    }
    if (!actor.operations.empty()) return make(actor, step.first_line);
    write_line(plan_.views[actor.tensor.pos()].memory, step.first_line);
    reached_[running_] = step.first_line + 1;
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
      if (a.tensor.valid() && a.role == Argument::Role::scratch && !line_there(plan_.views[a.tensor.pos()].memory, 0))
        fault("scratch is overwritten");
    }
  }

  void need_all(const std::vector<Read>& reads) {
    for (const Read& read : reads) {
      need(read.tensor, read.lines, "reading");
      if (read.together) need_together(read.tensor);
    }
  }

  static std::vector<int> scratch_of(const Actor& actor) {
    std::vector<int> memories;
    if (actor.scratch >= 0) memories.push_back(actor.scratch);
    if (actor.line_buffer && actor.line_buffer->memory >= 0) memories.push_back(actor.line_buffer->memory);
    return memories;
  }

  // Scratch must not overlap what the step reads or writes.
  void take_scratch(const Actor& actor, int64_t r) {
    for (int memory : scratch_of(actor)) write_line(memory, r);
  }
  void keep_scratch(const Actor& actor, int64_t r) {
    for (int memory : scratch_of(actor)) {
      if (!line_there(memory, r)) fault("scratch is overwritten");
    }
  }

  void accumulate(const Actor& actor, int64_t r) {
    const std::vector<Read> needed = reads_of(program_, plan_, actor, r);
    need_all(needed);
    take_scratch(actor, r);
    if (actor.accumulator >= 0) {
      if (r == 0) write_line(actor.accumulator, 0);
      if (!line_there(actor.accumulator, 0)) fault("the sums are overwritten");
    }
    need_all(needed);
    if (r == actor.lines - 1) write_tensor(only_result(program_[actor.operations[0]]));
    need_all(needed);
    keep_scratch(actor, r);
    if (actor.accumulator >= 0 && !line_there(actor.accumulator, 0)) fault("the sums are overwritten");
  }

  void make(const Actor& actor, int64_t r) {
    // A feed's operation reads what comes from outside.
    const bool fed = actor.what == Actor::What::feed;
    const std::vector<Read> needed = fed ? std::vector<Read>{} : reads_of(program_, plan_, actor, r);
    const int history = actor.line_buffer ? actor.line_buffer->history : -1;
    if (r == 0 && history >= 0) write_line(history, 0);
    const size_t before = findings_.size();
    need_all(needed);
    take_scratch(actor, r);
    // Without scratch nothing was written since: what was there still is.
    if (!scratch_of(actor).empty() || findings_.size() != before) need_all(needed);
    const LineView& view = plan_.views[only_result(program_[actor.operations.back()]).pos()];
    const int64_t line = actor.flat ? r : view.first_line + r;
    for (const Read& read : needed) {
      const int m = plan_.views[read.tensor.pos()].memory;
      if (m < 0 || view.memory < 0) continue;
      for (int64_t l : lines_over(memory(m), read.lines, memory(view.memory), line)) {
        if (const auto found = overwritten(program_, plan_, actor, read, l, line)) fault(*found);
      }
    }
    if (view.memory >= 0 && !line_there(view.memory, line)) write_line(view.memory, line);
    reached_[running_] = line + 1;
    if (history >= 0 && !line_there(history, 0)) fault("the history is overwritten");
    keep_scratch(actor, r);
  }

  // Nothing that such a step reads shares bytes with what it makes, but for a line that stands in the place of another.
  void make_together(const Actor& actor, const Step& step) {
    if (actor.whole || actor.accumulate || actor.gathered > 0 || actor.line_buffer)
      return fault(cat("actor ", step.actor, " makes several lines"));
    std::vector<Read> needed;
    for (int64_t r = step.first_line; r < step.first_line + step.lines; ++r) {
      const std::vector<Read> more = reads_of(program_, plan_, actor, r);
      needed.insert(needed.end(), more.begin(), more.end());
    }
    need_all(needed);
    take_scratch(actor, step.first_line);
    const LineView& view = plan_.views[only_result(program_[actor.operations[0]]).pos()];
    const int64_t first = step.first_line + (actor.flat ? 0 : view.first_line), end = first + step.lines;
    for (int64_t line = first; line < end; ++line) {
      if (view.memory >= 0 && !line_there(view.memory, line)) write_line(view.memory, line);
    }
    need_all(needed);
    for (int64_t line = first; line < end; ++line) {
      if (view.memory >= 0 && !line_there(view.memory, line)) fault("lines made together share bytes");
    }
    reached_[running_] = end;
    keep_scratch(actor, step.first_line);
    if (actor.joined && !stand_side_by_side(actor, step)) fault("lines made as one do not stand side by side");
  }

  // What windows read is found out when the step runs, of rings alone.
  bool stand_side_by_side(const Actor& actor, const Step& step) const {
    const program::Operation& operation = program_[actor.operations[0]];
    if (actor.lines % actor.at_once != 0 || !lines_join(program_, plan_.storage, operation)) return false;
    return std::all_of(operation.arguments.begin(), operation.arguments.end(), [&](const Argument& a) {
      if (!goes_by_lines(a)) return true;
      const LineView& view = plan_.views[a.tensor.pos()];
      if (view.memory < 0) return true;
      const Memory& lies = memory(view.memory);
      if (!(actor.flat || view.by_lines) || view.offset != 0) return false;
      if (a.walk && !a.walk->identity) return lies.addressing != Addressing::table;
      const int64_t first = step.first_line + (actor.flat ? 0 : view.first_line);
      for (int64_t line = first + 1; line < first + step.lines; ++line) {
        if (lies.address(line) != lies.address(line - 1) + lies.line_bytes) return false;
      }
      return true;
    });
  }

  void finish() {
    step_ = plan_.steps.size();
    running_ = plan_.actors.size();
    if (!line_there(plan_.driver, 0)) fault("the driver's state is overwritten");
    std::vector<bool> drained(program_.outputs.size(), false);
    for (size_t n = 0; n < plan_.actors.size(); ++n) {
      const Actor& actor = plan_.actors[n];
      if (actor.what != Actor::What::drain) continue;
      drained[actor.port] = true;
      if (done_[n] != actor.lines) fault("an output is not handed out to its end");
    }
    const auto need_whole = [&](TensorId id, const char* what) {
      need(id, lines_of(id), what);
      need_together(id);
    };
    for (size_t port = 0; port < program_.outputs.size(); ++port) {
      if (!drained[port]) need_whole(program_.outputs[port], "output");
    }
    for (TensorId id : program_.states) need_whole(id, "state");
    if (program_.set_size.valid()) need_whole(program_.set_size, "size");
    for (OperationId id : program_.epilogue) need_whole(program_[id].arguments.front().tensor, "next state");
  }

  const Program& program_;
  const LinePlan& plan_;
  ArenaMap map_;
  std::set<std::pair<int, int64_t>> born_;
  const std::vector<std::vector<Producer>> producers_;  // by memory
  std::vector<int64_t> done_;                           // by actor: steps
  std::vector<int64_t> reached_;  // by actor: the line of its result's memory up to which it has made
  size_t running_ = 0;            // the actor whose step it is: those after it make later contents of the same lines
  size_t step_ = 0;
  std::vector<std::string> findings_;
};

}  // namespace

std::vector<std::string> check_plan(const Program& program, const LinePlan& plan) {
  return Checker(program, plan).run();
}

}  // namespace tarn::stream
