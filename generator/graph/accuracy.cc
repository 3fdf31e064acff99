#include "graph/accuracy.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

namespace tarn::graph {

namespace {

// Operators whose result follows from their operands by single IEEE operations or integer arithmetic, or that move
// elements: every implementation gives the same.
// clang-format off
constexpr std::string_view kExact[] = {
    "QuantizeLinear", "DequantizeLinear", "DynamicQuantizeLinear", "MatMulInteger", "ConvInteger", "QLinearConv",
    "QLinearMatMul", "QGemm", "QLinearAdd", "QLinearMul", "QLinearConcat", "QLinearLeakyRelu", "QLinearAveragePool",
    "QLinearGlobalAveragePool", "Cast", "Add", "Sub", "Mul", "Div", "Relu", "LeakyRelu", "PRelu", "Clip", "Min",
    "Max", "Abs", "Neg", "Floor", "Ceil", "Round", "Sqrt", "Sign", "Where", "Equal", "Less", "Greater", "LessOrEqual",
    "GreaterOrEqual", "Not", "And", "Or", "Xor", "Mod", "Identity", "Reshape", "Transpose", "Flatten", "Squeeze",
    "Unsqueeze", "Slice", "Split", "Concat", "Gather", "GatherND", "GatherElements", "Expand", "Tile", "Pad",
    "DepthToSpace", "SpaceToDepth", "MaxPool", "GlobalMaxPool", "ReduceMax", "ReduceMin", "ArgMax", "ArgMin", "TopK",
    "Shape", "Size", "Range", "ConstantOfShape", "ScatterND", "ScatterElements", "Dropout", "Trilu"};
// clang-format on

bool is_exact(const Node& node) {
  return node.bodies.empty() && (node.domain.empty() || node.domain == "com.microsoft") &&
         std::find(std::begin(kExact), std::end(kExact), node.op) != std::end(kExact);
}

struct State {
  Accuracy accuracy;
  bool summed = false;  // by floats, in an order of the implementation's own
};

double epsilon_of(DType type) { return type == DType::float16 ? 0x1p-10 : type == DType::bfloat16 ? 0x1p-7 : 0; }

}  // namespace

std::vector<Accuracy> output_accuracy(const Graph& graph) {
  std::vector<State> states(graph.values.size());
  for (const Node& node : graph.nodes) {
    State state;
    std::vector<ValueId> read = node.inputs;
    read.insert(read.end(), node.captures.begin(), node.captures.end());
    for (ValueId id : read) {
      if (!id) continue;
      state.accuracy = coarser(state.accuracy, states[id.pos()].accuracy);
      state.summed = state.summed || states[id.pos()].summed;
    }
    const bool exact = is_exact(node);
    for (ValueId id : node.outputs) {
      if (!id) continue;
      State made = state;
      const DType type = graph.dtype(id);
      if (exact && made.summed && (node.op == "QuantizeLinear" || node.op == "DynamicQuantizeLinear") &&
          is_integer(type)) {
        made.accuracy = coarser(made.accuracy, {0, bits_of(type)});
      }
      if (!exact && is_float(type)) made.summed = true;
      if (!exact || node.op == "Cast") made.accuracy.epsilon = std::max(made.accuracy.epsilon, epsilon_of(type));
      states[id.pos()] = made;
    }
  }
  std::vector<Accuracy> outputs;
  for (ValueId id : graph.outputs) outputs.push_back(states[id.pos()].accuracy);
  return outputs;
}

}  // namespace tarn::graph
