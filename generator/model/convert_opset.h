// Models of old ai.onnx opsets become newer ones, so that nothing past loading knows how operators were before opset 7.
#pragma once
#include <string>

#include "model/model.h"
#include "model/onnx_proto.h"
#include "support/diagnostic.h"

namespace tarn::model {

// Opsets 1 to 5 become 6 by the onnx library's converter. E108 when it cannot. Large tensors are detached, so that it
// does not copy weights.
Diagnostics convert_to_opset6(onnx::ModelProto* model, const std::string& file);

// Opset 6 becomes 7, which brought the broadcasting of all later opsets. Ours, because the library's adapters align
// operands wrongly when Add and its kin have an axis, or PRelu one slope per channel. E108 when that takes a rank that
// is not known.
Diagnostics convert_to_opset7(Model* model);

}  // namespace tarn::model
