// Resize and Upsample. When scales are known, every output position's place in the input, and its weights, go into
// tables; the rest is left to a slow kernel that works them out as it runs.
#include <algorithm>
#include <array>
#include <cmath>

#include "ops/folding.h"
#include "ops/indexed.h"
#include "ops/lines.h"
#include "ops/movement.h"
#include "ops/resize_any.h"
#include "ops/resize_axes.h"
#include "ops/resize_table.h"
#include "ops/run_time_shapes.h"
#include "ops/spatial.h"
#include "ops/walks.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

using program::Params;
using program::Pitch;

Answer<Types> infer_resize(const Facts& facts) {
  if (!facts.has(0)) return Fault{"needs an input"};
  const auto rule = rule_of(facts.node);
  if (!rule) return Fault{"has a mode that the standard does not know"};
  const Shape& x = facts.shape(0);
  const ResizeLists known = known_of(
      facts.node, [&](size_t i) { return facts.has(i) && facts.shape(i).count() > 0; },
      [&](size_t i) { return facts.value(i); }, rule->transform == TARN_RESIZE_CROP);
  const ListPlaces places = list_places(facts.node);
  const auto is_given = [&](int i) {
    return i >= 0 && facts.has(static_cast<size_t>(i)) && facts.shape(static_cast<size_t>(i)).count() > 0;
  };
  if (!facts.node.has("scales") && !is_given(places.scales) && !is_given(places.sizes))
    return Fault{"has neither scales nor sizes"};
  if (known.unknown) {
    const TensorType declared = facts.declared.empty() ? TensorType{} : facts.declared[0];
    if (declared.dtype == DType::undefined) return Types{TensorType{}};
    if (declared.shape.rank() != x.rank()) return Fault{"declared as " + to_string(declared) + " from " + to_string(x)};
    return Types{{facts.types[0].dtype, declared.shape}};
  }
  auto axes = axes_of(facts.node, x, known);
  if (const Fault* fault = std::get_if<Fault>(&axes)) return *fault;
  Shape y;
  for (const ResizeAxis& axis : std::get<0>(axes)) y.dims.push_back(axis.out);
  return Types{{facts.types[0].dtype, std::move(y)}};
}

bool repeats(const ResizeTable& table) {
  const int64_t times = table.out / table.in;
  if (table.out != times * table.in) return false;
  for (int64_t o = 0; o < table.out; ++o) {
    if (table.starts[static_cast<size_t>(o)] != o / times) return false;
  }
  return true;
}

// Tables of equal content are one weight.
std::string content_key(const std::string& name, const tarn_resize_rule& rule, const ResizeView& view) {
  std::string key = cat("resize/", rule.mode);
  for (const ResizeTable* t : {&view.planes, &view.lines, &view.pixels}) {
    key += cat("/", t->in, "_", t->out, "_", t->taps, "_", join(t->starts, ","));
    std::string bytes(reinterpret_cast<const char*>(t->weights.data()), t->weights.size() * sizeof(float));
    for (char c : bytes) key += cat(",", static_cast<int>(c));
  }
  return cat(key, ":", name);
}

std::vector<int32_t> joined_starts(const ResizeView& view) {
  std::vector<int32_t> all;
  for (const ResizeTable* t : {&view.planes, &view.lines, &view.pixels})
    all.insert(all.end(), t->starts.begin(), t->starts.end());
  return all;
}

std::vector<float> joined_weights(const ResizeView& view) {
  std::vector<float> all;
  for (const ResizeTable* t : {&view.planes, &view.lines, &view.pixels})
    all.insert(all.end(), t->weights.begin(), t->weights.end());
  return all;
}

Argument read_walked(const Node& node, Lowering& low, const std::vector<ResizeTable>& tables) {
  std::vector<std::vector<Span>> spans;
  for (const ResizeTable& table : tables) spans.push_back(table.spans);
  Argument x = low.read(node.inputs[0]);
  if (x.role != Argument::Role::read) return x;
  x.walk = axes_walk(low.shape(node.inputs[0]), low.shape(node.outputs[0]), spans);
  x.pitched = true;
  return x;
}

// The lines of the tensors are those of one image.
bool one_image(const Node& node, const Lowering& low, const ResizeView& view) {
  return low.shape(node.inputs[0]).rank() == 4 && view.images == 1 && view.planes.in == 1 && view.planes.out == 1;
}

// From where a line takes: what the table of starts says.
program::LineMap starts_map(const ResizeView& view) {
  program::LineMap map;
  map.table = 1;
  map.table_first = view.planes.out;
  return map;
}

