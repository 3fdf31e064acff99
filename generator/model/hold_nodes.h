// What the onnx library cannot convert from opsets 1 to 5: these nodes become what opset 6 has, and wait in a domain of
// their own, where the library leaves them alone.
#pragma once
#include <optional>
#include <string>

#include "model/onnx_proto.h"

namespace tarn::model {

// `version`: of ai.onnx. Says what cannot be; the model is then of no use.
std::optional<std::string> hold_nodes(onnx::ModelProto* model, int64_t version);
void release_nodes(onnx::ModelProto* model);

}  // namespace tarn::model
