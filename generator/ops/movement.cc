#include "ops/movement.h"

#include "ops/elementwise.h"
#include "ops/lines.h"
#include "program/operands.h"
#include "support/text.h"

namespace tarn::ops {

using program::View;

namespace {

// Elements smaller than a byte: runs of whole bytes can be copied, others not.
std::optional<Fault> lower_packed_part(const Node& node, Lowering& low, ValueId part, ValueId whole, int axis,
                                       int64_t start, bool into) {
  const Shape &p = low.shape(part), &w = low.shape(whole);
  const int64_t per_byte = 8 / bits_of(low.dtype(whole)), outer = w.count(0, axis);
  const int64_t run = p.count(axis, w.rank()), pitch = w.count(axis, w.rank()),
                offset = start * w.count(axis + 1, w.rank());
  const bool fixed = low.graph()[part].runtime_dims.empty() && low.graph()[whole].runtime_dims.empty();
  if (!fixed || run % per_byte != 0 || offset % per_byte != 0 || (outer > 1 && pitch % per_byte != 0)) {
    return Fault{"elements smaller than a byte can be moved only in whole bytes", "", "E204"};
  }
  const int64_t bytes = run / per_byte, step = pitch / per_byte, at = offset / per_byte;
  low.call(node, "tarn_copy",
           {"tarn_copy_params",
            {{"outer", outer},
             {"inner", bytes},
             {"x_pitch", into ? bytes : step},
             {"y_pitch", into ? step : bytes},
             {"x_offset", into ? 0 : at},
             {"y_offset", into ? at : 0}}},
           {low.read(into ? part : whole), low.write(into ? whole : part)});
  return {};
}

// Line by line, each copies a range of the whole's columns or into it.
void set_columns(Lowering& low, Operation& operation, const program::View& view, int64_t columns, int64_t start) {
  const bool into = written_by(operation) == view.whole;
  const program::Program& program = low.program();
  const Geometry &part = program[view.part].geometry, &whole = program[view.whole].geometry;
  if (part.lines != whole.lines || part.channels != whole.channels || part.pixels != columns) return;
  operation.view = view;
  Walk walk;
  for (int64_t l = 0; l < part.lines; ++l) walk.lines.push_back({l, l + 1});
  for (int64_t p = 0; p < (into ? whole.pixels : columns); ++p) {
    const int64_t from = into ? p - start : p + start;
    walk.columns.push_back(from < 0 || (into && from >= columns) ? program::Span{} : program::Span{from, from + 1});
  }
  source_operand(operation).walk = std::move(walk);
  program::Params line = operation.params;
  line["outer"] = int64_t{1};
  set_lines(low, operation, operation.kernel, operation.kernel, std::move(line), {line_argument(0), line_argument(1)});
}

}  // namespace

std::optional<Fault> lower_part(const Node& node, Lowering& low, ValueId part, ValueId whole, int axis, int64_t start,
                                bool into) {
  if (is_packed(low.dtype(whole))) return lower_packed_part(node, low, part, whole, axis, start, into);
  const Shape &p = low.shape(part), &w = low.shape(whole);
  const int rank = w.rank(), from_end = rank - axis;  // 1: channels, 2: pixels, more: lines
  const int64_t element = bytes_for(low.dtype(whole), 1), offset = start * w.count(axis + 1, rank);
  const bool regular = !low.constant(part) && !low.constant(whole) && (from_end <= 1 || w.count(0, axis) == 1);
  Argument from = low.read(into ? part : whole), to = low.write(into ? whole : part);
  if (!regular) {
    const int64_t run = p.count(axis, rank) * element, pitch = w.count(axis, rank) * element;
    Operation& operation = low.call(node, "tarn_copy",
                                    {"tarn_copy_params",
                                     {{"outer", w.count(0, axis)},
                                      {"inner", run},
                                      {"x_pitch", into ? run : pitch},
                                      {"y_pitch", into ? pitch : run},
                                      {"x_offset", into ? 0 : offset * element},
                                      {"y_offset", into ? offset * element : 0}}},
                                    {std::move(from), std::move(to)});
    if (from_end == 2 && !low.constant(part) && !low.constant(whole))
      set_columns(low, operation, {low.tensor(part), low.tensor(whole), offset, true}, p[axis], start);
    return {};
  }
  // Pixel by pixel, each side with its own pitch; one run when both are dense and no channels are cut.
  const int64_t channels = w[rank - 1];
  const size_t part_at = into ? 0 : 1, whole_at = into ? 1 : 0;
  using program::Pitch;
  using program::Run;
  FieldValue outer = Run{true, part_at, 1}, inner = Run{false, part_at, element};
  if (p[rank - 1] != channels) {
    outer = p.count(0, rank - 1);
    inner = p[rank - 1] * element;
  }
  const Pitch whole_offset{Pitch::Of::pixel, whole_at, offset / channels * element, offset % channels * element};
  from.pitched = to.pitched = true;
  Operation& operation = low.call(node, "tarn_copy",
                                  {"tarn_copy_params",
                                   {{"outer", outer},
                                    {"inner", inner},
                                    {"x_pitch", Pitch{Pitch::Of::pixel, 0, element}},
                                    {"y_pitch", Pitch{Pitch::Of::pixel, 1, element}},
                                    {"x_offset", into ? FieldValue{int64_t{0}} : FieldValue{whole_offset}},
                                    {"y_offset", into ? FieldValue{whole_offset} : FieldValue{int64_t{0}}}}},
                                  {std::move(from), std::move(to)});
  operation.view = View{low.tensor(part), low.tensor(whole), offset};
  if (from_end != 1) return {};
  Argument& read = source_operand(operation);
  read.walk = elementwise_walk();
  program::Params line = operation.params;
  if (p[rank - 1] != channels) line["outer"] = low.geometry(p).pixels;
  set_line_by_line(low, operation, std::move(line));
  return {};
}

std::optional<std::vector<int64_t>> integers_of(const Facts& facts, size_t index, const std::string& attribute) {
  if (facts.node.has(attribute)) return facts.node.integers(attribute);
  const Constant* value = facts.value(index);
  if (!value || value->is_absent()) return {};
  return value->integers();
}

std::optional<std::vector<int64_t>> integers_of(const Node& node, const Lowering& low, size_t index,
                                                const std::string& attribute) {
  if (node.has(attribute)) return node.integers(attribute);
  const Constant* value = node.has_input(index) ? low.constant(node.inputs[index]) : nullptr;
  if (!value || value->is_absent()) return {};
  return value->integers();
}

void lower_copy(const Node& node, Lowering& low, ValueId x, ValueId y, std::optional<View> view) {
  Argument from = low.read(x), to = low.write(y);
  program::Params params = program::copy_params(low.graph()[x].type.bytes());
  // The same pixels on both sides: each side keeps its pitch, whether or not the copy is left out.
  if (from.role == Argument::Role::read && low.geometry(low.shape(x)) == low.geometry(low.shape(y)) &&
      !is_packed(low.dtype(x))) {
    from.pitched = to.pitched = true;
    params = program::copy_params_by_pixels(bytes_for(low.dtype(x), 1));
  }
  Operation& operation = low.call(node, "tarn_copy", std::move(params), {std::move(from), std::move(to)});
  operation.view = view;
}

namespace {

// The lines of one transposed matrix of `columns` that now follow each other: each is gathered from all over the
// operand, which stands as a whole.
void set_gathered_lines(Lowering& low, Operation& operation, DType dtype, int64_t columns) {
  const Geometry& y = low.program()[written_by(operation)].geometry;
  if (y.lines * y.pixels != columns) return;
  const std::string kernel = "tarn_strided_" + bytes_suffix(dtype);
  const std::vector<int64_t> dims{y.pixels, y.channels, 1, 1, 1, 1, 1, 1}, strides{1, columns, 0, 0, 0, 0, 0, 0};
  set_lines(
      low, operation, kernel, kernel,
      {"tarn_strided_params", {{"rank", int64_t{2}}, {"dims", dims}, {"strides", strides}, {"offset", int64_t{0}}}},
      {part_argument(0, 0, y.pixels), line_argument(1)});
  if (operation.line_form) operation.line_form->joins = true;
}

// Matrices that are the pixels of an image: those of a line.
void set_pixels_apart(Lowering& low, Operation& operation, int64_t elements) {
  const Geometry &x = low.program()[source_operand(operation).tensor].geometry,
                 &y = low.program()[written_by(operation)].geometry;
  if (x != y || y.channels != elements) return;
  source_operand(operation).walk->identity = true;
  program::Params line = operation.params;
  line["matrices"] = y.pixels;
  set_line_by_line(low, operation, std::move(line));
}

// The axes that stay within a line, with how far each moves.
struct Inner {
  std::vector<int64_t> dims, steps;
  // The elements from the first to the end that these reach, as seen from where all begin.
  program::Span reach() const {
    program::Span span{0, 1};
    for (size_t i = 0; i < dims.size(); ++i) (steps[i] < 0 ? span.first : span.end) += (dims[i] - 1) * steps[i];
    return span;
  }
};

// Splits off the axis of y's lines; it may have been joined with what follows.
std::optional<int64_t> split_lines(int64_t lines, Inner& axes) {
  if (axes.dims.empty() || axes.dims[0] % lines != 0) return {};
  const int64_t rest = axes.dims[0] / lines, step = axes.steps[0] * rest;
  if (rest == 1) {
    axes.dims.erase(axes.dims.begin());
    axes.steps.erase(axes.steps.begin());
  } else {
    axes.dims[0] = rest;
  }
  return step;
}

// The columns of a line of x that each pixel of one of y needs.
std::vector<program::Span> columns_of(Inner axes, const Geometry& x, const Geometry& y, int64_t column) {
  const std::optional<int64_t> step = y.pixels == 1 ? 0 : split_lines(y.pixels, axes);
  std::vector<program::Span> columns;
  if (!step) {
    columns.assign(static_cast<size_t>(y.pixels), {0, x.pixels});
    return columns;
  }
  const program::Span reach = axes.reach();
  for (int64_t p = 0; p < y.pixels; ++p) {
    const int64_t first = column + p * *step + reach.first, end = column + p * *step + reach.end;
    columns.push_back({first / x.channels, (end + x.channels - 1) / x.channels});
  }
  return columns;
}

// y by lines, where each lies within one line of x: one of every few from some line on, or `block` of them one after
// the other in one of x, as pixels that come out of depth do.
void set_strided_lines(Lowering& low, Operation& operation, DType dtype, Inner inner, int64_t offset) {
  const Argument& from = source_operand(operation);
  if (from.role != Argument::Role::read) return;
  const Geometry &x = low.program()[from.tensor].geometry, &y = low.program()[written_by(operation)].geometry;
  const int64_t line = x.pixels * x.channels;
  if (line == 0 || y.count() == 0) return;
  const int64_t start = offset / line, column = offset % line;
  program::LineMap map;
  map.first = start;
  const bool blocks = inner.dims.size() > 1 && inner.dims[0] == x.lines && inner.steps[0] == line &&
                      inner.dims[0] * inner.dims[1] == y.lines && inner.steps[1] >= 0 && inner.steps[1] < line &&
                      offset == 0 && inner.dims[1] > 1;
  int64_t most = 0;
  if (blocks) {
    map.divide = inner.dims[1];
    map.within = inner.steps[1];
    most = (map.divide - 1) * map.within;
    inner.dims.erase(inner.dims.begin(), inner.dims.begin() + 2);
    inner.steps.erase(inner.steps.begin(), inner.steps.begin() + 2);
  } else {
    const std::optional<int64_t> step = split_lines(y.lines, inner);
    if (!step || *step < line || *step % line != 0 || start + (y.lines - 1) * (*step / line) >= x.lines) return;
    map.scale = *step / line;
  }
  const program::Span reach = inner.reach();
  int64_t elements = 1;
  for (int64_t d : inner.dims) elements *= d;
  if (elements != y.pixels * y.channels || column + reach.first < 0 || column + most + reach.end > line ||
      inner.dims.size() > 8)
    return;
  if (!from.walk) {
    Walk walk;
    for (int64_t r = 0; r < y.lines; ++r) {
      const int64_t at = (r * map.scale + map.first) / map.divide;
      walk.lines.push_back({at, at + 1});
    }
    if (blocks) walk.columns.assign(static_cast<size_t>(y.pixels), {0, x.pixels});
    else walk.columns = columns_of(inner, x, y, column);
    source_operand(operation).walk = std::move(walk);
  }
  const auto rank = static_cast<int64_t>(std::max<size_t>(1, inner.dims.size()));
  inner.dims.resize(8, 1);
  inner.steps.resize(8, 0);
  const std::string kernel = "tarn_strided_" + bytes_suffix(dtype);
  set_lines(
      low, operation, kernel, kernel,
      {"tarn_strided_params", {{"rank", rank}, {"dims", inner.dims}, {"strides", inner.steps}, {"offset", column}}},
      {line_argument(0, map), line_argument(1)});
}

}  // namespace

std::optional<Fault> lower_strided(const Node& node, Lowering& low, Argument x, Argument y, DType dtype,
                                   std::vector<int64_t> dims, std::vector<int64_t> strides, int64_t offset) {
  if (is_packed(dtype)) return Fault{"elements smaller than a byte cannot be moved one by one", "", "E204"};
  // Join axes that x walks through evenly, and drop those of one element.
  std::vector<int64_t> joined, steps;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] == 1) continue;
    if (!joined.empty() && steps.back() == strides[i] * dims[i]) {
      joined.back() *= dims[i];
      steps.back() = strides[i];
    } else {
      joined.push_back(dims[i]);
      steps.push_back(strides[i]);
    }
  }
  if (joined.empty()) {
    joined.push_back(1);
    steps.push_back(1);
  }
  if (joined.size() > 8) return Fault{"more than 8 axes", "", "E208"};
  const auto rank = static_cast<int64_t>(joined.size());
  // Whole matrices, one after the other: these can be transposed where they are.
  const size_t m = joined.size() == 3 ? 1 : 0;
  if (offset == 0 && joined.size() == m + 2 && steps[m] == 1 && steps[m + 1] == joined[m] &&
      (m == 0 || steps[0] == joined[1] * joined[2]) && x.role == Argument::Role::read && !x.walk) {
    Walk walk;
    walk.same_place = true;
    x.walk = std::move(walk);
    const std::string kernel = "tarn_transpose_" + bytes_suffix(dtype);
    Operation& operation =
        low.call(node, kernel,
                 {kernel + "_params",
                  {{"matrices", m == 0 ? int64_t{1} : joined[0]}, {"rows", joined[m + 1]}, {"columns", joined[m]}}},
                 {std::move(x), std::move(y)});
    if (m == 0) set_gathered_lines(low, operation, dtype, joined[0]);
    else set_pixels_apart(low, operation, joined[1] * joined[2]);
    return {};
  }
  const std::vector<int64_t> kept = joined, kept_steps = steps;
  joined.resize(8, 1);
  steps.resize(8, 0);
  const std::string kernel = "tarn_strided_" + bytes_suffix(dtype);
  Operation& operation = low.call(
      node, kernel, {"tarn_strided_params", {{"rank", rank}, {"dims", joined}, {"strides", steps}, {"offset", offset}}},
      {std::move(x), std::move(y)});
  set_strided_lines(low, operation, dtype, {kept, kept_steps}, offset);
  return {};
}

}  // namespace tarn::ops
