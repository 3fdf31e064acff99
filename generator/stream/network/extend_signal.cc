#include "stream/network/extend_signal.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "program/line_scratch.h"
#include "program/operands.h"
#include "stream/network/grid.h"
#include "support/text.h"

namespace tarn::stream {

namespace {

using program::Argument;
using program::LineArgument;
using program::LineMap;
using program::Operation;
using program::Tensor;
using How = LineArgument::How;

int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b != 0 && a < 0 ? 1 : 0); }

std::string called(const Operation& operation) {
  return operation.nodes.empty() ? operation.op : cat("'", operation.nodes.front(), "' (", operation.op, ")");
}

// From which lines of an operand an operation makes its lines.
struct Source {
  size_t argument = 0;
  LineMap map;
};

// One of the sources of a tensor.
struct Extension {
  TensorId y, x;
  LineMap map;
};

class SignalExtender {
 public:
  explicit SignalExtender(const Program& program)
      : program_(program), of_model_(program.tensors.size(), 0), of_frames_(of_model_), rates_(of_model_.size()) {}

  ExtendedSignal run(int64_t frames) {
    if (inputs(frames)) {
      for (OperationId id : program_.main) {
        if (!operation(program_[id])) break;
      }
    }
    outputs();
    windows();
    ExtendedSignal result{program_, rates_, why_};
    if (why_.empty()) apply(result.program);
    return result;
  }

 private:
  // The first reason stays.
  bool refuse(std::string why) {
    if (why_.empty()) why_ = std::move(why);
    return false;
  }

  bool inputs(int64_t frames) {
    for (TensorId id : program_.inputs) {
      const int64_t lines = program_[id].geometry.lines;
      if (lines < 2) return refuse(cat("input '", program_[id].name, "' is no signal of several steps"));
      if (lines != program_[program_.inputs[0]].geometry.lines)
        return refuse("its inputs are signals of different lengths");
      of_model_[id.pos()] = lines;
      of_frames_[id.pos()] = frames;
      rates_[id.pos()] = {1, 1};
    }
    return !program_.inputs.empty() || refuse("it has no input");
  }

  bool temporal(TensorId id) const { return rates_[id.pos()].lines > 0; }

  bool operation(const Operation& op) {
    const TensorId y = only_result(op);
    const bool reads = std::any_of(op.arguments.begin(), op.arguments.end(),
                                   [&](const Argument& a) { return a.tensor.valid() && temporal(a.tensor); });
    if (!y.valid() || !reads) return refuse(called(op) + " does not work step by step");
    std::vector<Source> sources;
    if (!moved(op, y, sources) && !lined(op, sources)) return false;
    int64_t lines = INT64_MAX, more = INT64_MAX;
    Rate rate;
    for (const Source& s : sources) {
      const size_t x = op.arguments[s.argument].tensor.pos();
      const LineMap& m = s.map;
      // Line r needs none after (r * scale + reach) / divide.
      const int64_t reach = m.first + std::max<int64_t>(0, (m.count - 1) * m.step);
      const auto ready = [&](int64_t have) {
        return std::max<int64_t>(0, floor_div(have * m.divide - 1 - reach, m.scale) + 1);
      };
      lines = std::min(lines, ready(of_model_[x]));
      more = std::min(more, ready(of_frames_[x]));
      Rate own{rates_[x].lines * m.divide, rates_[x].frames * m.scale};
      const int64_t common = std::gcd(own.lines, own.frames);
      own = {own.lines / common, own.frames / common};
      if (rate.lines > 0 && own != rate) return refuse(called(op) + " joins signals that go on at different rates");
      rate = own;
      made_.push_back({y, op.arguments[s.argument].tensor, m});
    }
    const int64_t given = program_[y].geometry.lines;
    if (lines < given && late_.empty()) late_ = called(op);
    of_model_[y.pos()] = lines;
    of_frames_[y.pos()] = more;
    rates_[y.pos()] = rate;
    return true;
  }

  // A network that goes on with one step of many, or with sums over all of them, sees a window of the signal, which
  // moves on with each step. What it makes of that must not depend on where the window begins: that its signals are
  // padded there.
  void windows() {
    std::string moving;
    for (OperationId id : program_.main) {
      const Operation& op = program_[id];
      if (op.line_form && op.line_form->accumulate) {
        moving = called(op);
        if (is_padded(source_operand(op).tensor, 0))
          refuse(moving + " takes steps that depend on where the signal begins");
        continue;
      }
      const TensorId y = only_result(op);
      std::vector<Source> sources;
      if (!op.view || program_[y].geometry.lines != 1 || program_[op.view->whole].geometry.lines < 2 ||
          !moved(op, y, sources))
        continue;
      moving = called(op);
      if (is_padded(op.view->whole, sources[0].map.first))
        refuse(moving + " takes a step that depends on where the signal begins");
    }
    for (TensorId id : program_.outputs) {
      if (!moving.empty() && program_[id].geometry.lines > 1)
        refuse(cat("output '", program_[id].name, "' has several steps, ", moving, " one for all of them"));
    }
  }

  // Sums over all steps of a signal are those over the last so many steps of one that goes on.
  LineMap sums_map(const Operation& op) const {
    LineMap map;
    map.count = program_[source_operand(op).tensor].geometry.lines;
    return map;
  }

  // Does line `line` of a tensor depend on lines before the first?
  bool is_padded(TensorId id, int64_t line) const {
    std::vector<int64_t> first(program_.tensors.size(), INT64_MAX);
    first[id.pos()] = line;
    for (size_t i = made_.size(); i-- > 0;) {
      const Extension& made = made_[i];
      if (first[made.y.pos()] == INT64_MAX) continue;
      const LineMap& m = made.map;
      const int64_t at =
          floor_div(first[made.y.pos()] * m.scale + m.first + std::min<int64_t>(0, (m.count - 1) * m.step), m.divide);
      if (at < 0) return true;
      first[made.x.pos()] = std::min(first[made.x.pos()], at);
    }
    return false;
  }

