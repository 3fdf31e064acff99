// What the operators of com.microsoft take. The onnx library has no definitions of them to check a node against.
#pragma once
#include <optional>

#include "ops/op.h"

namespace tarn::ops {

// E205 where operands are missing, too many or of the wrong type; nothing for operators that are in no table here.
std::optional<Fault> check_operands(const Facts& facts);

}  // namespace tarn::ops
