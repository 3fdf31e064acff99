#include "quantize/rewrite.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "quantize/tuning.h"
#include "tensor/numeric.h"

namespace tarn::quantize {

namespace {

using graph::Graph;
using graph::Node;
using graph::ValueId;

Node qdq(const char* op, const std::string& name, std::vector<ValueId> inputs, ValueId output) {
  Node node;
  node.op = op;
  node.name = name + (op[0] == 'Q' ? "_quantise" : "_dequantise");
  node.inputs = std::move(inputs);
  node.outputs = {output};
  return node;
}

// Multiples of a small part of the step: the noise of one that is rounded to them is that of its code less 36 dB. None
// lies halfway between two codes, which kernels take for the even one. Nothing where 16 bits do not tell them.
std::optional<std::vector<double>> short_multiples(const std::vector<double>& numbers, double step) {
  constexpr double kPartsOfStep = 64;
  std::vector<double> multiples;
  for (const double v : numbers) {
    const double parts = v / step * kPartsOfStep;
    double k = std::nearbyint(parts);
    if (!(std::fabs(k) < 32768 - 1)) return {};
    if (std::fmod(std::fabs(k), kPartsOfStep) == kPartsOfStep / 2) k += parts < k ? -1 : 1;
    multiples.push_back(k / kPartsOfStep * step);
  }
  return multiples;
}

class Rewriter {
 public:
  Rewriter(const Graph& graph, const Scheme& scheme, const Quantisation& quantisation)
      : from_(graph), scheme_(scheme), q_(quantisation), to_(graph) {
    const graph::Uses uses = graph::find_uses(graph);
    for (const auto& [layer, codes] : q_.layers) {
      const bool added = std::any_of(codes.bias.begin(), codes.bias.end(), [](double b) { return b != 0; });
      if (!added || graph.nodes[layer].op != "MatMul") continue;
      if (const std::optional<size_t> add = bias_behind(graph, uses, layer)) added_[*add] = layer;
    }
    for (size_t i = 0; i < graph.values.size(); ++i) floats_.push_back(ValueId(i));
  }

  Graph run(std::vector<ValueId>* floats, std::vector<CodeConstants>* constants) {
    to_.nodes.clear();
    for (const ValueId id : from_.inputs) add_codes(id);
    for (size_t i = 0; i < from_.nodes.size(); ++i) {
      Node node = from_.nodes[i];
      if (q_.layers.contains(i)) use_layer_codes(i, node);
      if (q_.recurrent.contains(i)) {
        for (const size_t input : {size_t{1}, size_t{2}})
          node.inputs[input] = dequantised_rows(to_, node.inputs[input], 1, to_.nodes);
      }
      if (q_.halves.contains(i)) {
        for (const size_t input : weight_inputs(from_, node)) node.inputs[input] = cast_from_half(node.inputs[input]);
      }
      if (const auto found = added_.find(i); found != added_.end())
        add_to_known(node, q_.layers.at(found->second).bias);
      for (const KnownOperand& known : scheme_.known) {
        if (known.node == i) node.inputs[known.input] = known_codes(known);
      }
      if (scheme_.kinds[i] == Kind::norm) shorten(node);
      const bool free = scheme_.kinds[i] == Kind::other;
      for (ValueId& id : node.inputs) {
        if (id && id.pos() < floats_.size()) id = free ? floats_[id.pos()] : number_of(id, scheme_.width[i]);
      }
      for (ValueId& id : node.captures) id = floats_[id.pos()];
      to_.nodes.push_back(std::move(node));
      for (const ValueId id : from_.nodes[i].outputs) {
        if (id) add_codes(id);
      }
    }
    for (ValueId& id : to_.outputs) id = floats_[id.pos()];
    if (floats) *floats = floats_;
    if (constants) *constants = constants_;
    return std::move(to_);
  }

 private:
  static DType type_of(const Codes& codes) { return codes.bits > 8 ? DType::int16 : DType::int8; }

  ValueId number(const std::string& name, float scale) {
    return to_.add_constant(name, Constant::floats(DType::float32, Shape{}, {static_cast<double>(scale)}));
  }

  void add_codes(ValueId id) {
    if (scheme_.has_codes(id)) floats_[id.pos()] = through_codes(id, id, scheme_.made[id.pos()], "");
  }

  // The numbers of `from` as codes of `bits` in the range of `id` have them.
  ValueId through_codes(ValueId id, ValueId from, int bits, const std::string& suffix) {
    const int group = scheme_.group[id.pos()];
    const Codes& codes = q_.of(group, bits);
    const graph::Value value = from_[id];
    const std::string name = value.name + suffix;
    const ValueId scale = number(name + "_scale", codes.scale),
                  zero = to_.add_constant(name + "_zero", Constant::ints(type_of(codes), Shape{}, {codes.zero})),
                  made = to_.add_value(name + "_codes", {type_of(codes), value.type.shape}),
                  back = to_.add_value(name + "_number", value.type);
    if (&codes == &q_.codes[static_cast<size_t>(group)])
      constants_.push_back({static_cast<size_t>(group), scale, zero});
    to_.nodes.push_back(qdq("QuantizeLinear", name, {from, scale, zero}, made));
    to_.nodes.push_back(qdq("DequantizeLinear", name, {made, scale, zero}, back));
    return back;
  }

