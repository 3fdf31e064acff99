#include "ops/lines.h"

#include <algorithm>

#include "program/line_scratch.h"
#include "program/operands.h"

namespace tarn::ops {

using program::LineArgument;
using program::LineCall;
using program::LineForm;
using program::LineMap;
using How = program::LineArgument::How;
using Role = program::Argument::Role;

namespace {

LineArgument made(How how, size_t argument) {
  LineArgument made;
  made.how = how;
  made.argument = argument;
  return made;
}

const program::Tensor* output_of(const program::Program& program, const Operation& operation) {
  for (const Argument& a : operation.arguments) {
    if (a.role == Role::write) return &program[a.tensor];
  }
  return nullptr;
}

void finish_form(Lowering& low, Operation& operation, LineForm form) {
  form.scratch_bytes = program::line_scratch_bytes(low.program(), operation);
  operation.line_form = std::move(form);
}

}  // namespace

LineArgument same_argument(size_t argument) { return made(How::same, argument); }
LineArgument pixels_argument(size_t argument) { return made(How::pixels, argument); }
LineArgument apart_argument() { return made(How::apart, 0); }
LineArgument lines_argument() { return made(How::lines, 0); }

LineArgument line_argument(size_t argument, LineMap map) {
  LineArgument line = made(How::line, argument);
  line.map = map;
  return line;
}

LineArgument rows_argument(size_t argument, LineMap map) {
  LineArgument rows = made(How::rows, argument);
  rows.map = map;
  return rows;
}

LineArgument number_argument(int64_t number) {
  LineArgument argument = made(How::number, 0);
  argument.number = number;
  return argument;
}

LineArgument part_argument(size_t argument, int64_t first, int64_t scale) {
  LineArgument part = made(How::part, argument);
  part.number = first;
  part.map.scale = scale;
  return part;
}

LineArgument sums_argument(DType dtype) {
  LineArgument sums = made(How::sums, 0);
  sums.c_type = c_type(dtype);
  return sums;
}

LineMap window_map(const WindowAxis& axis) {
  LineMap map;
  map.count = axis.kernel;
  map.scale = axis.stride;
  map.first = -axis.pad_begin;
  map.step = axis.dilation;
  return map;
}

LineMap reaching_map(const WindowAxis& axis) {
  LineMap map;
  map.count = axis.kernel;
  map.first = axis.pad_begin;
  map.step = -axis.dilation;
  map.divide = axis.stride;
  map.exact = true;
  return map;
}

void set_lines(Lowering& low, Operation& operation, const std::string& file, const std::string& kernel,
               program::Params params, std::vector<LineArgument> arguments) {
  const program::Tensor* y = output_of(low.program(), operation);
  if (!y || y->geometry.lines < 2) return;
  for (const LineArgument& line : arguments) {
    if (line.how != How::line && line.how != How::rows) continue;
    const Argument& operand = operation.arguments[line.argument];
    if (operand.role != Role::read && operand.role != Role::write) return;
    if (operand.role == Role::read && !operand.walk) return;
  }
  LineForm form;
  form.file = file;
  form.params = std::move(params);
  form.calls = {{LineCall::When::each, kernel, std::move(arguments)}};
  finish_form(low, operation, std::move(form));
}

void set_together(Operation& operation, const std::string& kernel, std::vector<program::LineArgument> arguments) {
  if (!operation.line_form) return;
  operation.line_form->together = program::LineCall{LineCall::When::each, kernel, std::move(arguments)};
}

void set_line_by_line(Lowering& low, Operation& operation, program::Params params) {
  const program::Program& program = low.program();
  const program::Tensor* y = output_of(program, operation);
  if (!y) return;
  std::vector<LineArgument> arguments;
  for (size_t i = 0; i < operation.arguments.size(); ++i) {
    const Argument& a = operation.arguments[i];
    const bool moving = a.role == Role::write || (a.role == Role::read && a.walk && a.walk->identity);
    if (moving) {
      const Geometry& g = program[a.tensor].geometry;
      if (g.lines != y->geometry.lines || g.pixels != y->geometry.pixels) return;
    }
    arguments.push_back(moving ? line_argument(i) : same_argument(i));
  }
  const std::string kernel = operation.kernel;
  set_lines(low, operation, kernel, kernel, std::move(params), std::move(arguments));
}

void set_pixels_of_line(Lowering& low, Operation& operation, const Shape& x, std::string_view counted) {
  program::Params line = operation.params;
  line[counted] = low.geometry(x).pixels;
  set_line_by_line(low, operation, std::move(line));
}

namespace {

// Line r of the operand for line r of the result.
Walk moving_walk(const Geometry& x, const Geometry& y) {
  if (x.pixels == y.pixels) return Walk{.identity = true};
  Walk walk;
  for (int64_t r = 0; r < y.lines; ++r) walk.lines.push_back({r, r + 1});
  walk.columns.assign(static_cast<size_t>(y.pixels), {0, x.pixels});
  return walk;
}

// Nobody looks at its axes but operators that take the elements as they stand.
bool only_reshaped(const graph::Graph& graph, ValueId id) {
  return std::all_of(graph.nodes.begin(), graph.nodes.end(), [&](const Node& node) {
    const bool reads = std::count(node.inputs.begin(), node.inputs.end(), id) > 0;
    const bool reshapes = node.is("Reshape") || node.is("Squeeze") || node.is("Unsqueeze");
    return std::count(node.captures.begin(), node.captures.end(), id) == 0 && (!reads || reshapes);
  });
}

}  // namespace

std::optional<OperandLine> operand_line(Lowering& low, Argument& operand, size_t argument, const Shape& shape,
                                        const Shape& y) {
  if (y.rank() < 3 || shape.rank() > y.rank()) return {};
  Shape full = shape;
  while (full.rank() < y.rank()) full.dims.insert(full.dims.begin(), 1);
  // The steps of a signal may be its lines: then these have one pixel.
  const Geometry made = low.geometry(y);
  const bool steps = made != default_geometry(y);
  bool still = true, moving = true;
  for (int i = 0; i < y.rank() - (steps ? 1 : 2); ++i) {
    still = still && full[i] == 1;
    moving = moving && full[i] == y[i];
  }
  if (!still && !moving) return {};
  const Shape line{steps ? 1 : full[y.rank() - 2], full[y.rank() - 1]};
  if (operand.role == Argument::Role::weight || still) {
    // Calls for some pixels of a line cannot take what stays where it is, unless it is the same for all of them.
    if (still && line[0] == 1) return OperandLine{same_argument(argument), line};
    return OperandLine{part_argument(argument, 0, still ? 0 : line.count()), line};
  }
  if (operand.role != Argument::Role::read) return {};
  const Geometry of = low.geometry(full), &x = low.program()[operand.tensor].geometry;
  if (x != of || of.lines != made.lines) return {};
  if (!operand.walk) operand.walk = moving_walk(of, made);
  return OperandLine{line_argument(argument), line};
}

void set_reduced_lines(Lowering& low, Operation& operation, const Node& node, const Shape& x, bool pixels,
                       bool channels, program::Params params) {
  Argument& from = source_operand(operation);
  if (from.role != Argument::Role::read || x.rank() < 3 || (!pixels && !channels)) return;
  const Geometry of = low.geometry(x), made{of.lines, pixels ? 1 : of.pixels, channels ? 1 : of.channels};
  const ValueId y = node.outputs[0];
  // Without the axis that is gone, the others would be taken for lines and pixels.
  if (made.count() != low.shape(y).count()) return;
  if (low.shape(y).rank() < x.rank() && only_reshaped(low.graph(), y)) low.set_geometry(y, made);
  if (low.program()[from.tensor].geometry != of || low.program()[written_by(operation)].geometry != made) return;
  // All of a pixel is read before the one element made of it is written.
  if (!pixels) from.walk = Walk{.identity = true, .read_before_write = true};
  else from.walk = moving_walk(of, made);
  const std::string kernel = operation.kernel;
  set_lines(low, operation, kernel, kernel, std::move(params), {line_argument(0), line_argument(1)});
}

void set_sums(Lowering& low, Operation& operation, const std::string& kernel, program::Params params, DType sums,
              int64_t count, std::vector<LineArgument> finish) {
  const Argument& x = source_operand(operation);
  if (x.role != Role::read || low.program()[x.tensor].geometry.lines < 2) return;
  using When = LineCall::When;
  LineForm form;
  form.accumulate = true;
  form.accumulator_bytes = count * bytes_for(sums, 1);
  form.file = kernel;
  form.params = std::move(params);
  form.calls = {{When::first, kernel + "_begin", {sums_argument(sums)}},
                {When::each, kernel + "_add", {line_argument(0), pixels_argument(0), sums_argument(sums)}},
                {When::last, kernel + "_finish", std::move(finish)}};
  finish_form(low, operation, std::move(form));
}

void set_global_sums(Lowering& low, Operation& operation, int64_t channels, int64_t pixels, FieldValue x_pitch) {
  const DType dtype = low.program()[written_by(operation)].type.dtype;
  const DType sums = dtype == DType::float64 ? DType::float64 : DType::float32;
  set_sums(low, operation, "tarn_global_averagepool_" + kernel_suffix(dtype),
           {"tarn_global_pool_params",
            {{"images", int64_t{1}},
             {"pixels", pixels},
             {"channels", channels},
             {"x_pitch", std::move(x_pitch)},
             {"option", int64_t{0}}}},
           sums, channels, {sums_argument(sums), line_argument(1)});
}

namespace {

bool has_single_lines(const program::Program& program, const Operation& operation) {
  if (operation.line_form || operation.kernel.empty() || operation.returns_status) return false;
  bool reads = false;
  int written = 0;
  for (const Argument& a : operation.arguments) {
    if (a.role == Role::update || a.role == Role::lines) return false;
    if (a.tensor.valid() && a.role != Role::scratch && program[a.tensor].geometry.lines != 1) return false;
    reads = reads || a.role == Role::read;
    written += a.role == Role::write;
  }
  return reads && written == 1;
}

}  // namespace

void set_single_lines(program::Program& program) {
  for (Operation& operation : program.operations) {
    if (!has_single_lines(program, operation)) continue;
    const program::Tensor& y = *output_of(program, operation);
    LineCall call{LineCall::When::each, operation.kernel, {}};
    for (size_t i = 0; i < operation.arguments.size(); ++i) {
      Argument& a = operation.arguments[i];
      const bool read = a.role == Role::read;
      call.arguments.push_back(read || a.role == Role::write ? line_argument(i) : same_argument(i));
      if (!read || (a.walk && (!a.walk->same_place || a.walk->identity))) continue;
      // Each pixel made may need all that are read.
      program::Walk walk;
      walk.lines = {{0, 1}};
      walk.columns.assign(static_cast<size_t>(y.geometry.pixels), {0, program[a.tensor].geometry.pixels});
      a.walk = std::move(walk);
    }
    LineForm& form = operation.line_form.emplace();
    form.file = operation.kernel;
    form.params = operation.params;
    form.calls.push_back(std::move(call));
    form.scratch_bytes = program::line_scratch_bytes(program, operation);
  }
}

}  // namespace tarn::ops