  // A part of a signal's steps, or all of them seen otherwise: no line is made.
  bool moved(const Operation& op, TensorId y, std::vector<Source>& sources) const {
    if (!op.view || op.line_form) return false;
    const bool part = op.view->part == y;
    const TensorId x = part ? op.view->whole : op.view->part;
    const program::Geometry &from = program_[x].geometry, &to = program_[y].geometry;
    const int64_t line = from.pixels * from.channels;
    if (from.pixels != to.pixels || from.channels != to.channels || line == 0 || op.view->offset % line != 0)
      return false;
    if (!part && (op.view->offset != 0 || from.lines != to.lines)) return false;
    for (size_t i = 0; i < op.arguments.size(); ++i) {
      if (op.arguments[i].tensor != x || op.arguments[i].role != Argument::Role::read) continue;
      LineMap map;
      map.first = op.view->offset / line;
      sources.push_back({i, map});
    }
    return sources.size() == 1;
  }

  bool lined(const Operation& op, std::vector<Source>& sources) {
    if (!op.line_form) return refuse(called(op) + " does not work step by step");
    const program::LineForm& form = *op.line_form;
    if (form.accumulate) {
      sources.push_back({0, sums_map(op)});
      return true;
    }
    if (form.calls.size() != 1) return refuse(called(op) + " needs all steps before it gives anything");
    for (const LineArgument& line : form.calls[0].arguments) {
      if (line.how == How::part && line.map.scale != 0) return refuse(called(op) + " treats each step in its own way");
      if (line.how != How::line && line.how != How::rows) continue;
      const Argument& a = op.arguments[line.argument];
      if (a.role != Argument::Role::read) continue;
      if (line.map.table || line.number != 0 || line.map.scale < 1 || line.map.divide < 1)
        return refuse(called(op) + " takes its lines by a table");
      if (temporal(a.tensor)) sources.push_back({line.argument, line.map});
    }
    for (size_t i = 0; i < op.arguments.size(); ++i) {
      const Argument& a = op.arguments[i];
      if (a.role != Argument::Role::read || !temporal(a.tensor)) continue;
      const bool by_lines =
          std::any_of(sources.begin(), sources.end(), [&](const Source& s) { return s.argument == i; });
      if (!by_lines) return refuse(called(op) + " reads all steps at once");
    }
    return true;
  }

  void outputs() {
    for (TensorId id : program_.outputs) {
      const int64_t lines = program_[id].geometry.lines;
      if (!temporal(id)) refuse(cat("output '", program_[id].name, "' does not depend on the input"));
      else if (of_model_[id.pos()] < lines) refuse(late_ + " looks beyond the end of the signal, or pads it");
      else if (of_model_[id.pos()] > lines) refuse(cat("output '", program_[id].name, "' leaves out steps at the end"));
    }
  }

  void apply(Program& program) const {
    for (size_t i = 0; i < program.tensors.size(); ++i) {
      if (rates_[i].lines == 0) continue;
      Tensor& t = program.tensors[i];
      t.geometry.lines = of_frames_[i];
      t.type.shape = Shape{t.geometry.lines, t.geometry.pixels, t.geometry.channels};
    }
    for (Operation& op : program.operations) {
      if (!op.line_form) continue;
      const TensorId y = only_result(op);
      if (op.line_form->accumulate) {
        gather(program, op, program[y].geometry.lines);
        continue;
      }
      for (const LineArgument& line : op.line_form->calls[0].arguments) {
        if (line.how != How::line && line.how != How::rows) continue;
        Argument& a = op.arguments[line.argument];
        if (a.role == Argument::Role::read && a.walk && !a.walk->identity)
          walk_on(line.map, program[a.tensor].geometry.lines, program[y].geometry.lines, a.walk->lines);
      }
    }
  }

  // Each sum is made within one step, so its accumulator is scratch of that step.
  void gather(const Program& program, Operation& op, int64_t lines) const {
    program::LineForm& form = *op.line_form;
    form.accumulate = false;
    form.scratch_bytes = program::gathered_sums_offset(form) + form.accumulator_bytes;
    Argument& x = source_operand(op);
    x.walk = program::Walk{};
    walk_on(sums_map(op), program[x.tensor].geometry.lines, lines, x.walk->lines);
    x.walk->columns.assign(static_cast<size_t>(std::max<int64_t>(1, program[only_result(op)].geometry.pixels)),
                           {0, program[x.tensor].geometry.pixels});
  }

  static void walk_on(const LineMap& map, int64_t in, int64_t out, std::vector<Span>& lines) {
    lines.clear();
    for (int64_t r = 0; r < out; ++r) {
      Span span;
      for (int64_t j = 0; j < map.count; ++j) {
        const int64_t at = r * map.scale + map.first + j * map.step;
        if (at < 0 || (map.exact && at % map.divide != 0) || at / map.divide >= in) continue;
        const int64_t line = at / map.divide;
        span = span.first >= span.end ? Span{line, line + 1}
                                      : Span{std::min(span.first, line), std::max(span.end, line + 1)};
      }
      lines.push_back(span);
    }
  }

  const Program& program_;
  std::vector<int64_t> of_model_, of_frames_;  // lines that are final
  std::vector<Rate> rates_;
  std::vector<Extension> made_;  // in the order of data
  std::string why_, late_;       // the first operation that has lines which are not
};

}  // namespace

ExtendedSignal extend_signal(const Program& program, int64_t frames) { return SignalExtender(program).run(frames); }

}  // namespace tarn::stream
