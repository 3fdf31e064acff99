// Models of old ai.onnx opsets become newer ones, by the onnx library's converter.
#pragma once
#include <string>

#include "model/translate.h"
#include "support/diagnostic.h"

namespace tarn::model {

// Opsets up to 6 become 7, whose operators broadcast as all later ones do. A model of opset 6 that cannot be converted stays as
// it is; an older one is E108. Weights are detached, so that the library does not copy them.
Diagnostics convert_opset(onnx::ModelProto* model, const std::string& file, const Detached& detached);

}  // namespace tarn::model
