// Takes the data of all large tensors out of a parsed model, so that the onnx library never copies or reads weights.
#pragma once
#include <string>

#include "model/tensor_data.h"
#include "model/translate.h"

namespace tarn::model {

// Judges every tensor of the model, those in attributes, functions and inner graphs included (E104 to E107, E109,
// E207). Afterwards large and external ones are detached, sparse initializers have become dense ones, and the values of
// sparse attributes stand for their dense form.
Diagnostics detach_tensors(onnx::ModelProto* model, const std::string& file, DataSources* sources, Detached* detached);

}  // namespace tarn::model
