#include "model/convert_opset.h"

namespace tarn::model {

Diagnostics convert_opset(onnx::ModelProto*, const std::string&, const Detached&) { return {}; }

}  // namespace tarn::model
