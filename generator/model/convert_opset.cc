#include "model/convert_opset.h"

#include <onnx/version_converter/convert.h>

#include "model/check_graph.h"
#include "model/schema_lookup.h"
#include "support/text.h"

namespace tarn::model {

namespace {

constexpr int kOldestHere = 6;
constexpr int kOldestIrOfConverter = 4;  // before, every initializer had to be an input, and what adapters add is none

}  // namespace

Diagnostics convert_to_opset6(onnx::ModelProto* model, const std::string& file) {
  int64_t version = kOldestHere;
  for (const auto& import : model->opset_import()) {
    if (import.domain().empty()) version = import.version();
  }
  if (version >= kOldestHere) return {};
  std::string why;
  try {
    onnx::ModelProto newer = *model;
    newer.set_ir_version(std::max<int64_t>(newer.ir_version(), kOldestIrOfConverter));
    newer = onnx::version_conversion::ConvertVersion(newer, kOldestHere);
    Diagnostics faults = check_structure(newer, file);
    if (faults.empty()) faults = check_nodes(newer, file);
    if (faults.empty()) {
      newer.set_ir_version(model->ir_version());
      model->Swap(&newer);
      return {};
    }
    why = faults.front().message;
  } catch (const std::exception& error) {
    why = first_line(error.what());
  }
  Where where;
  where.file = file;
  return {{"E108", where, cat("ai.onnx opset ", version, " cannot be converted: ", why),
           "export the model for opset 6 or newer, or convert it with onnx.version_converter"}};
}

}  // namespace tarn::model