  // What stands for the value where codes of `bits` are read: it is made as one width, and once as the other.
  ValueId number_of(ValueId id, int bits) {
    const ValueId made = floats_[id.pos()];
    if (!scheme_.has_codes(id) || scheme_.made[id.pos()] == bits) return made;
    const auto [other, added] = converted_.try_emplace(id);
    if (added) other->second = through_codes(id, made, bits, bits == 16 ? "_wide" : "_narrow");
    return other->second;
  }

  ValueId known_codes(const KnownOperand& known) {
    const ValueId id = from_.nodes[known.node].inputs[known.input];
    const Constant& c = *from_.constant(id);
    const std::string name = from_[id].name;
    Codes codes;
    const int bits = scheme_.width[known.node];
    if (known.group >= 0) {
      codes = q_.of(known.group, bits);
    } else {
      Range range;
      for (const double v : c.reals()) {
        range.lo = std::min(range.lo, static_cast<float>(v));
        range.hi = std::max(range.hi, static_cast<float>(v));
      }
      if (const auto floor = q_.floors.find(id); floor != q_.floors.end())
        range.lo = std::max(range.lo, std::min(floor->second, 0.0f));
      codes = codes_of(range, {.bits = bits, .symmetric = bits > 8});
    }
    std::vector<int64_t> values;
    for (const double v : c.reals()) values.push_back(codes.code(static_cast<float>(v)));
    const ValueId made = to_.add_constant(name + "_codes", Constant::ints(type_of(codes), c.shape(), values)),
                  back = to_.add_value(name + "_number", from_[id].type);
    to_.nodes.push_back(qdq("DequantizeLinear", name,
                            {made, number(name + "_scale", codes.scale),
                             to_.add_constant(name + "_zero", Constant::ints(type_of(codes), Shape{}, {codes.zero}))},
                            back));
    return back;
  }

  // Scale and bias of a normalisation as multiples of a small part of its output's step, which few bits tell.
  void shorten(Node& node) {
    const ValueId y = node.outputs[0];
    if (!scheme_.has_codes(y) || scheme_.made[y.pos()] != 8) return;
    const double step = q_.of(scheme_.group[y.pos()], 8).scale;
    for (const size_t input : {size_t{1}, size_t{2}}) {
      const Constant* c = node.has_input(input) ? from_.constant(node.inputs[input]) : nullptr;
      if (!c || c->count() < 2) continue;
      if (const auto numbers = short_multiples(c->reals(), step))
        node.inputs[input] =
            to_.add_constant(from_[node.inputs[input]].name, Constant::floats(DType::float32, c->shape(), *numbers));
    }
  }

  ValueId cast_from_half(ValueId id) {
    const Constant& c = *from_.constant(id);
    const std::string name = from_[id].name;
    const ValueId back = to_.add_value(name + "_number", from_[id].type);
    Node cast;
    cast.op = "Cast";
    cast.name = name + "_cast";
    cast.attributes["to"] = static_cast<int64_t>(to_onnx(DType::float32));
    cast.inputs = {to_.add_constant(name + "_half", Constant::floats(DType::float16, c.shape(), c.reals()))};
    cast.outputs = {back};
    to_.nodes.push_back(std::move(cast));
    return back;
  }

  // What corrects the sums of a product goes into the numbers that are added to them.
  void add_to_known(Node& node, const std::vector<double>& more) {
    ValueId& id = node.inputs[from_.constant(node.inputs[0]) ? 0 : 1];
    const Constant& c = *from_.constant(id);
    const bool one = c.count() == 1;
    std::vector<double> sums = more;
    for (size_t i = 0; i < sums.size(); ++i) sums[i] += c.real(one ? 0 : static_cast<int64_t>(i));
    const Shape shape = one ? Shape{static_cast<int64_t>(sums.size())} : c.shape();
    id = to_.add_constant(from_[id].name, Constant::floats(DType::float32, shape, sums));
  }

