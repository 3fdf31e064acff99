// Random networks of operators that work by lines, made of geometry alone: no kernels, no weights. The same seed gives
// the same network.
#pragma once
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "planner/random.h"
#include "program/program.h"
#include "stream/plan.h"

namespace tarn::stream {

using program::Argument;
using program::Geometry;
using program::LineForm;
using program::Operation;
using program::Tensor;
using program::Walk;

class RandomNet {
 public:
  // of_parts: some tensors are made of two, channels side by side; dense: also a tensor beside what is made of it;
  // flat: elementwise kernels count elements or runs of them, and their results may have other lines; stacked: some
  // tensors are made of two, lines below lines, or are some lines of another.
  enum Joins { none, of_parts, dense, flat, stacked };
  // `signals`: inputs are lines of one pixel.
  explicit RandomNet(uint64_t seed, Joins joins = dense, bool signals = false)
      : random_(seed), joins_(joins), signals_(signals) {}

  Program make() {
    const int inputs = 1 + static_cast<int>(random_.below(2));
    for (int i = 0; i < inputs; ++i) {
      Geometry g{6 + random_.below(14), 3 + random_.below(6), 1 + random_.below(4)};
      if (signals_) g = {g.lines / 6 * 6, 1, g.channels};
      live_.push_back(tensor(g, program::Kind::input));
      program_.inputs.push_back(live_.back());
    }
    const int64_t count = 3 + random_.below(10);
    for (int64_t i = 0; i < count; ++i) add();
    // Whatever nobody reads goes out.
    for (TensorId id : live_) {
      if (!read_[id.pos()] && program_[id].kind != program::Kind::input) {
        program_[id].kind = program::Kind::output;
        program_.outputs.push_back(id);
      }
    }
    if (program_.outputs.empty()) program_.outputs.push_back(live_.back());
    return program_;
  }

 private:
  TensorId tensor(Geometry g, program::Kind kind = program::Kind::activation) {
    Tensor t;
    t.name = "t" + std::to_string(program_.tensors.size());
    t.geometry = g;
    t.kind = kind;
    t.type = {random_.below(3) == 0 ? DType::float32 : DType::int8, Shape{1, g.lines, g.pixels, g.channels}};
    program_.tensors.push_back(std::move(t));
    read_.push_back(false);
    return TensorId(program_.tensors.size() - 1);
  }

  TensorId any() { return live_[static_cast<size_t>(random_.below(static_cast<int64_t>(live_.size())))]; }

  Operation operation(const char* kernel) {
    Operation o;
    o.kernel = kernel;
    o.op = kernel;
    o.line_form = LineForm{};
    if (random_.below(3) == 0) o.line_form->scratch_bytes = 1 + random_.below(40);
    return o;
  }

  void argument(Operation& o, Argument::Role role, TensorId id, std::optional<Walk> walk = {}) {
    Argument a;
    a.role = role;
    a.tensor = id;
    a.walk = std::move(walk);
    if (role == Argument::Role::read) read_[id.pos()] = true;
    o.arguments.push_back(std::move(a));
  }

  void push(Operation o, TensorId result) {
    program_.operations.push_back(std::move(o));
    program_.main.push_back(OperationId(program_.operations.size() - 1));
    live_.push_back(result);
  }

  static std::vector<Span> windows(int64_t in, int64_t out, int64_t k, int64_t s, int64_t pad) {
    std::vector<Span> spans;
    for (int64_t i = 0; i < out; ++i) {
      const int64_t first = std::clamp<int64_t>(i * s - pad, 0, in), end = std::clamp<int64_t>(i * s - pad + k, 0, in);
      spans.push_back({std::min(first, end), end});
    }
    return spans;
  }

  void add() {
    switch (random_.below(joins_ >= stacked ? 9 : joins_ == dense ? 8 : joins_ == of_parts ? 7 : 6)) {
      case 0: return sum();
      case 1: return mean();
      case 2: return enlarge();
      case 3: return whole();
      case 6: return joins_ == stacked ? stack() : join();
      case 7: return joins_ == stacked ? some_lines() : beside_its_layer();
      default: return window();
    }
  }

