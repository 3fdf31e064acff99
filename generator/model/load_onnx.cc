#include "model/load_onnx.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/stubs/logging.h>

#include <algorithm>
#include <filesystem>
#include <new>

#include "model/check_graph.h"
#include "model/convert_opset.h"
#include "model/detach_tensors.h"
#include "model/inline_functions.h"
#include "model/proto_nodes.h"
#include "model/wire_scan.h"
#include "support/memory_limit.h"
#include "support/nearest.h"
#include "support/text.h"

namespace tarn::model {

namespace {

Diagnostic fault(const char* code, const std::string& file, std::string message, std::string hint = "") {
  Where where;
  where.file = file;
  return {code, where, std::move(message), std::move(hint)};
}

std::string folder_of(const std::string& path) {
  const size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

// "; did you mean 'net/model.onnx'?", where the folder has a file of such a name.
std::string similar_file(const std::string& path) {
  constexpr size_t kMostNames = 2000;
  std::vector<std::string> names;
  std::error_code none;
  const std::string folder = folder_of(path);
  std::filesystem::directory_iterator entry(folder.empty() ? "." : folder, none), end;
  for (; !none && entry != end && names.size() < kMostNames; entry.increment(none))
    names.push_back(entry->path().filename().string());
  std::sort(names.begin(), names.end());
  std::erase(names, path.substr(folder.size()));
  return did_you_mean(path.substr(folder.size()), names, folder);
}

Result<std::shared_ptr<const MappedFile>> map_model(const std::string& path) {
  OpenFile opened = OpenFile::at(path);
  if (opened.file == nullptr)
    return fault("E101", path, "it cannot be read: " + opened.why,
                 "check the path and its permissions" + similar_file(path));
  if (opened.file->bytes().empty())
    return fault("E101", path, "the file is empty", "check how it was exported or copied");
  return opened.file;
}

template <class Message>
Result<Done> parse(const std::string& path, std::span<const uint8_t> bytes, RootMessage root, Message* out,
                   std::vector<Blob>* blobs) {
  Skeleton skeleton;
  if (const auto problem = scan_wire(bytes, root, &skeleton)) {
    if (problem->kind == ScanFault::Kind::too_large) {
      return fault("E103", path, problem->what, "check how the model was exported");
    }
    const bool whole_text = problem->offset == 0;
    return fault("E102", path,
                 cat("it is no ONNX file, or damaged or cut off: ", problem->what, " at byte ", problem->offset),
                 whole_text ? "give a file that an ONNX exporter wrote" : "export or copy the model again");
  }
  // The library would print what it finds wrong.
  const google::protobuf::LogSilencer silence;
  google::protobuf::io::CodedInputStream stream(reinterpret_cast<const uint8_t*>(skeleton.bytes.data()),
                                                static_cast<int>(skeleton.bytes.size()));
  if (!out->ParseFromCodedStream(&stream) || !stream.ConsumedEntireMessage()) {
    return fault("E102", path, "it is no ONNX file, or damaged", "export or copy the model again");
  }
  *blobs = std::move(skeleton.blobs);
  return Done{};
}

// Both spellings of the standard domain become "", everywhere.
void normalise_domains(google::protobuf::RepeatedPtrField<onnx::NodeProto>* nodes) {
  for (onnx::NodeProto& node : *nodes) {
    if (node.domain() == "ai.onnx") node.clear_domain();
    for_each_subgraph(node, [&](onnx::GraphProto& graph) { normalise_domains(graph.mutable_node()); });
  }
}

void normalise_domains(onnx::ModelProto* model) {
  normalise_domains(model->mutable_graph()->mutable_node());
  for (auto& import : *model->mutable_opset_import()) import.set_domain(normal_domain(import.domain()));
  for (auto& function : *model->mutable_functions()) {
    normalise_domains(function.mutable_node());
    for (auto& import : *function.mutable_opset_import()) import.set_domain(normal_domain(import.domain()));
  }
}

Diagnostics check_versions(const onnx::ModelProto& model, const std::string& path) {
  Diagnostics faults;
  const auto ir = model.ir_version();
  if (ir < kOldestIr || ir > kNewestIr) {
    faults.push_back(fault("E108", path, cat("ONNX IR version ", ir, "; tarn reads ", kOldestIr, " to ", kNewestIr),
                           "export the model again, or convert it with the onnx package"));
  }
  std::map<std::string, int64_t> seen;
  for (const auto& import : model.opset_import()) {
    const auto [it, fresh] = seen.emplace(import.domain(), import.version());
    const std::string domain = import.domain().empty() ? "ai.onnx" : import.domain();
    if (!fresh && it->second != import.version()) {
      faults.push_back(fault(
          "E107", path, cat("the domain '", domain, "' is imported as opset ", it->second, " and ", import.version())));
    }
    if (import.version() < 1 || import.version() > INT32_MAX) {
      faults.push_back(fault("E107", path, cat("the domain '", domain, "' is imported as opset ", import.version())));
    } else if (import.domain().empty() && import.version() > kNewestOpset) {
      faults.push_back(fault(
          "E108", path, cat("ai.onnx opset ", import.version(), "; tarn reads ", kOldestOpset, " to ", kNewestOpset),
          "convert the model with onnx.version_converter, or export it for an older opset"));
    }
  }
  if (seen.empty()) faults.push_back(fault("E107", path, "the model imports no opset"));
  return faults;
}

void append(Diagnostics* all, Diagnostics more) { all->insert(all->end(), more.begin(), more.end()); }

Result<Model> load(const std::string& path, std::span<const uint8_t> bytes, std::shared_ptr<const MappedFile> file) {
  onnx::ModelProto proto;
  const auto size = static_cast<int64_t>(bytes.size());
  allow_memory_for(size);
  DataSources sources{{}, std::move(file), ExternalFiles(folder_of(path))};
  if (auto parsed = parse(path, bytes, RootMessage::model, &proto, &sources.blobs); !parsed) return parsed.faults();
  if (!proto.has_graph())
    return fault("E102", path, "it holds no graph: it is no ONNX model", "give the file that the exporter wrote");

  Diagnostics faults = check_versions(proto, path);
  if (!faults.empty()) return faults;
  normalise_domains(&proto);
  for (int i = 0; i < proto.graph().node_size(); ++i) set_node_index(proto.mutable_graph()->mutable_node(i), i);
  copy_repeated_outputs(proto.mutable_graph());

  Detached detached;
  append(&faults, detach_tensors(&proto, path, &sources, &detached));
  allow_memory_for(size + sources.external.bytes());
  const Diagnostics not_inlined = inline_functions(&proto, path);
  append(&faults, not_inlined);
  if (not_inlined.empty()) {  // half-inlined graphs would only show faults of their own
    append(&faults, check_structure(proto, path));
    append(&faults, check_nodes(proto, path));
  }
  if (faults.empty()) append(&faults, convert_to_opset6(&proto, path));
  if (!faults.empty()) return faults;

  Model model;
  model.path = path;
  model.bytes = bytes;
  model.owner = sources.file;
  model.ir_version = static_cast<int>(proto.ir_version());
  for (const auto& import : proto.opset_import()) model.opsets[import.domain()] = static_cast<int>(import.version());
  model.graph = read_graph(proto.graph(), detached);
  if (faults = convert_to_opset7(&model); !faults.empty()) return faults;
  model.external_files = sources.external.names();
  model.warnings = sources.external.missing_files(path);
  return model;
}

// The one place where running out of memory over a file is told as the file's fault.
template <class Read>
auto guarded(const std::string& path, Read read) -> decltype(read()) {
  try {
    return read();
  } catch (const std::bad_alloc&) {
    return fault("E103", path, "there is not enough memory to read it", "check how the model was exported");
  } catch (const std::length_error&) {
    return fault("E103", path, "there is not enough memory to read it", "check how the model was exported");
  }
}

}  // namespace

Result<Model> load_onnx(const std::string& path) {
  return guarded(path, [&]() -> Result<Model> {
    auto file = map_model(path);
    if (!file) return file.faults();
    return load(path, (*file)->bytes(), *file);
  });
}

Result<Model> load_onnx_bytes(const std::string& path, std::span<const uint8_t> bytes) {
  return guarded(path, [&] { return load(path, bytes, nullptr); });
}

Result<Constant> load_tensor(const std::string& path) {
  return guarded(path, [&]() -> Result<Constant> {
    auto file = map_model(path);
    if (!file) return file.faults();
    onnx::TensorProto proto;
    DataSources sources{{}, *file, ExternalFiles(folder_of(path))};
    auto parsed = parse(path, (*file)->bytes(), RootMessage::tensor, &proto, &sources.blobs);
    if (!parsed) return parsed.faults();
    Diagnostics faults;
    const auto constant = read_tensor(proto, where_tensor(path, proto.name()), &sources, &faults);
    if (!constant) return faults;
    return *constant;
  });
}

}  // namespace tarn::model
