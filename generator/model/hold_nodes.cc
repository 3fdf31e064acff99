#include "model/hold_nodes.h"

#include <cmath>
#include <map>

#include "model/tensor_data.h"
#include "support/text.h"

namespace tarn::model {

namespace {

constexpr const char* kHeld = "tarn.held";
constexpr int64_t kMaxTiles = 1024;  // each becomes an operand of a Concat
constexpr double kMaxPart = 0x1p53;  // up to it a double holds every whole number

onnx::AttributeProto* find(onnx::NodeProto& node, const std::string& name) {
  for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
    if (attribute.name() == name) return &attribute;
  }
  return nullptr;
}

class Holder {
 public:
  Holder(const onnx::GraphProto& graph, int64_t version) : graph_(graph), version_(version) {}

  std::optional<std::string> hold(onnx::NodeProto& node) {
    const std::string op = node.op_type();
    std::optional<std::string> why;
    if (op == "Pad" && version_ < 2) {
      if (onnx::AttributeProto* pads = find(node, "paddings")) pads->set_name("pads");
    } else if ((op == "LpPool" || op == "GlobalLpPool") && version_ < 2) {
      why = whole_power(node);
    } else if (op == "Split" && version_ < 2) {
      why = split(node);
    } else if (op == "Cast" && version_ < 6) {
      why = cast(node);
    } else if (op == "Tile" && version_ < 6) {
      why = tile(node);
    } else if (op != "GRU" || version_ >= 3) {
      return {};
    }
    node.set_domain(kHeld);
    if (why) return cat(op, ": ", *why);
    return {};
  }

 private:
  // The numbers of an initializer; nothing when it is none, or long.
  std::optional<std::vector<double>> numbers(const std::string& name) const {
    for (const onnx::TensorProto& tensor : graph_.initializer()) {
      if (tensor.name() != name) continue;
      Diagnostics faults;
      DataSources none{{}, nullptr, ExternalFiles("")};
      const auto constant = read_tensor(tensor, {}, &none, &faults);
      if (!constant || constant->is_absent() || constant->shape().count() > kMaxTiles) return {};
      if (!is_integer(constant->dtype()) && !is_float(constant->dtype())) return {};
      return constant->reals();
    }
    return {};
  }

  static std::optional<std::string> whole_power(onnx::NodeProto& node) {
    onnx::AttributeProto* p = find(node, "p");
    if (p == nullptr) return {};
    const float power = p->f();
    if (!(power >= 1 && power <= 1000) || power != std::floor(power)) return cat("a power of ", power);
    p->clear_f();
    p->set_type(onnx::AttributeProto::INT);
    p->set_i(static_cast<int64_t>(power));
    return {};
  }

  std::optional<std::string> split(onnx::NodeProto& node) const {
    if (node.input_size() < 2) return {};
    const auto sizes = numbers(node.input(1));
    if (!sizes) return "sizes that are no constant";
    for (double size : *sizes) {
      if (!(size >= 0 && size <= kMaxPart) || size != std::floor(size)) return cat("a part of ", size);
    }
    node.mutable_input()->RemoveLast();
    onnx::AttributeProto* attribute = node.add_attribute();
    attribute->set_name("split");
    attribute->set_type(onnx::AttributeProto::INTS);
    for (double size : *sizes) attribute->add_ints(static_cast<int64_t>(size));
    return {};
  }

  static std::optional<std::string> cast(onnx::NodeProto& node) {
    onnx::AttributeProto* to = find(node, "to");
    onnx::TensorProto::DataType type = onnx::TensorProto::UNDEFINED;
    if (to == nullptr || !onnx::TensorProto::DataType_Parse(to->s(), &type)) return "to an unknown type";
    to->clear_s();
    to->set_type(onnx::AttributeProto::INT);
    to->set_i(type);
    return {};
  }

  // So many copies along one axis.
  std::optional<std::string> tile(onnx::NodeProto& node) const {
    if (node.input_size() != 3) return "not three inputs";
    const auto tiles = numbers(node.input(1)), axis = numbers(node.input(2));
    if (!tiles || !axis || tiles->size() != 1 || axis->size() != 1)
      return "tiles or an axis that are no constant numbers";
    if (!((*tiles)[0] >= 1 && (*tiles)[0] <= static_cast<double>(kMaxTiles)) || !(std::abs((*axis)[0]) <= kMaxRank))
      return cat((*tiles)[0], " tiles");
    const std::string x = node.input(0);
    node.set_op_type("Concat");
    node.clear_input();
    for (int i = 0; i < static_cast<int>((*tiles)[0]); ++i) node.add_input(x);
    onnx::AttributeProto* attribute = node.add_attribute();
    attribute->set_name("axis");
    attribute->set_type(onnx::AttributeProto::INT);
    attribute->set_i(static_cast<int64_t>((*axis)[0]));
    return {};
  }

  const onnx::GraphProto& graph_;
  int64_t version_;
};

}  // namespace

std::optional<std::string> hold_nodes(onnx::ModelProto* model, int64_t version) {
  Holder holder(model->graph(), version);
  for (onnx::NodeProto& node : *model->mutable_graph()->mutable_node()) {
    if (!node.domain().empty()) continue;
    if (auto why = holder.hold(node)) return why;
  }
  onnx::OperatorSetIdProto* import = model->add_opset_import();
  import->set_domain(kHeld);
  import->set_version(1);
  return {};
}

void release_nodes(onnx::ModelProto* model) {
  for (onnx::NodeProto& node : *model->mutable_graph()->mutable_node()) {
    if (node.domain() == kHeld) node.clear_domain();
  }
  auto* imports = model->mutable_opset_import();
  for (int i = imports->size(); i-- > 0;) {
    if (imports->Get(i).domain() == kHeld) imports->DeleteSubrange(i, 1);
  }
}

}  // namespace tarn::model