std::optional<Fault> lower_nearest(const Node& node, Lowering& low, const tarn_resize_rule& rule,
                                   const ResizeView& view, Argument x) {
  const DType dtype = low.dtype(node.inputs[0]);
  const Shape& shape = low.shape(node.inputs[0]);
  const int64_t channels = shape[shape.rank() - 1];
  const FieldValue x_pitch = pitch_of(x, 0, Pitch::Of::pixel, channels),
                   x_line = pitch_of(x, 0, Pitch::Of::line, view.pixels.in * channels);
  if (repeats(view.planes) && repeats(view.lines) && repeats(view.pixels)) {
    const std::string kernel = "tarn_resize_repeat_" + bytes_suffix(dtype);
    Operation& repeat = low.call(node, kernel,
                                 {kernel + "_params",
                                  {{"planes", view.images * view.planes.in},
                                   {"lines", view.lines.in},
                                   {"pixels", view.pixels.in},
                                   {"times_planes", view.planes.out / view.planes.in},
                                   {"times_lines", view.lines.out / view.lines.in},
                                   {"times_pixels", view.pixels.out / view.pixels.in},
                                   {"channels", channels},
                                   {"x_pitch", x_pitch},
                                   {"y_pitch", Pitch{Pitch::Of::pixel, 1}},
                                   {"x_line", x_line},
                                   {"y_line", Pitch{Pitch::Of::line, 1}}}},
                                 {std::move(x), low.write(node.outputs[0], true)});
    if (!one_image(node, low, view)) return {};
    Params line = repeat.params;
    line["lines"] = line["times_lines"] = int64_t{1};
    program::LineMap map;
    map.divide = view.lines.out / view.lines.in;
    set_lines(low, repeat, kernel, kernel, std::move(line), {line_argument(0, map), line_argument(1)});
    return {};
  }
  const double outside = node.real("extrapolation_value", 0);
  Argument value = low.none();
  if (rule.transform == TARN_RESIZE_CROP && outside != 0) {
    value = low.weight(cat("value:", to_string(dtype), ":", outside, "/resize"), Constant::scalar(dtype, outside));
  }
  const std::string kernel = "tarn_resize_nearest_" + bytes_suffix(dtype);
  Operation& nearest = low.call(node, kernel,
                                {"tarn_resize_nearest_params",
                                 {{"images", view.images},
                                  {"in_planes", view.planes.in},
                                  {"in_lines", view.lines.in},
                                  {"out_planes", view.planes.out},
                                  {"out_lines", view.lines.out},
                                  {"out_pixels", view.pixels.out},
                                  {"channels", channels},
                                  {"x_pitch", x_pitch},
                                  {"y_pitch", Pitch{Pitch::Of::pixel, 3}},
                                  {"x_line", x_line},
                                  {"y_line", Pitch{Pitch::Of::line, 3}}}},
                                {std::move(x), low.weight(content_key("resize_table", rule, view), joined_starts(view)),
                                 std::move(value), low.write(node.outputs[0], true)});
  if (!one_image(node, low, view)) return {};
  set_lines(low, nearest, kernel, kernel + "_line", nearest.params,
            {line_argument(0, starts_map(view)), part_argument(1, view.planes.out + view.lines.out, 0),
             same_argument(2), line_argument(3), number_argument(0), number_argument(view.pixels.out)});
  return {};
}

// What tarn.Resize has beside the geometry: fields of its line, and the weights.
Argument code_weights(const Node& node, Lowering& low, const tarn_resize_rule& rule, const ResizeView& view,
                      Params& line) {
  const double outside = node.real("extrapolation_value", 0), scale = node.real("scale", 1);
  const int64_t zero = node.integer("zero", 0), half = int64_t{1} << (bits_of(low.dtype(node.inputs[0])) - 1);
  if (half == 128) {
    const ResizeCodes of = resize_codes(view, node.real("x_scale", 1) / scale);
    const double code = std::nearbyint(std::clamp(outside / scale, -512.0, 512.0)) + static_cast<double>(zero);
    line.append({{"outside", static_cast<int64_t>(std::clamp(code, -128.0, 127.0))},
                 {"x_zero", node.integer("x_zero", 0)},
                 {"zero", zero},
                 {"factor", of.factor},
                 {"half", int64_t{1} << (of.post - 1)},
                 {"post", of.post}});
    return low.weight(content_key(cat("resize_codes", of.post, "_", of.factor), rule, view), of.weights);
  }
  line.append({{"outside", Float32{outside}},
               {"x_scale", Float32{node.real("x_scale", 1)}},
               {"scale", Float32{scale}},
               {"x_zero", node.integer("x_zero", 0)},
               {"zero", zero},
               {"lo", -half},
               {"hi", half - 1}});
  return low.weight(content_key("resize_weights", rule, view), joined_weights(view));
}

