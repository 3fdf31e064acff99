// Opset 6 to 7. What changed: binary operators broadcast as numpy does instead of along an axis attribute; PRelu's
// slope likewise; Upsample takes a list of scales; attributes that only training or old runtimes read are gone.
#include <map>
#include <numeric>
#include <set>

#include "model/convert_opset.h"
#include "model/node_facts.h"
#include "support/text.h"

namespace tarn::model {

namespace {

const std::set<std::string> kBroadcasting = {"Add", "And", "Div", "Equal", "Greater", "Less",
                                             "Mul", "Or",  "Pow", "Sub",   "Xor"};

// Ranks of all values as far as they follow from the declared types and the operators.
class Ranks {
 public:
  Ranks(const GraphDef& graph, const std::map<std::string, int>& opsets) {
    for (const ValueInfo& value : graph.value_info) types_[value.name] = value.type;
    for (const ValueInfo& value : graph.inputs) types_[value.name] = value.type;
    for (const Initializer& i : graph.initializers) {
      types_[i.name] = tensor_type(i.value.dtype(), i.value.shape());
      values_[i.name] = &i.value;
    }
    for (const NodeDef& node : graph.nodes) {
      NodeQuery query{&node, &opsets, {}, {}};
      for (const std::string& input : node.inputs) {
        query.input_types.push_back(types_[input]);
        const auto value = values_.find(input);
        query.input_values.push_back(value == values_.end() ? nullptr : value->second);
      }
      const auto outputs = infer_types(query);
      for (size_t i = 0; outputs && i < node.outputs.size(); ++i) {
        if ((*outputs)[i].dims) types_[node.outputs[i]] = (*outputs)[i];
      }
    }
  }

  std::optional<int> of(const std::string& value) const {
    const auto it = types_.find(value);
    if (it == types_.end() || !it->second.dims) return {};
    return static_cast<int>(it->second.dims->size());
  }
  bool is_single(const std::string& value) const {
    const auto it = types_.find(value);
    if (it == types_.end() || !it->second.dims) return false;
    for (const Dim& d : *it->second.dims) {
      if (d.value != 1) return false;
    }
    return true;
  }

 private:
  std::map<std::string, Type> types_;
  std::map<std::string, const Constant*> values_;
};

std::optional<int64_t> integer(const NodeDef& node, const char* name) {
  const auto it = node.attributes.find(name);
  const auto* value = it == node.attributes.end() ? nullptr : std::get_if<int64_t>(&it->second);
  if (value == nullptr) return {};
  return *value;
}

class Converter {
 public:
  explicit Converter(const Model& model) : file_(model.path), opsets_(model.opsets) {}

  // A changed copy; graphs inside share what did not change.
  GraphDef graph(const GraphDef& old) {
    const Ranks ranks(old, opsets_);
    GraphDef out = old;
    out.nodes.clear();
    for (const NodeDef& node : old.nodes) {
      NodeDef copy = node;
      if (copy.domain.empty()) convert(&copy, ranks, &out.nodes);
      for (auto& [name, attribute] : copy.attributes) {
        if (auto* inner = std::get_if<GraphDefPtr>(&attribute))
          *inner = std::make_shared<const GraphDef>(graph(**inner));
      }
      out.nodes.push_back(std::move(copy));
    }
    return out;
  }

  Diagnostics take() { return std::move(faults_); }

 private:
  void convert(NodeDef* node, const Ranks& ranks, std::vector<NodeDef>* before) {
    const std::string& op = node->op;
    Attributes& attributes = node->attributes;
    if (kBroadcasting.contains(op)) {
      align(node, ranks, before);
      attributes.erase("broadcast");
      attributes.erase("axis");
    } else if (op == "PRelu") {
      align_slope(node, ranks, before);
    } else if (op == "Gemm") {
      attributes.erase("broadcast");
    } else if (op == "BatchNormalization" || op == "Dropout") {
      attributes.erase("is_test");
    } else if (op == "GRU" || op == "LSTM" || op == "RNN") {
      attributes.erase("output_sequence");
    } else if (op == "Upsample") {
      auto scale = [&](const char* name) {
        const auto* value = attributes.contains(name) ? std::get_if<float>(&attributes.at(name)) : nullptr;
        return value ? *value : 1.0f;
      };
      const std::vector<float> scales = {1, 1, scale("height_scale"), scale("width_scale")};
      attributes.erase("height_scale");
      attributes.erase("width_scale");
      attributes["scales"] = scales;
    }
  }

  // The second operand's axes used to start at `axis` of the first; numpy aligns them at the end.
  void align(NodeDef* node, const Ranks& ranks, std::vector<NodeDef>* before) {
    const std::optional<int64_t> axis = integer(*node, "axis");
    if (!axis || integer(*node, "broadcast") != 1 || node->inputs.size() != 2) return;
    const std::optional<int> a = ranks.of(node->inputs[0]), b = ranks.of(node->inputs[1]);
    if (!a || !b) return fault(*node, "its operands' ranks are not known");
    const std::optional<int> first = normalise_axis(*axis, *a);
    if (!first || *first + *b > *a) return fault(*node, "its second operand does not fit at the axis given");
    append_axes(node, 1, *b, *a - *first - *b, before);
  }

  // One slope per channel: axis 1 of the input.
  void align_slope(NodeDef* node, const Ranks& ranks, std::vector<NodeDef>* before) {
    if (node->inputs.size() != 2) return;
    const std::optional<int> x = ranks.of(node->inputs[0]), slope = ranks.of(node->inputs[1]);
    if (slope && (*slope != 1 || ranks.is_single(node->inputs[1]))) return;
    if (!x || !slope) return fault(*node, "its inputs' ranks are not known");
    append_axes(node, 1, 1, std::max(*x - 2, 0), before);
  }

  // Appends `count` axes of length 1 to the input, behind the `rank` that it has.
  void append_axes(NodeDef* node, size_t input, int rank, int count, std::vector<NodeDef>* before) {
    if (count == 0) return;
    NodeDef unsqueeze;
    unsqueeze.index = node->index;
    unsqueeze.op = "Unsqueeze";
    unsqueeze.inputs = {node->inputs[input]};
    unsqueeze.outputs = {cat(node->outputs.front(), "/aligned_", node->inputs[input])};
    std::vector<int64_t> axes(static_cast<size_t>(count));
    std::iota(axes.begin(), axes.end(), rank);
    unsqueeze.attributes["axes"] = axes;
    node->inputs[input] = unsqueeze.outputs.front();
    before->push_back(std::move(unsqueeze));
  }

  void fault(const NodeDef& node, const std::string& why) {
    Where where{file_, {}, node.name, node.op, ""};
    if (node.index >= 0) where.node = node.index;
    faults_.push_back(
        {"E108", where, "it cannot be converted from opset 6 to 7: " + why, "export the model for a newer opset"});
  }

  const std::string& file_;
  const std::map<std::string, int>& opsets_;
  Diagnostics faults_;
};

}  // namespace

Diagnostics convert_to_opset7(Model* model) {
  const auto standard = model->opsets.find("");
  if (standard == model->opsets.end() || standard->second != 6) return {};
  Converter converter(*model);
  GraphDef newer = converter.graph(model->graph);
  Diagnostics faults = converter.take();
  if (!faults.empty()) return faults;
  model->graph = std::move(newer);
  standard->second = 7;
  return {};
}

}  // namespace tarn::model
