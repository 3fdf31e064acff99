// IntConvTranspose: x [N, spatial..., C], weights [O, C/group, kernel...] (int8), with the attributes of ConvTranspose
// and "x_zero".
#include <algorithm>

#include "ops/conv.h"
#include "ops/int_packing.h"
#include "ops/int_window.h"
#include "ops/integer.h"
#include "ops/lines.h"
#include "ops/walks.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

using program::Params;
using program::Pitch;

// [groups][ceil(outputs/4)][taps][inputs][4]; outputs of a group.
Argument pack_taps(Lowering& low, const std::string& key, const Constant& w, int64_t groups, int64_t outputs,
                   int64_t inputs, int64_t area) {
  const int64_t quads = ceil_div(outputs, int64_t{4});
  std::vector<int64_t> packed(static_cast<size_t>(groups * quads * area * inputs * 4), 0);
  const std::vector<int64_t> values = w.integers();
  for (int64_t channel = 0; channel < groups * outputs; ++channel) {
    const int64_t o = channel % outputs, quad = channel / outputs * quads + o / 4;
    for (int64_t c = 0; c < inputs; ++c) {
      for (int64_t tap = 0; tap < area; ++tap) {
        packed[static_cast<size_t>(((quad * area + tap) * inputs + c) * 4 + o % 4)] =
            values[static_cast<size_t>((channel * inputs + c) * area + tap)];
      }
    }
  }
  return low.weight(key, Constant::ints(DType::int8, Shape{static_cast<int64_t>(packed.size())}, packed));
}

// What the report says of the layer.
void finish(const Node& node, const Lowering& low, Operation& operation, const IntWindow& g) {
  operation.macs = low.shape(node.inputs[0]).count() * g.outputs * g.area();
  operation.parameters = g.groups * g.outputs * (g.inputs * g.area() + 1);
  operation.note = node.text("form", "");
}

// Outputs a stride apart meet the same taps: as one convolution of that part of the weights. In the order that the
// kernels go through them, each with where its weights stand in a row of the model's.
std::vector<std::vector<int64_t>> phases_of(const IntWindow& g) {
  std::vector<std::vector<int64_t>> phases;
  for (int64_t line = 0; line < g.lines.stride; ++line) {
    for (int64_t pixel = 0; pixel < g.pixels.stride; ++pixel) {
      const int64_t last = (g.pixels.kernel - 1 - pixel) / g.pixels.stride * g.pixels.stride + pixel;
      std::vector<int64_t>& order = phases.emplace_back();
      for (int64_t row = line; row < g.lines.kernel; row += g.lines.stride) {
        for (int64_t tap = last; tap >= 0; tap -= g.pixels.stride) {
          for (int64_t c = 0; c < g.inputs; ++c) order.push_back(c * g.area() + row * g.pixels.kernel + tap);
        }
      }
    }
  }
  return phases;
}

bool has_phases(const IntWindow& g) {
  constexpr int64_t kMostRows = 8;  // TARN_INT_TRANSPOSED_ROWS
  const auto suits = [](const WindowAxis& a) { return a.dilation == 1 && a.kernel >= a.stride && a.pad_begin >= 0; };
  return g.groups == 1 && suits(g.lines) && suits(g.pixels) && ceil_div(g.lines.kernel, g.lines.stride) <= kMostRows;
}

// How a kernel reads the weights of a few outputs: element k of one at place(lane, k, padded).
struct PhaseBlock {
  int64_t lanes, multiple;
  int64_t (*place)(int64_t lane, int64_t k, int64_t padded);
};

// [phases][ceil(outputs/lanes)] blocks, zero beyond outputs and elements.
Argument pack_phases(Lowering& low, const std::string& key, const Constant& w, int64_t outputs,
                     const std::vector<std::vector<int64_t>>& phases, const PhaseBlock& block, bool words) {
  const int64_t blocks = ceil_div(outputs, block.lanes), row = w.count() / outputs;
  const auto padded = [block](const std::vector<int64_t>& order) {
    return ceil_div(static_cast<int64_t>(order.size()), block.multiple) * block.multiple;
  };
  int64_t bytes = 0;
  for (const std::vector<int64_t>& order : phases) bytes += blocks * block.lanes * padded(order);
  return low.weight(key, words ? DType::int32 : DType::int8, words ? bytes / 4 : bytes, {&w},
                    [=](const std::function<void(std::span<const uint8_t>)>& sink) {
                      const std::vector<int64_t> values = w.integers();
                      for (const std::vector<int64_t>& order : phases) {
                        const int64_t length = padded(order);
                        for (int64_t first = 0; first < outputs; first += block.lanes) {
                          std::vector<uint8_t> packed(static_cast<size_t>(block.lanes * length), 0);
                          for (int64_t lane = 0; lane < std::min(block.lanes, outputs - first); ++lane) {
                            for (size_t k = 0; k < order.size(); ++k) {
                              const auto at = static_cast<size_t>((first + lane) * row + order[k]);
                              packed[static_cast<size_t>(block.place(lane, static_cast<int64_t>(k), length))] =
                                  static_cast<uint8_t>(values[at]);
                            }
                          }
                          sink(packed);
                        }
                      }
                    });
}