  void use_layer_codes(size_t at, Node& node) {
    const LayerCodes& layer = q_.layers.at(at);
    const ValueId weights = node.inputs[1];
    const Shape& shape = from_.shape(weights);
    const std::string name = from_[weights].name;
    const bool rows = node.op == "Conv" || (node.op == "Gemm" && node.integer("transB", 0) != 0);
    const int64_t axis = rows ? 0 : 1;
    const auto scales = static_cast<size_t>(shape[static_cast<int>(axis)]);
    const std::vector<double> scale(layer.scale.begin(), layer.scale.begin() + static_cast<std::ptrdiff_t>(scales));
    const DType type = bits_of(q_, at) == 4 ? DType::int4 : DType::int8;
    const Shape channels{static_cast<int64_t>(scales)};
    const ValueId back = to_.add_value(name + "_number", from_[weights].type);
    Node dequantise =
        qdq("DequantizeLinear", name,
            {to_.add_constant(name + "_codes", Constant::ints(type, shape, stored_order(layer.codes, shape, node))),
             to_.add_constant(name + "_scale", Constant::floats(DType::float32, channels, scale)),
             to_.add_constant(name + "_zero", Constant::ints(type, channels, std::vector<int64_t>(scales, 0)))},
            back);
    dequantise.attributes["axis"] = axis;
    to_.nodes.push_back(std::move(dequantise));
    node.inputs[1] = back;
    const bool added = std::any_of(layer.bias.begin(), layer.bias.end(), [](double b) { return b != 0; });
    if (node.op == "MatMul" || (!node.has_input(2) && !added)) return;
    const float step = q_.of(scheme_.group[from_.nodes[at].inputs[0].pos()], scheme_.width[at]).scale;
    std::vector<int64_t> codes;
    std::vector<double> steps;
    for (size_t c = 0; c < layer.bias.size(); ++c) {
      // The product as float32 has it is the products' scale in the kernel.
      const float product = step * layer.scale[c];
      steps.push_back(static_cast<double>(product));
      codes.push_back(
          static_cast<int64_t>(std::clamp(std::nearbyint(layer.bias[c] / steps.back()), -2147483647.0, 2147483647.0)));
    }
    const Shape outputs{static_cast<int64_t>(codes.size())};
    const std::string bias = name + "_bias";
    const ValueId number = to_.add_value(bias + "_number", {DType::float32, outputs});
    Node add = qdq("DequantizeLinear", bias,
                   {to_.add_constant(bias + "_codes", Constant::ints(DType::int32, outputs, codes)),
                    to_.add_constant(bias + "_scale", Constant::floats(DType::float32, outputs, steps))},
                   number);
    add.attributes["axis"] = int64_t{0};
    to_.nodes.push_back(std::move(add));
    node.inputs.resize(3);
    node.inputs[2] = number;
  }

  const Graph& from_;
  const Scheme& scheme_;
  const Quantisation& q_;
  Graph to_;
  std::vector<ValueId> floats_;           // by value: as it is made
  std::map<ValueId, ValueId> converted_;  // and as codes of the other width
  std::vector<CodeConstants> constants_;
  std::map<size_t, size_t> added_;  // by node that adds: the product whose correction it takes
};

double code_on(double value, double scale) { return std::clamp(std::nearbyint(value / scale), -127.0, 127.0); }

// Of rows of known numbers, as bfloat16 has them: kernels keep these in two bytes. Rows share one where that adds
// little noise.
std::vector<double> row_scales(const std::vector<double>& values, size_t rows, size_t inner) {
  std::vector<double> most(rows, 0);
  for (size_t i = 0; i < values.size(); ++i)
    most[i / inner % rows] = std::max(most[i / inner % rows], std::fabs(values[i]));
  const auto scale_for = [](double largest) { return largest > 127e-30 ? bfloat16_above(largest / 127) : 1.0; };
  std::vector<double> own;
  for (const double largest : most) own.push_back(scale_for(largest));
  const double shared =
      scale_for(std::accumulate(most.begin(), most.end(), 0.0, [](double a, double b) { return std::max(a, b); }));
  double apart = 0, together = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const auto noise = [&](double scale) {
      const double off = values[i] - scale * code_on(values[i], scale);
      return off * off;
    };
    apart += noise(own[i / inner % rows]);
    together += noise(shared);
  }
  return together <= kSharedRowsNoise * apart ? std::vector<double>(rows, shared) : own;
}

}  // namespace

ValueId dequantised_rows(Graph& graph, ValueId numbers, int axis, std::vector<Node>& nodes) {
  const Constant& c = *graph.constant(numbers);
  const std::vector<double> values = c.reals();
  const auto rows = static_cast<size_t>(c.shape()[axis]),
             inner = static_cast<size_t>(c.shape().count(axis + 1, c.shape().rank()));
  const std::vector<double> scale = row_scales(values, rows, inner);
  std::vector<int64_t> codes;
  for (size_t i = 0; i < values.size(); ++i)
    codes.push_back(static_cast<int64_t>(code_on(values[i], scale[i / inner % rows])));
  const std::string name = graph[numbers].name;
  const graph::Value value = graph[numbers];
  const Shape along{static_cast<int64_t>(rows)}, shape = c.shape();
  const ValueId back = graph.add_value(name + "_number", value.type);
  Node node =
      qdq("DequantizeLinear", name,
          {graph.add_constant(name + "_codes", Constant::ints(DType::int8, shape, codes)),
           graph.add_constant(name + "_scale", Constant::floats(DType::float32, along, scale)),
           graph.add_constant(name + "_zero", Constant::ints(DType::int8, along, std::vector<int64_t>(rows, 0)))},
          back);
  node.attributes["axis"] = int64_t{axis};
  nodes.push_back(std::move(node));
  return back;
}

Graph rewrite(const Graph& graph, const Scheme& scheme, const Quantisation& quantisation, std::vector<ValueId>* floats,
              std::vector<CodeConstants>* constants) {
  return Rewriter(graph, scheme, quantisation).run(floats, constants);
}

}  // namespace tarn::quantize
