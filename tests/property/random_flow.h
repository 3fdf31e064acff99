// Random programs of layers: windows, elementwise operations, parts of tensors, branches and loops, states, staged
// weights. Made of geometry alone. The same seed gives the same program, with as many lines more as are asked for.
#pragma once
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "planner/random.h"
#include "program/program.h"

namespace tarn::testing {

class RandomFlow {
 public:
  explicit RandomFlow(uint64_t seed, int64_t more_lines = 0, bool control = true)
      : random_(seed), more_lines_(more_lines), control_(control) {
    for (int64_t i = 1 + below(2); i > 0; --i) {
      const TensorId x = tensor({1 + below(4) + more_lines_, 1 + below(5), 1 + below(4)}, Kind::input);
      program.inputs.push_back(x);
      live_.push_back(x);
    }
    for (int64_t i = below(3); i > 0; --i) add_state();
    program.main = operations(3 + below(8), 0);
    for (size_t k = 0; k < program.states.size(); ++k) {
      if (below(5) > 0) program.main.push_back(renew(k));
    }
    for (TensorId id : live_) {
      if (program[id].kind != Kind::activation || (read_[id.pos()] && below(8) > 0)) continue;
      program[id].kind = Kind::output;
      program.outputs.push_back(id);
    }
    if (below(6) == 0 && program.main.size() > 1) {
      program.epilogue.push_back(program.main.back());
      program.main.pop_back();
    }
  }

  program::Program program;

 private:
  using Argument = program::Argument;
  using Geometry = program::Geometry;
  using Kind = program::Kind;
  using Operation = program::Operation;
  using OperationId = program::OperationId;
  using TensorId = program::TensorId;
  using Walk = program::Walk;

  int64_t below(int64_t n) { return random_.below(n); }

  TensorId tensor(Geometry g, Kind kind = Kind::activation) {
    program::Tensor t;
    t.name = "t" + std::to_string(program.tensors.size());
    t.geometry = g;
    t.kind = kind;
    t.type = {below(6) == 0 ? DType::float32 : DType::int8, Shape{1, g.lines, g.pixels, g.channels}};
    program.tensors.push_back(t);
    read_.push_back(false);
    return TensorId(program.tensors.size() - 1);
  }

  TensorId any() {
    const int64_t count = std::ssize(live_), recent = std::min<int64_t>(3, count);
    return live_[static_cast<size_t>(below(2) == 0 ? count - 1 - below(recent) : below(count))];
  }

  void add_state() {
    const TensorId s = tensor({1, 2 + below(6), 1 + below(4)}, Kind::state);
    program.states.push_back(s);
    program::KeptState& kept = program.kept.emplace_back();
    kept.bytes = program[s].bytes();
    if (below(2) == 0) {
      const int64_t first = below(kept.bytes);
      kept.needed = program::Span{first, first + 1 + below(kept.bytes - first)};
    } else {
      live_.push_back(s);
    }
  }

  void argument(Operation& o, Argument::Role role, TensorId id, std::optional<Walk> walk = {}) {
    Argument a;
    a.role = role;
    a.tensor = id;
    a.walk = std::move(walk);
    a.pitched = below(3) > 0;
    if (role == Argument::Role::read) read_[id.pos()] = true;
    o.arguments.push_back(std::move(a));
  }

  Walk same() {
    Walk walk;
    walk.identity = below(4) > 0;
    walk.same_place = below(5) == 0;
    walk.read_before_write = below(3) > 0;
    choose_blocks(walk);
    return walk;
  }

  void choose_blocks(Walk& walk) {
    walk.block_pixels = 1 + below(2) * below(4);
    walk.by_channel = below(5) == 0;
    walk.apart = below(15) == 0;
  }

  // Lines and pixels of `x` for those of `y`: some that go on, and now and then none.
  std::vector<program::Span> spans(int64_t x, int64_t y) {
    std::vector<program::Span> all;
    const int64_t reach = 1 + below(3), stride = 1 + below(2), pad = below(2);
    for (int64_t i = 0; i < y; ++i) {
      const int64_t first = std::clamp<int64_t>(i * stride - pad, 0, x);
      all.push_back({first, std::clamp<int64_t>(i * stride - pad + reach, first, x)});
    }
    return all;
  }

  Walk windows(Geometry x, Geometry y) {
    Walk walk;
    walk.read_before_write = below(3) == 0;
    choose_blocks(walk);
    walk.lines = spans(x.lines, y.lines);
    walk.columns = spans(x.pixels, y.pixels);
    return walk;
  }

  // Adds to the operation what makes `y` of one or two of the tensors that are there.
  void work(Operation& o, TensorId y) {
    const Geometry g = program[y].geometry;
    for (int64_t i = 1 + below(5) / 3; i > 0; --i) {
      const TensorId x = any();
      if (x == y) continue;
      std::optional<Walk> walk;
      if (program[x].geometry.lines == g.lines && program[x].geometry.pixels == g.pixels && below(4) > 0) walk = same();
      else if (below(4) > 0) walk = windows(program[x].geometry, g);
      argument(o, Argument::Role::read, x, walk);
    }
    if (below(5) == 0) argument(o, Argument::Role::scratch, tensor({1, 1, 1 + below(30)}, Kind::scratch));
    if (below(8) == 0) {
      program::Staging& staging = o.staging.emplace();
      staging.buffer = tensor({1, 1, 1 + below(20)}, Kind::scratch);
      staging.made = below(6) == 0, staging.alone = below(4) == 0, staging.early = below(3) == 0;
      argument(o, Argument::Role::weight, staging.buffer);
    }
    argument(o, below(12) == 0 ? Argument::Role::update : Argument::Role::write, y);
    if (below(12) == 0) argument(o, Argument::Role::write, made(tensor(g)));
  }