  void window() {
    const TensorId x = any();
    const Geometry g = program_[x].geometry;
    const int64_t k = 1 + random_.below(4), s = 1 + random_.below(2), pad = random_.below(k);
    // Columns apart: strides beyond the kernel leave some that nobody reads.
    const int64_t wide = joins_ != of_parts && k > 1 && random_.below(4) == 0 ? 1 : k,
                  stride = wide == k ? s : 1 + random_.below(3);
    const int64_t beside = wide == k ? pad : 0;
    const int64_t lines = (g.lines + 2 * pad - k) / s + 1, pixels = (g.pixels + 2 * beside - wide) / stride + 1;
    if (g.lines + 2 * pad < k || g.pixels + 2 * beside < wide || lines < 1 || pixels < 1) return;
    const TensorId y = tensor({lines, pixels, 1 + random_.below(5)});
    Walk walk;
    walk.lines = windows(g.lines, lines, k, s, pad);
    walk.columns = windows(g.pixels, pixels, wide, stride, beside);
    Operation o = operation("Conv");
    argument(o, Argument::Role::read, x, std::move(walk));
    argument(o, Argument::Role::write, y);
    push(std::move(o), y);
  }

  void sum() {
    const TensorId a = any();
    TensorId b = a;
    for (TensorId id : live_) {
      if (id != a && program_[id].geometry == program_[a].geometry) b = id;
    }
    const TensorId y = tensor(joins_ == flat ? other_lines(program_[a].geometry) : program_[a].geometry);
    program_[y].type.dtype = program_[b].type.dtype = program_[a].type.dtype;
    Walk walk;
    walk.identity = walk.read_before_write = true;
    Operation o = operation("Add");
    if (joins_ == flat) count_elements(o);
    argument(o, Argument::Role::read, a, walk);
    if (b != a) argument(o, Argument::Role::read, b, walk);
    argument(o, Argument::Role::write, y);
    push(std::move(o), y);
  }

  Geometry other_lines(Geometry g) {
    switch (random_.below(4)) {
      case 0: std::swap(g.lines, g.pixels); break;
      case 1: g.pixels *= g.lines, g.lines = 1; break;
      case 2: g.lines *= g.pixels, g.pixels = 1; break;
      default: break;
    }
    return g;
  }
  void count_elements(Operation& o) {
    if (random_.below(4) > 0) o.line_form->params.fields.push_back({"outer", int64_t{1}});
    else o.line_form->params.fields.push_back({"count", program::Run{}});
    program::LineCall call;
    if (random_.below(8) == 0) call.arguments.push_back({.how = program::LineArgument::How::part});
    o.line_form->calls.push_back(call);
  }

  void mean() {
    const TensorId x = any();
    const TensorId y = tensor({1, 1, program_[x].geometry.channels});
    Operation o = operation("Mean");
    o.line_form->accumulate = true;
    o.line_form->accumulator_bytes = 4 * program_[x].geometry.channels;
    argument(o, Argument::Role::read, x);
    argument(o, Argument::Role::write, y);
    push(std::move(o), y);
  }

  void enlarge() {
    const TensorId x = any();
    const Geometry g = program_[x].geometry;
    if (g.lines > 30) return;
    const TensorId y = tensor({2 * g.lines, 2 * g.pixels, g.channels});
    Walk walk;
    for (int64_t l = 0; l < 2 * g.lines; ++l) walk.lines.push_back({l / 2, std::min(g.lines, l / 2 + 2)});
    for (int64_t p = 0; p < 2 * g.pixels; ++p) walk.columns.push_back({p / 2, p / 2 + 1});
    Operation o = operation("Resize");
    argument(o, Argument::Role::read, x, std::move(walk));
    argument(o, Argument::Role::write, y);
    push(std::move(o), y);
  }

  // Two windows over the same tensor, their channels beside each other in one.
  void join() {
    const size_t before = live_.size();
    const TensorId x = any();
    const Geometry g = program_[x].geometry;
    std::vector<TensorId> parts;
    for (int i = 0; i < 2; ++i) {
      const TensorId part = tensor({g.lines, g.pixels, 1 + random_.below(5)});
      program_[part].type.dtype = program_[x].type.dtype;
      Walk walk;
      const int64_t reach = random_.below(3);
      walk.lines = windows(g.lines, g.lines, 1 + 2 * reach, 1, reach);
      walk.columns = windows(g.pixels, g.pixels, 1 + 2 * reach, 1, reach);
      Operation o = operation("Conv");
      argument(o, Argument::Role::read, x, std::move(walk));
      argument(o, Argument::Role::write, part);
      for (Argument& a : o.arguments) a.pitched = true;
      push(std::move(o), part);
      parts.push_back(part);
    }
    live_.resize(before);
    beside(parts);
  }

