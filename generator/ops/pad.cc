// Pad: an output position along an axis is a position of the input, or padding.
#include "ops/pad.h"

#include <algorithm>
#include <array>

#include "ops/folding.h"
#include "ops/lines.h"
#include "ops/movement.h"
#include "ops/run_time_shapes.h"
#include "ops/spatial.h"
#include "ops/walks.h"
#include "program/operands.h"
#include "support/text.h"
#include "tensor/numeric.h"

namespace tarn::ops {

namespace {

using program::Span;

std::optional<PadMode> mode_of(const Node& node) {
  const std::string mode = node.text("mode", "constant");
  if (mode == "constant") return PadMode::constant;
  if (mode == "edge") return PadMode::edge;
  if (mode == "reflect") return PadMode::reflect;
  // From opset 19 on; PyTorch writes it into models of opset 18 too, and ONNX Runtime takes it there.
  if (mode == "wrap" && node.version >= 18) return PadMode::wrap;
  return {};
}

// What the lists of pads and axes mean for a tensor of the given rank; a fault when they do not fit.
Answer<Padding> padding_of(const std::vector<int64_t>& pads, const std::optional<std::vector<int64_t>>& axes,
                           int rank) {
  Padding padding{std::vector<int64_t>(static_cast<size_t>(rank), 0),
                  std::vector<int64_t>(static_cast<size_t>(rank), 0)};
  const size_t n = axes ? axes->size() : static_cast<size_t>(rank);
  if (pads.size() != 2 * n) return Fault{cat(pads.size(), " pads for ", n, " axes")};
  std::vector<bool> seen(static_cast<size_t>(rank), false);
  for (size_t i = 0; i < n; ++i) {
    const auto axis = normalise_axis(axes ? (*axes)[i] : static_cast<int64_t>(i), rank);
    if (!axis || seen[static_cast<size_t>(*axis)])
      return Fault{cat("axis ", (*axes)[i], " is outside the input, or given twice")};
    seen[static_cast<size_t>(*axis)] = true;
    padding.begin[static_cast<size_t>(*axis)] = pads[i];
    padding.end[static_cast<size_t>(*axis)] = pads[n + i];
  }
  return padding;
}

bool axes_given(const Node& node) { return node.has_input(3); }

Answer<Types> infer_pad(const Facts& facts) {
  if (!facts.has(0)) return Fault{"needs an input"};
  const Shape& x = facts.shape(0);
  const auto mode = mode_of(facts.node);
  if (!mode)
    return Fault{"unknown mode '" + facts.node.text("mode", "") + "'",
                 "constant, edge, reflect, and wrap from opset 18"};
  const auto pads = integers_of(facts, 1, "pads");
  std::optional<std::vector<int64_t>> axes;
  if (axes_given(facts.node)) axes = integers_of(facts, 3, "");
  if (!pads || (axes_given(facts.node) && !axes)) return Types{TensorType{}};
  auto answer = padding_of(*pads, axes, x.rank());
  if (const Fault* fault = std::get_if<Fault>(&answer)) return *fault;
  const Padding& padding = std::get<Padding>(answer);
  Shape y = x;
  for (int axis = 0; axis < x.rank(); ++axis) {
    const auto at = static_cast<size_t>(axis);
    const Checked both = checked_add(padding.begin[at], padding.end[at]);
    const Checked d = both ? checked_add(x[axis], *both) : Checked();
    if (!d || *d < 0) {
      return Fault{cat("axis ", axis, " of ", to_string(x), " cannot be padded by ", padding.begin[at], " and ",
                       padding.end[at])};
    }
    // What is taken away at one end must be there.
    const int64_t kept = x[axis] + std::min<int64_t>(0, padding.begin[at]) + std::min<int64_t>(0, padding.end[at]);
    if (kept < 0 || (kept == 0 && *d > 0 && *mode != PadMode::constant)) {
      return Fault{cat("axis ", axis, " of ", to_string(x), " has nothing to pad with")};
    }
    y[axis] = *d;
  }
  return Types{{facts.types[0].dtype, std::move(y)}};
}

// One axis as the kernel sees it: `in` positions are kept of it, which begin at `begin` in the output.
struct PaddedAxis {
  int64_t in = 1, out = 1, begin = 0, stride = 1;
};

int64_t source_of(PadMode mode, int64_t in, int64_t at) {
  if (at >= 0 && at < in) return at;
  if (mode == PadMode::constant || in == 0) return -1;
  if (mode == PadMode::edge) return at < 0 ? 0 : in - 1;
  const int64_t period = mode == PadMode::wrap ? in : std::max<int64_t>(1, 2 * (in - 1));
  int64_t r = at % period;
  if (r < 0) r += period;
  return r < in ? r : period - r;
}

// The same for a whole tensor, with axes joined that nothing is added to. The last ones are `inner` elements moved
// together.
struct PadPlan {
  std::vector<PaddedAxis> axes;
  int64_t inner = 1, offset = 0;
};

PadPlan plan_of(const Shape& x, const Shape& y, const Padding& padding) {
  const std::vector<int64_t> strides = strides_of(x);
  PadPlan plan;
  bool open = false;  // the axis before was left as it is, and can take the next one in
  for (int i = 0; i < x.rank(); ++i) {
    const auto at = static_cast<size_t>(i);
    const int64_t cut_begin = std::max<int64_t>(0, -padding.begin[at]),
                  cut_end = std::max<int64_t>(0, -padding.end[at]);
    plan.offset += cut_begin * strides[at];
    const bool same = padding.begin[at] == 0 && padding.end[at] == 0;
    if (same && open) {
      plan.axes.back().in *= x[i];
      plan.axes.back().out *= x[i];
      plan.axes.back().stride = strides[at];
    } else {
      plan.axes.push_back({x[i] - cut_begin - cut_end, y[i], std::max<int64_t>(0, padding.begin[at]), strides[at]});
    }
    open = same;
  }
  if (open) {
    plan.inner = plan.axes.back().in;
    plan.axes.pop_back();
  }
  if (plan.axes.empty()) plan.axes.push_back({});
  return plan;
}

std::optional<Walk> walk_of(const Shape& x, const Shape& y, const Padding& padding, PadMode mode) {
  if (!has_walk(y)) return {};
  std::vector<std::vector<Span>> spans(x.dims.size());
  for (size_t i = 0; i < spans.size(); ++i) {
    const int64_t cut = std::max<int64_t>(0, -padding.begin[i]), begin = std::max<int64_t>(0, padding.begin[i]);
    const int64_t in = x.dims[i] - cut - std::max<int64_t>(0, -padding.end[i]);
    for (int64_t o = 0; o < y.dims[i]; ++o) {
      const int64_t s = source_of(mode, in, o - begin);
      spans[i].push_back(s < 0 ? Span{0, 0} : Span{cut + s, cut + s + 1});
    }
  }
  return axes_walk(x, y, spans);
}

// The padding value, one element of the tensor's type; none for zero.
Argument value_of(const Node& node, Lowering& low, DType dtype) {
  if (node.has_input(2)) return low.read(node.inputs[2]);
  if (!node.has("value") || node.real("value", 0) == 0) return low.none();
  const Constant value = Constant::scalar(dtype, node.real("value", 0));
  return low.weight(cat("value:", to_string(dtype), ":", node.real("value", 0), "/pad"), value);
}

program::Params pad_params(const Shape& x, const Shape& y, const Padding& padding, PadMode mode) {
  const PadPlan plan = plan_of(x, y, padding);
  std::array<std::vector<int64_t>, 4> lists;
  for (const PaddedAxis& axis : plan.axes) {
    const int64_t numbers[4] = {axis.in, axis.out, axis.begin, axis.stride};
    for (size_t i = 0; i < 4; ++i) lists[i].push_back(numbers[i]);
  }
  for (std::vector<int64_t>& list : lists) list.resize(kMaxRank, 0);
  return {"tarn_pad_params",
          {{"rank", static_cast<int64_t>(plan.axes.size())},
           {"mode", static_cast<int64_t>(mode)},
           {"inner", plan.inner},
           {"offset", plan.offset},
           {"in", lists[0]},
           {"out", lists[1]},
           {"begin", lists[2]},
           {"stride", lists[3]}}};
}

// An image is padded line by line: at its ends with nothing, or with lines of its own.
void set_padded_lines(const Node& node, Lowering& low, Operation& operation, const Padding& padding, PadMode mode) {
  const Shape &x = low.shape(node.inputs[0]), &y = low.shape(node.outputs[0]);
  Argument& from = source_operand(operation);
  if (x.rank() != 4 || x[0] != 1 || y[0] != 1 || !from.walk) return;
  program::LineArgument line = line_argument(0);
  line.map.first = -padding.begin[1];
  if (mode != PadMode::constant && (padding.begin[1] != 0 || padding.end[1] != 0)) {
    if (padding.begin[1] < 0 || padding.end[1] < 0) return;
    line.number = static_cast<int64_t>(mode);
    // Some are taken more than once, and not in their order: each stays until its last time, and comes with those
    // before it.
    std::vector<Span>& lines = from.walk->lines;
    for (size_t r = 1; r < lines.size(); ++r) lines[r].end = std::max(lines[r].end, lines[r - 1].end);
    for (size_t r = lines.size(); r-- > 1;) lines[r - 1].first = std::min(lines[r].first, lines[r - 1].first);
  }
  auto pixels = [](const Shape& s) { return Shape{s[2], s[3]}; };
  const Padding within{{padding.begin.begin() + 2, padding.begin.end()}, {padding.end.begin() + 2, padding.end.end()}};
  set_lines(low, operation, operation.kernel, operation.kernel, pad_params(pixels(x), pixels(y), within, mode),
            {line, same_argument(1), line_argument(2)});
}

}  // namespace

void lower_padding(const Node& node, Lowering& low, const Padding& padding, PadMode mode, Argument value) {
  const Shape &x = low.shape(node.inputs[0]), &y = low.shape(node.outputs[0]);
  Argument from = low.read(node.inputs[0]);
  if (from.role == Argument::Role::read) from.walk = walk_of(x, y, padding, mode);
  const std::string kernel = "tarn_pad_" + bytes_suffix(low.dtype(node.inputs[0]));
  Operation& operation = low.call(node, kernel, pad_params(x, y, padding, mode),
                                  {std::move(from), std::move(value), low.write(node.outputs[0])});
  set_padded_lines(node, low, operation, padding, mode);
}

std::optional<Fault> refuse_padding(const Node& node, const Lowering& low) {
  const DType dtype = low.dtype(node.inputs[0]);
  if (is_packed(dtype) || bits_of(dtype) == 0 || bits_of(dtype) > 64)
    return Fault{"not for element type " + to_string(dtype), "", "E204"};
  if (node.has_input(2) &&
      (low.shape(node.inputs[2]).count() != 1 || (node.op == "Pad" && low.dtype(node.inputs[2]) != dtype))) {
    return Fault{"the padding value is no single " + to_string(dtype)};
  }
  return {};
}

namespace {

// Pads or axes that are only known at run time: the kernel checks that they make the declared output.
std::optional<Fault> lower_run_time(const Node& node, Lowering& low, PadMode mode) {
  const Shape &x = low.shape(node.inputs[0]), &y = low.shape(node.outputs[0]);
  const bool axes = axes_given(node);
  if (x.rank() != y.rank()) return Fault{"input " + to_string(x) + " and output " + to_string(y) + " differ in rank"};
  const int64_t count = low.shape(node.inputs[1]).count() / 2;
  if (axes && low.dtype(node.inputs[3]) != DType::int64) {
    return Fault{"axes of element type " + to_string(low.dtype(node.inputs[3])) + " are known only at run time",
                 "fix them with --const"};
  }
  if (count > x.rank() || low.shape(node.inputs[1]).count() != 2 * count ||
      (axes ? low.shape(node.inputs[3]).count() : x.rank()) != count) {
    return Fault{cat(low.shape(node.inputs[1]).count(), " pads do not fit ", to_string(x))};
  }
  auto list = [](const Shape& shape) {
    std::vector<int64_t> dims = shape.dims;
    dims.resize(kMaxRank, 1);
    return dims;
  };
  Operation& operation = low.call(
      node, "tarn_pad_run_time_" + bytes_suffix(low.dtype(node.inputs[0])),
      {"tarn_pad_run_time_params",
       {{"rank", x.rank()}, {"mode", static_cast<int64_t>(mode)}, {"count", count}, {"in", list(x)}, {"out", list(y)}}},
      {low.read(node.inputs[0]), low.read(node.inputs[1]), axes ? low.read(node.inputs[3]) : low.none(),
       value_of(node, low, low.dtype(node.inputs[0])), low.write(node.outputs[0])});
  operation.returns_status = true;
  return {};
}

std::optional<Fault> lower_pad(const Node& node, Lowering& low) {
  if (auto fault = refuse_padding(node, low)) return fault;
  const PadMode mode = *mode_of(node);
  const auto pads = integers_of(node, low, 1, "pads");
  std::optional<std::vector<int64_t>> axes;
  if (axes_given(node)) axes = integers_of(node, low, 3, "");
  if (!pads || (axes_given(node) && !axes)) {
    if (!node.has_input(1) || low.dtype(node.inputs[1]) != DType::int64) return Fault{"pads are no int64"};
    return lower_run_time(node, low, mode);
  }
  auto padding = padding_of(*pads, axes, low.shape(node.inputs[0]).rank());
  if (const Fault* fault = std::get_if<Fault>(&padding)) return *fault;
  if (low.shape(node.inputs[0]) == low.shape(node.outputs[0]) && !low.constant(node.inputs[0]) &&
      std::get<Padding>(padding).begin == std::vector<int64_t>(low.shape(node.inputs[0]).dims.size(), 0)) {
    lower_copy(node, low, node.inputs[0], node.outputs[0],
               program::View{low.tensor(node.outputs[0]), low.tensor(node.inputs[0]), 0});
    return {};
  }
  lower_padding(node, low, std::get<Padding>(padding), mode, value_of(node, low, low.dtype(node.inputs[0])));
  return {};
}

std::optional<Constants> fold_pad(const Facts& facts, const Types& outputs) {
  const Constant* x = facts.value(0);
  const TensorType& type = outputs[0];
  if (!all_known(facts) || !x || is_packed(type.dtype) || type.dtype == DType::string) return {};
  if (any_absent(facts)) return absent_like(facts, outputs);
  if (type.shape.count() > kMaxFoldedElements) return {};
  const auto pads = integers_of(facts, 1, "pads");
  std::optional<std::vector<int64_t>> axes;
  if (axes_given(facts.node)) axes = integers_of(facts, 3, "");
  const auto answer = padding_of(*pads, axes, x->shape().rank());
  if (std::holds_alternative<Fault>(answer)) return {};
  const Padding& padding = std::get<Padding>(answer);
  const PadMode mode = *mode_of(facts.node);
  const auto size = static_cast<size_t>(bytes_for(type.dtype, 1));
  std::vector<uint8_t> fill(size, 0);
  if (facts.value(2)) {
    if (facts.value(2)->dtype() != type.dtype || facts.value(2)->count() != 1) return {};
    facts.value(2)->copy_bytes(0, fill);
  } else if (facts.node.has("value")) {
    write_double(type.dtype, fill.data(), 0, facts.node.real("value", 0));
  }
  const std::vector<uint8_t> from = x->bytes();
  const std::vector<int64_t> strides = strides_of(x->shape());
  std::vector<uint8_t> bytes(static_cast<size_t>(type.bytes()));
  std::vector<int64_t> at(type.shape.dims.size(), 0);
  for (int64_t i = 0; i < type.shape.count(); ++i) {
    int64_t index = 0;
    bool inside = true;
    for (size_t axis = 0; axis < at.size(); ++axis) {
      const int64_t cut = std::max<int64_t>(0, -padding.begin[axis]);
      const int64_t in = x->shape().dims[axis] - cut - std::max<int64_t>(0, -padding.end[axis]);
      const int64_t s = source_of(mode, in, at[axis] - std::max<int64_t>(0, padding.begin[axis]));
      inside = inside && s >= 0;
      index += (cut + s) * strides[axis];
    }
    const uint8_t* element = inside ? from.data() + static_cast<size_t>(index) * size : fill.data();
    std::copy(element, element + size, bytes.begin() + static_cast<ptrdiff_t>(static_cast<size_t>(i) * size));
    for (size_t axis = at.size(); axis-- > 0;) {
      if (++at[axis] < type.shape.dims[axis]) break;
      at[axis] = 0;
    }
  }
  return Constants{Constant::of(type, std::move(bytes))};
}

// The pads of all axes become an attribute, in the new order.
std::optional<std::vector<int>> permute_pad(Graph& graph, Node& node, const std::vector<int>& to) {
  auto known = [&](size_t i) -> std::optional<std::vector<int64_t>> {
    const Constant* c = node.has_input(i) ? graph.constant(node.inputs[i]) : nullptr;
    if (!c || c->is_absent()) return {};
    return c->integers();
  };
  std::optional<std::vector<int64_t>> pads = node.has("pads") ? node.integers("pads") : known(1), axes;
  if (axes_given(node)) axes = known(3);
  if (!pads || (axes_given(node) && !axes)) return {};
  const auto answer = padding_of(*pads, axes, static_cast<int>(to.size()));
  if (std::holds_alternative<Fault>(answer)) return {};
  const Padding& padding = std::get<Padding>(answer);
  std::vector<int64_t> permuted(2 * to.size());
  for (size_t i = 0; i < to.size(); ++i) {
    permuted[static_cast<size_t>(to[i])] = padding.begin[i];
    permuted[to.size() + static_cast<size_t>(to[i])] = padding.end[i];
  }
  node.attributes["pads"] = permuted;
  if (node.inputs.size() > 3) node.inputs.resize(3);
  if (node.inputs.size() > 1) node.inputs[1] = ValueId();
  return to;
}

}  // namespace

std::vector<OperatorEntry> pad_entries() {
  return {{"", "Pad", "any", lower_pad, infer_pad, fold_pad, Layout::axes, permute_pad}};
}

}  // namespace tarn::ops
