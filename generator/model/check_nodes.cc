#include <onnx/checker.h>

#include <algorithm>
#include <set>

#include "model/check_graph.h"
#include "model/proto_nodes.h"
#include "model/schema_lookup.h"
#include "support/text.h"

namespace tarn::model {

namespace {

using onnx::AttributeProto;

// An attribute says its type and fills the field of that type. A field that holds its default may be left out.
std::string attribute_fault(const AttributeProto& a) {
  if (a.name().empty()) return "an attribute has no name";
  if (!a.ref_attr_name().empty())
    return "attribute '" + a.name() + "' refers to a function's attribute outside of a function";
  struct Filled {
    bool is;
    AttributeProto::AttributeType type;
  };
  const Filled fields[] = {{a.has_f(), AttributeProto::FLOAT},
                           {a.has_i(), AttributeProto::INT},
                           {a.has_s(), AttributeProto::STRING},
                           {a.has_t(), AttributeProto::TENSOR},
                           {a.has_g(), AttributeProto::GRAPH},
                           {a.has_tp(), AttributeProto::TYPE_PROTO},
                           {a.has_sparse_tensor(), AttributeProto::SPARSE_TENSOR},
                           {a.floats_size() > 0, AttributeProto::FLOATS},
                           {a.ints_size() > 0, AttributeProto::INTS},
                           {a.strings_size() > 0, AttributeProto::STRINGS},
                           {a.tensors_size() > 0, AttributeProto::TENSORS},
                           {a.graphs_size() > 0, AttributeProto::GRAPHS},
                           {a.sparse_tensors_size() > 0, AttributeProto::SPARSE_TENSORS},
                           {a.type_protos_size() > 0, AttributeProto::TYPE_PROTOS}};
  if (!a.has_type() || a.type() == AttributeProto::UNDEFINED)
    return "attribute '" + a.name() + "' does not say its type";
  // Messages have no default that could be left out.
  for (const auto type :
       {AttributeProto::TENSOR, AttributeProto::GRAPH, AttributeProto::TYPE_PROTO, AttributeProto::SPARSE_TENSOR}) {
    const bool filled =
        std::any_of(std::begin(fields), std::end(fields), [&](const Filled& f) { return f.type == type && f.is; });
    if (a.type() == type && !filled) return "attribute '" + a.name() + "' has no value";
  }
  for (const Filled& field : fields) {
    if (field.is && field.type != a.type()) {
      return "attribute '" + a.name() + "' says " + AttributeProto::AttributeType_Name(a.type()) + " and holds " +
             AttributeProto::AttributeType_Name(field.type);
    }
  }
  return "";
}

bool is_standard(const std::string& domain) {
  return domain.empty() || domain == "ai.onnx.ml" || domain == "ai.onnx.preview" ||
         domain == "ai.onnx.preview.training";
}

class NodeCheck {
 public:
  NodeCheck(const onnx::ModelProto& model, const std::string& file) : file_(file) {
    for (const auto& import : model.opset_import())
      opsets_[normal_domain(import.domain())] = static_cast<int>(import.version());
  }

  void graph(const onnx::GraphProto& g) {
    for (const onnx::NodeProto& n : g.node()) {
      node(n);
      for_each_subgraph(n, [&](const onnx::GraphProto& inner) { graph(inner); });
    }
  }

  Diagnostics take() { return std::move(faults_); }

 private:
  void node(const onnx::NodeProto& n) {
    // What tarn makes of operators has that domain while it is generating; nothing of it is checked.
    if (n.domain() == "tarn" && faults_.size() < kMaxFaults)
      faults_.push_back(
          {"E203", where_node(file_, n), "the domain 'tarn' is tarn's own", "give the domain another name"});
    const std::string what = node_fault(n);
    if (what.empty() || faults_.size() >= kMaxFaults) return;
    faults_.push_back({"E107", where_node(file_, n), what, ""});
  }

  std::string node_fault(const onnx::NodeProto& n) {
    const std::string domain = normal_domain(n.domain());
    // Operators of domains that nobody knows are told of when they are lowered, all at once.
    if (!opsets_.contains(domain) && is_standard(domain))
      return "the model imports no opset for the domain '" + (domain.empty() ? "ai.onnx" : domain) + "'";
    std::set<std::string_view> names;
    for (const AttributeProto& attribute : n.attribute()) {
      std::string what = attribute_fault(attribute);
      if (!what.empty()) return what;
      if (!names.insert(attribute.name()).second) return "attribute '" + attribute.name() + "' is given twice";
    }
    const onnx::OpSchema* schema = find_schema(domain, n.op_type(), opsets_);
    if (schema == nullptr) return "";  // whether it is supported is judged where operators are lowered
    // Withdrawn in favour of the one of opset 21, but exporters have written it.
    if (schema->Deprecated() && n.op_type() == "GroupNormalization") return "";
    try {
      schema->Verify(n);
    } catch (const std::exception& error) {
      return first_line(error.what());
    }
    return "";
  }

  static constexpr size_t kMaxFaults = 1000;
  const std::string& file_;
  std::map<std::string, int> opsets_;
  Diagnostics faults_;
};

}  // namespace

Diagnostics check_nodes(const onnx::ModelProto& model, const std::string& file) {
  NodeCheck check(model, file);
  check.graph(model.graph());
  return check.take();
}

}  // namespace tarn::model