  // A window over a tensor and what follows it elementwise, beside the tensor itself.
  void beside_its_layer() {
    const size_t before = live_.size();
    const TensorId x = any();
    if (program_[x].kind == program::Kind::input) return;
    const Geometry g = program_[x].geometry;
    const TensorId conv = tensor({g.lines, g.pixels, 1 + random_.below(5)}), part = tensor(program_[conv].geometry);
    program_[conv].type.dtype = program_[part].type.dtype = program_[x].type.dtype;
    Walk window, same;
    window.lines = windows(g.lines, g.lines, 3, 1, 1);
    window.columns = windows(g.pixels, g.pixels, 3, 1, 1);
    same.identity = same.read_before_write = true;
    Operation first = operation("Conv"), second = operation("Relu");
    argument(first, Argument::Role::read, x, std::move(window));
    argument(first, Argument::Role::write, conv);
    argument(second, Argument::Role::read, conv, std::move(same));
    argument(second, Argument::Role::write, part);
    for (Operation* o : {&first, &second}) {
      for (Argument& a : o->arguments) a.pitched = true;
    }
    push(std::move(first), conv);
    push(std::move(second), part);
    live_.resize(before);
    beside({x, part});
  }

  void beside(const std::vector<TensorId>& parts) {
    Geometry g = program_[parts[0]].geometry;
    g.channels += program_[parts[1]].geometry.channels;
    const TensorId y = tensor(g);
    program_[y].type.dtype = program_[parts[0]].type.dtype;
    int64_t channel = 0;
    for (TensorId part : parts) {
      Walk walk;
      walk.identity = true;
      Operation o = operation("Copy");
      argument(o, Argument::Role::read, part, walk);
      argument(o, Argument::Role::write, y);
      for (Argument& a : o.arguments) a.pitched = true;
      o.view = program::View{part, y, channel};
      channel += program_[part].geometry.channels;
      push(std::move(o), y);
      live_.pop_back();
    }
    live_.push_back(y);
  }

  // Lies where the view says, or is copied as a whole.
  void copy(TensorId from, TensorId to, program::View view) {
    Operation o = operation("Copy");
    o.line_form.reset();
    argument(o, Argument::Role::read, from);
    argument(o, Argument::Role::write, to);
    o.view = view;
    push(std::move(o), to);
  }

  void stack() {
    const TensorId x = any();
    const Geometry g = program_[x].geometry;
    const int64_t channels = 1 + random_.below(5);
    const size_t before = live_.size();
    std::vector<TensorId> parts;
    for (int i = 0; i < 2; ++i) {
      const int64_t reach = random_.below(3), stride = 1 + random_.below(2);
      const TensorId part = tensor({(g.lines + stride - 1) / stride, g.pixels, channels});
      program_[part].type.dtype = program_[x].type.dtype;
      Walk walk;
      walk.lines = windows(g.lines, program_[part].geometry.lines, 1 + 2 * reach, stride, reach);
      walk.columns = windows(g.pixels, g.pixels, 1 + 2 * reach, 1, reach);
      Operation o = operation("Conv");
      argument(o, Argument::Role::read, x, std::move(walk));
      argument(o, Argument::Role::write, part);
      push(std::move(o), part);
      parts.push_back(part);
    }
    const int64_t first = program_[parts[0]].geometry.lines, second = program_[parts[1]].geometry.lines;
    const TensorId y = tensor({first + second, g.pixels, channels});
    program_[y].type.dtype = program_[x].type.dtype;
    copy(parts[0], y, {parts[0], y, 0});
    copy(parts[1], y, {parts[1], y, first * g.pixels * channels});
    live_.resize(before);
    if (random_.below(3) == 0) live_.push_back(parts[0]);
    live_.push_back(y);
  }

  void some_lines() {
    const TensorId x = any();
    const Geometry g = program_[x].geometry;
    const int64_t first = random_.below(g.lines), lines = 1 + random_.below(g.lines - first);
    const TensorId y = tensor({lines, g.pixels, g.channels});
    program_[y].type.dtype = program_[x].type.dtype;
    copy(x, y, {y, x, first * g.pixels * g.channels});
  }

  void whole() {
    const TensorId x = any();
    const TensorId y = tensor(program_[x].geometry);
    Operation o = operation("Whole");
    o.line_form.reset();
    argument(o, Argument::Role::read, x);
    argument(o, Argument::Role::write, y);
    push(std::move(o), y);
  }

  planner::Random random_;
  Joins joins_;
  bool signals_;
  Program program_;
  std::vector<TensorId> live_;
  std::vector<bool> read_;
};

}  // namespace tarn::stream
