#include "model/save_onnx.h"

#include <google/protobuf/stubs/logging.h>
#include <onnx/version_converter/convert.h>

#include <algorithm>

#include "model/proto_nodes.h"
#include "model/translate.h"
#include "support/text.h"

namespace tarn::model {

namespace {

constexpr int64_t kMostBytes = (int64_t{1} << 31) - (1 << 20);

// What write_graph() left outside comes back in.
struct Attach {
  const Detached& detached;
  std::string missing;
  int64_t bytes = 0;

  void tensor(onnx::TensorProto* out) {
    if (out->data_location() != onnx::TensorProto::EXTERNAL) return;
    const Constant& constant = detached[std::stoul(out->external_data(0).value().substr(1))];
    out->clear_external_data();
    out->clear_data_location();
    if (constant.is_absent()) missing = constant.source();
    else bytes += constant.type().bytes();
    if (!missing.empty() || bytes > kMostBytes) return;
    const std::vector<uint8_t> data = constant.bytes();
    out->set_raw_data(data.data(), data.size());
  }
  void graph(onnx::GraphProto* out) {
    for (auto& initializer : *out->mutable_initializer()) tensor(&initializer);
    for (auto& node : *out->mutable_node()) {
      node.clear_doc_string();  // held the position in the file that was read
      for (auto& attribute : *node.mutable_attribute()) {
        if (attribute.has_t()) tensor(attribute.mutable_t());
        for (auto& t : *attribute.mutable_tensors()) tensor(&t);
      }
      for_each_subgraph(node, [&](onnx::GraphProto& inner) { graph(&inner); });
    }
  }
};

Diagnostic fault(const std::string& file, std::string what, std::string hint) {
  return {"E421", {.file = file}, std::move(what), std::move(hint)};
}

}  // namespace

Result<std::string> save_onnx(const Model& model) {
  onnx::ModelProto proto;
  proto.set_ir_version(model.ir_version);
  proto.set_producer_name("tarn");
  for (const auto& [domain, version] : model.opsets) {
    auto* import = proto.add_opset_import();
    import->set_domain(domain);
    import->set_version(version);
  }
  Detached detached;
  *proto.mutable_graph() = write_graph(model.graph, &detached);
  Attach attach{detached, {}};
  attach.graph(proto.mutable_graph());
  if (!attach.missing.empty())
    return fault(model.path, "its weights are missing: '" + attach.missing + "'", "put the file beside the model");
  if (attach.bytes > kMostBytes || proto.ByteSizeLong() > static_cast<size_t>(kMostBytes))
    return fault(model.path, "it is too large to be written as one file of at most 2 GiB", "quantise it in parts");
  return proto.SerializeAsString();
}

Result<std::string> raise_opset(const std::string& bytes, int opset, const std::string& file) {
  const google::protobuf::LogSilencer silence;
  onnx::ModelProto proto;
  if (!proto.ParseFromString(bytes)) return fault(file, "it cannot be read again", {});
  try {
    onnx::ModelProto newer = onnx::version_conversion::ConvertVersion(proto, opset);
    newer.set_ir_version(std::max<int64_t>(8, newer.ir_version()));
    return newer.SerializeAsString();
  } catch (const std::exception& error) {
    return fault(file, cat("it cannot be converted to opset ", opset, ": ", first_line(error.what())),
                 "export the model again for that opset");
  }
}

}  // namespace tarn::model
