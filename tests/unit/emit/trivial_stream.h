// A stream plan made without any cunning, to test what is emitted for plans: every tensor in memory of its own, in a
// ring where its lines allow one, each line made when it is asked for.
#pragma once
#include <algorithm>
#include <functional>
#include <map>

#include "compile.h"

namespace tarn {

class TrivialStream {
 public:
  TrivialStream(const Analysis& analysis, stream::Mode mode, bool drain) : program_(analysis.program) {
    plan_.mode = mode;
    plan_.drain = drain;
    plan_.storage = lifetimes::assign_storage(program_, {false, false, false}, false);
    add_actors();
    for (size_t i = 0; i < program_.outputs.size(); ++i) finish(i);
    place();
    words();
    plan_.bound = plan_.arena;
  }
  stream::LinePlan plan() const { return plan_; }

 private:
  using Tensor = program::TensorId;
  struct Life {
    std::vector<int64_t> birth, death;
    bool whole = false;
  };

  void add_actors() {
    for (size_t i = 0; plan_.mode == stream::Mode::fed && i < program_.inputs.size(); ++i) {
      stream::Actor feed;
      feed.what = stream::Actor::What::feed;
      feed.port = i;
      feed.tensor = program_.inputs[i];
      feed.lines = lines_of(program_.inputs[i]);
      writers_[program_.inputs[i]].push_back(add(feed));
    }
    for (program::OperationId id : program_.main) {
      const program::Operation& operation = program_[id];
      if (operation.kernel.empty()) continue;
      stream::Actor actor;
      actor.operations = {id};
      actor.whole = !operation.line_form;
      actor.accumulate = operation.line_form && operation.line_form->accumulate;
      const int number = add(actor);
      for (const program::Argument& a : operation.arguments) {
        if (a.role == program::Argument::Role::write || a.role == program::Argument::Role::update)
          writers_[a.tensor].push_back(number);
      }
    }
    for (size_t i = 0; plan_.drain && i < program_.outputs.size(); ++i) {
      stream::Actor drain;
      drain.what = stream::Actor::What::drain;
      drain.port = i;
      drain.tensor = program_.outputs[i];
      drain.lines = lines_of(program_.outputs[i]);
      drains_.push_back(add(drain));
    }
    lives_.resize(program_.tensors.size());
    for (size_t i = 0; i < lives_.size(); ++i) {
      const auto lines = static_cast<size_t>(program_.tensors[i].geometry.lines);
      lives_[i].birth.assign(lines, -1);
      lives_[i].death.assign(lines, -1);
    }
  }

  int add(stream::Actor actor) {
    made_.push_back(0);
    plan_.actors.push_back(std::move(actor));
    return static_cast<int>(plan_.actors.size()) - 1;
  }

  const program::Operation& operation_of(int actor) const {
    return program_[plan_.actors[static_cast<size_t>(actor)].operations[0]];
  }
  int64_t lines_of(Tensor id) const { return program_[id].geometry.lines; }

  void need(Tensor id, int64_t line) {
    for (int actor : writers_[id]) {
      while (made_[static_cast<size_t>(actor)] <= line) make(actor, line);
    }
  }

  void touch(Tensor id, int64_t line, int64_t step, bool write) {
    Life& life = lives_[id.pos()];
    const auto at = static_cast<size_t>(line);
    if (write && life.birth[at] < 0) life.birth[at] = step;
    life.death[at] = std::max(life.death[at], step);
  }
  void touch_all(Tensor id, int64_t step, bool write) {
    lives_[id.pos()].whole = true;
    for (int64_t line = 0; line < lines_of(id); ++line) touch(id, line, step, write);
  }

  // The lines of an operand that output line r needs; all without a walk by lines.
  program::Span span_of(const program::Argument& a, int64_t r) const {
    if (a.walk && a.walk->identity) return {r, r + 1};
    if (a.walk && !a.walk->lines.empty()) return a.walk->lines[static_cast<size_t>(r)];
    return {0, lines_of(a.tensor)};
  }

