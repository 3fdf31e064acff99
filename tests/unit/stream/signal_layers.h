// Networks of a few layers on a signal that goes on, each layer on so many of its steps.
#pragma once
#include <string>
#include <utility>

#include "stream/endless.h"

namespace tarn::stream::testing {

class SignalLayers {
 public:
  explicit SignalLayers(int64_t steps) {
    last_ = tensor(steps, program::Kind::input);
    program.inputs = {last_};
  }

  // Of `count` steps, the first `pads` of them in front of the signal.
  void window(int64_t count, int64_t stride = 1, int64_t pads = 0, bool backwards = false) {
    const int64_t steps = (program[last_].geometry.lines + pads - count) / stride + 1;
    program::Operation& o = operation("Conv", steps, {last_});
    program::Walk& walk = o.arguments[0].walk.emplace();
    for (int64_t r = 0; r < steps; ++r)
      walk.lines.push_back({std::max<int64_t>(0, r * stride - pads), r * stride - pads + count});
    walk.columns = {{0, 1}};
    program::LineArgument& line = o.line_form->calls[0].arguments[0];
    line.how = count > 1 ? program::LineArgument::How::rows : program::LineArgument::How::line;
    line.map.count = count;
    line.map.step = backwards ? -1 : 1;
    line.map.first = backwards ? count - 1 - pads : -pads;
    line.map.scale = stride;
  }

  // The steps from `first` on of a signal.
  void part(int64_t first, int64_t steps) {
    const TensorId whole = last_;
    program::Operation& o = operation("Slice", steps, {whole});
    o.line_form.reset();
    o.view = program::View{last_, whole, first};
  }

  void add(TensorId a, TensorId b) {
    program::Operation& o = operation("Add", program[a].geometry.lines, {a, b});
    for (size_t i = 0; i < 2; ++i) {
      program::Walk& walk = o.arguments[i].walk.emplace();
      walk.identity = walk.read_before_write = true;
    }
  }

  // Channels of two signals side by side; each may be made there.
  void beside(TensorId a, TensorId b) {
    const TensorId whole = tensor(program[a].geometry.lines, program::Kind::activation);
    int64_t channels = 0;
    for (const TensorId part : {a, b}) {
      program::Operation& o = operation("Copy", program[a].geometry.lines, {part});
      o.arguments.back().tensor = whole;
      o.arguments[0].walk.emplace().identity = true;
      o.view = program::View{part, whole, channels};
      channels += program[part].geometry.channels;
    }
    widen(whole, channels);
    last_ = whole;
  }

  void widen(TensorId id, int64_t channels) {
    program[id].geometry.channels = channels;
    program[id].type.shape = Shape{1, program[id].geometry.lines, 1, channels};
  }

  EndlessPlan plan(bool drain = true) {
    program.outputs = {last_};
    program[last_].kind = program::Kind::output;
    Options options;
    options.mode = Mode::time;
    options.drain = drain;
    return make_endless(program, share, options, {4, 0});
  }

  TensorId last() const { return last_; }
  void go_on_from(TensorId id) { last_ = id; }

  TensorId tensor(int64_t steps, program::Kind kind) {
    program::Tensor& t = program.tensors.emplace_back();
    t.name = "t" + std::to_string(program.tensors.size());
    t.geometry = {steps, 1, 1};
    t.kind = kind;
    t.type = {DType::int8, Shape{1, steps, 1, 1}};
    return TensorId(program.tensors.size() - 1);
  }

  Program program;
  lifetimes::ShareOptions share;

 private:
  program::Operation& operation(const char* op, int64_t steps, const std::vector<TensorId>& reads) {
    last_ = tensor(steps, program::Kind::activation);
    program.main.push_back(OperationId(program.operations.size()));
    program::Operation& o = program.operations.emplace_back();
    o.kernel = o.op = op;
    program::LineCall& call = o.line_form.emplace().calls.emplace_back();
    for (const TensorId id : reads) {
      o.arguments.push_back({.role = program::Argument::Role::read, .tensor = id, .pitched = true});
      call.arguments.push_back({program::LineArgument::How::line, o.arguments.size() - 1});
    }
    o.arguments.push_back({.role = program::Argument::Role::write, .tensor = last_, .pitched = true});
    return o;
  }

  TensorId last_;
};

}  // namespace tarn::stream::testing
