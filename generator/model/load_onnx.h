// Reads an ONNX file into a Model: mapped into memory, checked, opset normalised, local functions inlined.
#pragma once
#include <string>

#include "model/model.h"
#include "support/result.h"

namespace tarn::model {

// Every fault found is reported, not the first (E101 to E109, E201, E207). Missing external data is warning W101 and makes
// its constants absent. Weights stay in the mapped file.
Result<Model> load_onnx(const std::string& path);

// One TensorProto from a .pb file (test data, --const). E101, E102, E109.
Result<Constant> load_tensor(const std::string& path);

}  // namespace tarn::model
