#include "model/convert_opset.h"

#include <onnx/version_converter/convert.h>

#include "model/check_graph.h"
#include "model/hold_nodes.h"
#include "model/schema_lookup.h"
#include "support/text.h"

namespace tarn::model {

namespace {

constexpr int kOldestHere = 6;
constexpr int kOldestIrOfConverter = 4;  // before, every initializer had to be an input, and what adapters add is none

// What the converter says, without the place in its source where it says so ("...: Assertion `...` failed: why").
std::string said_by_converter(const char* what) {
  const std::string line = first_line(what), mark = "` failed: ";
  const size_t at = line.rfind(mark);
  return at == std::string::npos ? line : line.substr(at + mark.size());
}

// What stands in the way; nothing: it is converted.
std::optional<std::string> convert(onnx::ModelProto* model, int64_t version, const std::string& file) {
  onnx::ModelProto newer = *model;
  newer.set_ir_version(std::max<int64_t>(newer.ir_version(), kOldestIrOfConverter));
  if (auto why = hold_nodes(&newer, version)) return why;
  try {
    newer = onnx::version_conversion::ConvertVersion(newer, kOldestHere);
  } catch (const std::exception& error) {
    return said_by_converter(error.what());
  }
  release_nodes(&newer);
  Diagnostics faults = check_structure(newer, file);
  if (faults.empty()) faults = check_nodes(newer, file);
  if (!faults.empty()) return faults.front().message;
  newer.set_ir_version(model->ir_version());
  model->Swap(&newer);
  return {};
}

}  // namespace

Diagnostics convert_to_opset6(onnx::ModelProto* model, const std::string& file) {
  int64_t version = kOldestHere;
  for (const auto& import : model->opset_import()) {
    if (import.domain().empty()) version = import.version();
  }
  if (version >= kOldestHere) return {};
  const std::optional<std::string> why = convert(model, version, file);
  if (!why) return {};
  Where where;
  where.file = file;
  return {{"E108", where, cat("ai.onnx opset ", version, " cannot be converted: ", *why),
           "export the model for opset 6 or newer, or convert it with onnx.version_converter"}};
}

}  // namespace tarn::model