void lower_interpolation(const Node& node, Lowering& low, const tarn_resize_rule& rule, const ResizeView& view,
                         Argument x) {
  const DType dtype = low.dtype(node.inputs[0]);
  const Shape& shape = low.shape(node.inputs[0]);
  const int64_t channels = shape[shape.rank() - 1];
  // tarn.Resize: codes whose numbers are weighted.
  const bool codes = node.domain == "tarn";
  const std::string family = codes ? "tarn_int_resize_" : "tarn_resize_", suffix = kernel_suffix(dtype),
                    kernel = family + "line_" + suffix;
  const FieldValue x_line = pitch_of(x, 0, Pitch::Of::line, view.pixels.in * channels);
  Params line{kernel + "_params",
              {{"planes", view.planes.taps},
               {"lines", view.lines.taps},
               {"taps", view.pixels.taps},
               {"channels", channels},
               {"x_pitch", pitch_of(x, 0, Pitch::Of::pixel, channels)},
               {"y_pitch", Pitch{Pitch::Of::pixel, 3}}}};
  const bool integers = codes && bits_of(dtype) == 8;
  Argument weights = codes ? code_weights(node, low, rule, view, line)
                           : low.weight(content_key("resize_weights", rule, view), joined_weights(view));
  if (!codes) line.append({{"outside", Float32{node.real("extrapolation_value", 0)}}});
  Operation& operation = low.call(
      node, family + suffix,
      {family + suffix + "_params",
       {{"line", line},
        {"images", view.images},
        {"in_planes", view.planes.in},
        {"in_lines", view.lines.in},
        {"out_planes", view.planes.out},
        {"out_lines", view.lines.out},
        {"out_pixels", view.pixels.out},
        {"x_line", x_line},
        {"y_line", Pitch{Pitch::Of::line, 3}}}},
      {std::move(x), low.weight(content_key("resize_starts", rule, view), joined_starts(view)), std::move(weights),
       low.write(node.outputs[0], true), low.lines(view.planes.taps * view.lines.taps, dtype)});
  operation.macs = low.shape(node.outputs[0]).count() * view.planes.taps * view.lines.taps * view.pixels.taps;
  if (codes) operation.note = integers ? "in integers" : "16 bits, own arithmetic";
  const std::vector<int32_t>& starts = view.lines.starts;
  // Lines outside the region are no lines of the operand.
  if (!one_image(node, low, view) || std::find(starts.begin(), starts.end(), -1) != starts.end()) return;
  program::LineMap map = starts_map(view);
  map.count = view.lines.taps;
  const int64_t line_weights = view.planes.out * view.planes.taps;
  set_lines(low, operation, kernel, kernel, std::move(line),
            {rows_argument(0, map), part_argument(2, 0, 0), part_argument(2, line_weights, view.lines.taps),
             part_argument(1, view.planes.out + view.lines.out, 0),
             part_argument(2, line_weights + view.lines.out * view.lines.taps, 0), line_argument(3), number_argument(0),
             number_argument(view.pixels.out)});
}

std::optional<Fault> lower_resize(const Node& node, Lowering& low) {
  const DType dtype = low.dtype(node.inputs[0]);
  const Shape &x = low.shape(node.inputs[0]), &y = low.shape(node.outputs[0]);
  const tarn_resize_rule rule = *rule_of(node);
  const bool number = (is_float(dtype) && bits_of(dtype) >= 16) || is_integer(dtype);
  if (is_packed(dtype) || bits_of(dtype) == 0 || bits_of(dtype) > 64 || (rule.mode != TARN_RESIZE_NEAREST && !number)) {
    return Fault{"not for element type " + to_string(dtype), "", "E204"};
  }
  const ResizeLists known = known_of(
      node, [&](size_t i) { return node.has_input(i) && low.shape(node.inputs[i]).count() > 0; },
      [&](size_t i) { return low.constant(node.inputs[i]); }, rule.transform == TARN_RESIZE_CROP);
  if (known.unknown) return lower_any_resize(node, low, rule, known);
  Shape in = x;
  for (int i = 0; i < x.rank(); ++i) in[model_axis(i, x.rank(), node.channels_last)] = x[i];
  auto axes = axes_of(node, in, known);
  if (const Fault* fault = std::get_if<Fault>(&axes)) return *fault;
  std::vector<ResizeTable> tables;
  for (int i = 0; i < x.rank(); ++i) {
    const ResizeAxis& axis = std::get<0>(axes)[static_cast<size_t>(model_axis(i, x.rank(), node.channels_last))];
    if (axis.out != y[i]) return Fault{"sizes changed between passes"};
    tables.push_back(table_of(rule, axis));
  }
  if (std::all_of(tables.begin(), tables.end(), [](const ResizeTable& t) { return t.unchanged(); })) {
    std::optional<program::View> same;
    if (!low.constant(node.inputs[0])) same = program::View{low.tensor(node.outputs[0]), low.tensor(node.inputs[0]), 0};
    lower_copy(node, low, node.inputs[0], node.outputs[0], same);
    return {};
  }
  const auto view = view_of(tables);
  if (!view) return lower_any_resize(node, low, rule, known);
  Argument from = read_walked(node, low, tables);
  if (rule.mode == TARN_RESIZE_NEAREST) return lower_nearest(node, low, rule, *view, std::move(from));
  lower_interpolation(node, low, rule, *view, std::move(from));
  return {};
}

}  // namespace

std::vector<OperatorEntry> resize_entries() {
  OperatorEntry resize{"",      "Resize",       "any; linear and cubic: numbers", lower_resize, infer_resize,
                       nullptr, Layout::spatial};
  OperatorEntry upsample = resize;
  upsample.op = "Upsample";
  OperatorEntry codes{"tarn", "Resize", "int8, int16", lower_resize, nullptr, nullptr, Layout::spatial};
  return {resize, upsample, codes};
}

}  // namespace tarn::ops
