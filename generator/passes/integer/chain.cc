#include "passes/integer/chain.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "ops/elementwise.h"
#include "passes/integer/layer.h"

namespace tarn::passes::integer {

namespace {

// Of whole numbers, towards zero.
int64_t quotient(double a, double b) { return static_cast<int64_t>(a) / static_cast<int64_t>(b); }

// The numbers of a constant that is one number, or one per channel; `axis` of a tensor of `shape`.
std::vector<float> operand_of(const Work& work, ValueId id, const Shape& shape, int axis) {
  const Constant* c = work.graph.constant(id);
  // As converters write the bias of a product: codes with a scale of their own.
  const Node* from = work.producer(id);
  if (!c && from && from->op == "DequantizeLinear" && axis >= 0 && axis == shape.rank() - 1) {
    const auto bias = bias_of(work, id, shape[axis], std::vector<float>(static_cast<size_t>(shape[axis]), 1));
    return bias ? bias->values : std::vector<float>{};
  }
  if (!c || c->is_absent() ||
      (c->dtype() != DType::float32 && c->dtype() != DType::int64 && c->dtype() != DType::int32))
    return {};
  std::vector<float> values;
  if (c->count() != 1) {
    if (axis < 0 || axis >= shape.rank() || c->count() != shape[axis]) return {};
    const int at = axis - (shape.rank() - c->shape().rank());
    if (at < 0 || c->shape()[at] != shape[axis]) return {};
  }
  for (double v : c->reals()) {
    values.push_back(static_cast<float>(v));
    if (static_cast<double>(values.back()) != v) return {};
  }
  return values;
}

std::optional<Step> binary_step(const Work& work, const Node& node, int axis, ValueId& from) {
  using Op = Step::Op;
  if (!node.domain.empty() || node.inputs.size() != 2 || node.integer("broadcast", 0) != 0) return {};
  const bool add = node.op == "Add", mul = node.op == "Mul", sub = node.op == "Sub", div = node.op == "Div";
  const bool power = node.op == "Pow", least = node.op == "Min", most = node.op == "Max";
  if (!add && !mul && !sub && !div && !power && !least && !most) return {};
  const Shape& shape = work.graph.shape(node.outputs[0]);
  for (size_t side = 0; side < 2; ++side) {
    const ValueId x = node.inputs[side];
    if (work.graph.constant(x) || work.graph.shape(x) != shape) continue;
    Step step;
    step.operand = operand_of(work, node.inputs[1 - side], shape, axis);
    if (step.operand.empty()) continue;
    step.whole = work.graph.dtype(x) != DType::float32;
    if (step.whole && (power || least || most || (div && (side == 1 || step.operand[0] == 0)))) return {};
    from = x;
    step.op = add ? Op::add : mul ? Op::mul : sub ? (side == 0 ? Op::subtract : Op::subtract_from) : Op::divide;
    if (div && side == 1) {
      if (step.per_channel()) return {};
      step.op = Op::other;
      step.function = [c = step.operand[0]](double v) { return static_cast<double>(c) / v; };
    } else if (power) {
      if (side == 1 || step.per_channel()) return {};
      step.op = Op::other;
      step.function = [c = step.operand[0]](double v) { return std::pow(v, static_cast<double>(c)); };
    } else if (least || most) {
      if (step.per_channel()) return {};
      step.op = Op::clip;
      step.lo = most ? step.operand[0] : -std::numeric_limits<float>::infinity();
      step.hi = least ? step.operand[0] : std::numeric_limits<float>::infinity();
    }
    return step;
  }
  return {};
}

std::optional<Step> clip_step(const Work& work, const Node& node) {
  Step step;
  step.op = Step::Op::clip;
  step.lo = -std::numeric_limits<float>::infinity();
  step.hi = std::numeric_limits<float>::infinity();
  for (size_t i = 1; i < 3; ++i) {
    float& bound = i == 1 ? step.lo : step.hi;
    const char* attribute = i == 1 ? "min" : "max";
    if (node.has(attribute)) bound = static_cast<float>(node.real(attribute, 0));
    if (!node.has_input(i)) continue;
    const std::optional<float> number = work.number(node.inputs[i]);
    if (!number) return {};
    bound = *number;
  }
  if (!(step.lo <= step.hi)) return {};
  return step;
}

// To integers: towards zero.
Step cast_step(const Work& work, const Node& node, ValueId from) {
  Step step;
  step.op = Step::Op::other;
  step.rises = true;
  step.whole = work.graph.dtype(node.outputs[0]) != DType::float32;
  const bool truncates = step.whole && work.graph.dtype(from) == DType::float32;
  step.function = [truncates](double v) { return truncates ? std::trunc(v) : v; };
  return step;
}

// v * scale + offset, as channels have them.
std::vector<Step> normalization_steps(const Work& work, const Node& node, int axis) {
  std::array<std::vector<float>, 4> numbers;  // scale, bias, mean, variance
  const Shape& x = work.graph.shape(node.inputs[0]);
  if (axis != 1 || node.inputs.size() < 5 || x.rank() < 2 || node.integer("training_mode", 0) != 0) return {};
  for (size_t i = 0; i < 4; ++i) {
    // As numbers, or as codes.
    const auto known = bias_of(work, node.inputs[i + 1], x[1], std::vector<float>(static_cast<size_t>(x[1]), 1));
    if (!known) return {};
    numbers[i] = known->values;
  }
  const auto epsilon = static_cast<float>(node.real("epsilon", 1e-5));
  Step scale, offset;
  scale.op = Step::Op::mul;
  offset.op = Step::Op::add;
  for (size_t c = 0; c < numbers[0].size(); ++c) {
    const float spread = std::sqrt(numbers[3][c] + epsilon), factor = numbers[0][c] * (1 / spread),
                moved = numbers[2][c] * factor;
    if (!std::isfinite(factor) || !std::isfinite(moved)) return {};
    scale.operand.push_back(factor);
    offset.operand.push_back(numbers[1][c] - moved);
  }
  return {scale, offset};
}

std::optional<Step> leak_step(const Work& work, const Node& node, int axis) {
  Step step;
  step.op = Step::Op::leak;
  step.operand = operand_of(work, node.inputs[1], work.graph.shape(node.inputs[0]), axis);
  if (step.operand.empty()) return {};
  return step;
}

std::optional<Step> step_of(const Work& work, const Node& node, int axis, ValueId& from) {
  if (node.outputs.size() != 1 || node.inputs.empty() || !node.inputs[0]) return {};
  auto known = [&](ValueId id) {
    const DType type = work.graph.dtype(id);
    return type == DType::float32 || type == DType::int64 || type == DType::int32;
  };
  if (!known(node.outputs[0])) return {};
  if (node.is("Cast") && known(node.inputs[0])) return cast_step(work, node, from = node.inputs[0]);
  if (auto step = binary_step(work, node, axis, from)) return step;
  from = node.inputs[0];
  if (work.graph.dtype(from) != DType::float32) return {};
  if (node.is("Clip")) return clip_step(work, node);
  if (node.is("Relu")) return Step{};
  if (node.is("PRelu") && node.inputs.size() == 2) return leak_step(work, node, axis);
  if (node.inputs.size() != 1) return {};
  if (auto function = ops::unary_function(node)) {
    Step step;
    step.op = Step::Op::other;
    step.function = std::move(*function);
    step.rises = node.op == "Floor" || node.op == "Ceil" || node.op == "Round";
    return step;
  }
  return {};
}

// Those of one operator; none when it is no such function.
std::vector<Step> steps_of(const Work& work, const Node& node, int axis, ValueId& from) {
  if (node.is("BatchNormalization") && node.has_input(0) && node.outputs.size() == 1 &&
      work.graph.dtype(node.inputs[0]) == DType::float32) {
    from = node.inputs[0];
    return normalization_steps(work, node, axis);
  }
  if (std::optional<Step> step = step_of(work, node, axis, from)) return {std::move(*step)};
  return {};
}

}  // namespace

float Chain::apply_steps(float value, size_t channel) const {
  // Operations of two float32 numbers in double, rounded once, are those of float32.
  auto v = static_cast<double>(value);
  for (const Step& step : steps) {
    const double c = step.operand.empty() ? 0 : static_cast<double>(step.operand[step.per_channel() ? channel : 0]);
    switch (step.op) {
      case Step::Op::mul: v = v * c; break;
      case Step::Op::add: v = v + c; break;
      case Step::Op::subtract: v = v - c; break;
      case Step::Op::subtract_from: v = c - v; break;
      case Step::Op::divide: v = step.whole ? static_cast<double>(quotient(v, c)) : v / c; break;
      case Step::Op::relu: v = v < 0 ? 0 : v; break;
      case Step::Op::leak: v = v < 0 ? v * c : v; break;
      case Step::Op::clip:
        v = v < static_cast<double>(step.lo)   ? static_cast<double>(step.lo)
            : v > static_cast<double>(step.hi) ? static_cast<double>(step.hi)
                                               : v;
        break;
      case Step::Op::other: v = step.function(v); break;
    }
    if (!step.whole) v = static_cast<double>(static_cast<float>(v));
  }
  return static_cast<float>(v);
}

double Chain::slope() const {
  double slope = 1;
  for (const Step& step : steps) {
    if (step.op == Step::Op::mul) slope *= static_cast<double>(step.operand[0]);
    if (step.op == Step::Op::divide) slope /= static_cast<double>(step.operand[0]);
    if (step.op == Step::Op::subtract_from) slope = -slope;
  }
  return slope;
}

bool Chain::stepwise() const {
  return std::all_of(steps.begin(), steps.end(),
                     [](const Step& s) { return s.rises || (s.op != Step::Op::other && s.op != Step::Op::leak); });
}

bool Chain::per_channel() const {
  return std::any_of(steps.begin(), steps.end(), [](const Step& s) { return s.per_channel(); });
}

std::optional<Bounds> Chain::bounds() const {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  Bounds bounds{-kInfinity, kInfinity};
  for (const Step& step : steps) {
    if (step.op != Step::Op::relu && step.op != Step::Op::clip) return {};
    const float lo = step.op == Step::Op::relu ? 0 : step.lo, hi = step.op == Step::Op::relu ? kInfinity : step.hi;
    bounds = {std::clamp(bounds.lo, lo, hi), std::clamp(bounds.hi, lo, hi)};
  }
  return bounds;
}

Chain trace(const Work& work, ValueId to, int axis) {
  Chain chain;
  chain.from = to;
  while (true) {
    const Node* node = work.producer(chain.from);
    if (!node || !work.only_link(chain.from)) break;
    ValueId from;
    const std::vector<Step> steps = steps_of(work, *node, axis, from);
    if (steps.empty()) break;
    chain.steps.insert(chain.steps.begin(), steps.begin(), steps.end());
    chain.nodes.insert(chain.nodes.begin(), node);
    chain.from = from;
  }
  return chain;
}

Chain last_step(const Work& work, ValueId to) {
  Chain chain;
  chain.from = to;
  const Node* node = work.producer(to);
  ValueId from;
  std::optional<Step> step = node ? step_of(work, *node, -1, from) : std::nullopt;
  if (!step) return chain;
  chain.steps.push_back(std::move(*step));
  chain.nodes.push_back(node);
  chain.from = from;
  return chain;
}

}  // namespace tarn::passes::integer
