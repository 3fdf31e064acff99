// Model-local functions: every call is replaced by the function's body, so that nothing downstream knows of them.
#pragma once
#include <string>

#include "model/onnx_proto.h"
#include "support/diagnostic.h"

namespace tarn::model {

// Inlines all calls in the graph and the graphs inside it, to any depth, and removes the functions. The inner values of
// a call are named after it ("call/inner"). Domains that only a function imports are added to the model's imports.
// E103: the result would be absurdly large. E108: a function needs another version of an operator than the model.
// E201: functions that call themselves, or are called with more inputs or outputs than they have.
Diagnostics inline_functions(onnx::ModelProto* model, const std::string& file);

}  // namespace tarn::model
