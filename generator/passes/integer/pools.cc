// QuantizeLinear(chain(average(DequantizeLinear(x)))) becomes a sum of codes with requantisation.
#include <algorithm>
#include <cmath>

#include "ops/integer.h"
#include "ops/window.h"
#include "passes/integer/average.h"
#include "passes/integer/wide.h"

namespace tarn::passes::integer {

namespace {

constexpr int64_t kMostCounts = 144;

bool is_reduction(const Node& node) { return node.op == "ReduceMean" || node.op == "ReduceSum"; }

// Which axes a reduction takes; nothing when they are not known, or it takes none.
std::optional<std::vector<bool>> reduced_axes(const Work& work, const Node& node) {
  const Shape& x = work.graph.shape(node.inputs[0]);
  std::vector<int64_t> axes = node.integers("axes");
  if (node.has_input(1)) {
    const Constant* c = work.graph.constant(node.inputs[1]);
    if (!c || c->is_absent()) return {};
    axes = c->integers();
  }
  if (axes.empty() && node.integer("noop_with_empty_axes", 0) != 0) return {};
  std::vector<bool> taken(static_cast<size_t>(x.rank()), axes.empty());
  for (int64_t a : axes) {
    const auto axis = normalise_axis(a, x.rank());
    if (!axis) return {};
    taken[static_cast<size_t>(*axis)] = true;
  }
  return taken;
}

// A pool over the whole image: all axes but the first two.
bool over_image(const Work& work, const Node& node) {
  const auto taken = reduced_axes(work, node);
  if (!taken || taken->size() < 3 || taken->size() > 4) return false;
  for (size_t i = 0; i < taken->size(); ++i) {
    if ((*taken)[i] != (i >= 2)) return false;
  }
  return true;
}

}  // namespace

std::optional<Average> average_of(const Work& work, const Node& node, const Shape& x, bool last) {
  const bool global = node.op == "GlobalAveragePool" || node.op == "QLinearGlobalAveragePool" || is_reduction(node);
  if (is_reduction(node) && !over_image(work, node)) return {};
  if (x.rank() < 3 || x.rank() > 4) return {};
  const int first = last ? 1 : 2;
  const std::vector<int64_t> in(x.dims.begin() + first, x.dims.begin() + first + x.rank() - 2);
  Average average;
  if (global) {
    average.kernel = in;
    average.most = Shape(in).count();
    average.least = average.most;
    return average;
  }
  auto answer = ops::window_axes(node, in, {});
  const auto* axes = std::get_if<0>(&answer);
  if (!axes) return {};
  average.most = average.least = 1;
  bool all_inside = true, counts_padding = false;
  for (const ops::WindowAxis& a : *axes) {
    average.kernel.push_back(a.kernel);
    average.stride.push_back(a.stride);
    average.dilation.push_back(a.dilation);
    average.pads.push_back(a.pad_begin);
    average.most *= a.kernel;
    // What sticks out of the padding is never counted, the padding itself where the model says so.
    const bool sticks_out = (a.out - 1) * a.stride + a.extent() > a.in + a.pad_begin + a.pad_end;
    const bool padded = a.pad_begin > 0 || a.pad_end > 0, counted = node.integer("count_include_pad", 0) != 0;
    all_inside = all_inside && !sticks_out;
    counts_padding = counts_padding || (padded && counted);
    if (sticks_out || (padded && !counted)) average.by_count = true;
  }
  if (!all_inside && counts_padding) return {};
  // As many pixels without ceil_mode.
  for (const ops::WindowAxis& a : *axes)
    average.pads.push_back(std::max(a.pad_end, (a.out - 1) * a.stride + a.extent() - a.in - a.pad_begin));
  if (average.by_count && average.most > kMostCounts) return {};
  average.least = average.by_count ? 1 : average.most;
  return average;
}

namespace {

void set_average(const Average& average, const Codes& x, Node& node) {
  node.attributes["x_zero"] = static_cast<int64_t>(x.signed_zero());
  node.attributes["by_count"] = static_cast<int64_t>(average.by_count);
  node.attributes["kernel_shape"] = average.kernel;
  if (average.stride.empty()) return;
  node.attributes["strides"] = average.stride;
  node.attributes["dilations"] = average.dilation;
  node.attributes["pads"] = average.pads;
}

bool fit_wide_average(const Average& average, bool divides, const Codes& x, const Chain& chain, const Codes& y,
                      Node& node) {
  const std::optional<Line> line = line_of(chain, 0);
  if (!line || average.most >= x.half()) return false;
  const double unit = static_cast<double>(x.scale) * line->slope / static_cast<double>(y.scale);
  std::vector<WideForm> forms;
  for (int64_t n = average.least; n <= average.most; ++n) {
    const auto form =
        wide_form(divides ? unit / static_cast<double>(n) : unit, line->offset / static_cast<double>(y.scale),
                  -n * x.signed_zero(), n * x.half(), y.signed_zero());
    if (!form) return false;
    forms.push_back(*form);
  }
  // A third of a whole number is none in binary: sums lie up to half of themselves beside their place.
  set_wide(node, bounds_of(*line, y), y.signed_zero(), forms, average.most * x.half() + 1);
  set_average(average, x, node);
  return true;
}

}  // namespace

bool fit_average(const Average& average, const Codes& x, const std::function<int32_t(int64_t, int64_t)>& value,
                 int32_t parity, Node& node) {
  std::vector<requant::Steps> steps;
  std::vector<int64_t> begin;
  for (int64_t n = average.least; n <= average.most; ++n) {
    begin.push_back(-n * x.signed_zero());
    steps.push_back(
        {[&value, n](int64_t a) { return value(a, n); }, n * (-128 - x.signed_zero()), n * (127 - x.signed_zero())});
  }
  if (average.most > (int64_t{1} << 22)) return false;
  const std::optional<requant::Form> form = requant::fit(steps, parity);
  if (!form) return false;
  ops::set_form(node, *form, begin, describe(*form));
  set_average(average, x, node);
  return true;
}

namespace {

// The signed code of a number in steps of y, ties to even.
int32_t exact_code(double scaled, const Codes& y) {
  const double lowest = -y.half(), code = std::nearbyint(scaled) + y.signed_zero();
  return static_cast<int32_t>(std::clamp(code, lowest, lowest + 2 * y.half() - 1));
}

}  // namespace

bool fuse_pool(Work& work, size_t at) {
  const Node q = work.graph.nodes[at];
  const std::optional<Codes> y = work.quantises(q, 0);
  if (!y) return false;
  const Chain chain = trace(work, q.inputs[0], -1);
  const Node* core = work.producer(chain.from);
  if (!core || !core->domain.empty() || !work.only_link(chain.from) || !chain.stepwise()) return false;
  if (core->op != "AveragePool" && core->op != "GlobalAveragePool" && !is_reduction(*core)) return false;
  const std::optional<Codes> x = work.dequantised(core->inputs[0], bits_of(y->dtype));
  if (!x) return false;
  const std::optional<Average> average = average_of(work, *core, work.graph.shape(x->value), false);
  if (!average) return false;
  std::vector<const Node*> origins{core};
  origins.insert(origins.end(), chain.nodes.begin(), chain.nodes.end());
  Node node = fused("IntAveragePool", origins);
  const bool divides = core->op != "ReduceSum";
  // The nearest code to the exact value where the operators between are a line: the sum of the codes is exact, so one
  // division is all that is rounded, and no float that rounds to a tie moves a code. Bent functions see the float that
  // the graph computes.
  const std::optional<Line> line = line_of(chain, 0);
  const auto value = [&](int64_t a, int64_t n) {
    if (line) {
      const double count = divides ? static_cast<double>(n) : 1, x_scale = static_cast<double>(x->scale);
      const double y_scale = static_cast<double>(y->scale), sum = static_cast<double>(a) * x_scale;
      if (chain.steps.empty()) return exact_code(sum / (count * y_scale), *y);
      return exact_code(std::clamp(sum / count * line->slope + line->offset, line->lo, line->hi) / y_scale, *y);
    }
    const float sum = static_cast<float>(a) * x->scale;
    return quantise(chain.apply(divides ? sum / static_cast<float>(n) : sum, 0), *y);
  };
  const bool wide = bits_of(y->dtype) == 16;
  if (!(wide ? fit_wide_average(*average, divides, *x, chain, *y, node)
             : fit_average(*average, *x, value, y->zero & 1, node)))
    return false;
  node.inputs = {work.as_signed(*x)};
  const Shape& made = work.graph.shape(chain.from);
  Shape pooled = work.graph.shape(x->value);
  if (is_reduction(*core) && core->integer("keepdims", 1) == 0) {
    for (int i = 2; i < pooled.rank(); ++i) pooled[i] = 1;
    const ValueId kept = work.graph.add_value(work.graph[q.outputs[0]].name, {y->dtype, pooled});
    work.produce(node, kept);
    Node reshape = fused("Reshape", {core});
    reshape.domain.clear();
    reshape.attributes["shape"] = made.dims;
    reshape.inputs = {kept};
    reshape.outputs = {q.outputs[0]};
    work.add(std::move(reshape));
  } else {
    work.produce(node, q.outputs[0]);
  }
  work.graph.nodes[at] = std::move(node);
  return true;
}

bool fuse_open_pool(Work& work, size_t at) {
  const Node core = work.graph.nodes[at];
  if (!core.domain.empty() || (core.op != "AveragePool" && core.op != "GlobalAveragePool" && core.op != "ReduceMean"))
    return false;
  const std::optional<Codes> x = work.dequantised(core.inputs[0]);
  if (!x) return false;
  const Shape image = work.graph.shape(x->value);
  const std::optional<Average> average = average_of(work, core, image, false);
  // The whole of each image.
  if (!average || image.rank() < 3 || average->by_count || average->most != image.count(2, image.rank()) ||
      average->most > (int64_t{1} << 22))
    return false;
  Shape pooled = image;
  for (int i = 2; i < pooled.rank(); ++i) pooled[i] = 1;
  if (work.graph.shape(core.outputs[0]).count() != pooled.count()) return false;
  Node node = fused("IntMean", {&core});
  node.attributes["x_zero"] = static_cast<int64_t>(x->signed_zero());
  node.attributes["scale"] = x->scale / static_cast<float>(average->most);
  node.inputs = {work.as_signed(*x)};
  node.outputs = core.outputs;
  if (work.graph.shape(core.outputs[0]) != pooled) {
    node.outputs = {work.graph.add_value(work.graph[core.outputs[0]].name, {DType::float32, pooled})};
    Node reshape = fused("Reshape", {&core});
    reshape.domain.clear();
    reshape.attributes["shape"] = work.graph.shape(core.outputs[0]).dims;
    reshape.inputs = node.outputs;
    reshape.outputs = core.outputs;
    work.add(std::move(reshape));
  }
  work.graph.nodes[at] = std::move(node);
  return true;
}

// Reductions of other axes become those of the last axis of [1, what is kept, what is reduced], between operators that
// only move elements.
void spell_reductions(Work& work) {
  const size_t count = work.graph.nodes.size();
  for (size_t i = 0; i < count; ++i) {
    const Node node = work.graph.nodes[i];
    if (!node.domain.empty() || !is_reduction(node) || node.outputs.size() != 1 || !work.dequantised(node.inputs[0], 0))
      continue;
    if (over_image(work, node) || !work.only_link(node.outputs[0])) continue;
    const Node& reader = work.graph.nodes[work.readers(node.outputs[0])[0]];
    const auto taken = reduced_axes(work, node);
    if (!taken || !work.quantises(reader, 0)) continue;
    const Shape& x = work.graph.shape(node.inputs[0]);
    std::vector<int64_t> perm;
    Shape moved, rows{1, 1, 1};
    for (int last = 0; last < 2; ++last) {
      for (int axis = 0; axis < x.rank(); ++axis) {
        if ((*taken)[static_cast<size_t>(axis)] != (last == 1)) continue;
        perm.push_back(axis);
        moved.dims.push_back(x[axis]);
        rows[1 + last] *= x[axis];
      }
    }
    if (x.count() == 0) continue;
    auto step = [&](const char* op, ValueId from, Shape shape) {
      Node made = fused(op, {&node});
      made.domain.clear();
      made.version = 13;
      made.inputs = {from};
      made.outputs = {work.graph.add_value(work.graph[node.outputs[0]].name, {DType::float32, std::move(shape)})};
      return made;
    };
    Node transpose = step("Transpose", node.inputs[0], moved);
    transpose.attributes["perm"] = perm;
    Node flat = step("Reshape", transpose.outputs[0], rows);
    flat.attributes["shape"] = rows.dims;
    Node sum = step(node.op.c_str(), flat.outputs[0], Shape{1, rows[1], 1});
    sum.version = 11;
    sum.attributes["axes"] = std::vector<int64_t>{2};
    Node back = fused("Reshape", {&node});
    back.domain.clear();
    back.attributes["shape"] = work.graph.shape(node.outputs[0]).dims;
    back.inputs = {sum.outputs[0]};
    back.outputs = node.outputs;
    work.graph.nodes[i] = std::move(back);
    for (Node* made : {&transpose, &flat, &sum}) work.add(std::move(*made));
  }
  work.graph = work.finish();
  work.refresh();
}

}  // namespace tarn::passes::integer
