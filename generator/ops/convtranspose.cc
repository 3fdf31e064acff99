// ConvTranspose: every output line is gathered from the few input lines that reach it, every pixel with the taps of its
// phase; weights packed phase by phase.
#include <algorithm>
#include <numeric>
#include <utility>

#include "ops/conv.h"
#include "ops/lines.h"
#include "ops/packing.h"
#include "ops/walks.h"
#include "ops/window.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

using program::BlockRange;
using program::Params;
using program::Pitch;
using program::Span;

// Strides above this are mistakes; the phases are listed one by one.
constexpr int64_t kMaxStride = 1 << 16;
constexpr int64_t kMaxTransposed = int64_t{1} << 31;

}  // namespace

Answer<std::vector<WindowAxis>> transposed_axes(const Node& node, const std::vector<int64_t>& in,
                                                const std::vector<int64_t>& kernel) {
  const size_t n = in.size();
  auto list = [&](const char* name, size_t size, int64_t otherwise) {
    std::vector<int64_t> values = node.integers(name);
    if (values.empty()) values.assign(size, otherwise);
    return values;
  };
  const std::vector<int64_t> strides = list("strides", n, 1), dilations = list("dilations", n, 1),
                             pads = list("pads", 2 * n, 0), extra = list("output_padding", n, 0);
  std::vector<int64_t> wanted = node.integers("output_shape");
  if (wanted.size() == n + 2) wanted.erase(wanted.begin(), wanted.begin() + 2);
  auto sane = [](const std::vector<int64_t>& values, int64_t least) {
    return std::all_of(values.begin(), values.end(), [&](int64_t v) { return v >= least && v < kMaxTransposed; });
  };
  if (strides.size() != n || dilations.size() != n || pads.size() != 2 * n || extra.size() != n || kernel.size() != n ||
      (!wanted.empty() && wanted.size() != n)) {
    return Fault{cat("strides [", join(strides), "], dilations [", join(dilations), "], pads [", join(pads),
                     "], output_padding [", join(extra), "] and output_shape [", join(wanted), "] do not fit ", n,
                     " spatial axes")};
  }
  if (!sane(strides, 1) || !sane(dilations, 1) || !sane(kernel, 1) || !sane(pads, 0) || !sane(extra, 0) ||
      !sane(in, 0) || !sane(wanted, 1) || *std::max_element(strides.begin(), strides.end()) > kMaxStride) {
    return Fault{"kernel, strides and dilations are 1 or more, pads 0 or more"};
  }
  const std::string auto_pad = node.text("auto_pad", "NOTSET");
  const bool same = auto_pad == "SAME_UPPER" || auto_pad == "SAME_LOWER";
  std::vector<WindowAxis> axes;
  for (size_t i = 0; i < n; ++i) {
    WindowAxis a{in[i], 0, kernel[i], strides[i], dilations[i], pads[i], pads[n + i]};
    const int64_t full = a.stride * (a.in - 1) + extra[i] + a.extent();
    if (!wanted.empty() || same) {
      // The output's size is given, the padding follows: its larger half goes to the beginning but for SAME_UPPER. (The
      // text of opset 1 has it the other way round; runtimes follow that of opset 11 for both.)
      a.out = wanted.empty() ? a.in * a.stride : wanted[i];
      const int64_t total = std::max<int64_t>(0, full - a.out);
      a.pad_begin = auto_pad == "SAME_UPPER" ? total / 2 : total - total / 2;
      a.pad_end = total - a.pad_begin;
    } else {
      if (auto_pad == "VALID") a.pad_begin = a.pad_end = 0;
      a.out = full - a.pad_begin - a.pad_end;
    }
    if (a.out < 0) return Fault{cat("spatial axis ", i, " would have ", a.out, " elements")};
    axes.push_back(a);
  }
  return axes;
}

namespace {

// The t in [0, modulus) with t * number = 1 modulo `modulus`, which has no divisor in common with it (Euclid).
int64_t inverse(int64_t number, int64_t modulus) {
  int64_t high = modulus, low = number % modulus, factor = 0, next = 1;
  while (low > 0) {
    const int64_t quotient = high / low;
    high = std::exchange(low, high - quotient * low);
    factor = std::exchange(next, factor - quotient * next);
  }
  return factor < 0 ? factor + modulus : factor % modulus;
}

}  // namespace

