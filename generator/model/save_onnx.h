// A Model as the bytes of an ONNX file, its weights inside.
#pragma once
#include <string>

#include "model/model.h"
#include "support/result.h"

namespace tarn::model {

// E421 when the file would be larger than protobuf can write (2 GiB), or when weights are missing.
Result<std::string> save_onnx(const Model& model);

// The same model in a newer opset of ai.onnx, by the onnx library's converter. E421 when it cannot.
Result<std::string> raise_opset(const std::string& bytes, int opset, const std::string& file);

}  // namespace tarn::model
