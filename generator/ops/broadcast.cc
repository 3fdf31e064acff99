// Calls of kernels of two operands: one run over both where shapes allow it, else axes around a run.
#include <algorithm>

#include "ops/elementwise.h"
#include "ops/indexing.h"
#include "ops/lines.h"
#include "program/operands.h"

namespace tarn::ops {

namespace {

using program::Params;
using program::Pitch;
using program::Run;

// An axis of the result and how far each operand moves along it, in elements.
struct Axis {
  int64_t count, a, b;
};

// The axes of a broadcast, with those joined that both operands walk through evenly.
std::vector<Axis> joined_axes(const Shape& a, const Shape& b, const Shape& y) {
  auto steps = [&](const Shape& s) {
    std::vector<int64_t> strides = strides_of(s), out(y.dims.size(), 0);
    const size_t missing = static_cast<size_t>(y.rank() - s.rank());
    for (int i = 0; i < s.rank(); ++i) {
      if (s[i] != 1) out[static_cast<size_t>(i) + missing] = strides[static_cast<size_t>(i)];
    }
    return out;
  };
  const std::vector<int64_t> sa = steps(a), sb = steps(b);
  std::vector<Axis> axes;
  for (int i = 0; i < y.rank(); ++i) {
    const auto at = static_cast<size_t>(i);
    if (y[i] == 1) continue;
    const Axis axis{y[i], sa[at], sb[at]};
    if (!axes.empty() && axes.back().a == axis.a * axis.count && axes.back().b == axis.b * axis.count) {
      axes.back() = {axes.back().count * axis.count, axis.a, axis.b};
    } else {
      axes.push_back(axis);
    }
  }
  return axes;
}

// A line is an axis of pixels around a run of channels, whatever the operands lack of either.
void set_broadcast_lines(Lowering& low, Operation& operation, const std::string& kernel, const Shape& a_shape,
                         const Shape& b_shape, const Shape& y_shape, const Extra& extra) {
  const auto [a_operand, b_operand] = program::binary_operands(operation);
  const auto a = operand_line(low, a_operand, 0, a_shape, y_shape),
             b = operand_line(low, b_operand, 1, b_shape, y_shape);
  if (!a || !b) return;
  const Geometry made = low.geometry(y_shape);
  auto pitch = [](const Shape& s) { return s[0] == 1 ? int64_t{0} : s[1]; };
  auto step = [](const Shape& s) { return int64_t{s[1] != 1}; };
  Params line{kernel + "_params",
              {{"outer", made.pixels},
               {"inner", made.channels},
               {"a_pitch", pitch(a->shape)},
               {"b_pitch", pitch(b->shape)},
               {"y_pitch", made.channels},
               {"a_step", step(a->shape)},
               {"b_step", step(b->shape)}}};
  line.append(extra.fields);
  std::vector<program::LineArgument> arguments{a->argument, b->argument, line_argument(2)};
  for (size_t i = 3; i < operation.arguments.size(); ++i) arguments.push_back(same_argument(i));
  set_lines(low, operation, kernel, kernel, std::move(line), std::move(arguments));
}

bool is_full(const Shape& operand, const Shape& y) {
  return operand.count() == y.count() && operand.rank() <= y.rank() && operand == y;
}

int64_t channels_of(const Shape& y) { return y.rank() ? y[y.rank() - 1] : 1; }

// One number, or one number per channel: the other operand is free to be a view.
bool is_simple(const Shape& operand, const Shape& y) {
  const int64_t channels = channels_of(y);
  return operand.count() == 1 ||
         (operand.rank() > 0 && operand.count() == channels && operand[operand.rank() - 1] == channels);
}

void mark(Argument& argument, bool full, bool pitched) {
  if (argument.role != Argument::Role::read) return;
  if (full) argument.walk = elementwise_walk();
  argument.pitched = full && pitched;
}

Params with_fields(Params params, const Extra& extra) {
  params.fields.insert(params.fields.end(), extra.fields.begin(), extra.fields.end());
  return params;
}

// An operation over two operands, which its lowerings share.
struct Binary {
  const Node& node;
  Lowering& low;
  const std::string& kernel;
  Argument a, b, y;
  const Shape &a_shape, &b_shape, &y_shape;
  Extra extra;
};

Operation& call_binary(Binary& of, const std::string& name, Params params) {
  std::vector<Argument> arguments{std::move(of.a), std::move(of.b), std::move(of.y)};
  for (Argument& more : of.extra.arguments) arguments.push_back(std::move(more));
  Operation& operation = of.low.call(of.node, name, std::move(params), std::move(arguments));
  operation.note = of.extra.note;
  return operation;
}

// Operands that are as large as the result, one number, or one number per channel: pixel by pixel.
void lower_by_pixels(Binary of) {
  const bool full_a = is_full(of.a_shape, of.y_shape), full_b = is_full(of.b_shape, of.y_shape);
  const bool per_channel = (!full_a && of.a_shape.count() != 1) || (!full_b && of.b_shape.count() != 1);
  const int64_t channels = channels_of(of.y_shape);
  // Within a pixel elements are read and written one by one: a pitched pixel has to be as long on both sides.
  const bool pitched = bits_of(of.low.dtype(of.node.outputs[0])) == bits_of(of.low.dtype(of.node.inputs[0]));
  mark(of.a, full_a, pitched);
  mark(of.b, full_b, pitched);
  of.y.pitched = pitched;
  // The output counts: an operand may be a single number.
  FieldValue outer = Run{true, 2}, inner = Run{false, 2};
  if (per_channel) {
    outer = of.y_shape.count() / std::max<int64_t>(1, channels);
    inner = channels;
  }
  // A weight that spans the whole tensor has no pitch of its own: it is dense.
  auto pitch = [&](const Argument& argument, bool full, size_t at) -> FieldValue {
    if (!full) return int64_t{0};
    if (argument.role != Argument::Role::read) return channels;
    return Pitch{Pitch::Of::pixel, at};
  };
  auto step = [](bool full, const Shape& s) { return int64_t{full || s.count() != 1}; };
  Params params = with_fields({of.kernel + "_params",
                               {{"outer", outer},
                                {"inner", inner},
                                {"a_pitch", pitch(of.a, full_a, 0)},
                                {"b_pitch", pitch(of.b, full_b, 1)},
                                {"y_pitch", Pitch{Pitch::Of::pixel, 2}},
                                {"a_step", step(full_a, of.a_shape)},
                                {"b_step", step(full_b, of.b_shape)}}},
                              of.extra);
  // A whole weight beside a line would need a line of the weight.
  const bool lines = (!full_a || of.a.role == Argument::Role::read) && (!full_b || of.b.role == Argument::Role::read);
  Operation& operation = call_binary(of, of.kernel, params);
  if (per_channel) params["outer"] = of.low.geometry(of.y_shape).pixels;
  if (lines) set_line_by_line(of.low, operation, std::move(params));
  else set_broadcast_lines(of.low, operation, of.kernel, of.a_shape, of.b_shape, of.y_shape, of.extra);
}

// Any operands: runs along the two innermost axes, and axes around them.
std::optional<Fault> lower_by_axes(Binary of) {
  std::vector<Axis> axes = joined_axes(of.a_shape, of.b_shape, of.y_shape);
  while (axes.size() < 2) axes.insert(axes.begin(), Axis{1, 0, 0});
  // The run kernel steps by 0 or 1 only; an inner stride above that gets an axis of one element below it.
  if (axes.back().a > 1 || axes.back().b > 1) axes.push_back({1, 0, 0});
  mark(of.a, is_full(of.a_shape, of.y_shape), false);
  mark(of.b, is_full(of.b_shape, of.y_shape), false);
  const Axis inner = axes[axes.size() - 1], outer = axes[axes.size() - 2];
  Params run = with_fields({of.kernel + "_params",
                            {{"outer", outer.count},
                             {"inner", inner.count},
                             {"a_pitch", outer.a},
                             {"b_pitch", outer.b},
                             {"y_pitch", inner.count},
                             {"a_step", inner.a},
                             {"b_step", inner.b}}},
                           of.extra);
  const size_t rank = axes.size() - 2;
  if (rank > 6) return Fault{"broadcasting over more than 8 axes is not supported", "", "E208"};
  std::vector<int64_t> dims(6, 0), stride_a(6, 0), stride_b(6, 0);
  for (size_t i = 0; i < rank; ++i) {
    dims[i] = axes[i].count;
    stride_a[i] = axes[i].a;
    stride_b[i] = axes[i].b;
  }
  Operation& operation = rank == 0 ? call_binary(of, of.kernel, std::move(run))
                                   : call_binary(of, of.kernel + "_nd",
                                                 {of.kernel + "_nd_params",
                                                  {{"run", std::move(run)},
                                                   {"rank", static_cast<int64_t>(rank)},
                                                   {"dims", dims},
                                                   {"a_stride", stride_a},
                                                   {"b_stride", stride_b},
                                                   {"y_count", outer.count * inner.count}}});
  set_broadcast_lines(of.low, operation, of.kernel, of.a_shape, of.b_shape, of.y_shape, of.extra);
  return {};
}

}  // namespace

std::optional<Fault> lower_binary(const Node& node, Lowering& low, const std::string& kernel, Argument a,
                                  const Shape& a_shape, Argument b, const Shape& b_shape, Argument y,
                                  const Shape& y_shape, Extra extra) {
  Binary of{node, low, kernel, std::move(a), std::move(b), std::move(y), a_shape, b_shape, y_shape, std::move(extra)};
  const bool full_a = is_full(a_shape, y_shape), full_b = is_full(b_shape, y_shape);
  if ((full_a || is_simple(a_shape, y_shape)) && (full_b || is_simple(b_shape, y_shape)) && (full_a || full_b)) {
    lower_by_pixels(std::move(of));
    return {};
  }
  return lower_by_axes(std::move(of));
}

}  // namespace tarn::ops