// The layer's constants once for each phase; an accumulator begins with what the zero point takes from its weights.
Node phase_constants(const Node& node, const Constant& w, int64_t outputs,
                     const std::vector<std::vector<int64_t>>& phases) {
  const std::vector<int64_t> one = node.tensor("constants")->integers(), values = w.integers();
  const int64_t zero = node.integer("x_zero", 0), row = w.count() / outputs;
  std::vector<int64_t> all;
  for (const std::vector<int64_t>& order : phases) {
    for (int64_t o = 0; o < outputs; ++o) {
      int64_t sum = 0;
      for (const int64_t k : order) sum += values[static_cast<size_t>(o * row + k)];
      const auto at = static_cast<size_t>(3 * o);
      all.insert(all.end(), {one[at] - zero * sum, one[at + 1], one[at + 2]});
    }
  }
  Node made = node;
  const auto channels = static_cast<int64_t>(phases.size()) * outputs;
  made.attributes["constants"] = Constant::ints(DType::int32, Shape{channels, 3}, all);
  return made;
}

// By phases, where the processor multiplies several codes at a time. False: not for this layer, or there is no room for
// `wish` bytes of patches.
bool lower_phases(const Node& node, Lowering& low, const IntWindow& g, const std::vector<WindowAxis>& axes,
                  Argument& from, int64_t& wish) {
  const bool sixteens = has_sixteens(low);
  if ((!sixteens && !has_pairs(low)) || !has_phases(g)) return false;
  const std::vector<std::vector<int64_t>> phases = phases_of(g);
  const auto longest = static_cast<int64_t>(phases.front().size());
  const bool bytes = !sixteens && g.inputs % 4 != 0;
  const int64_t length = sixteens ? longest : ceil_div(longest, int64_t{8}) * 8;
  const int64_t scratch = sixteens ? 3 * length : 6 * length + (bytes ? length : 0);
  // What is little beside the tensors.
  const int64_t tensors = low.shape(node.inputs[0]).count() + low.shape(node.outputs[0]).count();
  if (scratch > std::min(kMostPatches, std::max<int64_t>(256, tensors / 4)) && !has_room(node)) {
    wish = scratch;
    return false;
  }
  if (from.walk) {
    // Every phase is a pass over the whole lines.
    for (program::Span& span : from.walk->columns) span = {0, g.pixels.in};
  }
  const Constant& w = *low.constant(node.inputs[1]);
  const Node made = phase_constants(node, w, g.outputs, phases);
  const std::string kernel = sixteens ? "tarn_int_convtranspose_mve" : "tarn_int_convtranspose_dsp";
  Params params{kernel + "_s8_params", {requant_field(node), {"inputs", g.inputs}, {"outputs", g.outputs}}};
  params.append(window_fields(g, 4, pitch_of(from, 0, Pitch::Of::pixel, g.inputs)));
  params.append({{"zero", node.integer("x_zero", 0)}});
  if (sixteens) params.append({{"block", 3}});
  // As tarn_int_mve_block() and tarn_int_dsp_block() read them.
  const PhaseBlock fours{4, 16, [](int64_t lane, int64_t k, int64_t padded) {
                           return lane % 2 * 2 * padded + lane / 2 * 16 + k / 16 * 32 + k % 16;
                         }};
  const PhaseBlock twos{2, 8, [](int64_t lane, int64_t k, int64_t) { return k / 4 * 8 + lane * 4 + k % 4; }};
  const std::string key = low.key(node.inputs[1], cat("/phases", node.outputs[0].value));
  std::vector<Argument> arguments = {std::move(from),
                                     pack_phases(low, key, w, g.outputs, phases, sixteens ? fours : twos, !sixteens)};
  const auto count = static_cast<int64_t>(phases.size());
  arguments.push_back(sixteens ? sixteens_constants(made, low, count, g.outputs)
                               : quad_constants(made, low, count, g.outputs, 2));
  arguments.push_back(packed_exceptions(node, low, 1, g.outputs, sixteens ? 4 : 2));
  arguments.push_back(low.write(node.outputs[0], true));
  std::vector<program::LineArgument> by_line = {rows_argument(0, reaching_map(g.lines)),
                                                same_argument(1),
                                                same_argument(2),
                                                same_argument(3),
                                                line_argument(4),
                                                number_argument(0),
                                                number_argument(g.pixels.out),
                                                same_argument(5)};
  if (sixteens) {
    arguments.push_back(low.scratch(DType::int8, 3 * length, "patches"));
  } else {
    arguments.push_back(low.scratch(DType::int32, 3 * length / 2, "patches"));
    arguments.push_back(bytes ? low.scratch(DType::int8, length, "patch") : low.none());
    by_line.push_back(same_argument(6));
  }
  arguments.push_back(low.lines(g.lines.kernel, DType::int8));
  Operation& operation = low.call(node, kernel + "_s8", std::move(params), std::move(arguments));
  finish(node, low, operation, g);
  if (axes.size() == 2 && g.images == 1)
    set_lines(low, operation, kernel + "_line_s8", kernel + "_line_s8", operation.params, std::move(by_line));
  return true;
}