  void make(int number, int64_t last) {
    const auto at = static_cast<size_t>(number);
    const stream::Actor actor = plan_.actors[at];
    const int64_t r = made_[at];
    if (actor.what == stream::Actor::What::feed) {
      touch(program_.inputs[actor.port], r, step(number, r, 1), true);
      made_[at] = r + 1;
      return;
    }
    const program::Operation& operation = operation_of(number);
    using Role = program::Argument::Role;
    if (actor.accumulate) {
      for (int64_t line = 0; line < lines_of(operation.arguments[0].tensor); ++line) {
        need(operation.arguments[0].tensor, line);
        const int64_t s = step(number, line, 1);
        touch(operation.arguments[0].tensor, line, s, false);
        for (const program::Argument& a : operation.arguments) {
          if (a.role == Role::write) touch_all(a.tensor, s, true);
        }
      }
      made_[at] = last + 1;
      return;
    }
    for (const program::Argument& a : operation.arguments) {
      if (a.role != Role::read && a.role != Role::update) continue;
      const program::Span span = actor.whole ? program::Span{0, lines_of(a.tensor)} : span_of(a, r);
      if (a.role == Role::read && span.end > 0) need(a.tensor, span.end - 1);
    }
    const int64_t s = step(number, r, 1);
    for (const program::Argument& a : operation.arguments) {
      if (!a.tensor.valid() || a.role == Role::scratch) continue;
      const bool write = a.role == Role::write;
      const bool by_lines = !actor.whole && (write || (a.walk && (a.walk->identity || !a.walk->lines.empty())));
      if (!by_lines) {
        touch_all(a.tensor, s, write);
        continue;
      }
      const program::Span span = write ? program::Span{r, r + 1} : span_of(a, r);
      for (int64_t line = span.first; line < span.end; ++line) touch(a.tensor, line, s, write);
    }
    made_[at] = actor.whole ? int64_t{1} << 40 : r + 1;
  }

  int64_t step(int actor, int64_t line, int64_t lines) {
    plan_.steps.push_back({actor, line, lines});
    return static_cast<int64_t>(plan_.steps.size()) - 1;
  }

  void finish(size_t port) {
    const Tensor id = program_.outputs[port];
    for (int64_t line = 0; line < lines_of(id); ++line) {
      need(id, line);
      if (plan_.drain) touch(id, line, step(drains_[port], line, 1), false);
    }
    if (!plan_.drain) touch_all(id, static_cast<int64_t>(plan_.steps.size()), false);
  }

  int add_memory(stream::Memory memory) {
    memory.base = plan_.arena;
    plan_.arena += (memory.slots * memory.line_bytes + 15) / 16 * 16;
    plan_.memories.push_back(std::move(memory));
    return static_cast<int>(plan_.memories.size()) - 1;
  }

  void place() {
    plan_.views.resize(program_.tensors.size());
    for (size_t i = 0; i < program_.tensors.size(); ++i) {
      const program::Tensor& t = program_.tensors[i];
      const Life& life = lives_[i];
      stream::Memory memory;
      memory.lines = t.geometry.lines;
      memory.line_bytes = t.geometry.pixels * t.geometry.channels * t.element_bytes();
      int64_t slots = 1;
      size_t oldest = 0;
      for (size_t r = 0; r < life.birth.size(); ++r) {
        while (oldest < r && life.death[oldest] < life.birth[r]) ++oldest;
        slots = std::max(slots, static_cast<int64_t>(r - oldest) + 1);
      }
      const bool input = t.kind == program::Kind::input && plan_.mode != stream::Mode::fed;
      memory.slots = life.whole || input ? memory.lines : slots;
      memory.addressing = memory.slots == memory.lines ? stream::Addressing::resident : stream::Addressing::ring;
      stream::LineView& view = plan_.views[i];
      view.memory = add_memory(memory);
      view.pixel_pitch = t.geometry.channels;
    }
    for (size_t i = 0; i < plan_.actors.size(); ++i) {
      if (plan_.actors[i].what != stream::Actor::What::operation) continue;
      const program::Operation& operation = operation_of(static_cast<int>(i));
      if (operation.line_form && operation.line_form->accumulator_bytes > 0) {
        plan_.actors[i].accumulator =
            add_bytes(stream::Memory::Holds::accumulator, operation.line_form->accumulator_bytes);
      }
      if (operation.line_form && operation.line_form->scratch_bytes > 0) {
        plan_.actors[i].scratch = add_bytes(stream::Memory::Holds::scratch, operation.line_form->scratch_bytes);
      }
    }
    plan_.driver = add_bytes(stream::Memory::Holds::driver,
                             stream::driver_bytes(plan_.actors.size(), stream::most_lines(plan_.actors), plan_.mode));
  }

  int add_bytes(stream::Memory::Holds holds, int64_t bytes) {
    stream::Memory memory;
    memory.holds = holds;
    memory.line_bytes = bytes;
    return add_memory(memory);
  }

  void words() {
    for (const stream::Step& s : plan_.steps) {
      if (!plan_.loops.empty() && plan_.loops.back().actors == std::vector<int>{s.actor}) ++plan_.loops.back().times;
      else plan_.loops.push_back({{s.actor}, 1});
    }
  }

  const program::Program& program_;
  stream::LinePlan plan_;
  std::vector<int64_t> made_;
  std::vector<int> drains_;
  std::map<Tensor, std::vector<int>> writers_;
  std::vector<Life> lives_;
};

}  // namespace tarn