std::vector<Span> reaching(const WindowAxis& a) {
  // i * stride + k * dilation = at: of the i in reach of the kernel, one in `step` has a tap there.
  const int64_t common = std::gcd(a.stride, a.dilation), step = a.dilation / common;
  const int64_t inverse_stride = inverse(a.stride / common, step);
  std::vector<Span> spans;
  for (int64_t o = 0; o < a.out; ++o) {
    const int64_t at = o + a.pad_begin, behind = at - (a.extent() - 1);
    spans.push_back({0, 0});
    if (at < 0 || at % common != 0) continue;
    const int64_t low = behind > 0 ? (behind + a.stride - 1) / a.stride : 0, high = std::min(a.in - 1, at / a.stride);
    const int64_t residue = at / common % step * inverse_stride % step;
    const int64_t first = low + (residue + step - low % step) % step;
    if (first <= high) spans.back() = {first, high - (high - first) % step + 1};
  }
  return spans;
}

namespace {

Answer<Types> infer_transposed(const Facts& facts) {
  if (!facts.has(0) || !facts.has(1)) return Fault{"needs an input and weights"};
  const Shape &x = facts.shape(0), &w = facts.shape(1);
  const int64_t group = facts.node.integer("group", 1);
  if (x.rank() < 3 || w.rank() != x.rank() || group < 1 || x[1] != w[0] || w[0] % group != 0) {
    return Fault{cat("input ", to_string(x), ", weights ", to_string(w), " and group ", group, " do not fit")};
  }
  const Checked outputs = checked_mul(w[1], group);
  if (!outputs || *outputs > kMaxTransposed) return Fault{"too many output channels", "", "E207"};
  if (facts.has(2) && facts.shape(2) != Shape{*outputs})
    return Fault{"bias " + to_string(facts.shape(2)) + " for weights " + to_string(w)};
  auto axes = transposed_axes(facts.node, spatial_dims(x, false), spatial_dims(w, false));
  if (const Fault* fault = std::get_if<Fault>(&axes)) return *fault;
  Shape y{x[0], *outputs};
  for (const WindowAxis& a : std::get<0>(axes)) y.dims.push_back(a.out);
  return Types{{facts.types[0].dtype, std::move(y)}};
}

struct TransposedGeometry {
  int64_t images = 1, groups = 1, inputs = 1, outputs = 1;  // channels per group
  WindowAxis planes, lines, pixels;
  std::vector<WindowAxis> axes;  // those that the node has
  bool mirrored = false;         // lines of the kernel from the last to the first, as the columns of a signal are taken
};

TransposedGeometry transposed_geometry_of(const Node& node, const Lowering& low) {
  const Shape &x = low.shape(node.inputs[0]), &w = low.shape(node.inputs[1]);
  TransposedGeometry g;
  g.images = x[0];
  g.groups = node.integer("group", 1);
  g.inputs = w[0] / g.groups;
  g.outputs = w[1];
  g.axes = std::get<0>(transposed_axes(node, spatial_dims(x, true), spatial_dims(w, false)));
  std::vector<WindowAxis> axes = g.axes;
  stand_signals(low, axes);
  g.planes.out = g.lines.out = 1;
  g.pixels = axes.back();
  if (axes.size() > 1) g.lines = axes[axes.size() - 2];
  if (axes.size() > 2) g.planes = axes[axes.size() - 3];
  g.mirrored =
      low.options().time_lines && low.constant(node.inputs[1]) && (!node.has_input(2) || low.constant(node.inputs[2]));
  if (g.mirrored) {
    g.lines.pad_begin -= (g.lines.kernel - 1) * g.lines.dilation;
    g.lines.dilation = -g.lines.dilation;
  }
  return g;
}

std::optional<Walk> transposed_walk(const Node& node, const Lowering& low, const TransposedGeometry& g) {
  std::vector<std::vector<Span>> spans(1);
  for (const WindowAxis& a : g.axes) spans.push_back(reaching(a));
  spans.emplace_back();
  return axes_walk(low.shape(node.inputs[0]), low.shape(node.outputs[0]), spans);
}

// The kernel's columns phase by phase, within a phase from the last column, which meets the leftmost input pixel, to
// the first.
struct Phases {
  std::vector<int64_t> columns;  // of the kernel, as packed
  std::vector<int32_t> table;    // per phase: how many, the first of them, what it moves an input pixel by
};

Phases phases_of(const WindowAxis& a) {
  Phases phases;
  std::vector<std::vector<int64_t>> members(static_cast<size_t>(a.stride));
  for (int64_t k = a.kernel; k-- > 0;) members[static_cast<size_t>(k * a.dilation % a.stride)].push_back(k);
  for (size_t f = 0; f < members.size(); ++f) {
    const std::vector<int64_t>& of = members[f];
    // A phase without a tap moves by anything that leaves its remainder.
    const int64_t moved = of.empty() ? static_cast<int64_t>(f) : of.front() * a.dilation;
    for (int64_t number : {static_cast<int64_t>(of.size()), static_cast<int64_t>(phases.columns.size()), moved}) {
      phases.table.push_back(static_cast<int32_t>(number));
    }
    phases.columns.insert(phases.columns.end(), of.begin(), of.end());
  }
  return phases;
}

int64_t transposed_macs(const Node& node, const Lowering& low, const TransposedGeometry& g) {
  return low.shape(node.inputs[0]).count() * g.outputs * g.planes.kernel * g.lines.kernel * g.pixels.kernel;
}

int64_t transposed_parameters(const Node& node, const Lowering& low) {
  return low.shape(node.inputs[1]).count() + (node.has_input(2) ? low.shape(node.inputs[2]).count() : 0);
}

// Weights [groups * inputs][outputs][planes][lines][columns] become, per output, [planes][lines][packed
// columns][inputs].
Argument pack_transposed(const Node& node, Lowering& low, const TransposedGeometry& g, const Phases& phases,
                         DType dtype) {
  const int64_t rows = g.planes.kernel * g.lines.kernel, area = rows * g.pixels.kernel;
  QuadPacking packing{g.groups * g.outputs, g.outputs, area, {}, node.tensor("weight_scale")};
  packing.group_stride = g.inputs * g.outputs * area;
  for (int64_t i = 0; i < rows; ++i) {
    const int64_t row = g.mirrored ? rows - 1 - i : i;
    for (int64_t column : phases.columns) {
      for (int64_t c = 0; c < g.inputs; ++c)
        packing.order.push_back(c * g.outputs * area + row * g.pixels.kernel + column);
    }
  }
  // A scale that was folded in, and the order of the columns, belong to this node alone.
  const std::string own = cat("/transposed", g.pixels.stride, "_", g.pixels.dilation,
                              node.tensor("weight_scale") ? cat("/", node.outputs[0].value) : "");
  return pack_quads(low, low.key(node.inputs[1], own), *low.constant(node.inputs[1]), packing, dtype);
}

std::vector<int64_t> pair_of(const TransposedGeometry& g, int64_t WindowAxis::*member) {
  return {g.planes.*member, g.lines.*member};
}

void lower_packed(const Node& node, Lowering& low, const TransposedGeometry& g) {
  const DType dtype = low.dtype(node.inputs[0]);
  const std::string kernel = "tarn_convtranspose_" + kernel_suffix(dtype);
  const Phases phases = phases_of(g.pixels);
  Argument weights = pack_transposed(node, low, g, phases, dtype), bias = low.none();
  if (node.has_input(2)) {
    bias = pack_bias(low, low.key(node.inputs[2], "/bias"), *low.constant(node.inputs[2]), g.groups * g.outputs,
                     g.outputs, dtype);
  }
  Argument table = low.weight(cat("phases:", join(phases.table, "_"), "/phases"), phases.table);
  auto walk = transposed_walk(node, low, g);
  if (walk) walk->block_pixels = 4 * g.pixels.stride;
  Argument x = low.read(node.inputs[0]);
  if (x.role == Argument::Role::read) {
    x.walk = std::move(walk);
    x.pitched = true;
  }
  Params line{"tarn_convtranspose_line_" + kernel_suffix(dtype) + "_params",
              {{"rows", g.planes.kernel * g.lines.kernel},
               {"taps", g.pixels.kernel},
               {"stride", g.pixels.stride},
               {"pad", g.pixels.pad_begin},
               {"step", g.pixels.dilation / std::gcd(g.pixels.dilation, g.pixels.stride)},
               {"in_pixels", g.pixels.in},
               {"groups", g.groups},
               {"inputs", g.inputs},
               {"outputs", g.outputs},
               {"x_pitch", pitch_of(x, 0, Pitch::Of::pixel, g.groups * g.inputs)},
               {"y_pitch", Pitch{Pitch::Of::pixel, 4}},
               {"lo", clamp_low(node, dtype)},
               {"hi", clamp_high(node, dtype)}}};
  const FieldValue x_line = pitch_of(x, 0, Pitch::Of::line, g.pixels.in * g.groups * g.inputs);
  Operation& operation =
      low.call(node, kernel,
               {kernel + "_params",
                {{"line", line},
                 {"images", g.images},
                 {"out_pixels", g.pixels.out},
                 {"in", pair_of(g, &WindowAxis::in)},
                 {"out", pair_of(g, &WindowAxis::out)},
                 {"kernel", pair_of(g, &WindowAxis::kernel)},
                 {"stride", pair_of(g, &WindowAxis::stride)},
                 {"dilation", pair_of(g, &WindowAxis::dilation)},
                 {"pad", pair_of(g, &WindowAxis::pad_begin)},
                 {"x_line", x_line},
                 {"y_line", Pitch{Pitch::Of::line, 4}},
                 {"block_first", BlockRange{false, false}},
                 {"block_end", BlockRange{true, false}}}},
               {std::move(x), std::move(weights), std::move(bias), std::move(table), low.write(node.outputs[0], true),
                low.lines(g.planes.kernel * g.lines.kernel, dtype)});
  operation.macs = transposed_macs(node, low, g);
  operation.parameters = transposed_parameters(node, low);
  if (g.images != 1 || (g.axes.size() != 2 && !(g.axes.size() == 1 && g.mirrored))) return;
  const std::string line_kernel = "tarn_convtranspose_line_" + kernel_suffix(dtype);
  set_lines(low, operation, line_kernel, line_kernel, line,
            {rows_argument(0, reaching_map(g.lines)), same_argument(1), same_argument(2), same_argument(3),
             line_argument(4), number_argument(0), number_argument(g.pixels.out), apart_argument()});
}

// Weights that are only known at run time are read as the model stores them.
void lower_plain(const Node& node, Lowering& low, const TransposedGeometry& g) {
  const DType dtype = low.dtype(node.inputs[0]);
  const std::string kernel = "tarn_convtranspose_plain_" + kernel_suffix(dtype);
  Params params{kernel + "_params",
                {{"images", g.images}, {"groups", g.groups}, {"inputs", g.inputs}, {"outputs", g.outputs}}};
  params.append(axis_fields({g.planes, g.lines, g.pixels}));
  params.fields.push_back({"lo", clamp_low(node, dtype)});
  params.fields.push_back({"hi", clamp_high(node, dtype)});
  Argument x = low.read(node.inputs[0]);
  if (x.role == Argument::Role::read) x.walk = transposed_walk(node, low, g);
  Operation& operation =
      low.call(node, kernel, std::move(params),
               {std::move(x), low.read(node.inputs[1]), node.has_input(2) ? low.read(node.inputs[2]) : low.none(),
                low.write(node.outputs[0])});
  operation.macs = transposed_macs(node, low, g);
}

std::optional<Fault> lower_transposed(const Node& node, Lowering& low) {
  const DType dtype = low.dtype(node.inputs[0]);
  if (dtype != DType::float32 && dtype != DType::float64 && dtype != DType::float16 && dtype != DType::bfloat16) {
    return Fault{"not for element type " + to_string(dtype), "", "E204"};
  }
  if (low.shape(node.inputs[0]).rank() > 5) return Fault{"more than three spatial axes", "", "E208"};
  const TransposedGeometry g = transposed_geometry_of(node, low);
  const bool constant = low.constant(node.inputs[1]) && (!node.has_input(2) || low.constant(node.inputs[2]));
  if (constant) lower_packed(node, low, g);
  else lower_plain(node, low, g);
  return {};
}

}  // namespace

std::vector<OperatorEntry> convtranspose_entries() {
  return {{"", "ConvTranspose", "floats", lower_transposed, infer_transposed, nullptr, Layout::spatial, nullptr,
           "at most 3 spatial axes"}};
}

}  // namespace tarn::ops