std::optional<Fault> lower_int_transposed(const Node& node, Lowering& low) {
  const Shape &x = low.shape(node.inputs[0]), &w = low.shape(node.inputs[1]);
  IntWindow g;
  g.images = x[0];
  g.groups = node.integer("group", 1);
  g.inputs = w[1];
  g.outputs = w[0] / g.groups;
  std::vector<WindowAxis> axes = std::get<0>(transposed_axes(node, spatial_dims(x, true), spatial_dims(w, false)));
  stand_signals(low, axes);
  if (axes.size() > 1) g.lines = axes[0];
  g.pixels = axes.back();
  Argument from = low.read(node.inputs[0]);
  if (from.role == Argument::Role::read) {
    std::vector<std::vector<program::Span>> spans(1);
    for (const WindowAxis& a : axes) spans.push_back(reaching(a));
    spans.emplace_back();
    from.walk = axes_walk(x, low.shape(node.outputs[0]), spans);
    from.pitched = true;
  }
  int64_t wish = 0;
  if (lower_phases(node, low, g, axes, from, wish)) return {};
  Params params{"tarn_int_convtranspose_s8_params",
                {requant_field(node), {"groups", g.groups}, {"inputs", g.inputs}, {"outputs", g.outputs}}};
  params.append(window_fields(g, 4, pitch_of(from, 0, Pitch::Of::pixel, g.groups * g.inputs)));
  params.append({{"zero", node.integer("x_zero", 0)}});
  Argument weights = pack_taps(low, low.key(node.inputs[1], cat("/taps", node.outputs[0].value)),
                               *low.constant(node.inputs[1]), g.groups, g.outputs, g.inputs, g.area());
  Operation& operation =
      low.call(node, "tarn_int_convtranspose_s8", std::move(params),
               {std::move(from), std::move(weights), quad_constants(node, low, g.groups, g.outputs),
                exceptions_argument(node, low), low.write(node.outputs[0], true),
                low.scratch(DType::int32, 2 * g.pixels.kernel, "taps"), low.lines(g.lines.kernel, DType::int8)});
  operation.wish = wish;
  finish(node, low, operation, g);
  if (axes.size() != 2 || x[0] != 1) return {};
  set_lines(low, operation, "tarn_int_convtranspose_line_s8", "tarn_int_convtranspose_line_s8", operation.params,
            {rows_argument(0, reaching_map(g.lines)), same_argument(1), same_argument(2), same_argument(3),
             line_argument(4), number_argument(0), number_argument(g.pixels.out), same_argument(5)});
  return {};
}

}  // namespace

std::vector<OperatorEntry> integer_transposed_entries() {
  return {{"tarn", "IntConvTranspose", "int8", lower_int_transposed, nullptr, nullptr, Layout::spatial}};
}

}  // namespace tarn::ops