  TensorId made(TensorId id) {
    born_.push_back(id);
    return id;
  }

  OperationId add(Operation o) {
    program.operations.push_back(std::move(o));
    return OperationId(program.operations.size() - 1);
  }

  // Of a state of which some bytes are needed only this step reads.
  OperationId renew(size_t k) {
    Operation o;
    if (program.kept[k].needed) argument(o, Argument::Role::read, program.states[k]);
    work(o, program.states[k]);
    return add(std::move(o));
  }

  std::vector<OperationId> operations(int64_t count, int depth) {
    std::vector<OperationId> all;
    for (int64_t i = 0; i < count; ++i) {
      born_.clear();
      const int64_t kind = below(control_ && depth < 2 ? 12 : 10);
      if (kind >= 10) {
        all.push_back(control(depth));
      } else if (kind >= 7) {
        for (OperationId id : parts()) all.push_back(id);
      } else {
        const Geometry x = program[any()].geometry;
        Operation o;
        const bool window = below(3) == 0;
        work(o, made(tensor(window ? Geometry{1 + below(4) + more_lines_, 1 + below(5), 1 + below(5)}
                                   : Geometry{x.lines, x.pixels, below(3) == 0 ? 1 + below(5) : x.channels})));
        all.push_back(add(std::move(o)));
      }
      live_.insert(live_.end(), born_.begin(), born_.end());
    }
    return all;
  }

  // Channels side by side, or some of the channels; all of it as other lines.
  std::vector<OperationId> parts() {
    const TensorId x = any();
    const Geometry g = program[x].geometry;
    std::vector<OperationId> all;
    const auto copy = [&](TensorId part, TensorId whole, bool into, int64_t offset) {
      Operation o;
      argument(o, Argument::Role::read, into ? part : whole, same());
      argument(o, Argument::Role::write, into ? whole : part);
      o.view = program::View{part, whole, offset};
      all.push_back(add(std::move(o)));
    };
    switch (below(3)) {
      case 0: {
        const TensorId other = tensor(g), whole = tensor({g.lines, g.pixels, 2 * g.channels});
        program[other].type.dtype = program[whole].type.dtype = program[x].type.dtype;
        Operation o;
        work(o, other);
        all.push_back(add(std::move(o)));
        copy(x, whole, true, 0);
        copy(other, made(whole), true, g.channels);
        break;
      }
      case 1: {
        const TensorId part = made(tensor({g.lines, g.pixels, 1 + below(g.channels)}));
        program[part].type.dtype = program[x].type.dtype;
        copy(part, x, false, below(g.channels - program[part].geometry.channels + 1));
        break;
      }
      default: {
        const TensorId part = made(tensor({1, g.lines * g.pixels, g.channels}));
        program[part].type.dtype = program[x].type.dtype;
        copy(part, x, false, 0);
      }
    }
    return all;
  }

  // A branch or a loop that makes one tensor; what its bodies make besides stays inside.
  OperationId control(int depth) {
    Operation o;
    const bool loop = below(2) == 0;
    o.control = loop ? program::Control::loop : program::Control::branch;
    argument(o, Argument::Role::read, any());
    if (loop) argument(o, Argument::Role::none, {});
    const TensorId y = tensor(program[any()].geometry);
    const std::vector<TensorId> around = live_;
    std::vector<OperationId> first;
    if (loop) {  // it may run not once: what it leaves is there before
      Operation start;
      work(start, y);
      first.push_back(add(std::move(start)));
      live_.push_back(y);
    }
    for (int body = loop ? 1 : 2; body > 0; --body) {
      const std::vector<TensorId> before = live_;
      std::vector<OperationId> inside = operations(1 + below(3), depth + 1);
      Operation last;
      work(last, y);
      inside.push_back(add(std::move(last)));
      o.bodies.push_back(std::move(inside));
      live_ = before;
    }
    live_ = around;
    born_ = {y};
    const OperationId id = add(std::move(o));
    if (first.empty()) return id;
    // The start runs in the same place: a branch around both keeps them one after the other.
    Operation both;
    both.control = program::Control::branch;
    argument(both, Argument::Role::read, program.inputs[0]);
    both.bodies = {{first[0], id}, {}};
    return add(std::move(both));
  }

  planner::Random random_;
  const int64_t more_lines_;
  const bool control_;
  std::vector<TensorId> live_, born_;
  std::vector<bool> read_;
};

// In some operations, the result before what it is made of.
inline void list_results_first(program::Program& program, planner::Random& random) {
  for (program::Operation& o : program.operations) {
    if (o.control == program::Control::none && random.below(3) == 0)
      std::rotate(o.arguments.begin(), o.arguments.end() - 1, o.arguments.end());
  }
}

}  // namespace tarn::testing
